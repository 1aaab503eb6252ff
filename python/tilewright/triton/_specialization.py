"""What PyTorch asks of Triton's own parts to describe the arguments of a kernel."""

import abc
import types

from .. import descriptor
from ..kernel.jit import ConstexprFunction, JITFunction
from ..language import constexpr, dtype
from ._type_names import canonicalize_dtype, canonicalize_ptr_dtype


class JITCallable(abc.ABC):
    """What kernels can call: jitted functions, and functions of constants."""


JITCallable.register(JITFunction)
JITCallable.register(ConstexprFunction)


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


def native_specialize_impl(backend, value, is_const, specialize_value, align):
    """The type of an argument as signatures have it, and what its value says beyond that: a backend's
    hints ("D": a multiple of 16), None, or the value of a constant. Of a tuple both are tuples."""
    if value is None:
        return "constexpr", None
    if isinstance(value, bool):
        return "u1", None
    if isinstance(value, int):
        if value == 1 and specialize_value:
            return "constexpr", 1
        hints = backend.get_int_specialization(value, align=align) if specialize_value else None
        kind = ("i32" if -2**31 <= value < 2**31 else "u64" if 2**63 <= value < 2**64 else "i64")
        return kind, hints
    if isinstance(value, float):
        return "fp32", None
    if hasattr(value, "data_ptr"):
        hints = backend.get_tensor_specialization(value, align=align) if specialize_value else None
        return canonicalize_ptr_dtype(value.dtype, is_const), hints
    if isinstance(value, (JITCallable, JITFunction, ConstexprFunction)):
        return "constexpr", value.cache_key
    if isinstance(value, tuple):
        found = [native_specialize_impl(backend, one, False, True, True) for one in value]
        make = type(value) if hasattr(value, "_fields") else lambda *values: values
        return make(*(kind for kind, _ in found)), make(*(hints for _, hints in found))
    if isinstance(value, descriptor.TensorDescriptor):
        layout = f",{value.layout!r}" if hasattr(value, "layout") else ""
        return (f"tensordesc<{canonicalize_dtype(value.base.dtype)}{list(value.block_shape)}"
                f"{layout}>"), None
    if isinstance(value, (constexpr, str, dtype)):
        return "constexpr", value
    raise TypeError(f"Unsupported type: {type(value)}")


def mangle_type(value, specialize=False):
    """The type of a signature that an argument has."""
    from ._backends import BaseBackend
    return native_specialize_impl(BaseBackend, value, False, specialize, True)[0]


def described(kernel, arguments, target):
    """(signature, constants, hints) of a kernel by its parameters, for arguments by name: what an
    ASTSource is made of."""
    from ._backends import make_backend
    backend = make_backend(target)
    signature, constants, hints = {}, {}, {}
    for parameter in kernel.params:
        name = parameter.name
        value = arguments[name]
        kind, said = ("constexpr", None) if parameter.is_constexpr else native_specialize_impl(
            backend, value, parameter.is_const, not parameter.do_not_specialize,
            not parameter.do_not_specialize_on_alignment)
        signature[name] = kind
        if kind == "constexpr":
            constants[name] = value
        elif said:
            hints[name] = backend.parse_attr(said)
    return signature, constants, hints


class _Context:
    """There is no context of MLIR to make."""


#: triton._C.libtriton.ir, as far as PyTorch names it.
ir = types.SimpleNamespace(context=_Context, load_dialects=lambda context: None)
