import triton
import triton.language as tl


@triton.jit
def scale(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


SIZES = [32 * i for i in (1, 2)]


# 100 does not compile; with 16 the result is wrong.
@triton.autotune(configs=[triton.Config({"BLOCK": size}, num_warps=1) for size in SIZES + [100, 16]],
                 key=["n"])
@triton.jit
def decorated(x, n, other, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    factor: tl.constexpr = 3 if BLOCK == 16 else 2
    tl.store(x + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)


@triton.jit
def unmasked(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * 2)
