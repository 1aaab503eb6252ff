"""The kernel of launch.py for Triton, in a file of its own so that Triton may be missing."""

import triton
import triton.language as tl


@triton.jit
def theirs(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + 1, at < n)
