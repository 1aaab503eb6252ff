#!/usr/bin/env python3
"""The example kernels as AMD machine code against NumPy.

Cases, sizes and references are those of test/e2e/numpy/corpus.py.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import emulate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../e2e/numpy"))
import corpus  # noqa: E402


def compiled(tilewright, case, target, warps, folder):
    subprocess.run([tilewright, "compile", os.path.join(corpus.EXAMPLES, case.module + ".py"), "--kernel",
                    case.kernel, "--signature", case.signature(), "--target", target, "--num-warps",
                    str(warps), "-o", folder], check=True)
    return emulate.Kernel(os.path.join(folder, case.kernel + ".json"))


def run(kernel, case, order):
    arguments = {}
    for name, value in case.arguments.items():
        if isinstance(value, np.ndarray):  # what the kernel leaves out stands out
            value = np.full_like(value, 123) if name in case.expected else value.copy()
        arguments[name] = value
    kernel.run(arguments, case.grid, order)
    return arguments


def check(tilewright, name, case, target, warps, names):
    """Whether the kernel's outputs are right, in either order of waves and work-groups."""
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        kernel = compiled(tilewright, case, target, warps, folder)
    names |= kernel.program.names
    first, second = (run(kernel, case, order) for order in (1, -1))
    good = True
    for output, exact in case.expected.items():
        error = np.abs(first[output].astype(np.float64).reshape(exact.shape) - exact).max()
        error /= np.abs(exact).max()
        if not error <= case.tolerance:
            good = False
            print(f"FAILED {name} {output} {target} {warps} warps: error {error:.2e}")
        if first[output].tobytes() != second[output].tobytes():
            good = False
            print(f"FAILED {name} {output} {target} {warps} warps: depends on the order of waves")
    print(f"{name} {target} {warps} warps: {kernel.program.executed // 2} instructions, "
          f"{time.time() - start:.1f} s", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright", help="the command")
    parser.add_argument("targets", nargs="*", metavar="target", default=["hip:gfx1100", "hip:gfx1201"],
                        help="default: hip:gfx1100 hip:gfx1201")
    arguments = parser.parse_args()
    tilewright, targets = arguments.tilewright, arguments.targets
    count, failures, names = 0, 0, set()
    for name, make in corpus.CASES.items():
        case = make()
        for target in targets:
            for warps in case.warps:
                count += 1
                try:
                    failures += not check(tilewright, name, case, target, warps, names)
                except emulate.ERRORS as error:
                    failures += 1
                    print(f"FAILED {name} {target} {warps} warps: {error}", flush=True)
    print(f"{count} kernels, {failures} failures, {len(names)} different instructions")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
