#!/usr/bin/env python3
"""Compiles the measured kernels: compile_cases.py TILEWRIGHT OUT [TARGET]

Writes OUT/<case>/ for each case. Then carry the repository with OUT to a machine with a GPU
and run compare_triton.py there.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cases  # noqa: E402

tilewright, out = sys.argv[1:3]
target = sys.argv[3] if len(sys.argv) > 3 else "cuda:90"
examples = os.path.join(HERE, "..", "..", "examples")
failed = []
for case in cases.CASES:
    done = subprocess.run(
        [tilewright, "compile", os.path.join(examples, case.module + ".py"),
         "--kernel", case.kernel, "--signature", case.signature, "--target", target,
         "--num-warps", str(case.num_warps), "--num-stages", str(case.num_stages),
         "-o", os.path.join(out, case.name)])
    print(case.name, "failed" if done.returncode else "")
    if done.returncode:
        failed.append(case.name)
if failed:
    sys.exit("not compiled: " + ", ".join(failed))
