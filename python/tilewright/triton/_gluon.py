"""triton.experimental.gluon: its names, so that programs which have Gluon kernels beside others can be
imported. The kernels themselves are refused when they are launched or compiled.
"""

import functools
import types

_REFUSAL = ("kernels of Gluon are not compiled by tilewright.triton, which assigns layouts itself: "
            "write it in triton.language")

#: The modules, below triton.experimental.
MODULES = ["gluon", *(f"gluon.{name}" for name in (
    "language", "language.extra", "language.nvidia", "language.nvidia.ampere",
    "language.nvidia.ampere.async_copy", "language.nvidia.ampere.mbarrier", "language.nvidia.hopper",
    "language.nvidia.hopper.mbarrier", "language.nvidia.hopper.tma", "language.nvidia.blackwell",
    "language.nvidia.blackwell.float2", "language.nvidia.blackwell.tma", "language.amd",
    "language.amd.cdna3", "language.amd.cdna4", "language.amd.cdna4.async_copy",
    "language.amd.gfx1250", "language.amd.gfx1250.async_copy", "language.amd.gfx1250.mbarrier",
    "language.amd.gfx1250.tdm", "language.amd.rdna3", "language.amd.rdna4", "nvidia",
    "nvidia.blackwell", "nvidia.hopper", "amd", "amd.gfx1250"))]


#: Names of gluon.language that are those of triton.language.
TYPES = ("int1", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
         "bfloat16", "float32", "float64", "float8e4nv", "float8e5", "float8e4b8", "float8e5b16")


class Name:
    """What a program may name of Gluon: a function of kernels, or a layout, of which calls on the host
    give another such name."""

    def __init__(self, text):
        self._text = text
        self.__name__ = text.rpartition(".")[2]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Name(f"{self._text}.{name}")

    def __call__(self, *args, **kwargs):
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())]
        return Name(f"{self._text}({', '.join(given)})")

    def __eq__(self, other):
        return isinstance(other, Name) and other._text == self._text

    def __hash__(self):
        return hash(self._text)

    def __repr__(self):
        return self._text


class GluonKernel:
    """A function with @gluon.jit."""

    def __init__(self, fn):
        self.fn = fn
        functools.update_wrapper(self, fn)

    def _refuse(self, *args, **kwargs):
        raise NotImplementedError(f"'{self.fn.__name__}': {_REFUSAL}")

    __call__ = __getitem__ = run = warmup = _refuse


def jit(fn=None, **options):
    """Makes a function a kernel of Gluon, which is refused when it is launched."""
    del options
    return GluonKernel if fn is None else GluonKernel(fn)


class Module(types.ModuleType):
    """A module of Gluon, which has all names."""

    def __init__(self, name):
        super().__init__(name, f"{name}, of Tilewright: names alone.")
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Name(f"{self.__name__}.{name}")
