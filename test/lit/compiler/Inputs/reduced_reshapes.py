import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, out_ptr, N: tl.constexpr, AXIS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N * N))
    tile = tl.reshape(x, (N, N), can_reorder=True)
    tl.store(out_ptr + tl.arange(0, N), tl.sum(tile, AXIS))


@triton.jit
def in_order(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N * N))
    tl.store(out_ptr + tl.arange(0, N), tl.sum(tl.reshape(x, (N, N)), 1))


@triton.jit
def total(x_ptr, out_ptr, N: tl.constexpr, AXIS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N * N))
    tile = tl.reshape(x, (N, N), can_reorder=True)
    tl.store(out_ptr, tl.sum(tl.sum(tile, AXIS), 0))
