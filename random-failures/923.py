import triton
import triton.language as tl

@triton.jit
def take_max(a, b):
    return tl.maximum(a, b)

@triton.jit
def helper(x, c: tl.constexpr):
    return (x * c + 1) ^ x

@triton.jit
def kernel(x0_ptr, x1_ptr, x2_ptr, x3_ptr, x4_ptr, x5_ptr, x6_ptr, x7_ptr, x8_ptr, o0_ptr, p1_ptr, p2_ptr, p3_ptr, p4_ptr, n):
    v0 = tl.load(x0_ptr + (tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]), mask=(tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]) < 95, other=7)
    rm1 = tl.arange(0, 128)
    rn1 = tl.arange(0, 16)
    rk1 = tl.arange(0, 16)
    for t1 in tl.range(0, n * 1, flatten=False, num_stages=5):
        row1 = t1 * 128 + rm1
        acc1 = tl.zeros((128, 16), tl.float32)
        for s1 in tl.range(0, 120, 16, num_stages=5, loop_unroll_factor=2):
            k1 = s1 + rk1
            a1 = tl.load(x1_ptr + row1[:, None] * 120 + k1[None, :], mask=k1[None, :] < 120, other=0)
            b1 = tl.load(x2_ptr + rn1[:, None] * 120 + k1[None, :], mask=k1[None, :] < 120, other=0).T
            d1 = tl.dot(a1, b1)
            e1 = (d1.to(tl.int32) & 3).to(tl.float16)
            acc1 = tl.dot(e1, tl.trans(b1), tl.zeros((128, 16), tl.float32)).sum(1)[:, None] + acc1
        tl.store(p1_ptr + row1[:, None] * 16 + rn1[None, :], acc1.to(tl.int32))
    rm2 = tl.arange(0, 16)
    rn2 = tl.arange(0, 128)
    rk2 = tl.arange(0, 64)
    for t2 in tl.range(0, n * 2, flatten=True, num_stages=1):
        row2 = t2 * 16 + rm2
        acc2 = tl.zeros((16, 128), tl.float32)
        for s2 in tl.range(0, 128, 64, num_stages=1, loop_unroll_factor=2):
            k2 = s2 + rk2
            a2 = tl.load(x3_ptr + row2[:, None] * 128 + k2[None, :], mask=k2[None, :] < 128, other=0)
            b2 = tl.load(x4_ptr + rn2[:, None] * 128 + k2[None, :], mask=k2[None, :] < 128, other=0).T
            d2 = tl.dot(a2, b2, out_dtype=tl.float32)
            acc2 += tl.where(t2 * 16 + rm2[:, None] + -10 >= s2 + rn2[None, :], d2, 0)
        tl.store(p2_ptr + row2[:, None] * 128 + rn2[None, :], acc2.to(tl.int32))
    rm3 = tl.arange(0, 16)
    rn3 = tl.arange(0, 16)
    rk3 = tl.arange(0, 32)
    for t3 in tl.range(0, n * 3, flatten=True, num_stages=5):
        row3 = t3 * 16 + rm3
        acc3 = tl.zeros((16, 16), tl.float32)
        for s3 in tl.range(0, 160 * n, 32, num_stages=5, loop_unroll_factor=2):
            k3 = s3 + rk3
            a3 = tl.load(x5_ptr + row3[:, None] * 160 + k3[None, :], mask=k3[None, :] < 160, other=0)
            b3 = tl.load(x6_ptr + k3[:, None] * 16 + rn3[None, :], mask=k3[:, None] < 160, other=0)
            acc3 = tl.dot(a3, b3, acc3, out_dtype=tl.float32)
        tl.store(p3_ptr + row3[:, None] * 16 + rn3[None, :], acc3.to(tl.int32))
    rm4 = tl.arange(0, 16)
    rn4 = tl.arange(0, 128)
    rk4 = tl.arange(0, 64)
    for t4 in tl.range(0, n * 3, flatten=False, num_stages=5):
        row4 = t4 * 16 + rm4
        acc4 = tl.zeros((16, 128), tl.float32)
        for s4 in tl.range(0, 320, 64, num_stages=5, loop_unroll_factor=1):
            k4 = s4 + rk4
            a4 = tl.load(x7_ptr + row4[:, None] * 320 + k4[None, :], mask=k4[None, :] < 320, other=0)
            b4 = tl.load(x8_ptr + k4[:, None] * 128 + rn4[None, :], mask=k4[:, None] < 320, other=0)
            acc4 = tl.dot(a4, b4, acc4, out_dtype=tl.float32)
        tl.store(p4_ptr + row4[:, None] * 128 + rn4[None, :], acc4.to(tl.int32))
    tl.store(o0_ptr + (tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]), v0)
