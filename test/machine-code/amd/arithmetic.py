"""What AMD's pseudocode calls by name, on NumPy arrays of one element a lane.

Rounding is to nearest even and denormals are kept, as the kernel descriptors ask for
(codeobject.py checks that). Where the hardware gives an approximation of one unit in the last
place, this gives the correctly rounded result.
"""

import ctypes

import numpy as np

_libm = ctypes.CDLL("libm.so.6")
_libm.fma.restype = ctypes.c_double
_libm.fma.argtypes = [ctypes.c_double] * 3
_fma64 = np.frompyfunc(_libm.fma, 3, 1)

BITS = {np.dtype(np.float16): np.uint16, np.dtype(np.float32): np.uint32,
        np.dtype(np.float64): np.uint64}
MANTISSA = {np.dtype(np.float16): 10, np.dtype(np.float32): 23, np.dtype(np.float64): 52}
BIAS = {np.dtype(np.float16): 15, np.dtype(np.float32): 127, np.dtype(np.float64): 1023}


def bits(x):
    return x.view(BITS[x.dtype])


def round_to_odd_sum(a, b):
    """a + b in double precision, rounded so that rounding again to a format with at least two
    bits less gives what rounding once would."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    inexact = np.isfinite(total) & (error != 0)
    word = total.view(np.uint64)
    even = (word & np.uint64(1)) == 0
    # The exact sum lies between total and its neighbour in the direction of the error.
    toward = np.where((error > 0) == (total > 0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF))
    return np.where(inexact & even, word + toward, word).view(np.float64)


def fma(a, b, c):
    if a.dtype == np.float64:
        a, b, c = np.broadcast_arrays(a, b, c)
        return _fma64(a, b, c).astype(np.float64)
    product = a.astype(np.float64) * b.astype(np.float64)  # exact
    product, c64 = np.broadcast_arrays(product, c.astype(np.float64))
    return round_to_odd_sum(product, c64).astype(a.dtype)


def isNAN(x):
    return np.isnan(x)


def isQuietNAN(x):
    return np.isnan(x) & ((bits(x) >> BITS[x.dtype](MANTISSA[x.dtype] - 1) & 1) != 0)


def isSignalNAN(x):
    return np.isnan(x) & ((bits(x) >> BITS[x.dtype](MANTISSA[x.dtype] - 1) & 1) == 0)


def cvtToQuietNAN(x):
    return (bits(x) | BITS[x.dtype](1 << (MANTISSA[x.dtype] - 1))).view(x.dtype)


def isDENORM(x):
    return (x != 0) & (np.abs(x) < np.finfo(x.dtype).tiny)


def sign(x):
    return np.signbit(x)


def exponent(x):
    """The field in the format: with its bias."""
    ones = (1 << (x.dtype.itemsize * 8 - 1 - MANTISSA[x.dtype])) - 1
    return ((bits(x) >> BITS[x.dtype](MANTISSA[x.dtype])) & BITS[x.dtype](ones)).astype(np.int32)


def mantissa(x):
    """As V_FREXP_MANT has it: of the magnitude in [0.5, 1), with the sign."""
    return np.frexp(x)[0].astype(x.dtype)


def frexp_exponent(x):
    """V_FREXP_EXP of a finite number: mantissa(x) * 2 ** frexp_exponent(x) == x."""
    return np.frexp(x)[1].astype(np.int32)


def floor(x):
    return np.floor(x)


def trunc(x):
    return np.trunc(x)


def fract(x):
    return x - np.floor(x)


def isEven(x):
    return np.fmod(x, 2) == 0


def sqrt(x):
    return np.sqrt(x)


def log2(x):
    return np.log2(x.astype(np.float64)).astype(x.dtype)


def power(a, b):
    return np.power(a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)


def sin(x):
    return np.sin(x.astype(np.float64)).astype(x.dtype)


def cos(x):
    return np.cos(x.astype(np.float64)).astype(x.dtype)


def ldexp(x, by):
    # One rounding: twice half of the way would round a denormal result twice.
    wide = np.ldexp(x.astype(np.longdouble), np.clip(by, -6000, 6000).astype(np.int32))
    return wide.astype(x.dtype)


def signext_from_bit(x, width):
    """The low `width` bits of x as a signed number; 0 for none."""
    size = x.dtype.itemsize * 8
    shift = (size - np.minimum(width.astype(np.int64), size)).astype(x.dtype)
    moved = np.where(shift < size, np.left_shift(x, np.minimum(shift, size - 1)), 0)
    return np.where(width == 0, 0, np.right_shift(moved, np.minimum(shift, size - 1))).astype(x.dtype)


def reverse_bits(x):
    size = x.dtype.itemsize * 8
    spread = np.unpackbits(x[:, None].view(np.uint8), axis=1, bitorder="little")
    return np.packbits(spread[:, ::-1], axis=1, bitorder="little").view(x.dtype)[:, 0] if size else x


def float_to_int(x, dtype):
    """Toward zero, the nearest representable if out of range, 0 for NaN."""
    info = np.iinfo(dtype)
    wide = np.trunc(np.where(np.isnan(x), 0, x).astype(np.float64))
    inside = np.clip(wide, float(info.min), float(info.max))
    if info.max > 1 << 53:  # the largest is no double
        return np.where(inside >= float(info.max), info.max, inside.astype(dtype)).astype(dtype)
    return inside.astype(dtype)


def saturate(x, dtype):
    info = np.iinfo(dtype)
    return np.clip(x.astype(np.int64), info.min, info.max).astype(dtype)


def shift_left(x, by):
    size = x.dtype.itemsize * 8
    by = by.astype(np.int64)
    return np.where(by < size, np.left_shift(x, np.minimum(by, size - 1).astype(x.dtype)),
                    np.zeros(1, x.dtype))


def shift_right(x, by):
    """Arithmetic for signed types."""
    size = x.dtype.itemsize * 8
    by = by.astype(np.int64)
    moved = np.right_shift(x, np.minimum(by, size - 1).astype(x.dtype))
    return moved if x.dtype.kind == "i" else np.where(by < size, moved, np.zeros(1, x.dtype))


def put(old, low, width, new):
    """old with `width` bits from `low` on replaced by those of new, all unsigned."""
    mask = old.dtype.type(((1 << width) - 1) << low)
    return (old & ~mask) | ((new.astype(old.dtype) << old.dtype.type(low)) & mask)


def put_bit(old, place, value):
    bit = np.left_shift(old.dtype.type(1), place.astype(old.dtype))
    return np.where(value, old | bit, old & ~bit)


def bf16_to_f32(x):
    return (x.astype(np.uint32) << np.uint32(16)).view(np.float32)


def f32_to_bf16(x):
    word = x.view(np.uint32)
    rounded = word + (np.uint32(0x7FFF) + ((word >> np.uint32(16)) & np.uint32(1)))
    return np.where(np.isnan(x), word >> np.uint32(16) | np.uint32(0x40),
                    rounded >> np.uint32(16)).astype(np.uint16)


def _small_to_f32(code, exponent_bits, mantissa_bits, has_infinity):
    code = code.astype(np.int64)
    field = (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
    fraction = code & ((1 << mantissa_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    value = np.where(field == 0, np.ldexp(fraction.astype(np.float64), 1 - bias - mantissa_bits),
                     np.ldexp((fraction + (1 << mantissa_bits)).astype(np.float64),
                              (field - bias - mantissa_bits).astype(np.int32)))
    if has_infinity:
        value = np.where(field == (1 << exponent_bits) - 1, np.where(fraction == 0, np.inf, np.nan), value)
    else:
        value = np.where((code & 0x7F) == 0x7F, np.nan, value)
    return np.where(code & 0x80, -value, value).astype(np.float32)


def fp8_to_f32(code):
    return _small_to_f32(code, 4, 3, False)


def bf8_to_f32(code):
    return _small_to_f32(code, 5, 2, True)


def _f32_to_small(x, exponent_bits, mantissa_bits, largest, overflow):
    """Nearest even. What rounds beyond the largest becomes `overflow`."""
    bias = (1 << (exponent_bits - 1)) - 1
    size = np.abs(x.astype(np.float64))
    size = np.where(np.isfinite(size), size, 0)
    power = np.maximum(np.frexp(size)[1] - 1, 1 - bias) - mantissa_bits
    steps = np.rint(np.ldexp(size, -power))
    rounded = np.ldexp(steps, power)
    power = np.maximum(np.frexp(rounded)[1] - 1, 1 - bias)
    whole = np.ldexp(rounded, mantissa_bits - power).astype(np.int64)
    code = np.where(whole >= 1 << mantissa_bits, ((power + bias) << mantissa_bits) +
                    (whole - (1 << mantissa_bits)), whole)
    code = np.where((rounded > largest) | np.isinf(x), overflow, code)
    code = np.where(np.isnan(x), 0x7F, code)
    return (code | np.where(np.signbit(x), 0x80, 0)).astype(np.uint8)


def f32_to_fp8(x):
    """e4m3 without infinities; FP16_OVFL is 0: too large is NaN."""
    return _f32_to_small(x, 4, 3, 448.0, 0x7F)


def f32_to_bf8(x):
    """e5m2; FP16_OVFL is 0: too large is infinity."""
    return _f32_to_small(x, 5, 2, 57344.0, 0x7C)
