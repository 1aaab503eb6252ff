"""What a module's code may do with its names before a kernel reads them: every name in capitals is
compared with the value that CPython gives it."""
import math
from typing import TYPE_CHECKING

import triton
import triton.language as tl

# Defined twice.
TWICE = tl.constexpr(1)
TWICE = tl.constexpr(2)
FROM_ITSELF = tl.constexpr(5)
FROM_ITSELF = tl.constexpr(FROM_ITSELF + 1)

# What an expression reads is what stood there then.
base = 10
BEFORE = tl.constexpr(base)
base = 20
AFTER = tl.constexpr(base)

# Conditions.
use_new = True
if use_new:
    CHOSEN = tl.constexpr(1.0)
else:
    CHOSEN = tl.constexpr(2.0)
use_new = False
if use_new:
    CHOSEN_AGAIN = tl.constexpr(1)
elif base == 20:
    CHOSEN_AGAIN = tl.constexpr(2)
else:
    CHOSEN_AGAIN = tl.constexpr(3)
KEPT = tl.constexpr(7)
if not use_new and base > 30:
    KEPT = tl.constexpr(8)
if base == 20:
    NESTED = tl.constexpr("outer")
    if base == 10:
        NESTED = tl.constexpr("inner")
if __name__ == "__main__":
    NOT_RUN = tl.constexpr("run as a program")
else:
    NOT_RUN = tl.constexpr("imported")
if TYPE_CHECKING:
    CHECKED = tl.constexpr(1)
else:
    CHECKED = tl.constexpr(0)
if triton.__version__ >= "3.0.0":
    VERSION = tl.constexpr("new")
else:
    VERSION = tl.constexpr("old")
if hasattr(tl, "gather"):
    GATHER = tl.constexpr(True)
else:
    GATHER = tl.constexpr(False)
if hasattr(tl, "a_function_of_the_far_future"):
    FUTURE = tl.constexpr(True)
else:
    FUTURE = tl.constexpr(False)

# Imports that succeed, and that do not.
try:
    import math
    HAS_MATH = tl.constexpr(True)
except ImportError:
    HAS_MATH = tl.constexpr(False)
try:
    from triton.language import a_function_of_the_far_future
    HAS_FUTURE = tl.constexpr(True)
except ImportError:
    HAS_FUTURE = tl.constexpr(False)
try:
    TRIED = tl.constexpr(1)
except Exception:
    TRIED = tl.constexpr(2)
finally:
    FINALLY = tl.constexpr(3)


# Functions that are chosen, and defaults that are read where the function is defined.
scale = 3

if scale == 3:

    @triton.constexpr_function
    def scaled(x):
        return x * scale
else:

    @triton.constexpr_function
    def scaled(x):
        return x - scale


@triton.constexpr_function
def with_default(x=scale):
    return x


SCALED = tl.constexpr(scaled(7))

# The rounded quotient of the first is 10.
QUOTIENT = tl.constexpr(1.0 // 0.1)
QUOTIENTS = tl.constexpr((-1.0 // 0.1, 7.5 // -2, -7.5 // -2, 0.3 // 0.1, 1e300 // 7.0, 6.0 // 2))
REMAINDERS = tl.constexpr((1.0 % 0.1, -1.0 % 0.1, 7.5 % -2, -0.0 % 3, 5.0 % -3.5))
scale = 4
DEFAULT = tl.constexpr(with_default())
RESCALED = tl.constexpr(with_default(scale))

# All names of one statement get their values at once.
left, right = 1, 2
left, right = right, left
SWAPPED = tl.constexpr(left * 10 + right)
left = right = left + right
CHAINED = tl.constexpr(left * 10 + right)
globals()["BY_KEY"] = tl.constexpr(11)
floor = 3
from math import *
STARRED = tl.constexpr(floor(2.5))
try:
    from math import isqrt
    HAS_ISQRT = tl.constexpr(True)
except ImportError:
    HAS_ISQRT = tl.constexpr(False)
try:
    from math import not_in_math
    HAS_NOT_IN_MATH = tl.constexpr(True)
except ImportError:
    HAS_NOT_IN_MATH = tl.constexpr(False)
ABSENT = tl.constexpr(getattr(math, "not_in_math", 7))
PRESENT = tl.constexpr(hasattr(math, "lgamma"))
IN_CLASSES = tl.constexpr((isinstance(1, (list, tuple)), isinstance([1], (list, tuple))))


class Widths:
    width = 3


OF_CLASS = tl.constexpr(getattr(Widths, "width", 1) * 10 + getattr(Widths, "height", 2))


# What decorators make of functions that run while compiling.
def plus(n):
    def decorator(function):
        def wrapper(x):
            return function(x) + n
        return wrapper
    return decorator


def same(function):
    return function


@same
@plus(2)
@plus(3)
def decorated(x):
    return x * 10


DECORATED = tl.constexpr(decorated(1))
