#!/usr/bin/env python3
"""Compiles the measured kernels.

Writes OUT/<case>/ for each case. Then carry the repository with OUT to a machine with a GPU
and run compare_triton.py there.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cases  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright", help="the command")
    parser.add_argument("out", help="a folder")
    parser.add_argument("target", nargs="?", default="cuda:90", help="default: cuda:90")
    arguments = parser.parse_args()
    examples = os.path.join(HERE, "..", "..", "examples")
    failed = []
    for case in cases.CASES:
        done = subprocess.run(
            [arguments.tilewright, "compile", os.path.join(examples, case.module + ".py"),
             "--kernel", case.kernel, "--signature", case.signature, "--target", arguments.target,
             "--num-warps", str(case.num_warps), "--num-stages", str(case.num_stages),
             "-o", os.path.join(arguments.out, case.name)])
        print(case.name, "failed" if done.returncode else "")
        if done.returncode:
            failed.append(case.name)
    if failed:
        sys.exit("not compiled: " + ", ".join(failed))


if __name__ == "__main__":
    main()
