"""What PyTorch asks of Triton's own parts to describe the arguments of a kernel."""

import types

from .. import descriptor
from ..kernel.jit import JITFunction
from ..language import dtype, language_name_of


class MockTensor:
    """Stands for an array with elements of a type in `kernel.warmup(..)`: it has no memory."""

    def __init__(self, dtype, shape=None):
        self.dtype = dtype
        self.shape = [1] if shape is None else list(shape)

    @staticmethod
    def wrap_dtype(value):
        """An array with elements of the type, for an element type; anything else as it is."""
        return MockTensor(value) if isinstance(value, dtype) else value

    def stride(self):
        strides = [1]
        for size in reversed(self.shape[1:]):
            strides.append(strides[-1] * size)
        return tuple(reversed(strides))

    @staticmethod
    def data_ptr():
        return 0

    @staticmethod
    def ptr_range():
        return 0


class BaseBackend:
    """Stands for Triton's class where it is a mere argument."""


def _type_name(kind):
    named = language_name_of(str(kind))
    from .. import language
    return getattr(language, named).name if named else str(kind)


def mangle_type(value, specialize=False):
    """The type of a signature that an argument has."""
    del specialize
    if value is None or isinstance(value, (str, tuple, dtype, JITFunction)):
        return "constexpr"
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -2**31 <= value < 2**31 else "i64" if value < 2**63 else "u64"
    if isinstance(value, float):
        return "fp32"
    if isinstance(value, descriptor.TensorDescriptor):
        sizes = ",".join(str(size) for size in value.block_shape)
        return f"tensordesc<{_type_name(value.base.dtype)}[{sizes}]>"
    return "*" + _type_name(value.dtype)


def native_specialize_impl(backend, value, is_const, specialize_value, align):
    """The type of an argument, and the hints that it gives: none, since nothing is launched."""
    del backend, is_const, specialize_value, align
    return mangle_type(value), None


def find_paths_if(values, is_wanted, path=()):
    """The paths of indices to the leaves of nested tuples that are wanted."""
    found = []
    for index, value in enumerate(values):
        here = (*path, index)
        if isinstance(value, (tuple, list)):
            found += find_paths_if(value, is_wanted, here)
        elif is_wanted(here, value):
            found.append(here)
    return found


def get_iterable_path(values, path):
    for index in path:
        values = values[index]
    return values


class _Context:
    """There is no context of MLIR to make."""


#: triton._C.libtriton.ir, as far as PyTorch names it.
ir = types.SimpleNamespace(context=_Context, load_dialects=lambda context: None)
