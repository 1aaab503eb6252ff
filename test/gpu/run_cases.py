#!/usr/bin/env python3
"""On a machine with a GPU: run_cases.py OUT. Runs what make_cases.py left there and compares it
with the simulator's results. Needs PyTorch, for the device's memory only."""

import ctypes
import json
import os
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/gpu"))
from compare_triton import Kernel  # noqa: E402


def main():
    out, failed = sys.argv[1], 0
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    names = sorted(os.listdir(out))
    for name in names:
        folder = os.path.join(out, name)
        case = json.load(open(os.path.join(folder, "case.json")))
        kernel = Kernel(folder, case["kernel"])
        arguments, constants, tensors = [], [], {}
        for argument in kernel.meta["arguments"]:
            key = argument["name"]
            if "value" in argument:
                constants.append(key)
            elif key in case["scalars"]:
                arguments.append(case["scalars"][key])
            else:
                array = np.load(os.path.join(folder, key + ".npy"))
                tensors[key] = torch.from_numpy(array.view(np.uint8).copy()).cuda()
                arguments.append(tensors[key])
        kernel.launcher(case["grid"], arguments, constants)()
        torch.cuda.synchronize()
        for key in case["out"]:
            expected = np.load(os.path.join(folder, key + ".expected.npy"))
            found = tensors[key].cpu().numpy().view(expected.dtype).reshape(expected.shape)
            exact = np.array_equal(found.view(np.uint8), expected.view(np.uint8))
            # Fast functions of the hardware are a few units in the last place off the exact ones.
            tolerance = {2: 2e-3, 4: 2e-6, 8: 1e-12}.get(expected.dtype.itemsize)
            close = exact or (expected.dtype.kind == "f" and np.allclose(
                found.astype(np.float64), expected.astype(np.float64), rtol=tolerance, atol=tolerance))
            if not close:
                failed += 1
                bad = np.flatnonzero(found != expected)
                print(f"{name}.{key}: {len(bad)} of {expected.size} differ, first at {bad[:3]}: "
                      f"{found.ravel()[bad[:3]]} instead of {expected.ravel()[bad[:3]]}")
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
