import triton
import triton.language as tl


@triton.jit
def tables(words, table, codes, scales, out, K, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """out[row] = sum over k of table[the 4 bits k of the row's words] * scales[codes[row, k // 32]]."""
    rows = tl.arange(0, BLOCK_N)
    at = tl.arange(0, BLOCK_K // 8)
    shifts = tl.arange(0, 8) * 4
    total = tl.zeros([BLOCK_N], tl.float32)
    for k in range(0, K, BLOCK_K):
        word = tl.load(words + rows[:, None] * (K // 8) + (k // 8 + at)[None, :])
        value = tl.load(table + ((word[:, :, None] >> shifts[None, None, :]) & 15))
        block = rows[:, None] * (K // 32) + (k // 32 + tl.arange(0, BLOCK_K // 32))[None, :]
        scale = tl.load(scales + tl.load(codes + block))
        part = tl.sum(tl.reshape(value, (BLOCK_N, BLOCK_K // 32, 32)), axis=2)
        total += tl.sum(part * scale, axis=1)
    tl.store(out + rows, total)
