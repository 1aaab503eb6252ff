"""Arithmetic that AMD's pseudocode leaves out or that does more in hardware than it says.

Each function takes (S0, S1, S2, D0, state) as those made of pseudocode do, and gives D0, and
VCC_LANE where it has one. Sources: the RDNA 3 and RDNA 4 instruction set documents, and what
LLVM's AMDGPU back end takes for granted (transcendental functions of f32 flush denormals, f64
reciprocals have some 24 good bits).
"""

import numpy as np

import arithmetic as a

FLUSHING = ("EXP_F32", "LOG_F32", "RCP_F32", "RCP_IFLAG_F32", "RSQ_F32", "SQRT_F32")


def f32(x):
    return x.view(np.float32)


def flush(x):
    return np.where(a.isDENORM(x), np.copysign(np.float32(0), x), x)


def flushing(run):
    def wrapped(s0, s1, s2, d0, state):
        result, = run(flush(f32(s0)).view(np.uint32), s1, s2, d0, state)
        return flush(f32(result)).view(np.uint32),
    return wrapped


def rough(run):
    """The first approximation of an f64 function."""
    def wrapped(s0, s1, s2, d0, state):
        result, = run(s0, s1, s2, d0, state)
        value = result.view(np.float64)
        cut = (result & np.uint64(0xFFFFFFFFE0000000)).view(np.float64)
        return np.where(np.isfinite(value), cut, value).view(np.uint64),
    return wrapped


def frexp_exponent(dtype):
    def run(s0, s1, s2, d0, state):
        x = a.bits(np.zeros(1, dtype)).dtype.type
        value = s0.astype(x).view(dtype)
        power = np.where(np.isfinite(value), a.frexp_exponent(np.where(np.isfinite(value), value, 0)), 0)
        if dtype is np.float16:
            return a.put(d0, 0, 16, power.astype(np.int16).view(np.uint16)),
        return power.astype(np.int32).view(np.uint32),
    return run


def frexp_mantissa(dtype):
    def run(s0, s1, s2, d0, state):
        value = s0.astype(a.BITS[np.dtype(dtype)]).view(dtype)
        result = np.where(np.isfinite(value), a.mantissa(np.where(np.isfinite(value), value, 0)), value)
        result = a.bits(result.astype(dtype))
        return (a.put(d0, 0, 16, result) if dtype is np.float16 else result),
    return run


def ldexp(dtype):
    def run(s0, s1, s2, d0, state):
        value = s0.astype(a.BITS[np.dtype(dtype)]).view(dtype)
        by = s1.astype(np.uint16).view(np.int16) if dtype is np.float16 else \
            s1.astype(np.uint32).view(np.int32)
        value, by = np.broadcast_arrays(value, by)
        result = a.bits(a.ldexp(value, by))
        return (a.put(d0, 0, 16, result) if dtype is np.float16 else result),
    return run


def div_scale(dtype):
    """Scales numerator or denominator, whichever S0 equals, so that a quotient by reciprocal and
    Newton steps neither overflows nor loses bits to denormals."""
    word = a.BITS[np.dtype(dtype)]
    near_top, step, tiny = (96, 64, 23) if dtype is np.float32 else (768, 128, 53)

    def run(s0, s1, s2, d0, state):
        s0, s1, s2 = np.broadcast_arrays(*(s.view(dtype) for s in (s0, s1, s2)))
        with np.errstate(all="ignore"):
            reciprocal, quotient = dtype(1) / s1, s2 / s1
        up, down = a.ldexp(s0, np.full(1, step)), a.ldexp(s0, np.full(1, -step))
        is_denominator, is_numerator = s0 == s1, s0 == s2
        cases = [((s2 == 0) | (s1 == 0), np.full_like(s0, np.nan), False),
                 (a.exponent(s2) - a.exponent(s1) >= near_top, np.where(is_denominator, up, s0), True),
                 (a.isDENORM(s1), up, False),
                 (a.isDENORM(reciprocal) & a.isDENORM(quotient), np.where(is_denominator, up, s0), True),
                 (a.isDENORM(reciprocal), down, False),
                 (a.isDENORM(quotient), np.where(is_numerator, up, s0), True),
                 (a.exponent(s2) <= tiny, up, False)]
        result = np.select([c[0] for c in cases], [c[1] for c in cases], s0)
        flag = np.select([c[0] for c in cases], [np.full(s0.shape, c[2]) for c in cases], False)
        return result.astype(dtype).view(word), flag
    return run


def mad_u64(s0, s1, s2, d0, state):
    product = s0.astype(np.uint64) * s1.astype(np.uint64)
    total = product + s2
    return total, total < product


def mad_i64(s0, s1, s2, d0, state):
    product = s0.view(np.int32).astype(np.int64) * s1.view(np.int32).astype(np.int64)
    return (product + s2.view(np.int64)).view(np.uint64), None


def perm(s0, s1, s2, d0, state):
    """Each byte of S2 picks a byte of {S0, S1}, copies of a sign, 0x00 or 0xff."""
    both = s1.astype(np.uint64) | s0.astype(np.uint64) << np.uint64(32)
    result = np.zeros(1, np.uint32)
    for byte in range(4):
        pick = (s2 >> np.uint32(8 * byte)) & np.uint32(0xFF)
        plain = (both >> (np.minimum(pick, 7).astype(np.uint64) * np.uint64(8))) & np.uint64(0xFF)
        # 8..11: the signs of bytes 1, 3, 5, 7.
        place = (np.clip(pick.astype(np.int64), 8, 11) - 8) * 16 + 15
        sign = ((both >> place.astype(np.uint64)) & np.uint64(1)) * np.uint64(0xFF)
        chosen = np.where(pick < 8, plain, np.where(pick < 12, sign, np.where(pick == 12, 0, 0xFF)))
        result = result | chosen.astype(np.uint32) << np.uint32(8 * byte)
    return result,


def cvt_pk_rtz_f16_f32(s0, s1, s2, d0, state):
    def toward_zero(x):
        x = f32(x)
        near = x.astype(np.float16)
        past = np.isfinite(x) & (np.abs(near.astype(np.float32)) > np.abs(x))
        return np.where(past, near.view(np.uint16) - np.uint16(1), near.view(np.uint16)).astype(np.uint32)
    return toward_zero(s0) | toward_zero(s1) << np.uint32(16),


def cvt_pk_16_f32(dtype):
    def run(s0, s1, s2, d0, state):
        low, high = (a.float_to_int(f32(s), dtype).view(np.uint16).astype(np.uint32) for s in (s0, s1))
        return low | high << np.uint32(16),
    return run


def sat_pk_u8_i16(s0, s1, s2, d0, state):
    low = np.clip(s0.astype(np.uint16).view(np.int16), 0, 255).astype(np.uint32)
    high = np.clip((s0 >> np.uint32(16)).astype(np.uint16).view(np.int16), 0, 255).astype(np.uint32)
    return a.put(d0, 0, 16, low | high << np.uint32(8)),


# Name without "V_": (function, outputs, whether it reads what D0 held).
TABLE = {
    "MAD_U64_U32": (mad_u64, ["D0", "VCC_LANE"], False),
    "MAD_CO_U64_U32": (mad_u64, ["D0", "VCC_LANE"], False),
    "MAD_I64_I32": (mad_i64, ["D0", "VCC_LANE"], False),
    "MAD_CO_I64_I32": (mad_i64, ["D0", "VCC_LANE"], False),
    "DIV_SCALE_F32": (div_scale(np.float32), ["D0", "VCC_LANE"], False),
    "DIV_SCALE_F64": (div_scale(np.float64), ["D0", "VCC_LANE"], False),
    "FREXP_EXP_I32_F32": (frexp_exponent(np.float32), ["D0"], False),
    "FREXP_EXP_I32_F64": (frexp_exponent(np.float64), ["D0"], False),
    "FREXP_EXP_I16_F16": (frexp_exponent(np.float16), ["D0"], True),
    "FREXP_MANT_F32": (frexp_mantissa(np.float32), ["D0"], False),
    "FREXP_MANT_F64": (frexp_mantissa(np.float64), ["D0"], False),
    "FREXP_MANT_F16": (frexp_mantissa(np.float16), ["D0"], True),
    "LDEXP_F32": (ldexp(np.float32), ["D0"], False),
    "LDEXP_F64": (ldexp(np.float64), ["D0"], False),
    "LDEXP_F16": (ldexp(np.float16), ["D0"], True),
    "PERM_B32": (perm, ["D0"], False),
    "CVT_PK_RTZ_F16_F32": (cvt_pk_rtz_f16_f32, ["D0"], False),
    "CVT_PK_I16_F32": (cvt_pk_16_f32(np.int16), ["D0"], False),
    "CVT_PK_U16_F32": (cvt_pk_16_f32(np.uint16), ["D0"], False),
    "SAT_PK_U8_I16": (sat_pk_u8_i16, ["D0"], True),
}


class Function:
    def __init__(self, run, outputs, reads_old):
        self.run, self.outputs, self.reads_old = run, outputs, reads_old

    def __call__(self, *arguments):
        return self.run(*arguments)


def find(name, library):
    """The function of V_`name`, from here or from the pseudocode."""
    if name in TABLE:
        return Function(*TABLE[name])
    function = library.function("V_" + name)
    plain = name.removeprefix("S_")
    if plain in FLUSHING:
        return Function(flushing(function), function.outputs, False)
    if plain in ("RCP_F64", "RSQ_F64", "SQRT_F64"):
        return Function(rough(function), function.outputs, False)
    return function
