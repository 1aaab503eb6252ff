"""Kernels of the tests, and what they name in another module."""

import shared_constants as constants
from shared_constants import offset_by

import tilewright
import tilewright.language as tl


@tilewright.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@tilewright.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr = 64):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) * factor, at < n)


@tilewright.jit
def widen(x, out, n, BLOCK: tl.constexpr = 64):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n).to(tl.float32), at < n)


@tilewright.jit
def offsets(out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, offset_by(at, constants.STEP))


@tilewright.jit
def choose(out, KIND: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    if KIND == "ones":
        tl.store(out + at, 1.0)
    else:
        tl.store(out + at, 2.0)


@tilewright.jit
def apply(x, out, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, FUNCTION(tl.load(x + at)))


@tilewright.jit
def double(x):
    return x * 2


@tilewright.jit
def negate(x):
    return -x


def make_power(exponent):
    """A kernel whose constant is of a closure."""
    EXPONENT = tl.constexpr(exponent)

    @tilewright.jit
    def power(x, out, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        value = tl.load(x + at)
        result = value
        for _ in tl.static_range(EXPONENT - 1):
            result *= value
        tl.store(out + at, result)

    return power


class Methods:
    """A kernel that is an attribute of a class."""

    @tilewright.jit
    def fill(out, value, BLOCK: tl.constexpr):
        tl.store(out + tl.arange(0, BLOCK), value)
