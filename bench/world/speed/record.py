"""record.py PACKAGES CALLS.py OUTPUT [NAME ..] [--jobs N]: launches at real sizes, recorded.

Each function of CALLS.py calls functions of one package. A launch that they make is not run: it is
written down, and compiled by Triton as it would be for this launch, for cuda:90 and without a GPU.
OUTPUT gets a folder for each launch, with `launch.json`, `triton.ptx` and the integers that steer
it (README.md has the fields). Constants of a calls file that its `REAL` names take the values
there.

What a launch would have computed is not there for those after it: tensors of floats are described
by what a sample of them holds, and made anew on the GPU.
"""

import argparse
import hashlib
import importlib.util
import inspect
import json
import os
import re
import signal
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import machine
import numpy
import torch
import triton
import with_triton
from contents import Contents
from large import Large
from triton.runtime import autotuner, jit

#: Seconds for one call.
LIMIT = 600
#: Launches of one kernel that are kept: those with different types, constants, options or grids;
#: `KEPT` of a calls file stands above it.
KEPT = 3
#: What our signature says of a descriptor whose tensor has rows of multiples of this, in bytes.
ROW_BYTES = 16
#: Bytes of all tensors of a launch.
LARGEST = 6 << 30
#: Characters kept of an error.
ERROR = 400
TARGET = "cuda:90"
#: Options of Triton's other back ends, which tutorials pass.
IGNORED = ("grf_mode",)


def choose(configs):
    """Of an autotuner's configurations the first and the one in the middle: authors begin lists
    with what they found best, or order them by size."""
    return configs[:1] if len(configs) == 1 else [configs[0], configs[len(configs) // 2]]


def divisor(value):
    """The largest power of two up to 16 that divides an integer."""
    return next(one for one in (16, 8, 4, 2, 1) if value % one == 0)


def entry_of(parameter, kind, value, attributes):
    """The entry of a signature for one parameter, or None if it cannot be written."""
    if kind == "constexpr":
        return with_triton.as_text(value)
    if not isinstance(kind, str):
        return None
    if hasattr(value, "block_shape"):
        whole = value.shape[-1] * value.base.element_size() % ROW_BYTES == 0
        return kind + (f":{ROW_BYTES}" if whole else "")
    if any(name == "tt.divisibility" for name, _ in attributes):
        return kind + ":16"
    if isinstance(value, int) and not isinstance(value, bool) and kind[0] in "iu":
        if not (parameter.do_not_specialize or parameter.do_not_specialize_on_alignment):
            power = divisor(value)
            return f"{kind}:{power}" if power > 1 else kind
    return kind


class Launch:
    """One launch, as a record."""

    def __init__(self, folder, source, call, kept):
        self.folder, self.source, self.call, self.kept = folder, source, call, kept
        self.contents = Contents()

    def value_of(self, kind, value):
        """An argument that is passed, for a process without the package."""
        if isinstance(value, triton.runtime.jit.TensorWrapper):
            value = value.base
        if isinstance(value, torch.Tensor):
            return {"storage": self.contents.number(value),
                    "offset": value.storage_offset() * value.element_size()}
        base = getattr(value, "_base", None)
        if isinstance(base, torch.Tensor):
            # FlagGems' views, which have strides that PyTorch's have not.
            return {"storage": self.contents.number(base),
                    "offset": value.data_ptr() - base.untyped_storage().data_ptr()}
        if hasattr(value, "block_shape"):
            return {**self.value_of(kind, value.base), "shape": list(value.shape),
                    "strides": list(value.strides), "nan": value.padding == "nan"}
        if isinstance(value, (bool, int, float)):
            return value
        raise TypeError(f"an argument of type {type(value).__name__}")

    def write(self, function, bound, specialization, backend, options, grid):
        options, signature, constants, attributes = function._pack_args(
            backend, options, bound, specialization, dict(options))
        entries = []
        for number, parameter in enumerate(function.params):
            entry = entry_of(parameter, signature[parameter.name], bound[parameter.name],
                             attributes.get((number,), []))
            if entry is None:
                raise TypeError(f"no text for {parameter.name}")
            entries.append([parameter.name, entry])
        chosen = {name: getattr(options, name) for name in
                  ("num_warps", "num_stages", "num_ctas", "maxnreg", "launch_cooperative_grid")}
        if chosen["num_ctas"] != 1 or chosen["launch_cooperative_grid"]:
            raise TypeError("clusters and cooperative launches are not recorded")
        arguments = [{"name": parameter.name, "type": signature[parameter.name],
                      "value": self.value_of(signature[parameter.name], bound[parameter.name])}
                     for parameter in function.params if signature[parameter.name] != "constexpr"]
        if self.contents.bytes() > LARGEST:
            raise TypeError(f"{self.contents.bytes() >> 20} MiB of tensors")
        name = re.sub(r"\W", "_", function.fn.__name__)
        text = json.dumps([function.fn.__code__.co_filename, name, entries, chosen, grid,
                           self.contents.bytes()])
        known = [one for one in os.listdir(self.folder) if one.startswith(name + ".")]
        path = os.path.join(self.folder, f"{name}.{hashlib.sha1(text.encode()).hexdigest()[:8]}")
        if os.path.basename(path) in known or len(known) >= self.kept:
            return
        ptx, metadata = with_triton.lower(
            triton.compiler.ASTSource(function, signature, constants, attributes), options,
            TARGET, last="ptx")
        os.makedirs(path)
        storages, arrays = self.contents.describe()
        numpy.savez_compressed(os.path.join(path, "integers.npz"), **arrays)
        with open(os.path.join(path, "triton.ptx"), "w", encoding="utf-8") as file:
            file.write(ptx)
        record = {
            "source": self.source, "call": self.call, "file": function.fn.__code__.co_filename,
            "kernel": function.fn.__qualname__, "signature": entries, "grid": grid, **chosen,
            "arguments": arguments, "storages": storages,
            "addresses": self.contents.addresses,
            "triton": {"name": metadata["name"], "num_warps": metadata["num_warps"],
                       "shared": metadata["shared"], "scratch": metadata["global_scratch_size"],
                       "descriptors": metadata["tensordesc_meta"]}}
        with open(os.path.join(path, "launch.json"), "w", encoding="utf-8") as file:
            json.dump(record, file)


def launch_recorder(folder, source, call, kept):
    """What stands in JITFunction.run's place."""

    def run(function, *args, grid, warmup, **kwargs):
        if warmup:
            return
        with torch._C.DisableTorchFunction(), torch.utils._python_dispatch._disable_current_modes():
            for hook in function.pre_run_hooks:
                hook(*args, **kwargs)
            kwargs = {name: value for name, value in kwargs.items() if name not in IGNORED}
            *_, backend, binder = function.device_caches[0]
            bound, specialization, options = binder(*args, **kwargs)
            grid = grid(bound) if callable(grid) else grid
            grid = (list(grid) if isinstance(grid, (tuple, list)) else [grid]) + [1, 1]
            try:
                Launch(folder, source, call, kept).write(function, bound, specialization, backend,
                                                         kwargs, [int(one) for one in grid[:3]])
            except Exception as error:  # pylint: disable=broad-except; whatever Triton raises
                print(f"{call}: {function.fn.__name__}: {error!r}"[:ERROR], file=sys.stderr)
    return run


def tuner_run(tuner, *args, **kwargs):
    """Instead of Autotuner.run."""
    tuner.nargs = dict(zip(tuner.arg_names, args))
    for config in choose(tuner.prune_configs(kwargs)):
        tuner.best_config = config
        values = config.all_kwargs()
        if config.pre_hook is not None:
            config.pre_hook({**tuner.nargs, **kwargs, **values})
        tuner.fn.run(*args, **kwargs, **values)


def begin_call(name, function, folder, source, kept):
    """Begins a process of its own, whatever a package does to it; its id."""
    child = os.fork()
    if child:
        return child
    signal.alarm(LIMIT)
    jit.JITFunction.run = launch_recorder(folder, source, name, kept)
    autotuner.Autotuner.run = tuner_run
    torch.manual_seed(0)
    try:
        with machine.PretendedGpu(), Large():
            function()
    except BaseException:  # pylint: disable=broad-except
        lines = traceback.format_exc().strip().splitlines()
        print(f"{name}: {' | '.join(lines[-3:])}"[:ERROR], file=sys.stderr)
    sys.stderr.flush()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split(":", maxsplit=1)[0])
    parser.add_argument("packages")
    parser.add_argument("calls")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    machine.MULTIPROCESSORS = 132
    with_triton.prepare(os.path.abspath(options.packages))
    sys.setrecursionlimit(4000)
    os.makedirs(options.folder, exist_ok=True)
    spec = importlib.util.spec_from_file_location("calls", options.calls)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module).update(getattr(module, "REAL", {}))
    source = os.path.splitext(os.path.basename(options.calls))[0]
    running = set()
    for name, function in list(vars(module).items()):
        if inspect.isfunction(function) and function.__module__ == "calls" and name[0] != "_":
            if not options.names or name in options.names:
                if len(running) >= options.jobs:
                    running.remove(os.wait()[0])
                running.add(begin_call(name, function, os.path.abspath(options.folder), source,
                                       getattr(module, "KEPT", KEPT)))
    while running:
        running.remove(os.wait()[0])


if __name__ == "__main__":
    main()
