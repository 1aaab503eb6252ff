#!/usr/bin/env python3
"""What ptxas makes of the example kernels' PTX, and how long it takes, beside Triton's PTX.

    venv/bin/python bench/compile/compare_ptxas.py --tilewright build/release/tools/tilewright

One ptxas assembles both: that on PATH, or --ptxas. Its runs on the two texts alternate, and the
least time of each counts, since all else that a machine does only adds to it. Needs Triton, no GPU.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import compare_triton
from compare_triton import KERNELS
import triton_stages


def our_ptx(arguments, kernel, folder):
    compare_triton.run(compare_triton.tilewright_command(arguments, kernel, folder))
    with open(os.path.join(folder, kernel.kernel + ".ptx")) as file:
        return file.read()


def triton_ptx(arguments, kernel):
    """Triton's PTX. Its back end leaves `.target` without what is not asked of its own ptxas."""
    return triton_stages.compile_stages(kernel, ("cuda", arguments.capability), "ptx")[1]["ptx"]


class Text:
    """A PTX file and what was measured of it."""

    def __init__(self, arguments, path, ptx):
        with open(path, "w") as file:
            file.write(ptx)
        architecture = re.search(r"^\.target\s+(\w+)", ptx, re.M).group(1)
        self.command = [arguments.ptxas, "-v", f"-arch={architecture}", path, "-o", os.devnull]
        self.milliseconds = []

    def assemble(self):
        start = time.perf_counter()
        done = subprocess.run(self.command, capture_output=True, text=True)
        self.milliseconds.append((time.perf_counter() - start) * 1e3)
        self.log = done.stdout + done.stderr
        if done.returncode != 0:
            raise RuntimeError(self.log.strip().splitlines()[0])

    def registers(self):
        return int(re.search(r"Used (\d+) registers", self.log).group(1))

    def spilled(self):
        """Bytes of spill stores and loads together."""
        return sum(int(n) for n in re.findall(r"(\d+) bytes spill", self.log))


def measure(arguments, kernel):
    """Prints the kernel's row; gives the least milliseconds of (Triton, Tilewright), or nothing
    where one of the compilers or ptxas refuses."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            theirs = Text(arguments, os.path.join(folder, "triton.ptx"),
                          triton_ptx(arguments, kernel))
            ours = Text(arguments, os.path.join(folder, "ours.ptx"),
                        our_ptx(arguments, kernel, folder))
            for _ in range(arguments.rounds):
                theirs.assemble()
                ours.assemble()
        except Exception as problem:  # Triton's compiler raises many kinds
            print(f"{kernel.name:22} {(str(problem).splitlines() or ['?'])[0]}", flush=True)
            return None
    times = min(theirs.milliseconds), min(ours.milliseconds)
    print(f"{kernel.name:22} {times[0]:8.0f} {times[1]:8.0f} {times[1] / times[0]:6.2f}"
          f" {theirs.registers():7} {ours.registers():7} {theirs.spilled():7} {ours.spilled():7}",
          flush=True)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True, help="the command to measure")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--capability", type=int, default=90)
    parser.set_defaults(target=None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kernel", choices=[k.name for k in KERNELS], action="append")
    arguments = parser.parse_args()
    print(f"{'kernel':22} {'ms':>8} {'':8} {'ratio':>6} {'registers':>15} {'bytes spilled':>15}\n"
          f"{'':22} {'Triton':>8} {'ours':>8} {'':6} {'Triton':>7} {'ours':>7} {'Triton':>7} "
          f"{'ours':>7}")
    chosen = [k for k in KERNELS if not arguments.kernel or k.name in arguments.kernel]
    rows = [row for row in (measure(arguments, kernel) for kernel in chosen) if row]
    if not rows:
        sys.exit("nothing to compare")
    theirs, ours = (sum(column) for column in zip(*rows))
    print(f"{'together':22} {theirs:8.0f} {ours:8.0f} {ours / theirs:6.2f}")


if __name__ == "__main__":
    main()
