#!/usr/bin/env python3
"""Runs what test/gpu/make_cases.py left for an AMD target against the simulator's results."""

import argparse
import json
import multiprocessing
import os
import sys

import numpy as np

import emulate

# What the hardware approximates, or the simulator: relative to the largest element.
TOLERANCE = {2: 1e-3, 4: 2e-6, 8: 1e-12}


def difference(found, expected):
    """None, or words."""
    if found.tobytes() == expected.tobytes():
        return None
    found = found.reshape(-1).view(expected.dtype).reshape(expected.shape)
    tolerance = TOLERANCE.get(expected.dtype.itemsize)
    if expected.dtype.kind == "f" and np.allclose(found.astype(np.float64), expected.astype(np.float64),
                                                  rtol=tolerance, atol=tolerance, equal_nan=True):
        return "close"
    bad = np.flatnonzero(found.ravel().view(f"u{expected.itemsize}") !=
                         expected.ravel().view(f"u{expected.itemsize}"))
    return (f"{len(bad)} of {expected.size} differ, first at {bad[:3]}: {found.ravel()[bad[:3]]} instead of "
            f"{expected.ravel()[bad[:3]]}")


def check(folder):
    """What is wrong with the case of a folder - nothing, "close" or words - and the names of its
    instructions."""
    case = json.load(open(os.path.join(folder, "case.json")))
    kernel = emulate.Kernel(os.path.join(folder, case["kernel"] + ".json"))
    arguments = dict(case["scalars"])
    for argument in kernel.about["arguments"]:
        if argument["type"].startswith("*"):
            arguments[argument["name"]] = np.load(os.path.join(folder, argument["name"] + ".npy"))
    kernel.run(arguments, case["grid"])
    found = [difference(arguments[key], np.load(os.path.join(folder, key + ".expected.npy")))
             for key in case["out"]]
    return max((text for text in found if text), key=len, default=None), kernel.program.names


def try_check(folder):
    try:
        return check(folder)
    except emulate.ERRORS as error:
        return str(error), set()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="what make_cases.py has left")
    parser.add_argument("names", nargs="*", metavar="name", help="of a case, or how it begins; default: all")
    arguments = parser.parse_args()
    out, wanted = arguments.out, tuple(arguments.names)
    cases = [name for name in sorted(os.listdir(out)) if not wanted or name.startswith(wanted)]
    names, exact, close, failed = set(), 0, 0, 0
    with multiprocessing.Pool() as pool:
        results = pool.imap(try_check, [os.path.join(out, name) for name in cases])
        for name, (found, used) in zip(cases, results):
            names |= used
            if found in (None, "close"):
                exact, close = exact + (found is None), close + (found == "close")
            else:
                failed += 1
                print(f"FAILED {name}: {found}", flush=True)
    print(f"{exact} equal to the simulator's bit for bit, {close} close, {failed} failed; "
          f"{len(names)} different instructions")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
