"""triton._internal_testing: what tests of programs for Triton share. Needs PyTorch, NumPy and
pytest.

The questions about the GPU are answered for the one that kernels are compiled for: without a GPU
that is the simulated one.
"""

import contextlib
import os
import re

import numpy as np
import pytest
import torch

import tilewright.language as tl

from . import _knobs, _modules
from ._driver import DriverBase

int_dtypes = ["int8", "int16", "int32", "int64"]
uint_dtypes = ["uint8", "uint16", "uint32", "uint64"]
integral_dtypes = int_dtypes + uint_dtypes
float_dtypes = ["float16", "float32", "float64"]
float_dtypes_with_bfloat16 = float_dtypes + ["bfloat16"]
dtypes = integral_dtypes + float_dtypes
dtypes_with_bfloat16 = dtypes + ["bfloat16"]
torch_float8_dtypes = ["float8_e4m3fn", "float8_e5m2"]
torch_dtypes = ["bool"] + int_dtypes + ["uint8"] + float_dtypes + ["bfloat16"]
tma_dtypes = sorted(set(dtypes_with_bfloat16) - {"int64", "uint64", "float64"})


def get_current_target():
    return DriverBase().get_current_target()


def get_arch():
    return str(get_current_target().arch)


def _is(backend, matches=lambda arch: True):
    def ask():
        target = get_current_target()
        return target.backend == backend and matches(target.arch)
    return ask


def is_interpreter():
    """False also with TRITON_INTERPRET=1: kernels are compiled then, too, for the simulator."""
    return False


is_cuda = _is("cuda")
is_ampere_or_newer = _is("cuda", lambda arch: arch >= 80)
is_hopper_or_newer = _is("cuda", lambda arch: arch >= 90)
is_hopper = _is("cuda", lambda arch: arch // 10 == 9)
is_blackwell = _is("cuda", lambda arch: arch // 10 == 10)
is_sm12x = _is("cuda", lambda arch: arch // 10 == 12)
is_hip = _is("hip")
is_hip_cdna2 = _is("hip", lambda arch: arch == "gfx90a")
is_hip_cdna3 = _is("hip", lambda arch: arch == "gfx942")
is_hip_cdna4 = _is("hip", lambda arch: arch == "gfx950")
is_hip_cdna = _is("hip", lambda arch: arch in ("gfx90a", "gfx942", "gfx950"))
is_hip_rdna3 = is_hip_gfx11 = _is("hip", lambda arch: arch.startswith("gfx11"))
is_hip_rdna4 = is_hip_gfx12 = _is("hip", lambda arch: arch.startswith("gfx120"))
is_hip_gfx1250 = _is("hip", lambda arch: arch == "gfx1250")
is_xpu = _is("xpu")


def get_hip_lds_size():
    """Bytes of shared memory of a workgroup."""
    return (160 if is_hip_cdna4() else 64) << 10


def numpy_random(shape, dtype_str, rs=None, low=None, high=None):
    """Numbers for tests, the same each time unless `rs` is a numpy.random.RandomState: integers
    between `low` and `high` without 0, floats of the normal distribution; bfloat16 is float32 with
    short mantissas, and float8 is its bits."""
    rs = rs if rs is not None else np.random.RandomState(seed=17)
    shape = (shape,) if isinstance(shape, int) else shape
    if dtype_str in integral_dtypes:
        limits = np.iinfo(dtype_str)
        least = limits.min if low is None else max(low, limits.min)
        most = limits.max if high is None else min(high, limits.max)
        numbers = rs.randint(least, most, shape, dtype=dtype_str)
        numbers[numbers == 0] = 1
        return numbers
    if "float8" in dtype_str:
        return rs.randint(20, 40, shape, dtype=np.int8)
    if dtype_str in ("bool", "bool_", "int1"):
        return rs.normal(0, 1, shape) > 0
    numbers = rs.normal(0, 1, shape)
    if dtype_str == "bfloat16":
        bits = numbers.astype(np.float32).view(np.uint32)
        return (bits & np.uint32(0xffff0000)).view(np.float32)
    if dtype_str not in float_dtypes:
        raise RuntimeError(f"there are no random numbers of the type {dtype_str}")
    return numbers.astype(dtype_str)


def to_triton(x, device, dst_type=None):
    """An array of NumPy's on the device, as kernels are to see it; float32 as `dst_type` bfloat16,
    bits as float8."""
    name = x.dtype.name
    if name in uint_dtypes and name != "uint8":
        bits = torch.tensor(x.view(name[1:]), device=device)
        return _modules.reinterpret(bits, getattr(tl, name))
    tensor = torch.tensor(x, device=device)
    if name == "uint8":
        return _modules.reinterpret(tensor.view(torch.int8), tl.uint8)
    if dst_type is not None and "float8" in dst_type:
        return _modules.reinterpret(tensor, getattr(tl, dst_type))
    return tensor.bfloat16() if name == "float32" and dst_type == "bfloat16" else tensor


def to_numpy(x):
    """The other way; bfloat16 becomes float32."""
    if isinstance(x, _modules.TensorWrapper):
        return x.base.cpu().numpy().view(torch_dtype_name(x.dtype))
    if not isinstance(x, torch.Tensor):
        raise ValueError(f"neither a tensor nor a wrapped one: {x!r}")
    return (x.float() if x.dtype is torch.bfloat16 else x).cpu().numpy()


def unwrap_tensor(t):
    return t.base if isinstance(t, _modules.TensorWrapper) else t


def torch_dtype_name(dtype):
    if isinstance(dtype, torch.dtype):
        return re.fullmatch(r"torch\.(\w+)", str(dtype))[1]
    if isinstance(dtype, tl.dtype):
        return dtype.language_name
    raise TypeError(f"not a type of torch or of triton.language: {dtype!r}")


def str_to_triton_dtype(x):
    return tl.dtype("int1" if x == "bool" else {"float8_e4m3fn": "float8e4nv",
                                                "float8_e5m2": "float8e5"}.get(x, x))


def supports_tma(byval_only=False):
    del byval_only
    return is_hopper_or_newer()


supports_ws = is_hopper_or_newer


def tma_skip_msg(byval_only=False):
    del byval_only
    return "needs tensor maps, which cuda:90 and later have"


requires_tma = pytest.mark.skipif(not supports_tma(), reason=tma_skip_msg())


def default_alloc_fn(size, align, stream):
    del align, stream
    return torch.empty(size, dtype=torch.int8, device=DriverBase().get_active_torch_device())


def _fresh_knobs_impl(skipped_attr=None):
    """A pair of functions: one that gives triton.knobs as they are where nothing is set, and one that
    makes them what they were. skipped_attr: groups that stay as they are."""
    scopes = contextlib.ExitStack()
    groups = {name: group for name, group in _knobs.GROUPS.items() if name not in (skipped_attr or ())}

    def fresh():
        for name, group in groups.items():
            scopes.enter_context(group.scope())
            scopes.callback(setattr, _knobs, name, group)
            setattr(_knobs, name, group.copy().reset())
            for knob in group.knob_descriptors.values():
                os.environ.pop(knob.key, None)
        scopes.callback(setattr, _knobs, "propagate_env", _knobs.propagate_env)
        _knobs.propagate_env = True
        return _knobs

    return fresh, scopes.close
