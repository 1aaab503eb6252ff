"""Element types of random programs: in Triton's language, in files, and in NumPy."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Type:
    name: str       # in triton.language
    pointer: str    # in a signature
    dtype: str      # in which NumPy computes; those of bfloat16 and of 8-bit floats are wider
    kind: str       # i: signed, u: unsigned, f: float, b: truth
    bits: int
    exact: int = 0    # of floats: whole numbers up to this one are exact
    largest: int = 0  # of floats: the largest number, where it is small
    exponent: tuple = ()  # of 8-bit floats: bits of the fraction, bias, whether 0x80 is no number

    @property
    def computes(self):
        """Whether there is arithmetic."""
        return self.kind in "iu" or self.kind == "f" and self.bits > 8

    @property
    def is_bits(self):
        """Whether memory holds it as bytes that the kernel casts."""
        return bool(self.exponent) and self.pointer == "u8"

    def array(self, values):
        return np.asarray(values).astype(self.dtype)

    def rounded(self, array):
        """Numbers that are no larger than `largest`, to the nearest one of this type, of two to the
        even one."""
        if self.kind == "f" and np.dtype(self.dtype).itemsize * 8 > self.bits:
            fraction, power = np.frexp(np.asarray(array, "f8"))
            array = np.ldexp(np.rint(fraction * self.exact), power) / self.exact
        return self.array(array)

    def decoded(self):
        """Of an 8-bit float: the numbers of all bytes. Those that are infinite or none are NaN."""
        fraction_bits, bias, no_negative_zero = self.exponent
        codes = np.arange(256)
        power, fraction = (codes & 127) >> fraction_bits, codes & ((1 << fraction_bits) - 1)
        scale = 1 << fraction_bits
        numbers = np.where(power == 0, np.ldexp(fraction / scale, 1 - bias),
                           np.ldexp(1 + fraction / scale, power - bias))
        numbers = np.where(codes & 128, -numbers, numbers)
        numbers[np.abs(numbers) > self.largest] = np.nan
        if no_negative_zero:
            numbers[128] = np.nan
        return numbers.astype("f4")

    def stored(self, array):
        """The array as the command line takes it: of narrow floats, the bits."""
        array = np.ascontiguousarray(array)
        if self.name == "bfloat16":
            return (array.view(np.uint32) >> 16).astype(np.uint16)
        if self.exponent:
            codes = {number: code for code, number in reversed(list(enumerate(self.decoded())))}
            return np.array([codes[x] for x in array.reshape(-1)], "u1").reshape(array.shape)
        return array

    def loaded(self, stored, shape):
        """What `stored` gave, as numbers again."""
        stored = stored.reshape(shape)
        if self.name == "bfloat16":
            return (stored.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        return self.decoded()[stored.view(np.uint8)] if self.exponent else stored


INTEGERS = [Type(f"{'u' * (kind == 'u')}int{bits}", f"{kind}{bits}", f"{kind}{bits // 8}", kind, bits)
            for bits in (8, 16, 32, 64) for kind in "iu"]
FLOATS = [Type("float16", "fp16", "f2", "f", 16, 1 << 11, 65504),
          Type("bfloat16", "bf16", "f4", "f", 16, 1 << 8), Type("float32", "fp32", "f4", "f", 32, 1 << 24),
          Type("float64", "fp64", "f8", "f", 64, 1 << 53)]
# What AMD calls fnuz comes as bytes: no launch has arrays of it.
FLOATS8 = [Type("float8e4nv", "fp8e4nv", "f4", "f", 8, 1 << 4, 448, (3, 7, False)),
           Type("float8e5", "fp8e5", "f4", "f", 8, 1 << 3, 57344, (2, 15, False)),
           Type("float8e4b8", "u8", "f4", "f", 8, 1 << 4, 240, (3, 8, True)),
           Type("float8e5b16", "u8", "f4", "f", 8, 1 << 3, 57344, (2, 16, True))]
BOOL = Type("int1", "i1", "?", "b", 1)
TYPES = {each.name: each for each in INTEGERS + FLOATS + FLOATS8 + [BOOL]}
INT32, UINT8, FLOAT32 = TYPES["int32"], TYPES["uint8"], TYPES["float32"]
