"""Vector instructions: operands, modifiers and masks around what the pseudocode computes."""

import re

import numpy as np

import arithmetic
import overrides
import pseudocode
from operands import Operand, UnknownInstruction, raw
from wave import LANES, VCC, pack, unpack

LANE = np.arange(LANES)


class State:
    """What a function of pseudocode sees beside its operands."""
    laneId = LANE.astype(np.uint32)
    SCC = EXEC = VCC_LANE = SIMM32 = SIMM16 = OPSEL = MEMORY = DATA = None


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
        raise UnknownInstruction(f"{instruction.text}: clamp of integers")
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


def write_vector(wave, operand, value, lanes, bits):
    first = operand.first
    if bits == 64:
        parts = [(first, (value & np.uint64(0xFFFFFFFF)).astype(np.uint32)),
                 (first + 1, (value >> np.uint64(32)).astype(np.uint32))]
    elif operand.half is not None:
        parts = [(first, arithmetic.put(wave.v[first], 16 * operand.half, 16,
                                        value & np.uint32(0xFFFF)))]
    else:
        parts = [(first, value)]
    for number, part in parts:
        if lanes is None and wave.all_lanes:
            wave.v[number][:] = part
        else:
            mask = wave.lanes if lanes is None else wave.lanes & lanes
            np.copyto(wave.v[number], part, where=mask)


def saturating(name):
    """Integer sums with clamp: those instructions that have it."""
    match = re.fullmatch(r"V_(?:PK_)?(ADD|SUB|SUBREV)(?:_NC)?_([UI])(16|32)", name)
    if not match:
        return None
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


def fma_mix(instruction):
    """v_fma_mix_f32, v_fma_mixlo_f16, v_fma_mixhi_f16: each factor is an f32 or half of a word."""
    selects = instruction.bits("op_sel", [0] * 3)
    narrow = instruction.bits("op_sel_hi", [0] * 3)
    negative, absolute = instruction.bits("neg_lo", [0] * 3), instruction.bits("neg_hi", [0] * 3)
    reads = []
    for index, operand in enumerate(instruction.operands[1:4]):
        plain = Operand(operand.kind, operand.first, operand.count, operand.half, operand.text)
        get = raw(plain, "F", 16 if narrow[index] else 32)
        reads.append((get, narrow[index], np.uint32(16 * selects[index]),
                      operand.negative or negative[index], operand.absolute or absolute[index]))

    def value(wave, get, half, shift, minus, magnitude):
        word = get(wave)
        if half:
            number = (word >> shift).astype(np.uint16).view(np.float16).astype(np.float32)
        else:
            number = word.view(np.float32)
        if magnitude:
            number = np.abs(number)
        return -number if minus else number

    clamp = instruction.flag("clamp")

    def compute(wave):
        result = arithmetic.fma(*(value(wave, *read) for read in reads))
        if clamp:
            result = np.where(result > 0, np.minimum(result, np.float32(1)), np.float32(0))
        return result.astype(np.float32)
    return compute


def compile_mix(instruction):
    compute, target = fma_mix(instruction), instruction.operands[0]
    if instruction.name == "v_fma_mix_f32":
        return (lambda wave: compute(wave).view(np.uint32),
                lambda wave, result: write_vector(wave, target, result, None, 32))
    half = int(instruction.name == "v_fma_mixhi_f16")
    if target.half is not None:
        half = target.half
    part = Operand("v", target.first, 1, half)
    return (lambda wave: compute(wave).astype(np.float16).view(np.uint16).astype(np.uint32),
            lambda wave, result: write_vector(wave, part, result, None, 16))


def compile_vector(instruction, library):
    """Two functions: from a wave to results, and from a wave and results to nothing."""
    if instruction.name.startswith("v_fma_mix"):
        return compile_mix(instruction)
    name = instruction.name.upper().replace("V_DUAL_", "V_")
    text = library.text.get(name)
    if text is None:
        raise UnknownInstruction(instruction.text)
    function = overrides.find(name[2:], library)
    if instruction.flag("clamp") and saturating(name):
        function = saturating(name)
        instruction.modifiers.pop("clamp")
    for old, new in pseudocode.REWRITES:
        text = text.replace(old, new)
    outputs, operands = function.outputs, list(instruction.operands)

    # Which operand is what.
    target = None if "EXEC_LANE" in outputs else operands.pop(0)
    carry_out = operands.pop(0) if "VCC_LANE" in outputs else None
    sources = [f"S{i}" for i in range(3) if re.search(rf"\bS{i}\b|\bS\[i\]", text)]
    literal = None
    if "SIMM32" in text:
        literal = operands.pop(1 if "FMAMK" in name else 2)
    elif name.endswith(("_PERM_B32", "PK_RTZ_F16_F32")):
        sources = ["S0", "S1", "S2"][:3 if "PERM" in name else 2]
    if "EXEC_LANE" in outputs:
        operands = operands[-len(sources):]
    carry_in = None
    if "VCC_LANE" in text and ("VCC_LANE" not in outputs or "_CI_" in name):
        carry_in = operands.pop() if len(operands) > len(sources) else Operand("s", VCC)
    if len(operands) != len(sources):
        raise UnknownInstruction(f"{instruction.text}: {len(sources)} operands expected")

    packed = "_PK_" in name and re.match(r"V_PK_|V_DOT", name) or name.startswith("V_DOT")
    select = instruction.bits("op_sel", None)
    reads = []
    for index, (source, operand) in enumerate(zip(sources, operands)):
        bits = pseudocode.operand_bits(text, source)
        kind, width = pseudocode.operand_type(text, source)
        if width not in (16, 32, 64) or packed and operand.kind != "c":
            width = 32
        get = raw(operand, kind, 64 if bits == 64 else width)
        if packed:
            if bits == 32:
                get = halves(instruction, index, get, kind) if not name.startswith("V_DOT4") else get
        elif select and index < len(select) and select[index] and not name.startswith("V_CVT_"):
            whole = raw(Operand(operand.kind, operand.first, 1, 1, operand.text, operand.negative,
                                operand.absolute), kind, 16)
            get = whole
        reads.append(get)
    reads[0:1] = [permuted(instruction, reads[0])]

    result_bits = pseudocode.operand_bits(text, "D0")
    result_kind, result_width = pseudocode.operand_type(text, "D0")
    change = scaled(instruction, result_kind, result_width)
    if (select and len(select) > len(sources) and select[-1] and result_width == 16
            and target.half is None):
        target = Operand("v", target.first, 1, 1)
    old = raw(target, "U", result_bits) if function.reads_old else None
    carry = raw(carry_in, "U", 32) if carry_in else None
    state = State()
    if literal:
        state.SIMM32 = raw(literal, "F", 16 if "F16" in name else 32)(None)
    if "OPSEL" in text:
        state.OPSEL = np.array([sum(bit << i for i, bit in enumerate(select or []))], np.uint32)
        if name.startswith("V_CVT_PK_") and select:  # the last bit is the result's half
            state.OPSEL = np.array([(select[-1] << 3) | sum(b << i for i, b in enumerate(select[:-1]))],
                                   np.uint32)
    spare = [None] * (3 - len(reads))
    scalar_target = target is not None and target.kind == "s"

    def compute(wave):
        first, lanes = reads[0](wave)
        rest = [get(wave) for get in reads[1:]]
        if carry:
            state.VCC_LANE = unpack(carry(wave))
        values = function(first, *rest, *spare, old(wave) if old else None, state)
        return values, lanes

    def commit(wave, result):
        values, lanes = result
        active = wave.lanes if lanes is None else wave.lanes & lanes
        for output, value in zip(outputs, values):
            if output == "D0":
                if change:
                    value = change(value)
                if scalar_target:
                    wave.set_scalar(target.first, value[0])
                else:
                    write_vector(wave, target, value, lanes, result_bits)
            elif output == "D0_LANE":
                wave.set_scalar(target.first, pack(value & active))
            elif output == "EXEC_LANE":
                wave.set_scalar(126, pack(value & active))
            elif output == "VCC_LANE" and value is not None:
                wave.set_scalar(carry_out.first, pack(value & active))
            elif output == "VCC_LANE" and carry_out.first != 124:
                raise UnknownInstruction(f"{instruction.text}: carry of a signed sum")
    return compute, commit
