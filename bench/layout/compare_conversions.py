#!/usr/bin/env python3
"""Layout conversions beside Triton's: kind, repetitions, widths, bank conflicts, instructions.

    python3 -m venv venv && venv/bin/pip install triton==3.6.0
    venv/bin/python bench/layout/compare_conversions.py --tilewright build/release/tools/tilewright

Needs no GPU. Each conversion of CASES is put into a small kernel in Triton's IR - load in one
layout, convert, store in the other - which both compilers take down to PTX for cuda:90. Three
rows a conversion:

    plan        what `tilewright convert` says of it
    tilewright  what is in the PTX of `tilewright compile`
    triton      what is in Triton's PTX

Transactions and conflicts of the PTX are counted for the first warp: the script executes the
integer arithmetic of the addresses for its 32 lanes. `prmt` counts the whole kernel in PTX, and
with that what loads and stores of global memory need; in the plan it is an estimate of the
conversion's own. `instr` is the sum of the accesses, shuffles and barriers.

With --plans only the plans are printed, and Triton is not needed. The exit code is 1 if a plan has
a bank conflict, or if the kernel has more such instructions, permutations, conflicts or transactions
than Triton's.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import namedtuple

Case = namedtuple("Case", "shape element warps source target")


def mma(warps, instruction):
    return (f"#ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = {warps}, "
            f"instrShape = {instruction}}}>")


def operand_b(warps):
    return (f"#ttg.dot_op<{{opIdx = 1, parent = #ttg.nvidia_mma<{{versionMajor = 2, "
            f"versionMinor = 0, warpsPerCTA = {warps}, instrShape = [16, 8]}}>, kWidth = 2}}>")


def blocked(size, threads, warps, order):
    return (f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {threads}, "
            f"warpsPerCTA = {warps}, order = {order}}}>")


CASES = [
    Case([128, 128], "f16", 4, mma([4, 1], [16, 128, 16]),
         blocked([8, 1], [16, 2], [1, 4], [0, 1])),
    Case([128, 256], "f8E5M2", 8, mma([8, 1], [16, 256, 32]),
         blocked([1, 16], [2, 16], [8, 1], [1, 0])),
    Case([64, 64], "i8", 4, blocked([1, 16], [8, 4], [4, 1], [1, 0]),
         blocked([16, 1], [4, 8], [1, 4], [0, 1])),
    Case([64, 64], "f8E5M2", 4, blocked([1, 16], [8, 4], [4, 1], [1, 0]),
         blocked([16, 1], [4, 8], [1, 4], [0, 1])),
    Case([1024], "f8E5M2", 4, blocked([8], [32], [4], [0]), blocked([4], [32], [4], [0])),
    Case([1024], "f16", 4, blocked([8], [32], [4], [0]), blocked([4], [32], [4], [0])),
    Case([128, 256], "f16", 8, mma([8, 1], [16, 256, 16]),
         blocked([1, 8], [1, 32], [8, 1], [1, 0])),
    Case([128, 256], "f16", 8, mma([8, 1], [16, 256, 16]),
         blocked([8, 1], [16, 2], [1, 8], [0, 1])),
    Case([64, 128], "f16", 4, blocked([1, 8], [2, 16], [4, 1], [1, 0]), operand_b([2, 2])),
]

Row = namedtuple("Row", "who kind barriers stores loads transactions conflicts prmt shuffles "
                        "scratch instructions")


def tensor(case, element=None):
    return "x".join(map(str, case.shape)) + "x" + (element or case.element)


def short(layout):
    """A layout as the table names it."""
    numbers = re.findall(r"\[[\d, ]+\]", layout)
    name = "dot_op B" if "dot_op" in layout else "mma v3" if "mma" in layout else "blocked"
    return f"{name} {' '.join(numbers)}".replace(", ", ",")


# --- The kernel ---------------------------------------------------------------------------------


def offsets(case, layout, name):
    """IR for the offsets of all elements, along the layout's own order, as %{name}."""
    if len(case.shape) == 1:
        size = case.shape[0]
        return [f"%{name} = tt.make_range {{end = {size} : i32, start = 0 : i32}} : "
                f"tensor<{size}xi32, {layout}>"]
    rows, columns = case.shape
    column_major = "order = [0, 1]" in layout
    lines = []
    for axis, size, stride in ((0, rows, 1 if column_major else columns),
                               (1, columns, rows if column_major else 1)):
        thin = f"{size}x1" if axis == 0 else f"1x{size}"
        part = f"#ttg.slice<{{dim = {1 - axis}, parent = {layout}}}>"
        lines += [
            f"%{name}r{axis} = tt.make_range {{end = {size} : i32, start = 0 : i32}} : "
            f"tensor<{size}xi32, {part}>",
            f"%{name}e{axis} = tt.expand_dims %{name}r{axis} {{axis = {1 - axis} : i32}} : "
            f"tensor<{size}xi32, {part}> -> tensor<{thin}xi32, {layout}>",
            f"%{name}s{axis} = arith.constant dense<{stride}> : tensor<{thin}xi32, {layout}>",
            f"%{name}m{axis} = arith.muli %{name}e{axis}, %{name}s{axis} : "
            f"tensor<{thin}xi32, {layout}>",
            f"%{name}b{axis} = tt.broadcast %{name}m{axis} : tensor<{thin}xi32, {layout}> -> "
            f"tensor<{tensor(case, 'i32')}, {layout}>",
        ]
    lines.append(f"%{name} = arith.addi %{name}b0, %{name}b1 : "
                 f"tensor<{tensor(case, 'i32')}, {layout}>")
    return lines


def kernel(case):
    pointer = f"!tt.ptr<{case.element}>"
    body = []
    for name, layout, argument in (("i", "#source", "%in"), ("o", "#target", "%out")):
        given = case.source if name == "i" else case.target
        body += [line.replace(given, layout) for line in offsets(case, given, name)]
        pointers = f"tensor<{tensor(case, pointer)}, {layout}>"
        body += [f"%{name}p = tt.splat {argument} : {pointer} -> {pointers}",
                 f"%{name}a = tt.addptr %{name}p, %{name} : {pointers}, "
                 f"tensor<{tensor(case, 'i32')}, {layout}>"]
    body += [f"%x = tt.load %ia : tensor<{tensor(case, pointer)}, #source>",
             f"%y = ttg.convert_layout %x : tensor<{tensor(case)}, #source> -> "
             f"tensor<{tensor(case)}, #target>",
             f"tt.store %oa, %y : tensor<{tensor(case, pointer)}, #target>",
             "tt.return"]
    attributes = (f'"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {case.warps} : i32, '
                  'ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32')
    divisible = "{tt.divisibility = 16 : i32}"
    return (f"#source = {case.source}\n#target = {case.target}\n"
            f"module attributes {{{attributes}}} {{\n"
            f"  tt.func public @convert(%in: {pointer} {divisible}, %out: {pointer} {divisible}) "
            "{\n    " + "\n    ".join(body) + "\n  }\n}\n")


# --- PTX, executed for one warp -----------------------------------------------------------------

MASK = (1 << 32) - 1


def signed(value):
    return value - (1 << 32) if value >> 31 & 1 else value


def lop3(a, b, c, table):
    result = 0
    for minterm in range(8):
        if table >> minterm & 1:
            result |= ((a if minterm & 4 else ~a) & (b if minterm & 2 else ~b)
                       & (c if minterm & 1 else ~c))
    return result & MASK


COMPARISONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
               "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
ARITHMETIC = {
    "mov": lambda a: a, "cvta": lambda a: a, "cvt": lambda a: a, "not": lambda a: ~a & MASK,
    "neg": lambda a: -a & MASK,
    "shl": lambda a, b: a << b & MASK, "shr": lambda a, b: a >> b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "add": lambda a, b: a + b & MASK, "sub": lambda a, b: a - b & MASK,
    "mul": lambda a, b: a * b & MASK, "mad": lambda a, b, c: a * b + c & MASK, "lop3": lop3,
    "bfe": lambda a, b, c: a >> b & (1 << c) - 1, "selp": lambda a, b, c: a if c else b,
    "bfi": lambda a, b, c, d: b & ~((1 << d) - 1 << c) | (a & (1 << d) - 1) << c,
}


class Lane:
    """The integer registers of one lane of warp 0. What is not known is None."""

    def __init__(self, lane):
        self.values = {"%tid.x": lane, "%tid.y": 0, "%tid.z": 0, "%ctaid.x": 0, "%laneid": lane}

    def value(self, text):
        text = text.strip()
        if re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)U?", text):
            return int(text.rstrip("U"), 0) & MASK
        if text.startswith("global_smem"):
            return 0
        return self.values.get(text)

    def execute(self, op, operands):
        name, *modifiers = op.split(".")
        arguments = [self.value(text) for text in operands[1:]]
        function = ARITHMETIC.get(name)
        if name == "setp":
            function = COMPARISONS.get(modifiers[0])
            if modifiers[-1].startswith("s") and None not in arguments:
                arguments = [signed(a) for a in arguments]
        known = function is not None and arguments and None not in arguments
        try:
            self.values[operands[0].strip()] = function(*arguments) if known else None
        except TypeError:
            self.values[operands[0].strip()] = None


def transactions(addresses, bits, is_matrix):
    """(all, the fewest that there have to be) for the addresses of the active lanes: pairs of lane
    and address. 32 banks of 4 bytes; a phase serves 128 bytes of lanes side by side."""
    width = max(bits // 8, 4)
    lanes = 8 if is_matrix else 128 // width
    phases = {}
    for lane, address in addresses:
        words = phases.setdefault(lane // lanes, set())
        words.update((address + byte) // 4 for byte in range(0, 16 if is_matrix else width, 4))
    everything = 0
    for words in phases.values():
        banks = [word % 32 for word in words]
        everything += max(banks.count(bank) for bank in set(banks))
    return everything, len(phases)


Access = namedtuple("Access", "kind bits transactions conflicts")


def shared_accesses(ptx):
    """The accesses to shared memory, in order, as (is it a store, Access)."""
    lanes = [Lane(lane) for lane in range(32)]
    result = []
    statement = re.compile(r"^\s*(?:@(!?)(%\w+)\s+)?([a-z][\w.:]*)\s+(.*?);", re.M)
    for negated, guard, op, rest in statement.findall(ptx):
        operands = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s][^,]*", rest)
        is_matrix = op.startswith(("stmatrix", "ldmatrix"))
        if is_matrix or re.match(r"(st|ld)\.shared", op):
            active = []
            for number, lane in enumerate(lanes):
                if guard and not bool(lane.values.get(guard)) ^ bool(negated):
                    continue
                inside = next(o for o in operands if o.startswith("["))[1:-1]
                parts = [lane.value(part) for part in re.split(r"\+", inside)]
                if None in parts:
                    raise ValueError(f"cannot tell the address of: {op} {rest}")
                active.append((number, sum(parts) & MASK))
            if is_matrix:
                count = int(re.search(r"\.x(\d)", op).group(1))
                bits, kind = 32 * count, "transposed" if ".trans" in op else "matrix"
                active = [(lane, address) for lane, address in active if lane < 8 * count]
            else:
                vector = re.search(r"\.v(\d)", op)
                width = int(re.search(r"\D(\d+)$", op).group(1))
                bits = width * int(vector.group(1) if vector else 1)
                kind = "vector"
            everything, fewest = transactions(active, bits, is_matrix) if active else (0, 0)
            access = Access(kind, bits, everything, everything - fewest)
            result.append((op.startswith("st"), access))
        elif operands:
            for lane in lanes:
                if guard and not bool(lane.values.get(guard)) ^ bool(negated):
                    continue
                lane.execute(op, operands)
    return result


def summary(accesses):
    """Such as "16x128 transposed"."""
    kinds = {}
    for access in accesses:
        kinds[access.kind, access.bits] = kinds.get((access.kind, access.bits), 0) + 1
    return " ".join(f"{count}x{bits} {kind}" for (kind, bits), count in kinds.items()) or "-"


def row_of_ptx(who, ptx, scratch):
    count = lambda pattern: len(re.findall(r"^\s*(?:@!?%\w+\s+)?" + pattern, ptx, re.M))
    accesses = shared_accesses(ptx)
    barriers, shuffles = count(r"bar(rier)?\.(cta\.)?(sync|warp)"), count(r"shfl")
    kind = "shared memory" if accesses else "shuffles" if shuffles else "registers"
    return Row(who, kind, barriers, summary([a for is_store, a in accesses if is_store]),
               summary([a for is_store, a in accesses if not is_store]),
               sum(a.transactions for _, a in accesses), sum(a.conflicts for _, a in accesses),
               count(r"prmt"), shuffles, scratch, len(accesses) + barriers + shuffles)


# --- The two compilers --------------------------------------------------------------------------


def row_of_plan(case, tilewright):
    command = [tilewright, "convert", "--from", case.source, "--to", case.target, "--tensor",
               f"tensor<{tensor(case)}>", "--target", "cuda:90", "--format", "json"]
    plan = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    plan = plan["plan"]
    kind = plan["kind"].replace("_", " ")
    if kind == "shuffles":
        shuffles = plan["shuffles"]
        return Row("plan", kind, 0, "-", "-", 0, 0, shuffles["permutes"], shuffles["shuffles"], 0,
                   shuffles["shuffles"])
    if kind != "shared memory":
        return Row("plan", kind, 0, "-", "-", 0, 0, 0, 0, 0, 0)
    shared = plan["shared"]
    barriers = 2 * len(shared["repetitions"]) - 1
    sides = [shared["store"], shared["load"]]
    name = {"vector": "vector", "matrix": "matrix", "transposed_matrix": "transposed"}
    texts = [f"{side['accesses']}x{side['bits']} {name[side['kind']]}" for side in sides]
    return Row("plan", kind, barriers, *texts, sum(side["transactions"] for side in sides),
               sum(side["bank_conflicts"] for side in sides),
               sum(side["permutes"] for side in sides), 0, shared["scratch_bytes"],
               sum(side["accesses"] for side in sides) + barriers)


def row_of_tilewright(case, tilewright):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "convert.ttgir")
        with open(path, "w") as file:
            file.write(kernel(case))
        subprocess.run([tilewright, "compile", path, "--target", "cuda:90", "--num-warps",
                        str(case.warps), "-o", folder], check=True)
        with open(os.path.join(folder, "convert.ptx")) as file:
            ptx = file.read()
        with open(os.path.join(folder, "convert.json")) as file:
            scratch = json.load(file)["shared_bytes"]
    return row_of_ptx("tilewright", ptx, scratch)


def row_of_triton(case):
    import triton
    from triton.backends.compiler import GPUTarget

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "convert.ttgir")
        with open(path, "w") as file:
            file.write(kernel(case))
        compiled = triton.compile(path, target=GPUTarget("cuda", 90, 32),
                                  options={"num_warps": case.warps})
    return row_of_ptx("triton", compiled.asm["ptx"], compiled.metadata.shared)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tilewright", required=True, metavar="PATH")
    parser.add_argument("--plans", action="store_true", help="print the plans alone")
    arguments = parser.parse_args()

    heads = Row("", "kind", "bars", "stores", "loads", "transactions", "conflicts", "prmt",
                "shuffles", "scratch", "instr")
    widths = (11, 14, 6, 19, 19, 11, 10, 5, 9, 8, 6)
    worse = []
    for number, case in enumerate(CASES, 1):
        print(f"{number}. {tensor(case)}, {case.warps} warps: {short(case.source)} to "
              f"{short(case.target)}")
        rows = [row_of_plan(case, arguments.tilewright)]
        if rows[0].conflicts:
            worse.append(number)
        if not arguments.plans:
            rows += [row_of_tilewright(case, arguments.tilewright), row_of_triton(case)]
            ours, theirs = rows[1], rows[2]
            if (ours.instructions > theirs.instructions or ours.conflicts > theirs.conflicts
                    or ours.transactions > theirs.transactions or ours.prmt > theirs.prmt):
                worse.append(number)
        for row in [heads] + rows:
            print("  " + "".join(str(item).ljust(width) if index in (0, 1, 3, 4)
                                 else str(item).rjust(width - 1) + " "
                                 for index, (item, width) in enumerate(zip(row, widths))).rstrip())
    if worse:
        print("worse:", ", ".join(map(str, worse)))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
