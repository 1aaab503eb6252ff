#!/usr/bin/env python3
"""Runs what make_cases.py left on a machine with a GPU, and compares it with the simulator's results.

With `TILEWRIGHT run --device DEVICE` or, where no program is given, on NVIDIA's GPUs through PyTorch,
which needs nothing that has been built.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

import numpy as np

# Fast functions of the hardware are a few units in the last place off the exact ones.
TOLERANCE = {2: 2e-3, 4: 2e-6, 8: 1e-12}


def torch_runner():
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/gpu"))
    import torch
    from launch import Kernel
    torch.cuda.init()
    torch.zeros(1, device="cuda")

    def run(folder, case):
        kernel = Kernel(folder, case["kernel"])
        kernel.load()
        arguments, tensors = [], {}
        for key in kernel.names:
            if key in case["scalars"]:
                arguments.append(case["scalars"][key])
            else:
                array = np.load(os.path.join(folder, key + ".npy"))
                tensors[key] = torch.from_numpy(array.view(np.uint8).copy()).cuda()
                arguments.append(tensors[key])
        kernel.launcher(case["grid"], arguments)()
        torch.cuda.synchronize()
        return {key: tensors[key].cpu().numpy() for key in case["out"]}

    return run


def command_runner(tilewright, device):
    def run(folder, case):
        passed = {a["name"] for a in json.load(open(os.path.join(folder, case["kernel"] + ".json")))["arguments"]
                  if "value" not in a}
        values = dict(case["scalars"]) | {k: "@" + os.path.join(folder, k + ".npy") for k in case["arrays"]}
        results = {key: os.path.join(folder, f"{key}.{device}.npy") for key in case["out"]}
        command = [tilewright, "run", os.path.join(folder, case["kernel"] + ".json"), "--device", device,
                   "--grid", ",".join(map(str, case["grid"]))]
        for key, value in values.items():
            if key in passed:
                command += ["--arg", f"{key}={value}"]
        for key, path in results.items():
            command += ["--save", f"{key}={path}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return {key: np.load(path) for key, path in results.items()}

    return run


def compare(folder, case, results):
    """What is wrong, a line for each output."""
    for key, found in results.items():
        expected = np.load(os.path.join(folder, key + ".expected.npy"))
        found = found.reshape(-1).view(expected.dtype).reshape(expected.shape)
        exact = np.array_equal(found.view(np.uint8), expected.view(np.uint8))
        tolerance = TOLERANCE.get(expected.dtype.itemsize)
        close = exact or (expected.dtype.kind == "f" and np.allclose(
            found.astype(np.float64), expected.astype(np.float64), rtol=tolerance, atol=tolerance,
            equal_nan=True))
        if not close:
            bad = np.flatnonzero(found != expected)
            yield (f"{key}: {len(bad)} of {expected.size} differ, first at {bad[:3]}: "
                   f"{found.ravel()[bad[:3]]} instead of {expected.ravel()[bad[:3]]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="what make_cases.py has left")
    parser.add_argument("tilewright", nargs="?", help="the command")
    parser.add_argument("device", nargs="?", help="cuda or opencl")
    arguments = parser.parse_args()
    if arguments.tilewright and not arguments.device:
        parser.error("with a command there must be a device")
    out = arguments.out
    run = command_runner(arguments.tilewright, arguments.device) if arguments.tilewright else torch_runner()

    def check(name):
        folder = os.path.join(out, name)
        case = json.load(open(os.path.join(folder, "case.json")))
        try:
            return [f"{name}.{line}" for line in compare(folder, case, run(folder, case))]
        except RuntimeError as error:
            return [f"{name}: {error}"]

    names, failed = sorted(os.listdir(out)), 0
    with concurrent.futures.ThreadPoolExecutor() as pool:
        # Commands are processes of their own; PyTorch's context is current in this thread only.
        for lines in (pool.map if arguments.tilewright else map)(check, names):
            failed += bool(lines)
            for line in lines:
                print(line, flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
