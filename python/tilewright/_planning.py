"""A call of a tuned kernel as a plan for other machines."""

import io
import json
import re

from . import _results
from ._options import DEFAULTS
from ._plan import Plan


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
        "plan": 1,
        "kernel": tuner.__name__,
        "target": first.options.target or DEFAULTS["target"],
        "device": device or ("cuda" if first.device >= 0 else "sim"),
        "source": {"name": first.program.file, "language": "py", "text": first.program.text},
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
