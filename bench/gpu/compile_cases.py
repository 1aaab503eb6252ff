#!/usr/bin/env python3
"""Compiles the measured kernels: compile_cases.py TILEWRIGHT OUT [TARGET]

Writes OUT/<case>/ for each case. Then carry the repository with OUT to a machine with a GPU
and run compare_triton.py there.
"""

import os
import subprocess
import sys

import cases

tilewright, out = sys.argv[1:3]
target = sys.argv[3] if len(sys.argv) > 3 else "cuda:90"
examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
for case in cases.CASES:
    subprocess.run(
        [tilewright, "compile", os.path.join(examples, case.module + ".py"),
         "--kernel", case.kernel, "--signature", case.signature, "--target", target,
         "--num-warps", str(case.num_warps), "-o", os.path.join(out, case.name)],
        check=True)
    print(case.name)
