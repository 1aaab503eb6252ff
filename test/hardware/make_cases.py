#!/usr/bin/env python3
"""Makes kernels with inputs and the simulator's results.

What the simulator and a GPU make of the same code must agree. This half needs no GPU: it
compiles each kernel, runs it on the simulator and leaves code, inputs and results in OUT.
run_cases.py then runs OUT on a machine with a GPU. Both are run by hand.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/gpu"))
import conversion_cases  # noqa: E402
import memory_cases  # noqa: E402

HEAD = "import triton\nimport triton.language as tl\n\n"
TYPES = {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64, "i8": np.int8, "i16": np.int16,
         "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32}
rng = np.random.default_rng(7)


def values(kind, count, low=-50, high=50):
    dtype = TYPES[kind]
    if np.issubdtype(dtype, np.floating):
        return rng.uniform(low, high, count).astype(dtype)
    return rng.integers(max(low, 0) if kind[0] == "u" else low, high, count).astype(dtype)


def elementwise(expression, kind, out=None, low=-50, high=50):
    out = out or kind
    source = HEAD + f"""
@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.load(y_ptr + offs, mask=mask)
    tl.store(out_ptr + offs, {expression}, mask=mask)
"""
    n = 1000
    return dict(source=source, signature=f"*{kind}:16, *{kind}:16, *{out}:16, i32, 256", grid=(4, 1, 1),
                args=dict(x_ptr=values(kind, n, low, high), y_ptr=values(kind, n, low, high),
                          out_ptr=np.zeros(n, TYPES[out]), n=n), out=["out_ptr"])


def reduction(function, kind, rows, cols, axis, warps):
    size = cols if axis == 0 else rows
    source = HEAD + f"""
@triton.jit
def k(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.arange(0, {rows})[:, None] * {cols} + tl.arange(0, {cols})[None, :])
    tl.store(out_ptr + tl.arange(0, {size}), tl.{function}(x, axis={axis}))
"""
    return dict(source=source, signature=f"*{kind}:16, *{kind}:16", warps=warps, grid=(1, 1, 1),
                args=dict(x_ptr=values(kind, rows * cols), out_ptr=np.zeros(size, TYPES[kind])),
                out=["out_ptr"])


def transpose(kind, m, n, bm, bn, warps, hint=""):
    source = open(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                               "../../examples/elementwise.py")).read()
    return dict(source=source, kernel="transpose", warps=warps,
                signature=f"*{kind}:16, *{kind}:16, i32{hint}, i32{hint}, {bm}, {bn}",
                grid=(-(-m // bm), -(-n // bn), 1),
                args=dict(x_ptr=values(kind, m * n), out_ptr=np.zeros(m * n, TYPES[kind]), M=m, N=n),
                out=["out_ptr"])


def linear(registers, lanes, warps):
    return f"#ttg.linear<{{register = {registers}, lane = {lanes}, warp = {warps}, block = []}}>"


def random_layout(dice, shape, warp_bits, lane_bits, element_bytes, fragments):
    """A linear layout: any, or one whose warps hold fragments of 8 rows of 16 bytes (4 rows where
    a warp has 16 lanes), as ldmatrix and stmatrix have them, along a dimension at random."""
    bits = [[[1 << i, 0] for i in range(shape[0].bit_length() - 1)],
            [[0, 1 << i] for i in range(shape[1].bit_length() - 1)]]
    registers, lanes = [], []
    if fragments:
        inner = dice.randrange(2)
        word = {1: 2, 2: 1, 4: 0}[element_bytes]
        registers, lanes = bits[inner][:word], bits[inner][word:word + 2] + bits[1 - inner][:lane_bits - 2]
        bits = [bits[inner][word + 2:], bits[1 - inner][lane_bits - 2:]]
    rest = bits[0] + bits[1]
    dice.shuffle(rest)
    while len(lanes) < lane_bits:
        lanes.append(rest.pop())
    warps = [rest.pop() for _ in range(warp_bits)]
    return linear(registers + rest, lanes, warps)


def conversions(lanes):
    dice = random.Random(3)
    for case in conversion_cases.CASES:
        if case.lanes == lanes:
            yield case
    for index in range(36):
        element = ("i8", "f16", "f32")[index % 3]
        warp_bits, shape = dice.randrange(4), ((64, 64), (32, 128))[dice.randrange(2)]
        layouts = [random_layout(dice, shape, warp_bits, lanes.bit_length() - 1, 1 << index % 3, fragments)
                   for fragments in (True, dice.random() < 0.5)]
        dice.shuffle(layouts)
        yield conversion_cases.Conversion(f"random_{index}_{element}", shape, element, *layouts,
                                          1 << warp_bits, lanes)


def conversion(case, target):
    kind = conversion_cases.MEMORY[case.element]
    elements = rng.integers(np.iinfo(TYPES[kind]).min, np.iinfo(TYPES[kind]).max, 2 * case.size,
                            dtype=TYPES[kind], endpoint=True)
    return dict(ttgir=conversion_cases.ttgir(case, target), kernel=case.name, grid=(2, 1, 1),
                args=dict(a=elements, b=np.zeros_like(elements), rounds=1), out=["b"])


def cases(target, lanes):
    for case in conversions(lanes):
        yield "convert_" + case.name, conversion(case, target)
    yield from memory_cases.cases()
    for kind in ("fp16", "fp32", "fp64"):
        yield f"arith_{kind}", elementwise("x * y + x / (y * y + 1) - tl.maximum(x, y)", kind)
    for kind in ("i8", "i16", "i32", "i64", "u8", "u16", "u32"):
        yield f"arith_{kind}", elementwise("(x * y + x) ^ (y & 7) | (x // 3)", kind)
    for name in ("exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "floor", "ceil", "abs"):
        yield f"math_{name}", elementwise(f"tl.{name}(x)", "fp32", low=0.1, high=20)
    # Formulas: within a few units of the last place of the simulator's; hardware's
    # approximations are farther off.
    for name in ("erf", "sin", "cos", "log", "log2", "exp", "rsqrt"):
        yield f"math_{name}_fp64", elementwise(f"tl.{name}(x)", "fp64", low=0.1, high=20)
    for name in ("acosh", "asinh", "atan", "cbrt", "cosh", "erfc", "exp10", "expm1", "log10", "log1p",
                 "round", "sinh", "tan", "tanh"):
        for kind in ("fp32", "fp64"):
            yield f"device_{name}_{kind}", elementwise(f"tl.extra.libdevice.{name}(x)", kind, low=1, high=5)
    for name in ("atan2", "fmod", "hypot", "pow", "remainder"):
        for kind in ("fp32", "fp64"):
            yield f"device_{name}_{kind}", elementwise(f"tl.extra.libdevice.{name}(x, y)", kind, low=1, high=9)
    for kind in ("float8e4nv", "float8e5", "float16", "bfloat16"):
        yield f"cast_{kind}", elementwise(f"x.to(tl.{kind}).to(tl.float32)", "fp32")
    for kind in ("float8e5", "float16", "bfloat16"):
        yield f"cast_{kind}_rtz", elementwise(
            f"x.to(tl.{kind}, fp_downcast_rounding='rtz').to(tl.float32)", "fp32")
    yield "casts", elementwise("(x.to(tl.float16).to(tl.float32) * y).to(tl.int32)", "fp32", "i32")
    yield "int_casts", elementwise("x.to(tl.float32) / 3 + y.to(tl.int64).to(tl.float32)", "i16", "fp32")
    for warps in (1, 4, 8):
        for axis in (0, 1):
            for function, kind in (("sum", "fp32"), ("max", "fp16"), ("min", "i32"), ("sum", "i64"),
                                   ("max", "i8"), ("sum", "fp64")):
                yield (f"reduce_{function}_{kind}_{axis}_{warps}",
                       reduction(function, kind, 32, 64, axis, warps))
    yield "reduce_thin", reduction("sum", "fp32", 2, 512, 0, 4)
    yield "reduce_tall", reduction("max", "fp32", 512, 2, 1, 4)
    for kind in ("i8", "fp16", "fp32", "fp64"):
        yield f"transpose_{kind}", transpose(kind, 64, 128, 64, 64, 4, ":16")
    yield "transpose_odd", transpose("fp32", 65, 70, 32, 32, 8)
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
    rows = open(os.path.join(here, "rowwise.py")).read()
    yield "softmax", dict(source=rows, kernel="softmax", warps=4, signature="*fp32:16, *fp32:16, i32, i32, 1024",
                          grid=(7, 1, 1), args=dict(x_ptr=values("fp32", 7 * 1000, -9, 9),
                                                    out_ptr=np.zeros(7000, np.float32), stride=1000, n_cols=1000),
                          out=["out_ptr"])
    yield "layer_norm", dict(
        source=rows, kernel="layer_norm", warps=8, grid=(3, 1, 1),
        signature="*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32, i32, fp32, 512",
        args=dict(x_ptr=values("fp16", 3 * 1000, -2, 2), w_ptr=values("fp16", 1000, -1, 1),
                  b_ptr=values("fp16", 1000, -1, 1), y_ptr=np.zeros(3000, np.float16),
                  mean_ptr=np.zeros(3, np.float32), rstd_ptr=np.zeros(3, np.float32), stride=1000, N=1000,
                  eps=1e-5), out=["y_ptr", "mean_ptr", "rstd_ptr"])
    yield "row_argmax", dict(
        source=rows, kernel="row_argmax", warps=4, grid=(4, 1, 1), signature="*fp32:16, *fp32:16, *i32:16, i32, i32, 4, 256",
        args=dict(x_ptr=values("fp32", 16 * 200), val_ptr=np.zeros(16, np.float32),
                  idx_ptr=np.zeros(16, np.int32), stride=200, n_cols=200), out=["val_ptr", "idx_ptr"])
    gemm = open(os.path.join(here, "gemm.py")).read()
    for name, one in (("unit", "1"), ("runtime", "i32")):
        args = dict(a_ptr=values("fp32", 128 * 100, -1, 1), b_ptr=values("fp32", 100 * 128, -1, 1),
                    c_ptr=np.zeros(120 * 120, np.float32), M=120, N=100, K=120, stride_am=100, stride_an=1,
                    stride_bn=128, stride_bk=1, stride_cm=120, stride_ck=1)
        if name == "unit":
            for key in ("stride_an", "stride_bk", "stride_ck"):
                del args[key]
        yield f"matmul_{name}", dict(
            source=gemm, kernel="matmul_fma", grid=(2, 2, 1), args=args, out=["c_ptr"],
            signature=f"*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, i32, {one}, i32, {one}, i32, {one}, 64, 64")
    yield "loops", dict(source=HEAD + """
@triton.jit
def k(x_ptr, out_ptr, steps, BLOCK: tl.constexpr):
    best = -float("inf")
    total = tl.zeros([BLOCK], tl.float32)
    for i in range(steps):
        x = tl.load(x_ptr + i * BLOCK + tl.arange(0, BLOCK))
        if i % 2 == 0:
            total += x
        else:
            total -= x * 0.5
        best = tl.maximum(best, tl.max(total, axis=0))
    n = steps
    while n > 1:
        n = n // 2
        total = total * 2 + n
    tl.store(out_ptr + tl.arange(0, BLOCK), total + best)
""", signature="*fp32:16, *fp32:16, i32, 512", grid=(1, 1, 1), out=["out_ptr"],
        args=dict(x_ptr=values("fp32", 9 * 512), out_ptr=np.zeros(512, np.float32), steps=9))


def split(target):
    """"xpu:bmg/32" into the target and the lanes of its warps."""
    name, _, lanes = target.partition("/")
    return name, int(lanes or (16 if name.startswith("xpu:") else 32))


def make(tilewright, folder, case, target, lanes):
    """Compiles and simulates; what the compiler says where the target cannot have such a kernel."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "kernel.ttgir" if "ttgir" in case else "kernel.py")
    open(path, "w").write(case.get("ttgir") or case["source"])
    common = [path, "--target", target, "--kernel", case.get("kernel", "k")]
    if "source" in case:
        common += ["--signature", case["signature"], "--num-warps", str(case.get("warps", 4)),
                   "--threads-per-warp", str(lanes)]
    compiled = subprocess.run([tilewright, "compile", *common, "-o", folder], capture_output=True, text=True)
    if compiled.returncode:
        shutil.rmtree(folder)
        return compiled.stderr
    command = [tilewright, "run", *common, "--grid", ",".join(map(str, case["grid"]))]
    for key, value in case["args"].items():
        if isinstance(value, np.ndarray):
            np.save(os.path.join(folder, key + ".npy"), value)
            value = "@" + os.path.join(folder, key + ".npy")
        command += ["--arg", f"{key}={value}"]
    for key in case["out"]:
        command += ["--save", f"{key}={os.path.join(folder, key + '.expected.npy')}"]
    subprocess.run(command, check=True)
    json.dump(dict(kernel=case.get("kernel", "k"), grid=case["grid"], out=case["out"],
                   arrays=[k for k, v in case["args"].items() if isinstance(v, np.ndarray)],
                   scalars={k: v for k, v in case["args"].items() if not isinstance(v, np.ndarray)}),
              open(os.path.join(folder, "case.json"), "w"))
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright", help="the command")
    parser.add_argument("out", help="a folder")
    parser.add_argument("target", nargs="?", default="cuda:90",
                        help="default: cuda:90; the lanes of a warp stand after a slash where they are "
                             "not the target's default: xpu:bmg/32")
    arguments = parser.parse_args()
    tilewright, out = arguments.tilewright, arguments.out
    target, lanes = split(arguments.target)
    made = refused = 0
    for name, case in cases(target, lanes):
        complaint = make(tilewright, os.path.join(out, name), case, target, lanes)
        if complaint:
            refused += 1
            print(f"{name}: {complaint}")
        else:
            made += 1
    print(f"{made} cases in {out}, {refused} refused")


if __name__ == "__main__":
    main()
