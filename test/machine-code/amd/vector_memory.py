"""Global, buffer and scratch memory as vector instructions see it."""

import re

import numpy as np

import arithmetic
import atomics
from memory import BadAccess
from operands import UnknownInstruction, raw
from wave import LANES

FORM = re.compile(r"(global|flat|buffer|scratch)_(load|store)_(d16_hi_|d16_)?"
                  r"(?:([ui])(8|16)|b(8|16|32|64|96|128))")
# Eight lanes exchange what they load: each gets the 16 bits of its own number of all eight.
TRANSPOSING = "global_load_tr_b128"
EXCHANGING = 8


class Shape:
    """What a load or store moves: from its name."""

    def __init__(self, instruction, match):
        self.load = match.group(2) == "load"
        self.high = match.group(3) == "d16_hi_"
        self.keep = bool(match.group(3))  # the other half of the register stays
        self.signed = match.group(4) == "i"
        self.size = int(match.group(5) or match.group(6)) // 8
        self.instruction = instruction


def take(wave, register, shape):
    """[lanes, bytes] of a register to be stored."""
    if shape.size >= 4:
        words = [wave.v[register.first + i] for i in range(shape.size // 4)]
        return np.ascontiguousarray(np.stack(words, axis=1)).view(np.uint8)
    high = shape.high or register.half == 1
    word = wave.v[register.first] >> np.uint32(16 if high else 0)
    return np.ascontiguousarray(word[:, None]).view(np.uint8)[:, :shape.size]


def give(wave, register, shape, data, lanes):
    """Loaded bytes of the lanes that read into a register."""
    if shape.size >= 4:
        words = np.ascontiguousarray(data).view(np.uint32)
        for i in range(shape.size // 4):
            wave.v[register.first + i][lanes] = words[:, i]
        return
    narrow = np.ascontiguousarray(data).view({1: np.uint8, 2: np.uint16}[shape.size])[:, 0]
    if shape.signed:
        narrow = narrow.view({1: np.int8, 2: np.int16}[shape.size])
    if not shape.keep:
        wave.v[register.first][lanes] = narrow.astype(np.int32).view(np.uint32)
        return
    high = shape.high or register.half == 1
    wave.v[register.first][lanes] = arithmetic.put(
        wave.v[register.first][lanes], 16 if high else 0, 16, narrow.astype(np.int32).view(np.uint32))


def registers_of(register, shape):
    return [1000 + register.first + i for i in range(max(1, shape.size // 4))]


def global_address(instruction, address, base):
    """A function from a wave to addresses of all lanes."""
    offset = int(instruction.modifiers.get("offset", "0"), 0)
    if base.text == "off":
        wide = raw(address, "U", 64)
        return lambda wave: wide(wave) + np.uint64(offset & 0xFFFFFFFFFFFFFFFF)
    narrow, start = raw(address, "U", 32), raw(base, "U", 64)
    return lambda wave: start(wave) + narrow(wave).astype(np.uint64) + np.uint64(offset & 0xFFFFFFFFFFFFFFFF)


def exchange(data):
    """[lanes, bytes] after TRANSPOSING, of what all lanes have read."""
    groups = np.ascontiguousarray(data).view(np.uint16).reshape(-1, EXCHANGING, EXCHANGING)
    return np.ascontiguousarray(groups.transpose(0, 2, 1)).view(np.uint8).reshape(data.shape)


def compile_global(instruction):
    transposes = instruction.name == TRANSPOSING
    match = FORM.fullmatch(instruction.name.replace("_tr_", "_") if transposes else instruction.name)
    if not match:
        return compile_global_atomic(instruction)
    shape = Shape(instruction, match)
    first, second, base = instruction.operands
    register, address = (first, second) if shape.load else (second, first)
    where = global_address(instruction, address, base)

    def load(wave):
        lanes = np.flatnonzero(wave.lanes)
        if transposes and len(lanes) not in (0, LANES):
            raise BadAccess(f"{TRANSPOSING} with some lanes off")
        data = wave.memory.read(np.broadcast_to(where(wave), LANES)[lanes], shape.size)
        give(wave, register, shape, exchange(data) if transposes else data, lanes)
        wave.outstanding.issue("load", registers_of(register, shape))

    def store(wave):
        lanes = np.flatnonzero(wave.lanes)
        wave.memory.write(np.broadcast_to(where(wave), LANES)[lanes], take(wave, register, shape)[lanes])
    return load if shape.load else store


def returns(instruction):
    return instruction.flag("glc") or "RETURN" in instruction.modifiers.get("th", "")


def compile_global_atomic(instruction):
    operation = atomics.find(instruction.name.split("_", 2)[2])
    if operation is None:
        raise UnknownInstruction(instruction.text)
    operands = list(instruction.operands)
    target = operands.pop(0) if returns(instruction) else None
    address, data, base = operands
    where = global_address(instruction, address, base)
    return run_atomic(operation, where, data, target, lambda wave: wave.memory, "load")


def run_atomic(operation, where, data, target, memory, counter):
    """Lane by lane, in the order of the lanes."""
    words = operation.bytes // 4

    def run(wave):
        addresses = np.broadcast_to(where(wave), LANES)
        for lane in np.flatnonzero(wave.lanes):
            address = addresses[lane:lane + 1]
            if int(address[0]) % operation.bytes:
                raise BadAccess(f"atomic operation of {operation.bytes} bytes at {int(address[0]):#x}")
            old = memory(wave).read(address, operation.bytes)
            value = [wave.v[data.first + i][lane] for i in range(words * (1 + operation.compares))]
            new = operation.apply(old[0], np.array(value, np.uint32))
            memory(wave).write(address, new[None])
            if target is not None:
                for i, word in enumerate(np.ascontiguousarray(old[0]).view(np.uint32)):
                    wave.v[target.first + i][lane] = word
        if target is not None:
            wave.outstanding.issue(counter, [1000 + target.first + i for i in range(words)])
    return run


def compile_buffer(instruction):
    """Raw buffers: a descriptor of four scalars with a 48-bit base and a number of bytes."""
    match = FORM.fullmatch(instruction.name)
    if instruction.flag("idxen") or not match:
        raise UnknownInstruction(instruction.text)
    shape = Shape(instruction, match)
    register, offset, descriptor, scalar = instruction.operands
    if descriptor.count != 4:
        raise UnknownInstruction(instruction.text)
    own = raw(offset, "U", 32) if instruction.flag("offen") else lambda wave: np.zeros(1, np.uint32)
    extra, more = raw(scalar, "U", 32), int(instruction.modifiers.get("offset", "0"), 0)

    def place(wave):
        """Addresses, and which lanes are in range."""
        words = [int(w) for w in wave.s[descriptor.first:descriptor.first + 4]]
        base, records = words[0] | (words[1] & 0xFFFF) << 32, words[2]
        if words[1] >> 16 or words[3] >> 28 & 3 != 3:
            raise BadAccess(f"not a raw buffer: {words[1]:#x} {words[3]:#x}")
        offsets = np.broadcast_to(own(wave).astype(np.uint64), LANES) + np.uint64(more)
        scalar_offset = np.uint64(int(extra(wave)[0]))
        inside = offsets + np.uint64(shape.size) <= records
        # Whether the scalar offset counts depends on the generation: it must not matter.
        if np.any((inside != (offsets + scalar_offset + np.uint64(shape.size) <= records)) & wave.lanes):
            raise BadAccess("the scalar offset decides whether an access is in range")
        return offsets + scalar_offset + np.uint64(base), inside

    def load(wave):
        addresses, inside = place(wave)
        lanes = np.flatnonzero(wave.lanes)
        data = np.zeros((len(lanes), shape.size), np.uint8)
        valid = inside[lanes]
        data[valid] = wave.memory.read(addresses[lanes][valid], shape.size)
        give(wave, register, shape, data, lanes)
        wave.outstanding.issue("load", registers_of(register, shape))

    def store(wave):
        addresses, inside = place(wave)
        lanes = np.flatnonzero(wave.lanes & inside)
        wave.memory.write(addresses[lanes], take(wave, register, shape)[lanes])
    return load if shape.load else store


def compile_scratch(instruction):
    """Spilled registers: memory of the lane's own, at a vector or scalar offset."""
    match = FORM.fullmatch(instruction.name)
    if not match:
        raise UnknownInstruction(instruction.text)
    shape = Shape(instruction, match)
    first, second, base = instruction.operands
    register, address = (first, second) if shape.load else (second, first)
    more = int(instruction.modifiers.get("offset", "0"), 0)
    parts = [raw(part, "U", 32) for part in (address, base) if part.text != "off"]

    def where(wave, lanes):
        offset = np.full(LANES, more, np.int64)
        for part in parts:
            offset = offset + part(wave).astype(np.int64)
        offset = offset[lanes]
        if np.any(offset < 0) or np.any(offset + shape.size > wave.private.shape[1]):
            raise BadAccess(f"scratch access at {offset.max()}")
        return lanes[:, None], offset[:, None] + np.arange(shape.size)

    def load(wave):
        lanes = np.flatnonzero(wave.lanes)
        give(wave, register, shape, wave.private[where(wave, lanes)], lanes)
        wave.outstanding.issue("load", registers_of(register, shape))

    def store(wave):
        lanes = np.flatnonzero(wave.lanes)
        wave.private[where(wave, lanes)] = take(wave, register, shape)[lanes]
    return load if shape.load else store
