"""v_wmma: matrix products of a wave of 32 lanes.

The pseudocode says D = A (16x16) * B (16x16) + C (16x16) and no more. Which lane holds which element
is from the instruction set documents' sections on WMMA, for waves of 32 lanes; lane l, its lower part
l mod 16 and its upper l div 16; elements of one lane counted through its registers, lowest bits first:

            RDNA 3                                    RDNA 4
    A       row lower, column element                 row lower, column element + upper * elements
    B       row element, column lower                 row element + upper * elements, column lower
    C, D    row 2 * element + upper, column lower     row element + upper * 8, column lower

On RDNA 3 both halves of the wave hold A and B, and have to hold the same. An accumulator of 16 bits
there is in one half of a register, which op_sel names for C and D together; the other half stays.
RDNA 4 packs two into a register. (It numbers K of 16-bit operands otherwise, for A and B alike: no sum
depends on that.) How sums round on the way is not specified: they are exact here, and rounded once.
"""

import re

import numpy as np

import arithmetic
from operands import UnknownInstruction, raw
from wave import LANE

LOWER, UPPER = LANE & 15, LANE >> 4
BITS = {"F32": 32, "I32": 32, "F16": 16, "BF16": 16, "FP8": 8, "BF8": 8, "IU8": 8, "IU4": 4}


def elements(registers, bits):
    """(lanes, elements) of what (registers, lanes) of 32 bits hold."""
    words = registers.T[:, :, None]
    shifts = np.arange(0, 32, bits, dtype=np.uint32)
    return (words >> shifts & np.uint32((1 << bits) - 1)).reshape(len(LANE), -1)


def packed(values, bits):
    """The reverse."""
    words = values.astype(np.uint32).reshape(len(LANE), -1, 32 // bits)
    shifts = np.arange(0, 32, bits, dtype=np.uint32)
    return np.bitwise_or.reduce(words << shifts, axis=2).T


def numbers(codes, kind, signed=False):
    """What elements stand for, as f64, or i64 for integers."""
    bits = BITS[kind]
    if kind in ("IU8", "IU4", "I32"):
        wide = codes.astype(np.int64)
        return np.where(signed & (wide >> (bits - 1) != 0), wide - (1 << bits), wide)
    if kind == "F32":
        return codes.astype(np.uint32).view(np.float32).astype(np.float64)
    if kind == "F16":
        return codes.astype(np.uint16).view(np.float16).astype(np.float64)
    if kind == "BF16":
        return arithmetic.bf16_to_f32(codes).astype(np.float64)
    convert = arithmetic.fp8_to_f32 if kind == "FP8" else arithmetic.bf8_to_f32
    return convert(codes.astype(np.uint32)).astype(np.float64)


def codes(values, kind, clamps):
    if kind == "I32":
        if clamps:
            values = np.clip(values, -(1 << 31), (1 << 31) - 1)
        return values.astype(np.int64).astype(np.uint32)
    if kind == "F32":
        return values.astype(np.float32).view(np.uint32)
    if kind == "F16":
        return values.astype(np.float16).view(np.uint16)
    return arithmetic.f32_to_bf16(values.astype(np.float32))


def constant_operand(operand, kind):
    """A constant in the place of C: the same in all elements."""
    return raw(operand, "I" if kind == "I32" else "F", BITS[kind])


def compile_product(instruction, major):
    match = re.fullmatch(r"v_wmma_(\w+?)_16x16x(\d+)_(\w+?)(?:_(\w+))?", instruction.name)
    if not match:
        raise UnknownInstruction(instruction.text)
    kind_d, k, kind_a, kind_b = match.group(1).upper(), int(match.group(2)), match.group(3).upper(), \
        (match.group(4) or match.group(3)).upper()
    d, a, b, c = instruction.operands
    unknown = set(instruction.modifiers) - {"op_sel", "op_sel_hi", "neg_lo", "clamp"}
    if unknown or (instruction.flag("neg_lo") and kind_a not in ("IU8", "IU4")):
        raise UnknownInstruction(instruction.text)
    signed = instruction.bits("neg_lo", [0, 0, 0])  # of integers it says that they are signed
    half = instruction.bits("op_sel", [0, 0, 0])[2]
    spread = major == 11 and BITS[kind_d] == 16
    constant = constant_operand(c, kind_d) if c.kind == "c" else None

    def factor(wave, operand, kind, is_signed):
        """(16, k): row by row of A, column by column of B."""
        held = numbers(elements(wave.v[operand.first:operand.first + operand.count], BITS[kind]), kind,
                       bool(is_signed))
        tile = np.zeros((16, k), held.dtype)
        place = np.arange(held.shape[1])
        if major == 11:
            if not np.array_equal(held[:16], held[16:], equal_nan=held.dtype == np.float64):
                raise UnknownInstruction(f"{instruction.text}: the halves of the wave differ")
            tile[LOWER[:, None], place] = held
        else:
            tile[LOWER[:, None], place + UPPER[:, None] * held.shape[1]] = held
        return tile

    place = np.arange(8)
    rows = 2 * place + UPPER[:, None] if major == 11 else place + 8 * UPPER[:, None]

    def accumulator(wave):
        if constant:
            bits = np.broadcast_to(constant(wave), (len(LANE), 8))
        else:
            bits = elements(wave.v[c.first:c.first + c.count], BITS[kind_d])
            bits = bits[:, half::2] if spread else bits
        return numbers(bits, kind_d, True)

    def run(wave):
        if not wave.all_lanes:
            raise UnknownInstruction(f"{instruction.text}: not all lanes run")
        left, right = factor(wave, a, kind_a, signed[0]), factor(wave, b, kind_b, signed[1])
        total = accumulator(wave) + (left @ right.T)[rows, LOWER[:, None]]
        bits = codes(total, kind_d, instruction.flag("clamp")).astype(np.uint32)
        if not spread:
            wave.v[d.first:d.first + d.count] = packed(bits, BITS[kind_d])
            return
        for i in range(8):
            wave.v[d.first + i] = arithmetic.put(wave.v[d.first + i], 16 * half, 16, bits[:, i])
    return run
