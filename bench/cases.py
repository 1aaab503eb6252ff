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
    library: object = None     # function(torch, arguments): the launch of the vendor's library


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


# The element types of products: torch's name, Tilewright's, and the inputs' distribution.
TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float8_e4m3fn": "fp8e4nv",
         "int8": "i8", "int32": "i32"}


def elements(torch, kind, *shape):
    """Operands of a product: normal numbers times 0.5, or integers from -8 to 7."""
    if kind == "int8":
        return torch.randint(-8, 8, shape, device="cuda", dtype=torch.int8)
    return random(torch, *shape, scale=0.5).to(getattr(torch, kind))


def divisible(value):
    """An integer, with the largest power of two up to 16 that divides it."""
    divisor = min(16, value & -value)
    return f"i32:{divisor}" if divisor > 1 else "i32"


def matmul(name, kernel, kind, sizes, block, num_warps, num_stages, tolerance=2e-3, out=None,
           library=None):
    """C = A @ B, or A @ B^T where the kernel takes B so. `sizes`: (M, N, K); `block`: (BM, BN, BK);
    `out`: the type of C, by default that of A and B; `library`: of (a, b, torch), the vendor's
    product of the same matrices, by default A @ B."""
    transposed = kernel != "matmul"
    described = kernel in ("matmul_desc", "matmul_persistent")
    (m, n, k), (bm, bn, bk) = sizes, block
    out = out or kind
    constants = dict(BM=bm, BN=bn, BK=bk, GROUP=8)
    grid = (cdiv(m, bm) * cdiv(n, bn), 1, 1)
    if kernel == "matmul_persistent":
        constants["NUM_SMS"] = 132
        grid = (132, 1, 1)

    def tensors(torch):
        a = elements(torch, kind, m, k)
        b = elements(torch, kind, *((n, k) if transposed else (k, n)))
        c = torch.empty(m, n, device="cuda", dtype=getattr(torch, out))
        strides = [] if described else [k, k if transposed else n, n]
        def reference():
            torch.backends.cuda.matmul.allow_tf32 = False
            return (a.float() @ (b.t() if transposed else b).float()).double()
        return [a, b, c, m, n, k] + strides, {2: reference}

    def multiply(torch, arguments):
        a, b = arguments[0], arguments[1].t() if transposed else arguments[1]
        if library:
            return library(torch, a, b)
        torch.backends.cuda.matmul.allow_tf32 = True
        return lambda: a @ b
    pointers = ["*" + TYPES[t] + ":16" for t in (kind, kind, out)]
    scalars = [divisible(x) for x in ((m, n, k) if described else
                                      (m, n, k, k, k if transposed else n, n))]
    signature = ", ".join(pointers + scalars + [str(c) for c in constants.values()])
    return Case(name, "gemm", kernel, signature, grid, tensors, num_warps, num_stages, constants,
                tolerance, flop=2 * m * n * k, library=multiply)


def fp8_library(torch, a, b):
    one = torch.ones((), device="cuda")
    return lambda: torch._scaled_mm(a, b, one, one, out_dtype=torch.float16)


def int8_library(torch, a, b):
    return lambda: torch._int_mm(a, b)


W4_M, W4_N, W4_K = 128, 8192, 8192


def w4a16(torch):
    a = elements(torch, "float16", W4_M, W4_K)
    q = torch.randint(-8, 8, (W4_K, W4_N), device="cuda", dtype=torch.int32)
    packed = ((q[0::2] & 15) | ((q[1::2] & 15) << 4)).to(torch.uint8).view(torch.int8).contiguous()
    scale = (torch.rand(W4_N, device="cuda") * 0.1).half()
    c = torch.empty(W4_M, W4_N, device="cuda", dtype=torch.float16)
    return ([a, packed, scale, c, W4_M, W4_N, W4_K, W4_K, W4_N, W4_N],
            {3: lambda: ((a.float() @ q.float()) * scale.float()).double()})


def w4a16_library(torch, arguments):
    """The same product with weights that are f16 already: four times the bytes."""
    a, b = arguments[0], elements(torch, "float16", W4_K, W4_N)
    return lambda: a @ b


HEADS, SEQUENCE = 32, 4096


def flash(name, depth, causal):
    def tensors(torch):
        q, k, v = (random(torch, HEADS, SEQUENCE, depth, dtype=torch.float16) for _ in range(3))
        scale = 1 / math.sqrt(depth)

        def reference():
            heads = []
            for h in range(HEADS):
                scores = q[h].float() @ k[h].float().t() * scale
                if causal:
                    seen = torch.ones_like(scores, dtype=torch.bool).tril()
                    scores = scores.masked_fill(~seen, -math.inf)
                heads.append(torch.softmax(scores, -1) @ v[h].float())
            return torch.stack(heads).double()
        sums = torch.empty(HEADS, SEQUENCE, device="cuda")
        return [q, k, v, torch.empty_like(q), sums, scale, SEQUENCE], {3: reference}

    def attend(torch, arguments):
        from torch.nn.attention import SDPBackend, sdpa_kernel
        q, k, v = (x[None] for x in arguments[:3])

        def launch():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return launch
    return Case(name, "attention", "flash_fwd",
                "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, fp32, i32:16, 128, 64, "
                f"{depth}, {int(causal)}",
                (SEQUENCE // 128, HEADS, 1), tensors, 8, 3,
                dict(BM=128, BN=64, D=depth, CAUSAL=causal), 5e-3,
                flop=4 * HEADS * SEQUENCE**2 * depth // (2 if causal else 1), library=attend)


DECODE_HEADS, DECODE_SEQUENCE, DECODE_DEPTH = 64, 16384, 128


def decode(torch):
    half, shape = torch.float16, (DECODE_HEADS, DECODE_SEQUENCE, DECODE_DEPTH)
    q = random(torch, DECODE_HEADS, DECODE_DEPTH, dtype=half)
    k, v = random(torch, *shape, dtype=half), random(torch, *shape, dtype=half)
    scale = 1 / math.sqrt(DECODE_DEPTH)

    def reference():
        scores = torch.einsum("hd,hsd->hs", q.float(), k.float()) * scale
        return torch.einsum("hs,hsd->hd", torch.softmax(scores, -1), v.float()).double()
    return [q, k, v, torch.empty_like(q), scale, DECODE_SEQUENCE], {3: reference}


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
    matmul("matmul_f16", "matmul", "float16", (8192,) * 3, (128, 256, 64), 8, 3),
    matmul("matmul_f16_1k", "matmul", "float16", (1024,) * 3, (64, 128, 64), 4, 4),
    matmul("matmul_f16_small_tile", "matmul", "float16", (4096,) * 3, (128, 128, 32), 4, 4),
    matmul("matmul_f16_odd", "matmul", "float16", (4095, 4090, 4072), (128, 128, 64), 8, 3),
    matmul("matmul_bf16", "matmul", "bfloat16", (8192,) * 3, (128, 256, 64), 8, 3, tolerance=1e-2),
    matmul("matmul_bt_f16", "matmul_bt", "float16", (8192,) * 3, (128, 256, 64), 8, 3),
    matmul("matmul_tf32", "matmul", "float32", (4096,) * 3, (128, 128, 32), 8, 3),
    # The unit adds with fewer bits than f32 has: 2.06e-3 with Triton's code as with this.
    matmul("matmul_fp8", "matmul_bt", "float8_e4m3fn", (8192,) * 3, (128, 256, 128), 8, 3,
           tolerance=3e-3, out="float16", library=fp8_library),
    matmul("matmul_int8", "matmul_int8", "int8", (4096,) * 3, (128, 128, 64), 8, 3, tolerance=0,
           out="int32", library=int8_library),
    matmul("matmul_desc", "matmul_desc", "float16", (8192,) * 3, (128, 256, 64), 8, 3),
    matmul("matmul_persistent", "matmul_persistent", "float16", (8192,) * 3, (128, 256, 64), 8, 3),
    Case("matmul_w4a16", "gemm", "matmul_w4a16",
         "*fp16:16, *i8:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, i32:16, i32:16, "
         "128, 64, 64", (1, W4_N // 64, 1), w4a16, constants=dict(BM=128, BN=64, BK=64),
         tolerance=5e-3, flop=2 * W4_M * W4_N * W4_K, library=w4a16_library),
    flash("flash_d64", 64, False),
    flash("flash_d128", 128, False),
    flash("flash_d128_causal", 128, True),
    Case("decode_attention", "attention", "decode_attention",
         "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 64, 128", (DECODE_HEADS, 1, 1),
         decode, constants=dict(BN=64, D=DECODE_DEPTH), tolerance=5e-3,
         bytes=4 * DECODE_HEADS * DECODE_SEQUENCE * DECODE_DEPTH),
]
