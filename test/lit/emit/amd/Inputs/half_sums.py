"""A product whose sums are f16."""

import triton
import triton.language as tl


@triton.jit
def half_sums(a_ptr, b_ptr, c_ptr, K, pitch_a, pitch_b, pitch_c, M: tl.constexpr, N: tl.constexpr,
              BK: tl.constexpr):
    rows, columns, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, BK)
    a = a_ptr + rows[:, None] * pitch_a + depth[None, :]
    b = b_ptr + depth[:, None] * pitch_b + columns[None, :]
    sums = tl.zeros((M, N), dtype=tl.float16)
    for _ in range(0, K, BK):
        sums = tl.dot(tl.load(a), tl.load(b), sums, out_dtype=tl.float16)
        a += BK
        b += BK * pitch_b
    tl.store(c_ptr + rows[:, None] * pitch_c + columns[None, :], sums)
