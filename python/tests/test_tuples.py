"""Tuples and named tuples as arguments of launches."""

import collections
import json
import typing

import numpy as np
import pytest

import tilewright
import tilewright.language as tl
from tilewright._hooks import hooks


class View(typing.NamedTuple):
    data: np.ndarray
    shape: tuple
    fill: float = -1.0


Op = collections.namedtuple("Op", ["function", "captured"])


@tilewright.jit
def add_all(x, values):
    for i in tl.static_range(len(values)):
        x += values[i]
    return x


@tilewright.jit
def apply(view, out, op, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(view.data + i, i < view.shape[0], other=view.fill)
    tl.store(out + i, op.function(x, op.captured))


def array(*values):
    return np.array(values, np.float32)


def described(compiled):
    return {one["name"]: one.get("value", one["type"]) for one in compiled.metadata.arguments}


def test_elements_are_arguments():
    @tilewright.jit
    def kernel(pair, flags, empty):
        tl.static_assert(flags[0] == 4 and flags[1] is None and len(empty) == 0)
        source, (target, n) = pair
        i = tl.arange(0, 4)
        tl.store(target + i, tl.load(source + i) * n)

    x, out = array(1, 2, 3, 4), array(0, 0, 0, 0)
    compiled = kernel[(1,)]((x, (out, 3)), (tl.constexpr(4), None), ())
    np.testing.assert_array_equal(out, 3 * x)
    types = described(compiled)
    assert types["pair[1][1]"] == "i32" and types["flags[0]"] == "4" and types["flags[1]"] == "None"
    kernel[(1,)]((x, (out, 1)), (tl.constexpr(4), None), ())
    np.testing.assert_array_equal(out, x)


def test_each_element_counts_for_the_specialization():
    @tilewright.jit
    def kernel(numbers, out):
        tl.store(out, numbers[0] + numbers[1])

    out = np.zeros(1, np.int32)
    compiled = kernel[(1,)]((32, 3), out)
    assert kernel[(1,)]((48, 5), out) is compiled and out[0] == 53
    for numbers in ((1, 3), (3, 32), (2**40, 3), (32, 3, 1), (32, True)):
        assert kernel.warmup(numbers, out) is not compiled


def test_named_tuples_with_functions():
    out = np.zeros(8, np.float32)
    x = array(1, 2, 3, 4, 5, 6)
    apply[(1,)](View(x, x.shape), out, Op(add_all, (0.5, 2)), 8)
    np.testing.assert_array_equal(out, [3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 1.5, 1.5])

    @tilewright.jit
    def negative(x, values):
        return -x

    compiled = apply[(1,)](View(x, x.shape, 0.0), out, Op(negative, ()), 8)
    np.testing.assert_array_equal(out, [-1, -2, -3, -4, -5, -6, 0, 0])
    assert described(compiled)["op.function"] == "@negative"


def test_classes_and_constants_of_named_tuples_in_kernels():
    Pair = collections.namedtuple("Pair", "a b", defaults=(7,))
    whole = tl.constexpr(Pair(1, Pair(2)))

    @tilewright.jit
    def made(x, pair: tl.constexpr):
        return Pair(b=x, a=pair.b)

    @tilewright.jit
    def kernel(out, pair: tl.constexpr):
        tl.static_assert(whole.b.b == 7)
        other = made(tl.load(out), pair)
        tl.store(out, other.a + other.b)

    out = np.full(1, 5, np.int32)
    kernel[(1,)](out, Pair(1, 20))
    assert out[0] == 25


def test_descriptors_in_tuples():
    @tilewright.jit
    def kernel(both):
        both[1].store([0, 0], both[0].load([0, 0]) + 1)

    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    out = np.zeros((4, 8), np.float32)
    of = tilewright.TensorDescriptor.from_tensor
    kernel[(1,)]((of(x, [4, 8]), of(out, [4, 8])))
    np.testing.assert_array_equal(out, x + 1)


def test_compiled_kernels_take_them():
    out = np.zeros(8, np.float32)
    x = array(1, 2, 3, 4, 5, 6)
    arguments = (View(x, x.shape), out, Op(add_all, ()), 8)
    compiled = apply.warmup(*arguments)
    compiled[(1,)](*arguments)
    np.testing.assert_array_equal(out, [1, 2, 3, 4, 5, 6, -1, -1])
    with pytest.raises(TypeError, match="4 parameters and got 3"):
        compiled[(1,)](*arguments[:3])


@pytest.mark.parametrize("argument, message", [
    (("text",), "'pair' has the element 0, which is a str, which no kernel takes"),
    ((1, (2, {})), "'pair' has the element 1, which has the element 1, which is a dict"),
    ((0,) * 1025, "'pair' is a tuple of more than 1024 elements"),
])
def test_what_a_tuple_cannot_hold(argument, message):
    @tilewright.jit
    def kernel(pair):
        pass

    with pytest.raises(TypeError, match=message):
        kernel[(1,)](argument)


def test_tuples_have_a_depth():
    deep = ()
    for _ in range(40):
        deep = (deep,)

    @tilewright.jit
    def kernel(pair):
        pass

    with pytest.raises(tilewright.CompileError, match="nested more than 32 deep"):
        kernel[(1,)](deep)


def test_specializations_can_be_loaded_before_a_launch():
    @tilewright.jit
    def kernel(pair, out):
        tl.store(out, pair[0] + pair[1][0])

    told = []
    out = np.zeros(1, np.int32)
    hooks.jit_cache_hook = lambda **what: told.append(what["compile"]["specialization_data"])
    try:
        compiled = kernel.warmup((1, (tl.constexpr(2),)), out)
    finally:
        hooks.jit_cache_hook = None
    assert json.loads(told[0])["signature"].startswith("(1, (2, ), )")
    kernel.device_caches[0][0].clear()
    loaded = kernel.preload(told[0])
    assert loaded is not compiled and loaded.hash == compiled.hash
    assert kernel[(1,)]((1, (tl.constexpr(2),)), out) is loaded and out[0] == 3
    with pytest.raises(RuntimeError, match="the kernel is"):
        apply.preload(told[0])
