"""Cooperative matrices: matrices that the lanes of a warp hold together, of any number of columns.

    import tilewright.matrix as tw

Kernels call these functions and name the uses matrix_a, matrix_b and matrix_acc (docs/frontend.md);
in host code they are names alone.
"""

from .language import Builtin as _Builtin

# A test asks the compiler for each.
for _name in """
load store atomic_load atomic_store atomic_add atomic_min atomic_max prefetch full mul_add scale cast
sum min max extract insert apply matrix_a matrix_b matrix_acc
""".split():
    globals()[_name] = _Builtin(_name, __name__)
