"""Functions that other programs have Triton's front end run, as functions of kernels.

PyTorch's inductor marks two such functions (`__triton_builtin__`): Python code that gets the values
while a kernel is compiled. Tilewright's front end is no Python: it reads these in their place.
"""

from ..program.values import stand_ins
from .jit import constexpr_function, jit


@jit
def if_mask(mask, val):
    """What a load has for `other`: None where it has no mask."""
    return None if mask is None else val


@constexpr_function
def constexpr_next_power_of_2(n):
    power = 1
    while power < n:
        power *= 2
    return power


stand_ins.update({("torch._inductor.runtime.triton_helpers", function.fn.__name__): function
                  for function in (if_mask, constexpr_next_power_of_2)})
