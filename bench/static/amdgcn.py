"""What can be read off an AMD kernel without running it: the assembly text and the HSACO file.

`describe(text, hsaco)` gives a dictionary of numbers; `Instructions` counts those of a stretch of code.
The mnemonics are those of gfx11 and later (`global_load_b128`, `ds_load_2addr_b64`), as LLVM writes
them; both compilers use LLVM's back end, so that one reader does for both.
"""

import re
import struct
from collections import Counter

METADATA = {"vgprs": ".vgpr_count", "sgprs": ".sgpr_count", "vgpr_spills": ".vgpr_spill_count",
            "sgpr_spills": ".sgpr_spill_count", "scratch_bytes": ".private_segment_fixed_size",
            "lds_bytes": ".group_segment_fixed_size"}

# Through the LDS hardware, but without memory: an exchange between lanes.
EXCHANGES = ("ds_bpermute", "ds_permute", "ds_swizzle")
BRANCH = re.compile(r"s_(c?)branch\w*\s+(\S+)")
WIDTH = re.compile(r"_(?:[buif]|d16_(?:hi_)?[bui]|d16_format_)?(\d+)$")


class Instructions:
    """Counts of the instructions in `lines`."""

    def __init__(self, lines):
        self.counts = Counter()
        self.widths = Counter()  # of vector-memory accesses, ("load" | "store" | "atomic", bits)
        for line in lines:
            self._count(line.split(None, 1)[0], line)

    def _count(self, name, line):
        add = self.counts.update
        add(["all"])
        family = name.split("_", 1)[0]
        if family == "scratch":
            add(["scratch"])
        elif family in ("global", "buffer", "flat") and any(
                kind in name for kind in ("load", "store", "atomic")):
            kind = next(k for k in ("atomic", "load", "store") if k in name)
            add(["vmem", "vmem_" + kind])
            width = WIDTH.search(name)
            self.widths[kind, int(width.group(1)) if width else 0] += 1
        elif family == "ds":
            add(["lds_exchange" if name.startswith(EXCHANGES) else "lds"])
        elif name.startswith("s_load") or name.startswith("s_buffer_load"):
            add(["smem"])
        elif name.startswith("s_wait"):
            add(["wait"])
        elif "branch" in name:
            add(["branch"])
        elif name == "s_barrier" or name.startswith("s_barrier_wait"):
            add(["barrier"])
        elif family == "v":
            add(["valu"])
            if " :: " in line:
                add(["valu_dual"])
            if "_wmma" in name:
                add(["wmma"])
            # Multiply-adds, by which the work of two loops can be compared.
            for part in line.split(" :: "):
                if re.match(r"v_(dual_)?(pk_)?(fmac?|fmaak|fmamk|fma|dot2\w*|fma_mix\w*)_", part.strip()):
                    add(["fma"])
        elif family == "s":
            add(["salu"])

    def as_dict(self):
        result = dict(sorted(self.counts.items()))
        result["vmem_widths"] = {f"{kind}_b{bits}": n for (kind, bits), n in sorted(self.widths.items())}
        return result


def kernel_lines(text):
    """The instructions and labels ("NAME:") of the kernel in an assembly text."""
    name = re.search(r"\.amdhsa_kernel\s+(\S+)", text).group(1)
    lines, inside = [], False
    for line in text.splitlines():
        line = line.split(";", 1)[0].strip()
        if line == name + ":":
            inside = True
        elif inside and (line.startswith(".Lfunc_end") or line.startswith(".section")):
            break
        elif inside and line.endswith(":"):
            lines.append(line)
        elif inside and line and not line.startswith("."):
            lines.append(line)
    return lines


class ControlFlow:
    """Basic blocks and their successors: `blocks[i]` is a list of instructions."""

    def __init__(self, lines):
        self.blocks, self.successors = [[]], []
        labels = {}
        for line in lines:
            if line.endswith(":"):
                if self.blocks[-1]:
                    self.blocks.append([])
                labels[line[:-1]] = len(self.blocks) - 1
                continue
            self.blocks[-1].append(line)
            if "branch" in line or line.startswith("s_endpgm"):
                self.blocks.append([])
        for i, block in enumerate(self.blocks):
            last = block[-1] if block else ""
            branch = BRANCH.match(last)
            targets = [labels[branch.group(2)]] if branch else []
            falls = not last.startswith("s_endpgm") and not (branch and not branch.group(1))
            if falls and i + 1 < len(self.blocks):
                targets.append(i + 1)
            self.successors.append(targets)

    def components(self, nodes):
        """Strongly connected components of `nodes` with more than one node or a loop of their own."""
        def reach(start):
            seen, stack = set(), [start]
            while stack:
                for node in self.successors[stack.pop()]:
                    if node in nodes and node not in seen:
                        seen.add(node)
                        stack.append(node)
            return seen
        reached = {node: reach(node) for node in nodes}
        done, found = set(), []
        for node in sorted(nodes):
            if node in done or node not in reached[node]:
                continue
            component = {other for other in reached[node] if node in reached[other]}
            done |= component
            found.append(component)
        return found

    def innermost_loops(self):
        """The sets of blocks of the loops that have no loop inside. A loop's header, the block by
        which it is entered, is taken out to see what loops are within."""
        def inner(nodes):
            for loop in self.components(nodes):
                headers = [n for n in loop if any(n in self.successors[p] for p in range(len(self.blocks))
                                                  if p not in loop)] or [min(loop)]
                nested = list(inner(loop - set(headers)))
                yield from nested or [loop]
        return list(inner(set(range(len(self.blocks)))))


def code_bytes(elf, name):
    """The size of the function `name`: that of its symbol, without the padding after it."""
    section_offset, = struct.unpack_from("<Q", elf, 0x28)
    entry_size, count = struct.unpack_from("<HH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, section_offset + i * entry_size)
                for i in range(count)]
    for section in sections:
        if section[1] not in (2, 11):  # SHT_SYMTAB, SHT_DYNSYM
            continue
        strings = sections[section[6]][4]
        for offset in range(section[4], section[4] + section[5], 24):
            name_offset, _, _, _, _, size = struct.unpack_from("<IBBHQQ", elf, offset)
            end = elf.index(b"\0", strings + name_offset)
            if elf[strings + name_offset:end].decode() == name:
                return size
    raise ValueError(f"no symbol {name}")


def describe(text, hsaco):
    """Numbers of the one kernel of `text` (assembly) and `hsaco` (bytes): what METADATA names,
    `code_bytes`, the counts of all instructions, and of the longest innermost loop if there is one."""
    result = {}
    for key, field in METADATA.items():
        match = re.search(re.escape(field) + r":\s+(\d+)", text)
        result[key] = int(match.group(1))
    result["code_bytes"] = code_bytes(hsaco, re.search(r"\.amdhsa_kernel\s+(\S+)", text).group(1))
    lines = kernel_lines(text)
    result["code"] = Instructions(line for line in lines if not line.endswith(":")).as_dict()
    flow = ControlFlow(lines)
    loops = [[line for block in sorted(loop) for line in flow.blocks[block]]
             for loop in flow.innermost_loops()]
    if loops:
        result["loop"] = Instructions(max(loops, key=len)).as_dict()
    return result
