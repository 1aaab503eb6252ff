#!/usr/bin/env python3
"""Runs what test/hardware/make_cases.py or the end-to-end tests left for an AMD target and compares it
with the simulator's results."""

import argparse
import glob
import json
import multiprocessing
import os
import sys

import numpy as np

import emulate

# What the hardware approximates, or the simulator: relative to the largest element.
TOLERANCE = {2: 1e-3, 4: 2e-6, 8: 1e-12}


# Where the exponent's bits are all ones: types that .npy files hold as integers.
EXPONENT = {"*bf16": 0x7F80, "*fp8e5": 0x7C, "*fp8e4nv": 0x7F}


def without_nans(array, kind):
    """Bytes, with the same NaN for every NaN: which one an operation gives is not specified."""
    array = array.copy()
    if array.dtype.kind == "f":
        array[np.isnan(array)] = np.nan
    elif kind in EXPONENT:
        ones = EXPONENT[kind]
        magnitude = array & ((1 << (8 * array.itemsize - 1)) - 1)
        array[magnitude > ones if kind != "*fp8e4nv" else magnitude == ones] = ones | 1
    return array.tobytes()


def difference(found, expected, kind):
    """None, or words. kind: the array's type, as signatures have it."""
    found = found.reshape(-1).view(expected.dtype).reshape(expected.shape)
    if without_nans(found, kind) == without_nans(expected, kind):
        return None
    tolerance = TOLERANCE.get(expected.dtype.itemsize)
    if expected.dtype.kind == "f" and np.allclose(found.astype(np.float64), expected.astype(np.float64),
                                                  rtol=tolerance, atol=tolerance, equal_nan=True):
        return "close"
    bad = np.flatnonzero(found.ravel().view(f"u{expected.itemsize}") !=
                         expected.ravel().view(f"u{expected.itemsize}"))
    return (f"{len(bad)} of {expected.size} differ, first at {bad[:3]}: {found.ravel()[bad[:3]]} instead of "
            f"{expected.ravel()[bad[:3]]}")


def run(kernel, case, folder, order):
    """The arguments after a run."""
    arguments = dict(case["scalars"])
    for argument in kernel.about["arguments"]:
        if argument["type"].startswith("*"):
            arguments[argument["name"]] = np.load(os.path.join(folder, argument["name"] + ".npy"))
    kernel.run(arguments, case["grid"], order)
    return arguments


def check(folder):
    """What is wrong with the case of a folder, and the names of its instructions. Not wrong: None,
    "close", and "open": the result depends on addresses or on the order of waves, as what an
    atomic operation has found does."""
    case = json.load(open(os.path.join(folder, "case.json")))
    kernel = emulate.Kernel(os.path.join(folder, case["kernel"] + ".json"))
    arguments = run(kernel, case, folder, 1)
    kinds = {argument["name"]: argument["type"] for argument in kernel.about["arguments"]}
    found, other = [], None
    for key in case["out"]:
        text = difference(arguments[key], np.load(os.path.join(folder, key + ".expected.npy")), kinds[key])
        if text not in (None, "close"):
            other = other or run(kernel, case, folder, -1)
            if other[key].tobytes() != arguments[key].tobytes():
                text = "open"
        if text:
            found.append(text if text in ("close", "open") else f"{key}: {text}")
    return max(found, key=len, default=None), kernel.program.names


def try_check(folder):
    try:
        return check(folder)
    except emulate.ERRORS as error:
        return str(error), set()


def main():
    parser = argparse.ArgumentParser(description=" ".join(__doc__.split()))
    parser.add_argument("out", help="the folder that they were left in")
    parser.add_argument("names", nargs="*", metavar="name", help="of a case, or how it begins; default: all")
    arguments = parser.parse_args()
    out, wanted = arguments.out, tuple(arguments.names) or ""
    # Tests may have cases for other vendors among theirs.
    cases = sorted(name for name in os.listdir(out)
                   if glob.glob(os.path.join(out, name, "*.hsaco")) and name.startswith(wanted))
    names, counts, failed = set(), {None: 0, "close": 0, "open": 0}, 0
    with multiprocessing.Pool() as pool:
        results = pool.imap(try_check, [os.path.join(out, name) for name in cases])
        for name, (found, used) in zip(cases, results):
            names |= used
            if found in counts:
                counts[found] += 1
                if found:
                    print(f"{found}: {name}")
            else:
                failed += 1
                print(f"FAILED {name}: {found}", flush=True)
    print(f"{counts[None]} equal to the simulator's bit for bit, {counts['close']} close, "
          f"{counts['open']} depend on the order of waves or on addresses, {failed} failed; "
          f"{len(names)} different instructions")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
