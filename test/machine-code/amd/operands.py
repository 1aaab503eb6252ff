"""The operands of an instruction, from the disassembler's text."""

import re
import struct
from dataclasses import dataclass, field

import numpy as np

NAMED = {"vcc_lo": (106, 1), "vcc_hi": (107, 1), "vcc": (106, 2), "null": (124, 1), "m0": (125, 1),
         "exec_lo": (126, 1), "exec_hi": (127, 1), "exec": (126, 2)}
ONE_OVER_TWO_PI = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}


class UnknownInstruction(Exception):
    pass


@dataclass
class Operand:
    """A register range ("v" or "s" with its first number and count) or a constant ("c")."""
    kind: str
    first: int = 0
    count: int = 1
    half: int = None  # of a 32-bit register: 0 low, 1 high
    text: str = ""
    negative: bool = False
    absolute: bool = False

    def registers(self):
        """Numbers for the bookkeeping of outstanding loads: vector registers from 1000 on."""
        base = {"v": 1000, "s": 0}.get(self.kind)
        if base is None or self.first == 124 and self.kind == "s":
            return []
        return [base + self.first + i for i in range(self.count)]


def parse_operand(text):
    negative = absolute = False
    text = re.sub(r"^lit\((.*)\)$", r"\1", text)  # a literal where a shorter constant would do
    while True:
        match = re.fullmatch(r"-(\||v|s|t|m|n|a|e)(.*)", text)
        if match:
            negative, text = not negative, text[1:]
        elif text.startswith("|") and text.endswith("|"):
            absolute, text = True, text[1:-1]
        elif text.startswith(("neg(", "abs(")):
            negative |= text.startswith("neg(")
            absolute |= text.startswith("abs(")
            text = text[4:-1]
        else:
            break
    operand = None
    match = re.fullmatch(r"([vs]|ttmp)(\d+)(?:\.([lh]))?", text)
    span = re.fullmatch(r"([vs]|ttmp)\[(\d+):(\d+)\]", text)
    if match:
        kind, number = match.group(1), int(match.group(2))
        half = {"l": 0, "h": 1, None: None}[match.group(3)]
        operand = Operand(kind[0] if kind != "ttmp" else "s",
                          number + (108 if kind == "ttmp" else 0), 1, half)
    elif span:
        kind, first, last = span.group(1), int(span.group(2)), int(span.group(3))
        operand = Operand(kind if kind != "ttmp" else "s", first + (108 if kind == "ttmp" else 0),
                          last - first + 1)
    elif text in NAMED:
        operand = Operand("s", *NAMED[text])
    elif re.fullmatch(r"-?\d+(\.\d+)?|-?0x[0-9a-f]+|off", text):
        operand = Operand("c", text=text)
    if operand is None:
        raise UnknownInstruction(f"operand {text}")
    operand.negative, operand.absolute = negative, absolute
    return operand


def constant(text, kind, bits):
    """The bits of a constant for an operand of this type."""
    if "." in text:
        if text.lstrip("-").startswith("0.15915"):
            word = ONE_OVER_TWO_PI[bits if kind == "F" else 32]
            return word | (text[0] == "-") << (bits - 1)
        size = bits if kind == "F" or bits == 64 else 32
        return int.from_bytes(struct.pack({16: "<e", 32: "<f", 64: "<d"}[size], float(text)), "little")
    value = int(text, 0)
    if "0x" in text and bits == 64:  # a literal of 32 bits
        if kind == "F":
            return value << 32 & 0xFFFFFFFFFFFFFFFF
        if kind == "I" and value >> 31:
            value -= 1 << 32
    return value & ((1 << max(bits, 32)) - 1)


@dataclass
class Instruction:
    address: int
    text: str
    name: str  # without the suffix of an encoding
    operands: list
    modifiers: dict = field(default_factory=dict)

    def flag(self, name):
        return name in self.modifiers

    def number(self, name, default=0):
        return int(self.modifiers[name], 0) if name in self.modifiers else default

    def bits(self, name, default):
        """A list modifier such as op_sel:[0,1]."""
        if name not in self.modifiers:
            return default
        return [int(x) for x in self.modifiers[name].strip("[]").split(",")]


def split(text, separator):
    """At separators outside brackets and quotes."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += letter in "[("
        depth -= letter in "])"
        if letter == separator and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += letter
    return [part.strip() for part in parts + [current] if part.strip()]


def parse(address, text):
    mnemonic, _, rest = text.partition(" ")
    name = re.sub(r"(_e32|_e64)?(_dpp)?$", "", mnemonic)
    operands, modifiers = [], {}
    for part in split(rest, ","):
        words = split(part, " ")
        if not operands and re.match(r"\w+:", words[0]):
            words.insert(0, None)  # modifiers only
        if words[0] is not None:
            operands.append(parse_operand(words[0]))
        for word in words[1:]:
            key, _, value = word.partition(":")
            modifiers[key] = value
    return Instruction(address, text, name, operands, modifiers)


def raw(operand, kind, bits):
    """A function from a wave to the operand's bits, as uint32 or uint64; `kind` and `bits` say
    how the instruction looks at it, for constants and signs."""
    word = np.uint64 if bits == 64 else np.uint32
    if operand.kind == "c":
        value = np.array([constant(operand.text, kind, bits)], word)
        return lambda wave: value
    first = operand.first
    if operand.kind == "s":
        if bits == 64 and operand.count > 1:
            get = lambda wave: wave.s[first:first + 2].view(np.uint64)
        elif bits == 64:
            get = lambda wave: wave.s[first:first + 1].astype(np.uint64)
        else:
            get = lambda wave: wave.s[first:first + 1]
    elif bits == 64:
        low, high = np.uint64(0), np.uint64(32)
        get = lambda wave: wave.v[first].astype(np.uint64) | wave.v[first + 1].astype(np.uint64) << high
    elif operand.half == 1:
        get = lambda wave: wave.v[first] >> np.uint32(16)
    elif operand.half == 0:
        get = lambda wave: wave.v[first] & np.uint32(0xFFFF)
    else:
        get = lambda wave: wave.v[first]
    if not operand.negative and not operand.absolute:
        return get
    sign = word(1 << (bits - 1))
    negative, absolute = operand.negative, operand.absolute

    def signed(wave):
        value = get(wave)
        if absolute:
            value = value & ~sign
        return value ^ sign if negative else value
    return signed
