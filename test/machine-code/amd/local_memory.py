"""ds instructions: the memory of a work-group, and exchanges between lanes through its network."""

import re

import numpy as np

import atomics
from operands import UnknownInstruction, raw
from registers import write_vector
from vector_memory import FORM, Shape, give, registers_of, run_atomic, take
from wave import LANE, LANES

PAIR = re.compile(r"ds_(load|store)_2addr_(stride64_)?b(32|64)")


class Piece:
    """Part of the registers of an access to two places."""

    def __init__(self, first):
        self.first, self.half = first, None


def compile_pair(instruction, match):
    size = int(match.group(3)) // 8
    step = size * (64 if match.group(2) else 1)
    shape = Shape(instruction, FORM.fullmatch(f"global_{match.group(1)}_b{size * 8}"))
    offsets = [instruction.number(f"offset{i}") * step for i in (0, 1)]
    if shape.load:
        target, address = instruction.operands
        pieces = [Piece(target.first), Piece(target.first + size // 4)]
    else:
        address, *pieces = instruction.operands
    where = raw(address, "U", 32)

    def run(wave):
        lanes = np.flatnonzero(wave.lanes)
        base = np.broadcast_to(where(wave), LANES)[lanes].astype(np.uint64)
        for piece, offset in zip(pieces, offsets):
            if shape.load:
                give(wave, piece, shape, wave.local.read(base + np.uint64(offset), size), lanes)
            else:
                wave.local.write(base + np.uint64(offset), take(wave, piece, shape)[lanes])
        written = [r for p in pieces for r in registers_of(p, shape)] if shape.load else []
        wave.outstanding.issue("local", written)
    return run


def compile_access(instruction, match):
    shape = Shape(instruction, match)
    first, second = instruction.operands
    register, address = (first, second) if shape.load else (second, first)
    where, offset = raw(address, "U", 32), np.uint64(instruction.number("offset"))

    def run(wave):
        lanes = np.flatnonzero(wave.lanes)
        places = np.broadcast_to(where(wave), LANES)[lanes].astype(np.uint64) + offset
        if shape.load:
            give(wave, register, shape, wave.local.read(places, shape.size), lanes)
        else:
            wave.local.write(places, take(wave, register, shape)[lanes])
        wave.outstanding.issue("local", registers_of(register, shape) if shape.load else [])
    return run


def swizzle_source(text):
    """For each lane, the lane it reads: `swizzle(BITMASK_PERM,"01pi0")` and the other modes."""
    match = re.fullmatch(r'swizzle\((\w+),\s*(.*)\)', text)
    if match and match.group(1) == "BITMASK_PERM":
        lane = LANE.copy()
        for place, letter in zip((16, 8, 4, 2, 1), match.group(2).strip('"')):
            lane = {"0": lane & ~place, "1": lane | place, "p": lane, "i": lane ^ place}[letter]
        return lane
    numbers = [int(x) for x in match.group(2).split(",")] if match else None
    if match and match.group(1) == "QUAD_PERM":
        return (LANE & ~3) + np.array(numbers)[LANE & 3]
    if match and match.group(1) == "SWAP":
        return LANE ^ numbers[0]
    if match and match.group(1) == "REVERSE":
        return LANE ^ (numbers[0] - 1)
    if match and match.group(1) == "BROADCAST":
        return (LANE & ~(numbers[0] - 1)) + numbers[1]
    raise UnknownInstruction(text)


def compile_exchange(instruction):
    target, operands = instruction.operands[0], instruction.operands[1:]
    reads = [raw(operand, "U", 32) for operand in operands]
    name = instruction.name
    if name == "ds_swizzle_b32":
        source = swizzle_source(instruction.modifiers["offset"])
        offset = 0
    else:
        offset = instruction.number("offset")

    def run(wave):
        if name == "ds_swizzle_b32":
            value = np.where(wave.lanes[source], reads[0](wave)[source], np.uint32(0))
        else:
            lane = ((reads[0](wave).astype(np.int64) + offset) >> 2) & (LANES - 1)
            data = np.broadcast_to(reads[1](wave), LANES)
            if name == "ds_permute_b32":
                value = np.zeros(LANES, np.uint32)
                for i in np.flatnonzero(wave.lanes):
                    value[lane[i]] = data[i]
            elif name == "ds_bpermute_fi_b32":
                value = data[lane]
            else:
                value = np.where(wave.lanes[lane], data[lane], np.uint32(0))
        write_vector(wave, target, value, None, 32)
        wave.outstanding.issue("local", [1000 + target.first])
    return run


def compile_atomic(instruction):
    operation = atomics.find(instruction.name[3:])
    if operation is None:
        raise UnknownInstruction(instruction.text)
    operands = list(instruction.operands)
    target = operands.pop(0) if "_rtn_" in instruction.name else None
    address, data = operands[:2]
    where, offset = raw(address, "U", 32), np.uint64(instruction.number("offset"))
    if operation.compares:
        raise UnknownInstruction(instruction.text)
    return run_atomic(operation, lambda wave: where(wave).astype(np.uint64) + offset, data, target,
                      lambda wave: wave.local, "local")


def compile_local(instruction):
    pair = PAIR.fullmatch(instruction.name)
    if pair:
        return compile_pair(instruction, pair)
    if instruction.name in ("ds_swizzle_b32", "ds_bpermute_b32", "ds_permute_b32", "ds_bpermute_fi_b32"):
        return compile_exchange(instruction)
    # Their names have the width's letter in another place than those of global memory.
    name = re.sub(r"_([ui](?:8|16))_(d16(?:_hi)?)$|_(b(?:8|16))_(d16_hi)$",
                  lambda m: f"_{m.group(2) or m.group(4)}_{m.group(1) or m.group(3)}", instruction.name)
    match = FORM.fullmatch("global_" + name[3:])
    return compile_access(instruction, match) if match else compile_atomic(instruction)
