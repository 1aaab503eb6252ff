"""v_fma_mix_f32, v_fma_mixlo_f16 and v_fma_mixhi_f16: each factor is an f32 or half of a word."""

import numpy as np

import arithmetic
from operands import Operand, raw
from registers import write_vector


def fma_mix(instruction):
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
