#!/usr/bin/env python3
"""A planted fault is found by random_programs.py and left as a small kernel:
check_reduction.py TILEWRIGHT

The planted compiler refuses kernels that sort, and passes all others on.
"""

import os
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# A program that sorts, among many other things, and how long the kernel may be that is left.
SEED, LINES = 114, 8


def main():
    tilewright = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        planted = os.path.join(folder, "planted")
        with open(planted, "w") as file:
            file.write("#!/bin/sh\nif grep -q 'tl[.]sort' \"$2\"; then\n"
                       "  echo 'kernel.py:1:1: error: no sorting today' >&2\n  exit 1\nfi\n"
                       f"exec '{tilewright}' \"$@\"\n")
        os.chmod(planted, os.stat(planted).st_mode | stat.S_IXUSR)
        done = subprocess.run([sys.executable, os.path.join(HERE, "random_programs.py"),
                               "--tilewright", planted, "--seed", str(SEED), "--count", "1",
                               "--keep", folder], capture_output=True, text=True)
        if done.returncode != 1 or "no sorting today" not in done.stdout:
            sys.exit(f"the fault is not found:\n{done.stdout}{done.stderr}")
        with open(os.path.join(folder, str(SEED), "kernel.py")) as file:
            kernel = file.read().split("def kernel(")[1]
        lines = kernel.splitlines()[1:]
        if "tl.sort" not in kernel or len(lines) > LINES:
            sys.exit(f"the kernel is not small:\n{kernel}")
        print("\n".join(lines))


if __name__ == "__main__":
    main()
