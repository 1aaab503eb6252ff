"""Compiles Triton's .ttgir of some kernels, and prints what ptxas says of the PTX.

usage: compile_corpus.py TILEWRIGHT PTXAS CORPUS OUT KERNEL..
    CORPUS has KERNEL/*.ttgir, one a folder.
"""

import glob
import os
import subprocess
import sys

tilewright, ptxas, corpus, out, *kernels = sys.argv[1:]
for kernel in kernels:
    (source,) = glob.glob(os.path.join(corpus, kernel, "*.ttgir"))
    folder = os.path.join(out, kernel)
    subprocess.run([tilewright, "compile", source, "-o", folder], check=True)
    (ptx,) = glob.glob(os.path.join(folder, "*.ptx"))
    command = [ptxas, "-arch=sm_90a", "-v", ptx, "-o", os.path.join(folder, "kernel.cubin")]
    print(kernel, subprocess.run(command, check=True, capture_output=True, text=True).stderr)
print("done")
