"""What is to be measured on other machines, and what they found."""

import io
import json
import os
import re

from .. import _native
from .._options import DEFAULTS
from ..errors import Error
from . import results as _results

#: The version of the format, as in src/tune/Plan.cpp.
_VERSION = 2


class Plan:
    """A plan of `tilewright tune --plan`, or of a kernel's method `plan`.

    json: the plan; files: the arrays that it names as @NAME, by these names, as .npy files.
    """

    def __init__(self, contents, files, compiler):
        self.json = contents
        self.files = files
        #: The build that workers must have; None if it does not matter.
        self.compiler = compiler

    @classmethod
    def read(cls, path):
        path = os.fspath(path)
        with open(path, encoding="utf-8") as file:
            try:
                contents = json.load(file)
            except ValueError:
                contents = None
        if not isinstance(contents, dict) or contents.get("plan") != _VERSION:
            raise Error(f"{path}: this is no plan of what to measure\n  write it with `tilewright "
                        "tune KERNEL.py .. --plan FILE.json`")
        files = {}
        for name, text in contents["arguments"].items():
            if text.startswith("@"):
                with open(os.path.join(os.path.dirname(path), text[1:]), "rb") as file:
                    files[f"{name}.npy"] = file.read()
                contents["arguments"][name] = f"@{name}.npy"
        return cls(contents, files, dict(map(tuple, contents["key"])).get("compiler"))

    def write(self, path):
        """Writes the plan for `tilewright tune`, and its arrays beside it."""
        path = os.fspath(path)
        for name, data in self.files.items():
            with open(os.path.join(os.path.dirname(path), name), "wb") as file:
                file.write(data)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.json, file, indent=1)

    @property
    def configurations(self):
        """Their texts."""
        return [entry["text"] for entry in self.json["configurations"]]


class Result:
    """What one kind of device found. `trials` has a dictionary for each configuration, in order:
    `outcome` (measured, failed, wrong result), and `milliseconds` or `message`; None for one that
    was not measured."""

    def __init__(self, plan, device):
        self.device = device
        self.configurations = plan.configurations
        self.trials = [None] * len(self.configurations)
        self.is_kept = False
        self._key = _native.TuningKey(plan.json["kernel"], device, plan.json["target"],
                                      [tuple(part) for part in plan.json["key"]])

    @classmethod
    def of(cls, plan, device, again):
        """What has been kept, unless `again`, or nothing yet."""
        result = cls(plan, device)
        kept = None if again else _native.find_tuning(result._key, result.configurations)
        if kept is not None:
            result.trials = json.loads(kept)
            result.is_kept = True
        return result

    @property
    def is_complete(self):
        return None not in self.trials

    @property
    def best(self):
        """The index of the quickest configuration; None if none is right."""
        times = {index: trial["milliseconds"] for index, trial in enumerate(self.trials)
                 if trial is not None and trial["outcome"] == "measured"}
        return min(times, key=times.get) if times else None

    def save(self):
        error = _native.save_tuning(self._key, self.configurations, json.dumps(self.trials))
        if error:
            raise Error(f"the result for {self.device} cannot be kept: {error}")

    def __str__(self):
        width = max(13, *map(len, self.configurations))
        lines = [f"{'configuration':{width}}          ms  of the best"]
        best = self.trials[self.best]["milliseconds"] if self.best is not None else None
        for text, trial in zip(self.configurations, self.trials):
            if trial is None:
                what = "  not measured"
            elif trial["outcome"] == "measured":
                what = f"{trial['milliseconds']:12.4f}{trial['milliseconds'] / best:13.2f}"
            else:
                what = f"  {trial['outcome']}: {trial['message']}"
            lines.append(f"{text:{width}}{what}")
        if self.best is not None:
            kept = " (kept from an earlier run; --again measures anew)" if self.is_kept else ""
            lines.append(f"best on {self.device}: {self.configurations[self.best]}{kept}")
        return "\n".join(lines)


def plan_of(tuner, args, kwargs, grid, device, repeats, timeout, tolerance, exact):
    """See Autotuner.plan."""
    given = {**_defaults(tuner.base_fn), **dict(zip(tuner.arg_names, args)), **kwargs}
    configs = tuner.prune_configs(kwargs)
    requests = [tuner.fn.request(*args, **{**kwargs, **config.all_kwargs()}) for config in configs]
    first = requests[0]
    if len({one.program.text for one in requests}) > 1:
        raise ValueError(f"the configurations of {tuner.__name__} choose between functions, which a "
                         "plan cannot hold: let autotune measure them here")
    arguments, files = {}, {}
    for name, type_ in zip(tuner.arg_names, first.types):
        if type_ is not None:
            arguments[name] = _argument(name, type_, given[name], files, exact)
    plan = {
        "plan": _VERSION,
        "kernel": tuner.__name__,
        "target": first.options.target or DEFAULTS["target"],
        "device": device or ("cuda" if first.device >= 0 else "sim"),
        "source": {"name": first.program.file, "language": "py",
                   "self_contained": True, "text": first.program.text},
        "files": {},
        "arguments": arguments,
        "repeats": repeats,
        "timeout": timeout,
        "tolerance": tolerance,
        "configurations": [
            {"text": str(config), "options": json.loads(one.native_options.plan), "grid": _extents(
                grid, {**given, **config.all_kwargs()})}
            for config, one in zip(configs, requests)],
        "key": [list(part) for part in _results.key_parts(
            tuner._key({**dict(zip(tuner.arg_names, args)), **kwargs}), configs, requests)],
    }
    return Plan(plan, files, compiler=None)


def _defaults(kernel):
    return {one.name: one.default for one in kernel.params if one.default is not type(one).empty}


def _extents(grid, given):
    extents = grid(given) if callable(grid) else grid
    extents = tuple(extents) if isinstance(extents, (tuple, list)) else (extents,)
    return [int(extent) for extent in extents] + [1] * (3 - len(extents))


def _argument(name, type_, value, files, exact):
    """What the command takes as the argument's value."""
    if type_.endswith(")"):
        raise ValueError(f"the argument {name} is a tuple, which a plan cannot hold: let autotune "
                         "measure the kernel here")
    if "<" in type_:
        value = value.base
    elif not type_.startswith("*"):
        return str(value)
    is_float = re.search(r"(fp|bf)\d", type_)
    if is_float and not exact:
        shape = value.shape if "<" in type_ else [_reach(name, value)]
        return f"rand({', '.join(str(extent) for extent in shape)})"
    import numpy
    file = io.BytesIO()
    numpy.save(file, _on_host(name, value))
    files[f"{name}.npy"] = file.getvalue()
    return f"@{name}.npy"


def _reach(name, array):
    """The elements from an array's first one to its last."""
    if callable(getattr(array, "stride", None)):
        strides = array.stride()
    else:
        strides = [stride // array.itemsize for stride in array.strides]
    if any(stride < 0 for stride in strides):
        raise ValueError(f"the array {name} goes backwards, which a plan cannot hold: pass a copy")
    return 1 + sum((size - 1) * stride for size, stride in zip(array.shape, strides))


def _on_host(name, array):
    """A NumPy array; the bits of types that NumPy does not have."""
    import numpy
    if hasattr(array, "detach"):
        import torch
        tensor = array.detach()
        is_dense = tensor.is_contiguous()
        if tensor.dtype is torch.bfloat16:
            tensor = tensor.view(torch.int16)
        elif "float8" in str(tensor.dtype):
            tensor = tensor.view(torch.uint8)
        host = tensor.cpu().numpy()
        if array.dtype is torch.bfloat16:
            host = host.view(numpy.uint16)
    else:
        host = numpy.asarray(array.get() if hasattr(array, "get") else array)
        is_dense = array.flags.c_contiguous
    if not is_dense:
        raise ValueError(f"the array {name} is not contiguous, and a plan holds those that are: pass "
                         "a copy")
    return host
