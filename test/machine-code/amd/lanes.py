"""Vector instructions that move values between lanes, and between vector and scalar registers."""

import numpy as np

from operands import raw
from registers import write_vector
from wave import LANE, LANES


def first_lane(wave):
    active = np.flatnonzero(wave.lanes)
    return active[0] if len(active) else 0


def read_lane(instruction):
    target, source = instruction.operands[0], raw(instruction.operands[1], "U", 32)
    if instruction.name == "v_readfirstlane_b32":
        which = first_lane
    else:
        select = raw(instruction.operands[2], "U", 32)
        which = lambda wave: int(select(wave)[0]) & (LANES - 1)
    return lambda wave: wave.set_scalar(target.first,
                                        np.broadcast_to(source(wave), LANES)[which(wave)])


def write_lane(instruction):
    target = instruction.operands[0].first
    value, select = raw(instruction.operands[1], "U", 32), raw(instruction.operands[2], "U", 32)

    def run(wave):  # also where the lane does not run
        wave.v[target][int(select(wave)[0]) & (LANES - 1)] = value(wave)[0]
    return run


def permute_rows(instruction):
    """Any lane of the own row of 16, or of the other: the numbers are in two scalars, 4 bits each,
    or in a vector register."""
    target, source = instruction.operands[0], raw(instruction.operands[1], "U", 32)
    selects = [raw(operand, "U", 32) for operand in instruction.operands[2:]]
    across = 16 if "x16" in instruction.name else 0
    variable = "_var_" in instruction.name
    inactive, zero = instruction.bits("op_sel", [0, 0])[:2]

    def run(wave):
        if variable:
            place = selects[0](wave).astype(np.int64) & 15
        else:
            word = int(selects[0](wave)[0]) | int(selects[1](wave)[0]) << 32
            place = np.array([word >> 4 * (lane & 15) & 15 for lane in range(LANES)])
        lane = ((LANE & 16) ^ across) + place
        value = source(wave)[lane]
        valid = np.ones(LANES, bool) if inactive else wave.lanes[lane]
        if zero:
            write_vector(wave, target, np.where(valid, value, np.uint32(0)), None, 32)
        else:
            write_vector(wave, target, value, valid, 32)
    return run


def swap(instruction):
    first, second = instruction.operands
    bits = 16 if instruction.name.endswith("b16") else 32
    get_first, get_second = raw(first, "U", bits), raw(second, "U", bits)

    def run(wave):
        one, other = get_first(wave).copy(), get_second(wave).copy()
        write_vector(wave, first, other, None, 32)
        write_vector(wave, second, one, None, 32)
    return run


TABLE = {"v_readlane_b32": read_lane, "v_readfirstlane_b32": read_lane, "v_writelane_b32": write_lane,
         "v_permlane16_b32": permute_rows, "v_permlanex16_b32": permute_rows,
         "v_permlane16_var_b32": permute_rows, "v_permlanex16_var_b32": permute_rows,
         "v_swap_b32": swap, "v_swap_b16": swap}
