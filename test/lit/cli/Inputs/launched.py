import triton
import triton.language as tl


@triton.jit
def residual(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    tl.store(out_ptr + offs, x * x - tl.load(y_ptr + offs))


@triton.jit
def product(x_ptr, y_ptr, out_ptr):
    row = tl.arange(0, 16)[:, None]
    column = tl.arange(0, 16)[None, :]
    x = tl.load(x_ptr + row)
    diagonal = tl.where(row == column, x, 0.0)
    sums = tl.zeros((16, 16), tl.float32) - tl.load(y_ptr + row)
    sums = tl.dot(diagonal, diagonal, sums, input_precision="ieee")
    kept = tl.sum(tl.where(row == column, sums, 0.0), axis=1)
    tl.store(out_ptr + tl.arange(0, 16), kept)


@triton.jit
def explicit(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    tl.store(out_ptr + offs, tl.fma(x, x, -tl.load(y_ptr + offs)))
