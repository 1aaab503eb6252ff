import triton
import triton.language as tl

from .. import constants


@triton.constexpr_function
def doubled(x):
    return x * 2 + constants.base


DEEP = tl.constexpr(doubled(3))
