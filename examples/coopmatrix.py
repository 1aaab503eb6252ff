"""Small products on cooperative matrices: any number of columns, whatever a warp's size is.

`tilewright.matrix` has matrices that the lanes of a warp hold together. Rows are a power of two,
columns any number; nothing outside of a matrix is read or written, and products go to the GPU's
matrix unit where it has one for the types. Neighbouring lanes have neighbouring rows: matrices
whose columns are contiguous in memory, as those of BLAS, are read and written in full lines.
"""

import triton
import triton.language as tl
import tilewright.matrix as tw


@triton.jit
def relu(row, col, x):
    return tl.maximum(x, 0.0)


@triton.jit
def batched_layer(
    x_ptr,
    w_ptr,
    y_ptr,
    sums_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """y[b] = relu(x[b] @ w[b]) of M x K by K x N matrices, and the sums of its rows.

    Element (i, j) of a matrix stands j * rows + i elements after its first.
    Launch with a program and one warp for each b.
    """
    b = tl.program_id(0)
    x = tw.load(x_ptr + b * M * K, (M, K), tw.matrix_a, strides=(1, M))
    w = tw.load(w_ptr + b * K * N, (K, N), tw.matrix_b, strides=(1, K))
    y = tw.mul_add(x, w, tw.full((M, N), 0.0, tl.float32, tw.matrix_acc))
    y = tw.apply(y, relu)
    tw.store(y_ptr + b * M * N, y, strides=(1, M))
    tw.store(sums_ptr + b * M, tw.sum(y, 1), strides=(1, 1))
