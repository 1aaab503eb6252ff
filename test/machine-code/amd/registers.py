"""Writes to vector registers."""

import numpy as np

import arithmetic


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
