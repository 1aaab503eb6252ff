"""Numbers that C++ has no type for, as arguments."""

import triton
import triton.language as tl


@triton.jit
def scalars(out_ptr, half, brain, e5, e4):
    """Writes each of them as a float."""
    tl.store(out_ptr, half.to(tl.float32))
    tl.store(out_ptr + 1, brain.to(tl.float32))
    tl.store(out_ptr + 2, e5.to(tl.float32))
    tl.store(out_ptr + 3, e4.to(tl.float32))
