import triton
import triton.language as tl


@triton.jit
def kernel(a, c, n, s0, s1):
    m = tl.arange(0, 64)
    sums = tl.zeros((64, 64), tl.float32)
    result = tl.zeros((64, 64), tl.float32)
    for i in range(0, n, 64):
        x = m[:, None] * s0 + i
        y = m[:, None] + s1
        for _ in tl.static_range(60):
            x, y = x + y, x
        v = tl.load(a + x + m[:, None] * 64 + m[None, :])
        sums = tl.dot(v, v, sums)
        result += tl.where(m[None, :] >= x, sums, 0.0)
    tl.store(c + m[:, None] * 64 + m[None, :], result)
