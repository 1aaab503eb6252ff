"""Loads that each have a mask of their own, the same for all lanes."""

import triton
import triton.language as tl


@triton.jit
def many(x_ptr, o_ptr, n, STEPS: tl.constexpr):
    r = tl.arange(0, 128)
    total = tl.zeros((128,), tl.float32)
    for i in tl.static_range(STEPS):
        total += tl.load(x_ptr + i * 128 + r, mask=n > i, other=0.0)
    tl.store(o_ptr + r, total)
