"""Gluon: kernels whose authors choose the layouts (docs/gluon.md).

    from tilewright import gluon
    from tilewright.gluon import language as gl

    @gluon.jit
    def copy(x, y, n, BLOCK: gl.constexpr, layout: gl.constexpr):
        at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
        gl.store(y + at, gl.load(x + at, mask=at < n), mask=at < n)

    copy[(4,)](x, y, 1000, 256, gl.BlockedLayout([2], [32], [4], [0]))
"""

import sys as _sys
import types as _types

from ..kernel import jit as _jit
from ..kernel.jit import constexpr_function
from ..language import _aggregate as aggregate
from . import descriptors as _descriptors, names as _names

language = _names.MODULES[""]


class GluonJITFunction(_jit.JITFunction):
    """A kernel of Gluon, or a function that such kernels call: see tilewright.JITFunction."""

    #: By this the source text of programs knows them.
    is_gluon = True


def jit(fn=None, **options):
    """Makes a function a kernel of Gluon, or a function of such kernels: see tilewright.jit."""
    return _jit.jit(fn, kind=GluonJITFunction, **options)


def _builtin(fn):
    """Makes a function one that Triton's compiler runs itself, and hands objects of its own to, which
    are None here: what it gives may be a constant."""
    made = jit(fn)
    made.is_builtin = True
    return made


_names.MODULES["_core"].builtin = _builtin


def must_use_result(fn, message=""):
    """Says that the result of a function is not to be dropped; nothing follows from it."""
    return fn if callable(fn) else lambda function: function


def _host_module(path, **attributes):
    module = _types.ModuleType(f"{__name__}.{path}", f"{path} of Gluon, for the host.")
    module.__path__ = []
    vars(module).update(attributes)
    _sys.modules[module.__name__] = module
    return module


nvidia = _host_module(
    "nvidia",
    hopper=_host_module("nvidia.hopper", TensorDescriptor=_descriptors.TensorDescriptor),
    blackwell=_host_module("nvidia.blackwell", TensorDescriptor=_descriptors.TensorDescriptor))
amd = _host_module("amd", gfx1250=_host_module(
    "amd.gfx1250", TensorDescriptor=_descriptors.UnsupportedDescriptor))

#: All modules of Gluon by their paths below this one.
MODULES = {"": _sys.modules[__name__], "nvidia": nvidia, "nvidia.hopper": nvidia.hopper,
           "nvidia.blackwell": nvidia.blackwell, "amd": amd, "amd.gfx1250": amd.gfx1250,
           **{f"language.{path}".rstrip("."): module for path, module in _names.MODULES.items()}}

__all__ = ["GluonJITFunction", "aggregate", "amd", "constexpr_function", "jit", "language",
           "must_use_result", "nvidia"]
