#!/usr/bin/env python3
"""The measured layout conversions, as kernels in ttgir.

Writes OUT/NAME.ttgir for each, which Tilewright and Triton 3.6 both compile. Needs only Python.

Each program loads its own tensor in the source layout and converts it to the destination layout and
back, %rounds times and once more to the destination, where it is stored. So the tensor comes out
as it was, and with many rounds the conversions are what takes the time. Between two conversions the
elements change their type (an integer's for a float's of the same bits, which costs nothing), so
that no compiler takes the two together.
"""

import argparse
import os
from dataclasses import dataclass


@dataclass
class Conversion:
    name: str
    shape: tuple
    element: str  # f32, f16, f8 or i8
    src: str
    dst: str
    warps: int
    lanes: int = 32

    @property
    def size(self):
        size = 1
        for extent in self.shape:
            size *= extent
        return size


def blocked(size, threads, warps, order):
    return (f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {threads}, "
            f"warpsPerCTA = {warps}, order = {order}}}>")


def mma(warps, instruction):
    return (f"#ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = {warps}, "
            f"instrShape = {instruction}}}>")


ROWS_I8 = blocked([1, 16], [8, 4], [4, 1], [1, 0])
COLUMNS_I8 = blocked([16, 1], [4, 8], [1, 4], [0, 1])
LINE_8, LINE_4 = blocked([8], [32], [4], [0]), blocked([4], [32], [4], [0])

CASES = [
    Conversion("mma_128x128_f16_columns", (128, 128), "f16", mma([4, 1], [16, 128, 16]),
               blocked([8, 1], [16, 2], [1, 4], [0, 1]), 4),
    Conversion("mma_128x256_f8_rows", (128, 256), "f8", mma([8, 1], [16, 256, 32]),
               blocked([1, 16], [2, 16], [8, 1], [1, 0]), 8),
    Conversion("transpose_64x64_i8", (64, 64), "i8", ROWS_I8, COLUMNS_I8, 4),
    Conversion("transpose_64x64_f8", (64, 64), "f8", ROWS_I8, COLUMNS_I8, 4),
    Conversion("line_1024_f8", (1024,), "f8", LINE_8, LINE_4, 4),
    Conversion("line_1024_f16", (1024,), "f16", LINE_8, LINE_4, 4),
    Conversion("mma_128x256_f16_rows", (128, 256), "f16", mma([8, 1], [16, 256, 16]),
               blocked([1, 8], [1, 32], [8, 1], [1, 0]), 8),
    Conversion("mma_128x256_f16_columns", (128, 256), "f16", mma([8, 1], [16, 256, 16]),
               blocked([8, 1], [16, 2], [1, 8], [0, 1]), 8),
]

# What an element is as an integer, as what it is named for, and in between two conversions.
MEMORY = {"f32": "i32", "f16": "i16", "f8": "i8", "i8": "i8"}
FORTH = {"f32": "f32", "f16": "f16", "f8": "f8E4M3FN", "i8": "i8"}
BACK = {"f32": "i32", "f16": "i16", "f8": "i8", "i8": "f8E4M3FN"}


def tensor(case, element, layout):
    return f"tensor<{'x'.join(map(str, case.shape))}x{element}, {layout}>"


def pointers(case, name, base, layout):
    """%NAME: the addresses of a row-major tensor at %BASE."""
    offsets = tensor(case, "i32", layout)
    lines = []
    if len(case.shape) == 1:
        lines.append(f"%{name}_offset = tt.make_range {{end = {case.size} : i32, start = 0 : i32}} : {offsets}")
    else:
        for dim, extent in enumerate(case.shape):
            line = f"tensor<{extent}xi32, #ttg.slice<{{dim = {1 - dim}, parent = {layout}}}>>"
            wide = f"tensor<{f'1x{extent}' if dim else f'{extent}x1'}xi32, {layout}>"
            lines += [
                f"%{name}_range{dim} = tt.make_range {{end = {extent} : i32, start = 0 : i32}} : {line}",
                f"%{name}_wide{dim} = tt.expand_dims %{name}_range{dim} {{axis = {1 - dim} : i32}} : {line} -> {wide}"]
            if dim == 0:
                lines += [f"%{name}_stride = arith.constant dense<{case.shape[1]}> : {wide}",
                          f"%{name}_row = arith.muli %{name}_wide0, %{name}_stride : {wide}"]
            source = f"%{name}_wide1" if dim else f"%{name}_row"
            lines.append(f"%{name}_full{dim} = tt.broadcast {source} : {wide} -> {offsets}")
        lines.append(f"%{name}_offset = arith.addi %{name}_full0, %{name}_full1 : {offsets}")
    element = MEMORY[case.element]
    wanted = tensor(case, f"!tt.ptr<{element}>", layout)
    lines += [f"%{name}_base = tt.splat %{base} : !tt.ptr<{element}> -> {wanted}",
              f"%{name} = tt.addptr %{name}_base, %{name}_offset : {wanted}, {offsets}"]
    return lines


def convert(case, result, value, src, dst, element):
    """The value as `element`, converted, and back as what it is in memory."""
    memory = MEMORY[case.element]
    lines = []
    if element != memory:
        lines.append(f"%{result}_in = tt.bitcast %{value} : {tensor(case, memory, src)} -> {tensor(case, element, src)}")
        value, wanted = f"{result}_in", f"{result}_out"
    else:
        wanted = result
    lines.append(f"%{wanted} = ttg.convert_layout %{value} : {tensor(case, element, src)} -> {tensor(case, element, dst)}")
    if element != memory:
        lines.append(f"%{result} = tt.bitcast %{wanted} : {tensor(case, element, dst)} -> {tensor(case, memory, dst)}")
    return lines


def ttgir(case, target="cuda:90"):
    memory = MEMORY[case.element]
    argument = f"!tt.ptr<{memory}> {{tt.divisibility = 16 : i32}}"
    src, dst = tensor(case, memory, "#src"), tensor(case, memory, "#dst")
    body = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        f"%size = arith.constant {case.size} : i32",
        "%program = tt.get_program_id x : i32",
        "%start = arith.muli %program, %size : i32",
        f"%a_start = tt.addptr %a, %start : !tt.ptr<{memory}>, i32",
        f"%b_start = tt.addptr %b, %start : !tt.ptr<{memory}>, i32",
        *pointers(case, "from", "a_start", "#src"),
        *pointers(case, "to", "b_start", "#dst"),
        f"%first = tt.load %from : {tensor(case, f'!tt.ptr<{memory}>', '#src')}",
        f"%last = scf.for %i = %zero to %rounds step %one iter_args(%x = %first) -> ({src})  : i32 {{",
        *("  " + line for line in convert(case, "y", "x", "#src", "#dst", FORTH[case.element])),
        *("  " + line for line in convert(case, "z", "y", "#dst", "#src", BACK[case.element])),
        f"  scf.yield %z : {src}",
        "}",
        *convert(case, "result", "last", "#src", "#dst", FORTH[case.element]),
        f"tt.store %to, %result : {tensor(case, f'!tt.ptr<{memory}>', '#dst')}",
        "tt.return",
    ]
    arguments = f'%a: {argument} loc("a"), %b: {argument} loc("b"), %rounds: i32 loc("rounds")'
    lines = [
        f"#src = {case.src}", f"#dst = {case.dst}",
        f'module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {case.warps} : i32, '
        f'ttg.target = "{target}", "ttg.threads-per-warp" = {case.lanes} : i32}} {{',
        f"  tt.func public @{case.name}({arguments}) {{",
        *("    " + line for line in body), "  }", "}"]
    return "\n".join(lines) + "\n"


def write(out, target):
    os.makedirs(out, exist_ok=True)
    for case in CASES:
        with open(os.path.join(out, case.name + ".ttgir"), "w") as file:
            file.write(ttgir(case, target))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="a folder")
    parser.add_argument("target", nargs="?", default="cuda:90", help="default: cuda:90")
    options = parser.parse_args()
    write(options.out, options.target)
