"""Scalar instructions: arithmetic, branches, waits and loads."""

import re

import numpy as np

import pseudocode
from memory import BadAccess
from operands import UnknownInstruction, raw
from vector import State
from wave import EXEC, VCC

NOTHING = {"s_nop", "s_clause", "s_delay_alu", "s_sendmsg", "s_setprio", "s_sleep", "s_wait_alu",
           "s_waitcnt_depctr", "s_set_inst_prefetch_distance", "s_inst_prefetch", "s_icache_inv",
           "s_prefetch_inst", "s_prefetch_inst_pc_rel"}
BRANCHES = {"s_branch": lambda wave: True, "s_cbranch_scc0": lambda wave: not wave.SCC[0],
            "s_cbranch_scc1": lambda wave: wave.SCC[0],
            "s_cbranch_vccz": lambda wave: wave.s[VCC] == 0,
            "s_cbranch_vccnz": lambda wave: wave.s[VCC] != 0,
            "s_cbranch_execz": lambda wave: wave.s[EXEC] == 0,
            "s_cbranch_execnz": lambda wave: wave.s[EXEC] != 0}


def compile_arithmetic(instruction, library):
    name = instruction.name.upper()
    text = library.text.get(name)
    if text is None:
        raise UnknownInstruction(instruction.text)
    function = library.function(name)
    operands = list(instruction.operands)
    target = operands.pop(0) if "D0" in function.outputs else None
    state = State()
    if "SIMM32" in text:
        state.SIMM32 = raw(operands.pop(1 if "FMAMK" in name else 2), "F", 32)(None)
    elif "SIMM16" in text:
        state.SIMM16 = raw(operands.pop(), "I", 32)(None)
    sources = [f"S{i}" for i in range(3) if re.search(rf"\bS{i}\b", text)]
    if len(sources) != len(operands):
        raise UnknownInstruction(f"{instruction.text}: {len(sources)} operands expected")
    reads = []
    for source, operand in zip(sources, operands):
        kind, width = pseudocode.operand_type(text, source)
        bits = pseudocode.operand_bits(text, source)
        reads.append(raw(operand, kind, 64 if bits == 64 else width if kind == "F" else 32))
    bits = pseudocode.operand_bits(text, "D0")
    old = raw(target, "U", bits) if function.reads_old else None
    spare = [None] * (3 - len(reads))

    def run(wave):
        state.SCC, state.EXEC = wave.SCC, wave.s[EXEC:EXEC + 1].copy()
        values = function(*[get(wave) for get in reads], *spare, old(wave) if old else None, state)
        for output, value in zip(function.outputs, values):
            if output == "SCC":
                wave.SCC = np.broadcast_to(value, 1)
            elif output == "EXEC":
                wave.set_scalar(EXEC, value[0])
            elif output == "D0" and bits == 64:
                word = int(value[0])
                wave.set_scalar(target.first, np.uint32(word & 0xFFFFFFFF))
                if target.first != 124:
                    wave.set_scalar(target.first + 1, np.uint32(word >> 32))
            else:
                wave.set_scalar(target.first, value[0])
    return run


def compile_branch(instruction, places):
    test = BRANCHES[instruction.name]
    offset = int(instruction.operands[0].text, 0)
    offset -= (offset >> 15) << 16
    target = places[instruction.address + 4 + 4 * offset]

    def run(wave):
        if test(wave):
            wave.position = target
    return run


def compile_jump(instruction, places, image):
    """s_getpc_b64, s_setpc_b64, s_swappc_b64. image: the address to which address 0 of the code
    object is loaded."""
    after = image + instruction.address + 4
    operands = list(instruction.operands)
    target = None if instruction.name == "s_setpc_b64" else operands.pop(0)
    read = raw(operands[0], "U", 64) if operands else None

    def run(wave):
        if read:
            wave.position = places[int(read(wave)[0]) - image]
        if target:
            wave.set_scalar(target.first, np.uint32(after & 0xFFFFFFFF))
            wave.set_scalar(target.first + 1, np.uint32(after >> 32))
    return run


def compile_load(instruction):
    """s_load_bN and narrow ones: into scalar registers, in whatever order."""
    match = re.fullmatch(r"s_load_(?:b(\d+)|([ui])(8|16))", instruction.name)
    if not match:
        raise UnknownInstruction(instruction.text)
    target, base = instruction.operands[0], raw(instruction.operands[1], "U", 64)
    offset = raw(instruction.operands[2], "U", 32)
    more = instruction.number("offset")
    size = int(match.group(1) or match.group(3)) // 8
    signed = match.group(2) == "i"

    def run(wave):
        offset_value = int(offset(wave).view(np.int32)[0])
        address = (int(base(wave)[0]) + offset_value + more) & 0xFFFFFFFFFFFFFFFF
        if size >= 4 and address & 3:
            raise BadAccess(f"scalar load at {address:#x}")
        data = wave.memory.read(np.array([address], np.uint64), size)[0]
        if size < 4:
            word = int.from_bytes(data.tobytes(), "little", signed=signed)
            words = [np.uint32(word & 0xFFFFFFFF)]
        else:
            words = data.view(np.uint32)
        for i, word in enumerate(words):
            wave.set_scalar(target.first + i, word)
        wave.outstanding.issue("scalar", list(range(target.first, target.first + len(words))))
    return run
