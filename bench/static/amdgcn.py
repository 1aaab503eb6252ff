"""What can be read off an AMD kernel without running it: the assembly text and the HSACO file.

`describe(text, hsaco)` gives a dictionary of numbers; `Instructions` counts those of a stretch of code.
The mnemonics are those of gfx11 and later (`global_load_b128`, `ds_load_2addr_b64`) and of gfx9
(`global_load_dwordx4`, `ds_read2_b64`), as LLVM writes them; both compilers use LLVM's back end, so
that one reader does for both.
"""

import re
import struct
from collections import Counter

METADATA = {"vgprs": ".vgpr_count", "sgprs": ".sgpr_count", "vgpr_spills": ".vgpr_spill_count",
            "sgpr_spills": ".sgpr_spill_count", "scratch_bytes": ".private_segment_fixed_size",
            "lds_bytes": ".group_segment_fixed_size"}

# Waits for memory and LDS. What is not here, but begins with s_wait, is a hint or a hazard of the
# vector units (s_wait_alu), of no more account than s_delay_alu.
MEMORY_WAITS = ("s_waitcnt", "s_wait_loadcnt", "s_wait_dscnt", "s_wait_storecnt", "s_wait_kmcnt",
                "s_wait_samplecnt", "s_wait_bvhcnt", "s_wait_expcnt", "s_wait_idle")
HINTS = ("s_delay_alu", "s_wait_alu", "s_clause", "s_nop", "s_setprio", "s_set_inst_prefetch",
         "s_inst_prefetch", "s_sleep", "s_code_end")

# Through the LDS hardware, but without memory: an exchange between lanes.
EXCHANGES = ("ds_bpermute", "ds_permute", "ds_swizzle")
BRANCH = re.compile(r"s_(c?)branch\w*\s+(\S+)")
MULTIPLY_ADD = re.compile(r"v_(dual_)?(pk_)?(fmac?|fmaak|fmamk|fma|dot2\w*|fma_mix\w*)_")
DWORDS = re.compile(r"_dword(?:x(\d))?$")
NARROW = {"byte": 8, "short": 16}
MATRIX_SHAPE = re.compile(r"_(\d+)x(\d+)x(\d+)")
WIDTH = re.compile(r"_(?:[buif]|d16_(?:hi_)?[bui]|d16_format_)?(\d+)$")


def is_wmma(line):
    """Whether it is a matrix instruction: WMMA, or MFMA."""
    return line.startswith(("v_wmma", "v_swmmac", "v_mfma", "v_smfmac"))


def matrix_multiply_adds(line):
    """How many a matrix instruction does, in all lanes together."""
    m, n, k = map(int, MATRIX_SHAPE.search(line).groups())
    return m * n * k


def access_bits(name):
    """The bits that an access of memory moves for a lane; 0 where the name does not say."""
    width, dwords = WIDTH.search(name), DWORDS.search(name)
    if dwords:
        return 32 * int(dwords.group(1) or 1)
    return int(width.group(1)) if width else next((b for n, b in NARROW.items() if n in name), 0)


def multiply_adds(line):
    """How many a vector instruction does in a lane; a dual one may do two."""
    return sum(bool(MULTIPLY_ADD.match(part.strip())) for part in line.split(" :: "))


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
            self.widths[kind, access_bits(name)] += 1
        elif family == "ds":
            add(["lds_exchange" if name.startswith(EXCHANGES) else "lds"])
        elif name.startswith("s_load") or name.startswith("s_buffer_load"):
            add(["smem"])
        elif name.startswith(MEMORY_WAITS) and name != "s_waitcnt_depctr":
            add(["wait"])
        elif name.startswith(HINTS) or name == "s_waitcnt_depctr":
            add(["hint"])
        elif "branch" in name:
            add(["branch"])
        elif name == "s_barrier" or name.startswith("s_barrier_wait"):
            add(["barrier"])
        elif family == "v":
            add(["valu"])
            if " :: " in line:
                add(["valu_dual"])
            if is_wmma(line):
                add(["wmma"])
                self.counts["matrix_multiply_adds"] += matrix_multiply_adds(name)
            # Multiply-adds, by which the work of two loops can be compared.
            self.counts["fma"] += multiply_adds(line)
            self.counts["fma_instructions"] += multiply_adds(line) > 0
        elif family == "s":
            add(["salu"])

    def as_dict(self):
        result = {key: n for key, n in sorted(self.counts.items()) if n}
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

    def executed_successors(self, node):
        """The successors, but not the way past code for which the execution mask is not empty."""
        last = self.blocks[node][-1] if self.blocks[node] else ""
        if last.startswith("s_cbranch_execz"):
            return self.successors[node][1:]
        if last.startswith("s_cbranch_execnz"):
            return self.successors[node][:1]
        return self.successors[node]

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


def steady_path(flow, loop):
    """The instructions of an iteration of an innermost loop that does nothing out of the ordinary: of
    the ways round, one with the most products (WMMA or MFMA, or else multiply-adds), then the most loads from
    global memory, then the fewest instructions. So the store of a finished tile in a persistent
    kernel's flattened loop is left out. What stands after a test of the execution mask alone, as
    masked accesses do, counts as executed."""
    entered = [n for n in loop if any(n in flow.successors[p] for p in range(len(flow.blocks))
                                      if p not in loop)]
    header = min(entered or loop)
    count_products = is_wmma if any(is_wmma(line) for n in loop for line in flow.blocks[n]) else multiply_adds

    def worth(block):
        return (sum(count_products(line) for line in block),
                sum(line.startswith(("global_load", "buffer_load")) for line in block), -len(block))

    ways = {n: [s for s in flow.executed_successors(n) if s in loop] for n in loop}
    order, waiting = [], {n: sum(n in ways[p] for p in loop) for n in loop if n != header}
    ready = [header]
    while ready:
        order.append(node := ready.pop())
        for successor in ways[node]:
            if successor != header:
                waiting[successor] -= 1
                if waiting[successor] == 0:
                    ready.append(successor)
    best = {}  # by block: (worth of the best way to the loop's end, the block after it)
    for node in reversed(order):
        onward = [((0, 0, 0), None)] if header in ways[node] else []
        onward += [(best[s][0], s) for s in ways[node] if s in best]
        if onward:
            value, successor = max(onward, key=lambda entry: entry[0])
            best[node] = tuple(map(sum, zip(value, worth(flow.blocks[node])))), successor
    if header not in best:  # a loop with two entries: all of it
        return [line for n in sorted(loop) for line in flow.blocks[n]]
    path, node = [], header
    while node is not None:
        path += flow.blocks[node]
        node = best[node][1]
    return path


def steady_loop(flow):
    """The path of the loop that matters: of the innermost ones that with the most WMMA, the first of
    them in the text, or without any the longest. None if there is no loop."""
    paths = [steady_path(flow, loop) for loop in sorted(flow.innermost_loops(), key=min)]
    if not paths:
        return None
    most = max(sum(map(is_wmma, path)) for path in paths)
    if not most:
        return max(paths, key=len)
    return next(path for path in paths if sum(map(is_wmma, path)) == most)


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
    `code_bytes`, the counts of all instructions, and if there is a loop, of the steady one with its
    instructions' text in `loop_text`."""
    result = {}
    for key, field in METADATA.items():
        match = re.search(re.escape(field) + r":\s+(\d+)", text)
        result[key] = int(match.group(1))
    result["code_bytes"] = code_bytes(hsaco, re.search(r"\.amdhsa_kernel\s+(\S+)", text).group(1))
    lines = kernel_lines(text)
    result["code"] = Instructions(line for line in lines if not line.endswith(":")).as_dict()
    flow = ControlFlow(lines)
    loop = steady_loop(flow)
    if loop:
        result["loop"] = Instructions(loop).as_dict()
        result["loop_text"] = "\n".join(loop)
    return result
