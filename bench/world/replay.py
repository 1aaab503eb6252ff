"""replay.py PACKAGES RECORDS RESULTS.jsonl [--targets A,B] [--limit SECONDS] [--only NAME]:
launches that record.py has written, on Tilewright's simulator. Run by simulate.py.

Each launch is done in a process of its own, with a copy of the memory as it was before. All of the
memory is compared afterwards, also what lies outside of the tensors that were passed. A line of
RESULTS.jsonl is one launch on one target: its kernel, `state`, and what there is to say about it.

States: `same`; `unchanged`: the kernel wrote nothing that could be compared; `differs`; `refused`:
the compiler's error; `fault`: the simulator's; `slow`: not done within the limit; `missing`: the
kernel is not found by its name; `crashed`.
"""

import argparse
import ast
import glob
import importlib
import inspect
import json
import os
import signal
import sys
import time

import machine
import tilewright
import tilewright.triton
import torch

tilewright.triton.install()

import triton  # pylint: disable=wrong-import-position; ours from here on
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

#: How far results may be apart, as part of the array's magnitude: a few units in the last place
#: of the coarsest type among the arguments; for f32 what sums in another order differ by.
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-4, torch.float16: 2**-8,
             torch.bfloat16: 2**-6, torch.float8_e4m3fn: 2**-3, torch.float8_e5m2: 2**-2}
#: Products of f32: where they are of tf32, the interpreter's are, too, but not on AMD's GPUs.
PRODUCT = {"cuda": 2**-10, "hip": 2**-7, "xpu": 2**-10}


def kernel_of(module, qualified_name):
    """The jitted function under autotuners, heuristics and a package's own wrappers."""
    value = importlib.import_module(module)
    for part in qualified_name.split("."):
        value = inspect.getattr_static(value, part, None)
    seen = set()
    while value is not None and id(value) not in seen:
        seen.add(id(value))
        if isinstance(value, staticmethod):
            value = value.__func__
        if isinstance(value, triton.JITFunction):
            return value
        attributes = getattr(value, "__dict__", {})
        value = next((attributes[name] for name in ("jit_function", "fn", "kernel", "__wrapped__",
                                                    "func", "jit_fn", "_fn")
                      if not isinstance(attributes.get(name), (type(None), str, int))), None)
    return None


def native(value, memory):
    """The argument that record.py described."""
    kind, *parts = value
    if kind == "tensor":
        number, dtype, shape, strides, offset = parts
        empty = torch.empty(0, dtype=dtype)
        return empty.set_(memory[number].untyped_storage(), offset, shape, strides)
    if kind == "function":
        return kernel_of(*parts)
    if kind == "dtype":
        return getattr(tl, LANGUAGE_NAMES.get(parts[0], parts[0]))
    if kind == "reinterpreted":
        return triton.reinterpret(native(parts[0], memory),
                                  getattr(tl, LANGUAGE_NAMES.get(parts[1], parts[1])))
    if kind == "tuple":
        return tuple(native(one, memory) for one in parts[0])
    if kind == "descriptor":
        base, shape, strides, block, padding = parts
        return TensorDescriptor(native(base, memory), shape, strides, block, padding)
    return parts[0]


#: str() of Triton's types, where the language has another name.
LANGUAGE_NAMES = {"fp16": "float16", "fp32": "float32", "fp64": "float64", "bf16": "bfloat16",
                  "fp8e4nv": "float8e4nv", "fp8e5": "float8e5", "i1": "int1"}


def described_tensors(value):
    if value[0] == "tensor":
        yield value
    elif value[0] in ("descriptor", "reinterpreted"):
        yield from described_tensors(value[1])
    elif value[0] == "tuple":
        for one in value[1]:
            yield from described_tensors(one)


def tolerance(launch, kernel, target):
    types = [tensor[2] for value in launch["arguments"].values()
             for tensor in described_tensors(value)]
    largest = max((TOLERANCE.get(one, 0.0) for one in types), default=0.0)
    if not multiplies(kernel, set()):
        return largest
    return max(largest, PRODUCT[target.split(":")[0]])


def multiplies(kernel, seen):
    """Whether a product of tiles is reached."""
    seen.add(kernel)
    for node in ast.walk(ast.parse(inspect.cleandoc("\n" + inspect.getsource(kernel.fn)))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("dot"):
            return True
        if isinstance(node, ast.Name):
            called = kernel.fn.__globals__.get(node.id)
            if isinstance(called, triton.JITFunction) and called not in seen:
                if multiplies(called, seen):
                    return True
    return False


def compare(launch, memory, allowed):
    """Of each argument's memory: name, elements that differ, the largest difference as a part of
    the magnitude, and the first elements (index, ours, the interpreter's)."""
    differing, written, worst = [], False, 0.0
    compared = set()
    for name, value in launch["arguments"].items():
        for _, number, dtype, *_ in described_tensors(value):
            if number in compared:
                continue
            compared.add(number)
            before, want = launch["before"][number], launch["after"][number]
            written |= not torch.equal(before, want)
            size = want.numel() // dtype.itemsize * dtype.itemsize
            got, want = memory[number][:size].view(dtype), want[:size].view(dtype)
            if dtype.is_floating_point:
                got, want = got.double(), want.double()
                finite = want[want.isfinite()]
                magnitude = finite.abs().mean().item() if finite.numel() else 0.0
                error = (got - want).abs() / (want.abs() + magnitude + 1e-30)
                same = (got == want) | (got.isnan() & want.isnan())
                error = torch.where(same, 0.0, error.nan_to_num(float("inf"), float("inf")))
            else:
                error = (got != want).double()
            worst = max(worst, error.max().item() if error.numel() else 0.0)
            bad = (error > allowed if dtype.is_floating_point else error > 0).nonzero().flatten()
            if bad.numel():
                differing.append((name, bad.numel(), want.numel(), error.max().item(),
                                  [(i, got[i].item(), want[i].item()) for i in bad[:4].tolist()]))
    return differing, written, worst


def replay(launch, target):
    """What is to be said of one launch."""
    memory = [one.clone() for one in launch["before"]]
    kernel = kernel_of(launch["module"], launch["kernel"])
    if kernel is None:
        lines = [one for one in machine.SKIPPED if one[0] == launch["file"]]
        return {"state": "missing", "message": repr(lines)}
    arguments = {name: native(value, memory) for name, value in launch["arguments"].items()}
    begin = time.perf_counter()
    try:
        kernel[launch["grid"]](**{**launch["options"], **arguments}, target=target)
    except tilewright.SimulationError as error:
        return {"state": "fault", "message": str(error)}
    except (tilewright.Error, TypeError, ValueError) as error:
        return {"state": "refused", "message": str(error)}
    seconds = time.perf_counter() - begin
    allowed = tolerance(launch, kernel, target)
    differing, written, worst = compare(launch, memory, allowed)
    state = "differs" if differing else "same" if written else "unchanged"
    return {"state": state, "seconds": round(seconds, 2), "worst": worst, "allowed": allowed,
            "differing": differing}


def in_child(launch, target, limit):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(limit)
        try:
            result = replay(launch, target)
        except BaseException as error:  # pylint: disable=broad-except
            result = {"state": "crashed", "message": repr(error)}
        os.write(writer, json.dumps(result).encode()[:60000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
    return {"state": "slow" if slow else "crashed", "message": f"status {status}"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("packages")
    parser.add_argument("records")
    parser.add_argument("results")
    parser.add_argument("--targets", default="cuda:90")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    machine.prepare(options.packages)
    with open(options.results, "a") as results:
        for file in sorted(glob.glob(os.path.join(options.records, "*.pt"))):
            launch = torch.load(file, weights_only=False)
            if options.only not in f"{launch['module']}:{launch['kernel']}":
                continue
            try:
                importlib.import_module(launch["module"])
            except ImportError:
                pass  # the child says so
            for target in options.targets.split(","):
                result = in_child(launch, target, options.limit)
                line = {"record": os.path.basename(file), "module": launch["module"],
                        "kernel": launch["kernel"], "target": target, **result}
                print(json.dumps(line), file=results, flush=True)


if __name__ == "__main__":
    main()
