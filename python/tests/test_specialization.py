"""For what a call compiles anew, and for what not."""

import ctypes

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl


def described(compiled):
    return {one["name"]: one for one in compiled.metadata.arguments}


def aligned(count, offset=0):
    """Bytes that begin `offset` after a multiple of 64."""
    memory = np.zeros(count + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    return memory[start:start + count]


@pytest.mark.parametrize("offset, divisibility", [(0, 16), (16, 16), (8, 8), (4, 4), (2, 1)])
def test_pointers_by_alignment(offset, divisibility):
    x = aligned(128, offset).view(np.float16)
    compiled = kernels.scale.warmup(x, x, 64, 2.0)
    assert described(compiled)["x"].get("divisibility", 1) == divisibility


@pytest.mark.parametrize("value, type_, divisibility", [
    (0, "i32", 16), (48, "i32", 16), (24, "i32", 8), (4, "i32", 4), (6, "i32", 2), (7, "i32", 1),
    (-32, "i32", 16), (2**31 - 1, "i32", 1), (2**31, "i64", 16), (-2**31 - 1, "i64", 1),
    (2**63 - 1, "i64", 1), (2**63, "u64", 16), (np.int8(6), "i32", 2), (True, "i1", 1)])
def test_integers(value, type_, divisibility):
    x = aligned(256).view(np.float32)
    argument = described(kernels.scale.warmup(x, x, value, 2.0))["n"]
    assert argument["type"] == type_ and argument.get("divisibility", 1) == divisibility


@pytest.mark.parametrize("value", [2**64, -2**63 - 1])
def test_integers_of_more_than_64_bits(value):
    x = aligned(256).view(np.float32)
    with pytest.raises(OverflowError, match="'n' is an integer of more than 64 bits"):
        kernels.scale.warmup(x, x, value, 2.0)


def test_the_largest_integer_is_passed():
    @tilewright.jit
    def kernel(value, out):
        tl.store(out, value)

    out = np.zeros(1, np.uint64)
    kernel[(1,)](2**64 - 1, out)
    assert out[0] == 2**64 - 1


@pytest.mark.parametrize("type_, value", [
    (tl.float16, 1.5), (tl.bfloat16, -2.0), (tl.float64, 0.1), ("tl.float64", 3), (tl.int8, -7),
    (tl.uint8, 200), (tl.int64, 1), (tl.uint64, 2**64 - 1), (tl.int1, True)])
def test_annotated_numbers(type_, value):
    def kernel(x: type_, out):
        tl.store(out, x)

    kernel = tilewright.jit(kernel)
    out = np.zeros(1, np.float64 if isinstance(value, float) else
                   np.uint64 if value >= 0 else np.int64)
    compiled = kernel[(1,)](value, out)
    assert out[0] == value
    name = type_[3:].replace("float", "fp") if isinstance(type_, str) else type_.name
    assert described(compiled)["x"]["type"] == name


@pytest.mark.parametrize("type_, value, message", [
    (tl.uint8, 256, "is 256, which its annotation's type u8 does not hold"),
    (tl.int8, -129, "is -129, which its annotation's type i8 does not hold"),
    (tl.uint32, -1, "is -1, which its annotation's type u32 does not hold"),
    (tl.int64, 2**200, "type i64 does not hold"), (tl.int32, 1.5, "cannot be interpreted")])
def test_numbers_that_annotations_do_not_hold(type_, value, message):
    def kernel(x: type_):
        pass

    with pytest.raises(TypeError, match=message):
        tilewright.jit(kernel)[(1,)](value)


def test_one_and_none_are_constants():
    @tilewright.jit
    def kernel(x, stride, bias):
        if bias is None:
            tl.store(x + stride, 5.0)
        else:
            tl.store(x, tl.load(bias))

    x = np.zeros(4, np.float32)
    compiled = kernel[(1,)](x, 1, None)
    assert x[1] == 5
    assert described(compiled)["stride"]["value"] == "1"
    kernel[(1,)](x, 2, np.full(1, 3, np.float32))
    assert x[0] == 3


def test_floats():
    x = aligned(256).view(np.float32)
    assert described(kernels.scale.warmup(x, x, 3, 2.5))["factor"]["type"] == "fp32"
    x[:] = 1
    kernels.scale[(1,)](x, x, 64, np.float32(2.5))
    assert x[0] == 2.5


def test_the_same_specialization_is_the_same_object():
    x, y = aligned(256).view(np.float32), aligned(256).view(np.float32)
    first = kernels.scale.warmup(x, x, 32, 2.0)
    assert kernels.scale.warmup(y, x, 64, 3.0) is first
    assert kernels.scale.warmup(y, x, 64, 3.0, num_warps=8) is not first
    assert kernels.scale.warmup(y, x, 24, 3.0) is not first
    assert kernels.scale.warmup(y, x, 64, 3.0, 128) is not first
    assert kernels.scale.warmup(x, x, 32, 2.0) is first


def test_what_is_not_specialized():
    @tilewright.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=["x"])
    def kernel(x, n):
        tl.store(x, n)

    x = aligned(4).view(np.int32)
    first = kernel[(1,)](x, 16)
    assert x[0] == 16 and kernel[(1,)](x, 1) is first and x[0] == 1
    assert described(first)["x"].get("divisibility", 1) == 1


def test_constants_of_every_kind():
    out = np.zeros(8, np.float32)
    kernels.choose[(1,)](out, "ones", 8)
    assert (out == 1).all()
    kernels.choose[(1,)](out, 'o"n"e', 8)
    assert (out == 2).all()

    @tilewright.jit
    def store(out, VALUE: tl.constexpr, TYPE: tl.constexpr, SHAPE: tl.constexpr):
        tl.store(out + tl.arange(0, SHAPE[0] * SHAPE[1]), tl.full([8], VALUE, TYPE))

    for value, type_ in ((2.75, tl.float16), (True, tl.float32), (tl.constexpr(3), tl.float64)):
        store[(1,)](out, value, type_, (2, 4))
        assert (out == {2.75: 2.75, True: 1}.get(value, 3)).all()


def test_functions_are_constants():
    x = np.arange(8, dtype=np.float32)
    out = np.zeros_like(x)
    kernels.apply[(1,)](x, out, kernels.double, 8)
    np.testing.assert_array_equal(out, 2 * x)
    kernels.apply[(1,)](x, out, kernels.negate, 8)
    np.testing.assert_array_equal(out, -x)


def test_enumerations_and_ctypes():
    import enum

    class Size(enum.IntEnum):
        SMALL = 8

    out = np.zeros(8, np.float32)
    kernels.choose[(1,)](out, "ones", Size.SMALL)
    assert (out == 1).all()
    with pytest.raises(TypeError, match="'n' is a c_int"):
        kernels.scale[(1,)](out, out, ctypes.c_int(8), 1.0)
