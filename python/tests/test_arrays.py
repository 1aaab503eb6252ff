"""Arrays of other libraries, by small objects that speak their protocols."""

import ctypes
import sys
import types

import numpy as np
import pytest

import kernels
import tilewright
from tilewright import _native

X = np.arange(64, dtype=np.float32)


def check(wrap):
    out = np.zeros_like(X)
    kernels.scale[(1,)](wrap(X.copy()), wrap(out), 64, 2.0)
    np.testing.assert_array_equal(out, 2 * X)


class Interface:
    """`__array_interface__` alone."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class Capsule:
    """`__dlpack__` alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Tensor:
    """As PyTorch's tensors of before DLPack's table of functions."""

    def __init__(self, array, device="cpu", address=None):
        self.array = array
        self.dtype = types.SimpleNamespace(__str__=lambda self: "torch.float32")
        self.dtype = TorchType()
        self.device = device
        self.address = array.ctypes.data if address is None else address

    def data_ptr(self):
        return self.address

    def numel(self):
        return self.array.size

    def element_size(self):
        return self.array.itemsize


class TorchType:
    def __str__(self):
        return "torch.float32"


class CudaInterface:
    def __init__(self, address=512, stream=None, ordinal=0):
        self.__cuda_array_interface__ = {"typestr": "<f4", "data": (address, False),
                                         "shape": (64,), "strides": None, "version": 3,
                                         "stream": stream}
        self.device = types.SimpleNamespace(id=ordinal)


CudaInterface.__cuda_array_interface__ = None  # Protocols are looked for in the type.


@pytest.mark.parametrize("wrap", [np.asarray, Interface, Capsule, Tensor])
def test_protocols(wrap):
    check(wrap)


def test_devices():
    assert _native.device_of(X) == -1 and _native.device_of("x") is None
    assert _native.device_of(CudaInterface(ordinal=1)) == 1
    assert _native.device_of(Tensor(X, "cuda:3")) == 3
    assert _native.device_of(Tensor(X, "cuda")) == 0


def test_arrays_on_two_devices():
    with pytest.raises(TypeError, match="'out' is on CUDA device 0.*on the CPU; move it"):
        kernels.scale[(1,)](X, CudaInterface(), 64, 2.0)
    with pytest.raises(TypeError, match="'out' is on CUDA device 1"):
        kernels.scale[(1,)](CudaInterface(), CudaInterface(ordinal=1), 64, 2.0)


def test_devices_without_kernels():
    with pytest.raises(TypeError, match="'x' is on the device 'mps'"):
        kernels.scale[(1,)](Tensor(X, "mps"), X, 64, 2.0)


def test_freed_memory():
    with pytest.raises(TypeError, match="'x' has no memory: it has been freed"):
        kernels.scale[(1,)](Tensor(X, "cuda", address=0), Tensor(X, "cuda"), 64, 2.0)


@pytest.mark.skipif(_native.count_gpus() > 0, reason="there is a GPU")
def test_no_driver():
    with pytest.raises(tilewright.LaunchError, match="CPU: they run on the simulator"):
        kernels.scale[(1,)](CudaInterface(), CudaInterface(), 64, 2.0)


def test_an_interface_without_data():
    class Broken:
        __array_interface__ = {"typestr": "<f4"}

    with pytest.raises(TypeError, match="without 'typestr' or 'data'"):
        kernels.scale[(1,)](Broken(), X, 64, 2.0)


def test_types_that_numpy_has_by_name_only():
    class BFloat:
        def __str__(self):
            return "bfloat16"

    class Array(Interface):
        dtype = BFloat()

        @property
        def __array_interface__(self):
            return {**self.array.__array_interface__, "typestr": "<V2"}

    compiled = kernels.scale.warmup(Array(X), X, 64, 2.0)
    assert compiled.metadata.arguments[0]["type"] == "*bf16"


#===--------------------------------------------------------------------------===#
# DLPack's table of functions, which PyTorch has
#===--------------------------------------------------------------------------===#


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]


class Table(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("previous", ctypes.c_void_p), ("unused", ctypes.c_void_p * 3),
                ("tensor_from_object", ctypes.c_void_p), ("current_stream", ctypes.c_void_p)]


FILL = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32,
                           ctypes.POINTER(ctypes.c_void_p))


def make_exchange_class(major=1, code=2, bits=32, device_type=1):
    """A class of arrays that are read by C functions: here by functions of Python's."""
    shape = (ctypes.c_int64 * 1)(64)

    def fill(array, tensor):
        tensor[0] = DLTensor(array.address, device_type, 0, 1, code, bits, 1, shape, None, 0)
        return 0

    class Exchanged:
        def __init__(self, array):
            self.array = array
            self.address = array.ctypes.data

        __array__ = None

        def untyped_storage(self):
            return types.SimpleNamespace(data_ptr=lambda: self.address,
                                         nbytes=lambda: self.array.nbytes)

    keep = (FILL(fill), STREAM(lambda *_: 0), shape)
    table = Table(major, 0, None, (ctypes.c_void_p * 3)(), ctypes.cast(keep[0], ctypes.c_void_p),
                  ctypes.cast(keep[1], ctypes.c_void_p))
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p,
                                                     ctypes.c_void_p)
    name = b"dlpack_exchange_api"
    Exchanged.__dlpack_c_exchange_api__ = make(ctypes.addressof(table), name, None)
    Exchanged.keep = (table, keep, name)
    return Exchanged


def test_exchange():
    check(make_exchange_class())


def test_exchange_of_a_later_version_is_not_read():
    with pytest.raises(TypeError, match="which no kernel takes"):
        check(make_exchange_class(major=2))


def test_exchange_of_other_types_and_devices():
    with pytest.raises(TypeError, match="'x' has elements of type .code 5, 64 bits."):
        check(make_exchange_class(code=5, bits=64))
    with pytest.raises(TypeError, match="'x' is on a device .number 8 of DLPack"):
        check(make_exchange_class(device_type=8))


def test_tensors_without_memory():
    """PyTorch's own words end in a trace of C++, which is not shown."""
    torch = pytest.importorskip("torch", minversion="2.10")
    for tensor in torch.zeros(64, device="meta"), torch.zeros(64).to_sparse():
        with pytest.raises(TypeError, match="'x' cannot be read: Cannot [a-zA-Z' ]*$"):
            kernels.scale[(1,)](tensor, X, 64, 2.0)


def test_an_exception_of_the_owner_comes_through():
    class Moody:
        def __dlpack__(self, **kwargs):
            raise BufferError("not now")

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(BufferError, match="not now"):
        kernels.scale[(1,)](Moody(), X, 64, 2.0)


def test_references_are_given_back():
    arrays = [np.zeros(64, np.float32) for _ in range(2)]
    name = "n" * 20
    before = [sys.getrefcount(one) for one in (*arrays, name)]
    for _ in range(50):
        kernels.scale[(1,)](*arrays, 64, 2.0)
        with pytest.raises(TypeError):
            kernels.scale[(1,)](*arrays, name, 2.0)
    assert [sys.getrefcount(one) for one in (*arrays, name)] == before


@pytest.mark.parametrize("name, mantissa, bias", [("float8_e4m3fnuz", 3, 8), ("float8_e5m2fnuz", 2, 16)])
def test_floats_of_8_bits_with_one_nan(name, mantissa, bias):
    codes = np.arange(256, dtype=np.uint8)
    array = Tensor(codes)
    array.dtype = type("Named", (), {"__str__": lambda self: f"torch.{name}"})()
    out = np.zeros(256, np.float32)
    kernels.widen[(1,)](array, out, 256, BLOCK=256)
    exponents = codes.astype(int) >> mantissa & (1 << 7 - mantissa) - 1
    parts = (codes & (1 << mantissa) - 1) / 2.0**mantissa + (exponents > 0)
    values = parts * 2.0**(np.maximum(exponents, 1) - bias) * np.where(codes < 128, 1, -1)
    values[0x80] = np.nan
    np.testing.assert_array_equal(out, values.astype(np.float32))
