import triton
import triton.language as tl


@triton.jit
def polling(flag_ptr, x_ptr, out_ptr, rounds, BLOCK: tl.constexpr):
    """Adds the sum of x until the flag, which it counts up, is `rounds`."""
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    while tl.load(flag_ptr, volatile=True) < rounds:
        tl.atomic_add(flag_ptr, 1, sem="relaxed")
        x = x + tl.sum(x) + tl.cumsum(x, 0)
    tl.store(out_ptr + offs, x)


@triton.jit
def tiles(flag_ptr, x_ptr, out_ptr, rounds, BLOCK: tl.constexpr):
    """The same with a tile of flags, of which all blocks need the sum."""
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    while tl.sum(tl.load(flag_ptr + offs, volatile=True)) < rounds:
        tl.atomic_add(flag_ptr + (BLOCK - 1), 1, sem="relaxed")
        x = x + tl.sum(x) + tl.cumsum(x, 0)
    tl.store(out_ptr + offs, x)
