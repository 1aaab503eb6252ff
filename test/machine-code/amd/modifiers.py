"""Modifiers of vector instructions: DPP, halves of packed operands, scaling and clamping."""

import re

import numpy as np

import arithmetic
import overrides
from operands import UnknownInstruction
from wave import LANE, LANES


def lane_permutation(instruction):
    """DPP16 and DPP8: for each lane, the lane it reads, and whether there is one."""
    row, place = LANE & ~15, LANE & 15
    for key, text in instruction.modifiers.items():
        if key == "quad_perm":
            return (LANE & ~3) + np.array(instruction.bits(key, None))[LANE & 3], np.ones(LANES, bool)
        if key == "dpp8":
            return (LANE & ~7) + np.array(instruction.bits(key, None))[LANE & 7], np.ones(LANES, bool)
        number = int(text, 0) if re.fullmatch(r"\d+", text) else None
        if key == "row_shl":
            return row + ((place + number) & 15), place + number < 16
        if key == "row_shr":
            return row + ((place - number) & 15), place - number >= 0
        source = {"row_ror": lambda: (place - number) & 15, "row_mirror": lambda: 15 - place,
                  "row_half_mirror": lambda: place ^ 7, "row_share": lambda: place * 0 + number,
                  "row_xmask": lambda: place ^ number}.get(key)
        if source:
            return row + source(), np.ones(LANES, bool)
    return None


def permuted(instruction, get):
    """The first operand through DPP, as a function from a wave to (value, lanes that are written
    or None for all that run)."""
    found = lane_permutation(instruction)
    if not found:
        return lambda wave: (get(wave), None)
    source, inside = found
    rows, banks = instruction.number("row_mask", 15), instruction.number("bank_mask", 15)
    enabled = (rows >> (LANE >> 4) & 1 != 0) & (banks >> (LANE >> 2 & 3) & 1 != 0)
    zero, inactive = instruction.number("bound_ctrl") == 1, instruction.number("fi") == 1

    def read(wave):
        valid = inside if inactive else inside & wave.lanes[source]
        value = np.broadcast_to(get(wave), LANES)[source]
        if zero:
            return np.where(valid, value, value.dtype.type(0)), enabled
        return value, enabled & valid
    return read


def halves(instruction, index, get, kind):
    """An operand of a packed instruction: which halves, and their signs."""
    low = instruction.bits("op_sel", [0] * 3)[index]
    high = instruction.bits("op_sel_hi", [1] * 3)[index]
    signs = np.uint32(0)
    if kind == "F":
        signs = np.uint32(instruction.bits("neg_lo", [0] * 3)[index] << 15 |
                          instruction.bits("neg_hi", [0] * 3)[index] << 31)
    shifts = np.uint32(16 * low), np.uint32(16 * high)

    def read(wave):
        word = get(wave)
        return ((word >> shifts[0] & np.uint32(0xFFFF)) | (word >> shifts[1]) << np.uint32(16)) ^ signs
    return read


def scaled(instruction, kind, bits):
    """omod and clamp of a result, or None."""
    factor = {"2": 2.0, "4": 4.0}.get(instruction.modifiers.get("mul"))
    if instruction.modifiers.get("div") == "2":
        factor = 0.5
    clamp = instruction.flag("clamp")
    if factor is None and not clamp:
        return None
    if kind != "F":
        raise UnknownInstruction(f"{instruction.text}: scaled integers")
    dtype = {16: np.float16, 32: np.float32, 64: np.float64}[bits]
    word = {16: np.uint16, 32: np.uint32, 64: np.uint64}[bits]

    def change(value):
        number = value.astype(word).view(dtype)
        if factor:
            number = number * dtype(factor)
        if clamp:  # NaN becomes 0
            number = np.where(number > 0, np.minimum(number, dtype(1)), dtype(0))
        result = number.astype(dtype).view(word)
        return arithmetic.put(value, 0, 16, result) if bits == 16 else result
    return change


def saturating(instruction, name):
    """Integer sums with clamp."""
    match = re.fullmatch(r"V_(?:PK_)?(ADD|SUB|SUBREV)(?:_NC)?_([UI])(16|32)", name)
    if not match:
        raise UnknownInstruction(f"{instruction.text}: clamp")
    operation, kind, bits = match.group(1), match.group(2), int(match.group(3))
    dtype = {"U16": np.uint16, "I16": np.int16, "U32": np.uint32, "I32": np.int32}[kind + str(bits)]
    word = np.uint16 if bits == 16 else np.uint32

    def one(x, y):
        x, y = (v.astype(word).view(dtype).astype(np.int64) for v in (x, y))
        total = x + y if operation == "ADD" else x - y if operation == "SUB" else y - x
        return arithmetic.saturate(total, dtype).view(word)

    def run(s0, s1, s2, d0, state):
        if "_PK_" in name:
            high = one(s0 >> np.uint32(16), s1 >> np.uint32(16)).astype(np.uint32)
            return one(s0, s1).astype(np.uint32) | high << np.uint32(16),
        if bits == 16:
            return arithmetic.put(d0, 0, 16, one(s0, s1)),
        return one(s0, s1),
    return overrides.Function(run, ["D0"], bits == 16)
