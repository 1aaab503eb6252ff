"""An AMD code object: the ELF file, a kernel's descriptor and metadata, and its instructions."""

import re
import struct
import subprocess
from dataclasses import dataclass

import numpy as np

OBJDUMP = "/usr/lib/llvm-22/bin/llvm-objdump"


class BadCodeObject(Exception):
    pass


def unpack_message(data, place=0):
    """A MessagePack value and the position after it; the metadata note is one."""
    tag, place = data[place], place + 1
    if tag <= 0x7F or tag >= 0xE0:
        return (tag if tag <= 0x7F else tag - 256), place
    if tag in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[tag], place
    sized = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i",
             0xD3: ">q"}
    if tag in sized:
        return struct.unpack_from(sized[tag], data, place)[0], place + struct.calcsize(sized[tag])
    counts = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
    if tag in counts:
        count = struct.unpack_from(counts[tag], data, place)[0]
        place += struct.calcsize(counts[tag])
        what = "text" if tag <= 0xDB else "list" if tag <= 0xDD else "map"
    elif tag <= 0x8F:
        count, what = tag & 15, "map"
    elif tag <= 0x9F:
        count, what = tag & 15, "list"
    elif tag <= 0xBF:
        count, what = tag & 31, "text"
    else:
        raise BadCodeObject(f"metadata: tag {tag:#x}")
    if what == "text":
        return data[place:place + count].decode(), place + count
    items = []
    for _ in range(count * (2 if what == "map" else 1)):
        item, place = unpack_message(data, place)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if what == "map" else items), place


class Elf:
    """Sections and symbols of a 64-bit little-endian file."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise BadCodeObject(f"{path}: not a 64-bit little-endian ELF file")
        start, = struct.unpack_from("<Q", self.data, 0x28)
        size, count, names = struct.unpack_from("<HHH", self.data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, start + size * i) for i in range(count)]
        self.sections = {self.string(headers[names][4], h[0]): h for h in headers}
        self.symbols = {}
        table = self.sections[".symtab"]
        strings = headers[table[6]][4]
        for offset in range(table[4], table[4] + table[5], 24):
            name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", self.data, offset)
            self.symbols[self.string(strings, name)] = value

    def string(self, table, offset):
        return self.data[table + offset:self.data.index(b"\0", table + offset)].decode()

    def at(self, address, size):
        """The bytes that are loaded to an address."""
        for _, _, flags, start, offset, length, *_ in self.sections.values():
            if flags & 2 and start <= address and address + size <= start + length:
                return self.data[offset + address - start:][:size]
        raise BadCodeObject(f"no section holds the {size} bytes at {address:#x}")

    def loaded(self):
        """Name, address and bytes of each section that is loaded."""
        for name, (_, kind, flags, start, offset, length, *_) in self.sections.items():
            if flags & 2 and kind != 8 and length:  # not of zeros only
                yield name, start, np.frombuffer(self.data[offset:offset + length], np.uint8)

    def metadata(self):
        _, _, _, _, place, length, *_ = self.sections[".note"]
        end = place + length
        while place < end:
            name_size, size, kind = struct.unpack_from("<III", self.data, place)
            name = self.data[place + 12:place + 12 + name_size]
            content = place + 12 + (name_size + 3) // 4 * 4
            if name == b"AMDGPU\0" and kind == 32:
                return unpack_message(self.data[content:content + size])[0]
            place = content + (size + 3) // 4 * 4
        raise BadCodeObject("no metadata note")


@dataclass
class Descriptor:
    """The 64 bytes of NAME.kd that set up a wave, as LLVM's AMDGPU usage guide describes them."""
    group_bytes: int
    private_bytes: int
    kernarg_bytes: int
    entry: int  # address of the first instruction
    vgprs: int
    user_sgprs: int
    user: list  # what the enabled user registers hold, with their number: [("kernarg", 2)..]
    workgroup_ids: tuple  # of x, y, z: whether the wave gets it
    workgroup_info: bool
    workitem_ids: int  # dimensions - 1

    USER = [("private_segment_buffer", 4), ("dispatch_ptr", 2), ("queue_ptr", 2), ("kernarg", 2),
            ("dispatch_id", 2), ("flat_scratch_init", 2), ("private_segment_size", 1)]

    @staticmethod
    def read(elf, name, major):
        address = elf.symbols[name + ".kd"]
        data = elf.at(address, 64)
        group, private, kernarg = struct.unpack_from("<III", data)
        entry, = struct.unpack_from("<q", data, 16)
        _, first, second, properties, preload = struct.unpack_from("<IIIHH", data, 44)
        if not properties >> 10 & 1:
            raise BadCodeObject("waves of 64 lanes")
        if preload:
            raise BadCodeObject("kernel arguments preloaded into registers")
        if first >> 12 & 0xFF != 0xF0:
            raise BadCodeObject(f"rounding and denormal modes {first >> 12 & 0xFF:#x}")
        if major == 11 and first >> 23 & 1:
            raise BadCodeObject("IEEE mode")
        if first >> 26 & 1:
            raise BadCodeObject("FP16_OVFL")
        user = [(what, size) for i, (what, size) in enumerate(Descriptor.USER) if properties >> i & 1]
        return Descriptor(group, private, kernarg, address + entry, ((first & 63) + 1) * 8,
                          second >> 1 & 31, user, tuple(second >> bit & 1 for bit in (7, 8, 9)),
                          bool(second >> 10 & 1), second >> 11 & 3)


def disassemble(path, arch):
    """(address, text) of each instruction, in order."""
    text = subprocess.run([OBJDUMP, "-d", f"--mcpu={arch}", path], check=True, capture_output=True,
                          text=True).stdout
    result = []
    for line in text.splitlines():
        match = re.match(r"\t(\S.*?)\s*// ([0-9A-F]+): ", line)
        if match and match.group(1) != "s_code_end":
            result.append((int(match.group(2), 16), match.group(1)))
    return result
