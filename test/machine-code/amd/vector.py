"""Vector instructions: operands, modifiers and masks around what the pseudocode computes."""

import re

import numpy as np

import mixed
import modifiers
import overrides
import pseudocode
from operands import Operand, UnknownInstruction, raw
from registers import write_vector
from wave import EXEC, LANE, NULL, VCC, pack, unpack


class State:
    """What a function of pseudocode sees beside its operands."""
    laneId = LANE.astype(np.uint32)
    SCC = EXEC = VCC_LANE = SIMM32 = SIMM16 = OPSEL = NEG = MEMORY = DATA = None


class Roles:
    """Which operand of an instruction is what, by the names that its pseudocode has for them."""

    def __init__(self, instruction, name, text, outputs):
        operands = list(instruction.operands)
        self.sources = [f"S{i}" for i in range(3) if re.search(rf"\bS{i}\b", text)]
        if name == "V_PERM_B32":  # the text has them as arguments of a function of its own
            self.sources = ["S0", "S1", "S2"]
        self.target = None if "EXEC_LANE" in outputs else operands.pop(0)
        self.carry_out = operands.pop(0) if "VCC_LANE" in outputs else None
        self.literal = self.carry_in = None
        if "SIMM32" in text:
            self.literal = operands.pop(1 if "FMAMK" in name else 2)
        if "EXEC_LANE" in outputs:  # before them may stand the mask that is written
            operands = operands[-len(self.sources):]
        if "VCC_LANE" in text and ("VCC_LANE" not in outputs or "_CI_" in name):
            written = len(operands) > len(self.sources)
            self.carry_in = operands.pop() if written else Operand("s", VCC)
        if len(operands) != len(self.sources):
            raise UnknownInstruction(f"{instruction.text}: {len(self.sources)} operands expected")
        self.operands = operands


def is_packed(name):
    """Whether op_sel and op_sel_hi say which halves of words the instruction takes."""
    return name.startswith("V_PK_") or re.match(r"V_DOT2_F\d+_B?F16$", name) is not None


def source(instruction, name, text, index, role, operand):
    """A function from a wave to the bits of a source."""
    wide = pseudocode.operand_bits(text, role) == 64
    kind, width = pseudocode.operand_type(text, role)
    if is_packed(name) and (width == 16 or name.startswith("V_PK_")):
        get = raw(operand, kind, 16 if operand.kind == "c" and kind == "F" else 32)
        return modifiers.halves(instruction, index, get, kind)
    select = instruction.bits("op_sel", [])
    if index < len(select) and select[index] and not name.startswith("V_CVT_"):
        upper = Operand(operand.kind, operand.first, 1, 1, operand.text, operand.negative,
                        operand.absolute)
        return raw(upper, kind, 16)
    return raw(operand, kind, 64 if wide else width if width in (16, 32) else 32)


def state_for(instruction, name, text, literal):
    state = State()
    if literal:
        state.SIMM32 = raw(literal, "F", 16 if "F16" in name else 32)(None)
    number = lambda bits: np.array([sum(bit << i for i, bit in enumerate(bits))], np.uint32)
    if "OPSEL" in text:
        select = instruction.bits("op_sel", [])
        if name.startswith("V_CVT_PK_") and len(select) > 1:  # the last one is the result's: bit 3
            select = (select[:-1] + [0, 0, 0])[:3] + select[-1:]
        state.OPSEL = number(select)
    if "NEG[" in text:
        state.NEG = number(instruction.bits("neg_lo", []))
    return state


def compile_vector(instruction, library):
    """Two functions: from a wave to results, and from a wave and results to nothing."""
    if instruction.name.startswith("v_fma_mix"):
        return mixed.compile_mix(instruction)
    name = instruction.name.upper().replace("V_DUAL_", "V_")
    if name not in library.text:
        raise UnknownInstruction(instruction.text)
    text = pseudocode.rewritten(library.text[name])
    function = overrides.find(name[2:], library)
    kind, width = pseudocode.operand_type(text, "D0")
    change = None
    if instruction.flag("clamp") and kind != "F":
        function = modifiers.saturating(instruction, name)
    else:
        change = modifiers.scaled(instruction, kind, width)
    roles = Roles(instruction, name, text, function.outputs)
    first, *reads = [source(instruction, name, text, i, role, operand)
                     for i, (role, operand) in enumerate(zip(roles.sources, roles.operands))]
    first = modifiers.permuted(instruction, first)
    spare = [None] * (2 - len(reads))
    target, bits = roles.target, pseudocode.operand_bits(text, "D0")
    select = instruction.bits("op_sel", [])
    if len(select) > len(roles.sources) and select[-1] and width == 16 and target.half is None:
        target = Operand("v", target.first, 1, 1)
    old = raw(target, "U", bits) if function.reads_old else lambda wave: None
    carry = raw(roles.carry_in, "U", 32) if roles.carry_in else None
    state = state_for(instruction, name, text, roles.literal)

    def compute(wave):
        value, lanes = first(wave)
        rest = [get(wave) for get in reads]
        if carry:
            state.VCC_LANE = unpack(carry(wave))
        return function(value, *rest, *spare, old(wave), state), lanes

    def commit(wave, result):
        values, lanes = result
        active = wave.lanes if lanes is None else wave.lanes & lanes
        for output, value in zip(function.outputs, values):
            if output == "D0":
                value = change(value) if change else value
                if target.kind == "s":
                    wave.set_scalar(target.first, value[0])
                else:
                    write_vector(wave, target, value, lanes, bits)
            elif output == "D0_LANE":
                wave.set_scalar(target.first, pack(value & active))
            elif output == "EXEC_LANE":
                wave.set_scalar(EXEC, pack(value & active))
            elif value is not None:
                wave.set_scalar(roles.carry_out.first, pack(value & active))
            elif roles.carry_out.first != NULL:
                raise UnknownInstruction(f"{instruction.text}: carry of a signed sum")
    return compute, commit
