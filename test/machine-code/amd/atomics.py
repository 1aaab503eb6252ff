"""Atomic operations by the part of an instruction's name after `atomic_` or `ds_`."""

import re

import numpy as np

import arithmetic

INTEGERS = {"u32": np.uint32, "i32": np.int32, "b32": np.uint32, "u64": np.uint64, "i64": np.int64,
            "b64": np.uint64, "x2": np.uint64}
FLOATS = {"f32": np.float32, "f64": np.float64, "num_f32": np.float32, "num_f64": np.float64}


def number_min(old, new, less):
    """minNum and maxNum: a NaN loses, and -0 is less than +0."""
    if np.isnan(old[0]) or np.isnan(new[0]):
        return new if np.isnan(old[0]) else old
    key = lambda x: (x[0], not np.signbit(x[0]))
    return old if (key(old) < key(new)) == less else new


class Operation:
    def __init__(self, dtype, function, compares=False):
        self.dtype, self.function, self.compares = dtype, function, compares
        self.bytes = np.dtype(dtype).itemsize

    def apply(self, old, words):
        """Bytes of memory and words of the operand (value, then what to compare with) to bytes."""
        before = np.ascontiguousarray(old).view(self.dtype)
        data = words.view(self.dtype)
        if self.compares:
            result = np.where(before == data[1:2], data[0:1], before)
        else:
            result = self.function(before, data)
        return np.ascontiguousarray(result.astype(self.dtype)).view(np.uint8)


def packed_f16(old, new):
    halves = old.view(np.float16) + new.view(np.float16)
    return halves.view(np.uint32)


def packed_bf16(old, new):
    x, y = (arithmetic.bf16_to_f32(v.view(np.uint16)) for v in (old, new))
    return arithmetic.f32_to_bf16(x + y).view(np.uint32)


PLAIN = {"add": lambda old, new: old + new, "sub": lambda old, new: old - new,
         "and": lambda old, new: old & new, "or": lambda old, new: old | new,
         "xor": lambda old, new: old ^ new, "min": np.minimum, "max": np.maximum,
         "swap": lambda old, new: new, "storexchg": lambda old, new: new,
         "inc": lambda old, new: np.where(old >= new, 0, old + 1),
         "dec": lambda old, new: np.where((old == 0) | (old > new), new, old - 1)}


def find(name):
    """`add_u32`, `cmpswap_b64`, `add_rtn_f32`..: None for what is not known."""
    name = name.replace("_rtn", "")
    if name in ("pk_add_f16", "pk_add_bf16"):
        return Operation(np.uint32, packed_f16 if name.endswith("_f16") else packed_bf16)
    match = re.fullmatch(r"([a-z]+)_((?:num_)?[a-z]\d\d)", name)
    if not match:
        return None
    verb, kind = match.groups()
    if verb in ("cmpswap", "cmpstore"):
        return Operation(INTEGERS[kind], None, True) if kind in INTEGERS else None
    if kind in FLOATS:
        if verb == "add":
            return Operation(FLOATS[kind], PLAIN["add"])
        if verb in ("min", "max"):
            less = verb == "min"
            return Operation(FLOATS[kind], lambda old, new: number_min(old, new, less))
        return None
    if kind in INTEGERS and verb in PLAIN:
        return Operation(INTEGERS[kind], PLAIN[verb])
    return None
