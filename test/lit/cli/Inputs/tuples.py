import triton
import triton.language as tl


@triton.jit
def kernel(view, out):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.load(view.data + i, i < view.shape[0], other=view.shape[1]))
