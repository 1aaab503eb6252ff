"""The measured kernels: how each is compiled, its inputs, its reference and its work.

Used by gpu/compile_cases.py and compile/compare_triton.py (which need nothing but the
`tilewright` command) and, with `torch` imported, by gpu/compare_triton.py.
"""

import math
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str                  # file stem of the compiled kernel
    module: str                # examples/<module>.py
    kernel: str
    signature: str             # Tilewright's, all parameters in order
    grid: tuple
    tensors: object            # function(torch): (arguments without constexprs, {index of an
                               # output: its reference, a function})
    num_warps: int = 4
    num_stages: int = 3
    constants: dict = field(default_factory=dict)
    tolerance: float = 1e-6    # ||out - reference|| / ||reference||
    bytes: int = 0             # least traffic of one launch
    flop: int = 0


def cdiv(a, b):
    return -(-a // b)


def random(torch, *shape, dtype=None, scale=1.0):
    return (torch.randn(shape, device="cuda", dtype=torch.float32) * scale).to(dtype or torch.float32)


# Element-wise

N_ADD = 98432 * 256 + 7


def vector_add(torch):
    x, y = random(torch, N_ADD), random(torch, N_ADD)
    return [x, y, torch.empty_like(x), N_ADD], {2: lambda: x.double() + y.double()}


N_DROPOUT, DROPPED, SEED = 1 << 24, 0.3, 12345


def philox_first(torch, seed, offsets):
    """The first of the four words of Philox 4x32-10 (Salmon et al., SC 2011) for the counters
    (offset, 0, 0, 0) and the key (seed, 0), as int64."""
    def multiply(constant, value):
        low, high = value & 0xFFFF, value >> 16
        middle = constant * high + ((constant * low) >> 16)
        return middle >> 16, (constant * value) & 0xFFFFFFFF

    counters = [offsets] + [torch.zeros_like(offsets)] * 3
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        high0, low0 = multiply(0xD2511F53, counters[0])
        high1, low1 = multiply(0xCD9E8D57, counters[2])
        counters = [high1 ^ counters[1] ^ key[0], low1, high0 ^ counters[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counters[0]


def dropout(torch):
    x = random(torch, N_DROPOUT)

    def reference():
        word = philox_first(torch, SEED, torch.arange(N_DROPOUT, device="cuda"))
        signed = torch.where(word >= 1 << 31, word - (1 << 32), word)
        # 31 bits, scaled so that the largest is still below 1.
        uniform = torch.where(signed < 0, -signed - 1, signed).float() * 4.6566127342e-10
        return torch.where(uniform > DROPPED, x / (1 - DROPPED), 0.0).double()
    return [x, torch.empty_like(x), N_DROPOUT, DROPPED, SEED], {1: reference}


TRANSPOSED = 8192


def transpose(torch):
    x = random(torch, TRANSPOSED, TRANSPOSED)
    return [x, torch.empty_like(x), TRANSPOSED, TRANSPOSED], {1: lambda: x.t().double()}


# Rows

ROWS, COLS = 8192, 4000


def softmax(torch):
    x = random(torch, ROWS, COLS)
    return [x, torch.empty_like(x), COLS, COLS], {1: lambda: torch.softmax(x.double(), -1)}


NORM_ROWS, NORM_COLS, EPSILON = 4096, 8192, 1e-5


def layer_norm(torch):
    half = torch.float16
    x = random(torch, NORM_ROWS, NORM_COLS, dtype=half)
    w, b = random(torch, NORM_COLS, dtype=half), random(torch, NORM_COLS, dtype=half)
    mean = torch.empty(NORM_ROWS, device="cuda")

    def moments():
        exact = x.double()
        deviation = (exact.var(-1, unbiased=False) + EPSILON).rsqrt()
        return exact, exact.mean(-1), deviation

    def normalised():
        exact, centre, deviation = moments()
        return (exact - centre[:, None]) * deviation[:, None] * w.double() + b.double()
    return ([x, w, b, torch.empty_like(x), mean, torch.empty_like(mean), NORM_COLS, NORM_COLS, EPSILON],
            {3: normalised, 4: lambda: moments()[1], 5: lambda: moments()[2]})


ARGMAX_ROWS, ARGMAX_COLS = 16384, 1000


def row_argmax(torch):
    x = random(torch, ARGMAX_ROWS, ARGMAX_COLS)
    value = torch.empty(ARGMAX_ROWS, device="cuda")
    index = torch.empty(ARGMAX_ROWS, device="cuda", dtype=torch.int32)
    return ([x, value, index, ARGMAX_COLS, ARGMAX_COLS],
            {1: lambda: x.max(-1).values.double(), 2: lambda: x.max(-1).indices.double()})


# Products

FMA_SIZE = 4096
FMA_SIGNATURE = ("*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, "
                 "{am}, {an}, {bn}, {bk}, {cm}, {ck}, 128, 64")


def matmul_fma(torch):
    n = FMA_SIZE
    a, b = random(torch, n, n), random(torch, n, n)
    return ([a, b, torch.empty_like(a), n, n, n, n, 1, n, 1, n, 1], {2: lambda: a.double() @ b.double()})


def matmul(name, kernel, dtype, size, block, num_warps, num_stages):
    """C = A @ B, or A @ B^T where the kernel's name says so, of square matrices."""
    transposed = kernel != "matmul"
    described = kernel == "matmul_desc"
    bm, bn, bk = block

    def tensors(torch):
        kind = getattr(torch, dtype)
        a, b = (random(torch, size, size, dtype=kind, scale=0.5) for _ in range(2))
        strides = [] if described else [size] * 3
        return ([a, b, torch.empty_like(a), size, size, size] + strides,
                {2: lambda: (a.float() @ (b.t() if transposed else b).float()).double()})
    pointer = {"float16": "*fp16:16", "float32": "*fp32:16"}[dtype]
    scalars = 3 if described else 6
    signature = ", ".join([pointer] * 3 + ["i32:16"] * scalars + [str(n) for n in (*block, 8)])
    return Case(name, "gemm", kernel, signature, (cdiv(size, bm) * cdiv(size, bn), 1, 1), tensors,
                num_warps, num_stages, dict(BM=bm, BN=bn, BK=bk, GROUP=8), 2e-3, flop=2 * size**3)


HEADS, SEQUENCE, DEPTH = 32, 4096, 64


def flash(torch):
    q, k, v = (random(torch, HEADS, SEQUENCE, DEPTH, dtype=torch.float16) for _ in range(3))
    scale = 1 / math.sqrt(DEPTH)

    def reference():
        heads = []
        for h in range(HEADS):
            scores = q[h].float() @ k[h].float().t() * scale
            heads.append(torch.softmax(scores, -1) @ v[h].float())
        return torch.stack(heads).double()
    sums = torch.empty(HEADS, SEQUENCE, device="cuda")
    return [q, k, v, torch.empty_like(q), sums, scale, SEQUENCE], {3: reference}


CASES = [
    Case("vector_add", "elementwise", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32, 1024",
         (cdiv(N_ADD, 1024), 1, 1), vector_add, constants=dict(BLOCK=1024), bytes=12 * N_ADD),
    Case("dropout", "elementwise", "dropout", "*fp32:16, *fp32:16, i32:16, fp32, i32, 1024",
         (cdiv(N_DROPOUT, 1024), 1, 1), dropout, constants=dict(BLOCK=1024), bytes=8 * N_DROPOUT),
    Case("transpose", "elementwise", "transpose", "*fp32:16, *fp32:16, i32:16, i32:16, 64, 64",
         (TRANSPOSED // 64, TRANSPOSED // 64, 1), transpose, constants=dict(BM=64, BN=64),
         tolerance=0, bytes=8 * TRANSPOSED**2),
    Case("softmax", "rowwise", "softmax", "*fp32:16, *fp32:16, i32:16, i32:16, 4096",
         (ROWS, 1, 1), softmax, num_warps=8, constants=dict(BLOCK=4096), bytes=8 * ROWS * COLS),
    Case("layer_norm", "rowwise", "layer_norm",
         "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, i32:16, fp32, 2048",
         (NORM_ROWS, 1, 1), layer_norm, num_warps=8, constants=dict(BLOCK=2048), tolerance=2e-3,
         bytes=4 * NORM_ROWS * NORM_COLS),
    Case("row_argmax", "rowwise", "row_argmax", "*fp32:16, *fp32:16, *i32:16, i32, i32, 4, 1024",
         (ARGMAX_ROWS // 4, 1, 1), row_argmax, constants=dict(ROWS=4, BLOCK=1024), tolerance=0,
         bytes=4 * ARGMAX_ROWS * ARGMAX_COLS),
    # The strides as run-time values, ...
    Case("matmul_fma", "gemm", "matmul_fma",
         FMA_SIGNATURE.format(am="i32:16", an="i32", bn="i32:16", bk="i32", cm="i32:16", ck="i32"),
         (FMA_SIZE // 64, FMA_SIZE // 128, 1), matmul_fma, constants=dict(BM=128, BK=64),
         tolerance=1e-5, flop=2 * FMA_SIZE**3),
    # ... and those that are 1 given to the compiler, as a JIT does.
    Case("matmul_fma_unit", "gemm", "matmul_fma",
         FMA_SIGNATURE.format(am="i32:16", an="1", bn="i32:16", bk="1", cm="i32:16", ck="1"),
         (FMA_SIZE // 64, FMA_SIZE // 128, 1), matmul_fma, constants=dict(BM=128, BK=64),
         tolerance=1e-5, flop=2 * FMA_SIZE**3),
    matmul("matmul_f16", "matmul", "float16", 8192, (128, 256, 64), 8, 3),
    matmul("matmul_f16_1k", "matmul", "float16", 1024, (64, 128, 64), 4, 4),
    matmul("matmul_bt_f16", "matmul_bt", "float16", 8192, (128, 256, 64), 8, 3),
    matmul("matmul_tf32", "matmul", "float32", 4096, (128, 128, 32), 8, 3),
    matmul("matmul_desc", "matmul_desc", "float16", 8192, (128, 256, 64), 8, 3),
    Case("flash_d64", "attention", "flash_fwd",
         "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, fp32, i32:16, 128, 64, 64, 0",
         (SEQUENCE // 128, HEADS, 1), flash, 8, 3, dict(BM=128, BN=64, D=64, CAUSAL=False), 5e-3,
         flop=4 * HEADS * SEQUENCE**2 * DEPTH),
]
