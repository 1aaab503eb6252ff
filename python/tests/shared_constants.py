"""What kernels.py imports."""

import tilewright
import tilewright.language as tl

STEP = tl.constexpr(3)
BASE = tl.constexpr(100)
PLAIN = 7
NOTHING = None


@tilewright.jit
def offset_by(at, step):
    return BASE + at * step
