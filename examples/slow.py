"""A product with three faults that cost time: docs/report.md finds them in a report."""
import triton
import triton.language as tl


@triton.jit
def slow(a_ptr, b_ptr, scale_ptr, c_ptr, K, stride_am, stride_ak, stride_bk, stride_cm,
         BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """C = A @ B, columns scaled by entries of a table; output in C's type."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=1):
        a = tl.load(a_ptr + rm[:, None] * stride_am + (k + rk)[None, :] * stride_ak)
        b = tl.load(b_ptr + (k + rk)[:, None] * stride_bk + rn[None, :])
        acc = tl.dot(a, b, acc)
    table = tl.load(scale_ptr + tl.arange(0, 32 * BN))
    scale = tl.gather(table, tl.arange(0, BN) * 32, axis=0)
    tl.store(c_ptr + rm[:, None] * stride_cm + rn[None, :],
             (acc * scale[None, :]).to(c_ptr.dtype.element_ty))
