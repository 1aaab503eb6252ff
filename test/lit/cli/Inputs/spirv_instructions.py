"""Instructions of a SPIR-V module that spirv-dis may not know: numbers and literal operands.

usage: spirv_instructions.py FILE.spv NUMBER=NAME ...

Prints the module's extensions, then each instruction whose number is given, in their order. Ids
that are constants of 32 bits print as their values, others as %id; with ! behind the name, all
operands as the numbers that they are.
"""

import struct
import sys

OP_EXTENSION, OP_CONSTANT_NULL, OP_CONSTANT = 10, 46, 43

with open(sys.argv[1], "rb") as file:
    data = file.read()
words = struct.unpack(f"<{len(data) // 4}I", data)
names = {int(number): name for number, name in (word.split("=") for word in sys.argv[2:])}
values = {}
at = 5  # behind the header
while at < len(words):
    opcode, length = words[at] & 0xFFFF, words[at] >> 16
    operands = words[at + 1 : at + length]
    if opcode == OP_EXTENSION:
        print(data[4 * at + 4 : 4 * (at + length)].rstrip(b"\0").decode())
    elif opcode == OP_CONSTANT and length == 4:
        values[operands[1]] = operands[2]
    elif opcode == OP_CONSTANT_NULL:
        values[operands[1]] = 0
    name = names.get(opcode, "")
    if name.endswith("!"):
        print(name[:-1], *operands)
    elif name:
        print(name, *(values.get(id, f"%{id}") for id in operands))
    at += length
