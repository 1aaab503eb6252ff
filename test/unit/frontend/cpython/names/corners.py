"""What a module's code may do with its names before a kernel reads them: every name in capitals is
compared with the value that CPython gives it."""
import functools
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


# Tables.
table = {"x": 3, "y": 4, 7: "seven", (1, 2): 12, None: 0, True: 5}
ELEMENTS = tl.constexpr((table["x"], table[1], table[(1, 2)], table[None], table.get("z", 9)))
NO_ELEMENT = tl.constexpr(table.get("z"))
SEARCHED = tl.constexpr(("x" in table, "q" in table, 1.0 in table, "q" not in table, len(table)))
LISTED = tl.constexpr((list({"a": 1, "b": 2}), tuple({"a": 1}.items()),
                       sum({"a": 1, "b": 2}.values())))
MADE = tl.constexpr((dict(a=1, b=2)["b"], dict([("a", 1), ("b", 5)])["b"], {**{"a": 1}, "a": 2}["a"],
                     ({"a": 1} | {"b": 2})["b"], {k: v * 2 for k, v in {"a": 1, "b": 2}.items()}["b"]))
COMPARED = tl.constexpr(({"a": 1, "b": 2} == {"b": 2.0, "a": True}, {"a": 1} == {"a": 2}, [1] == (1,),
                         (1, [2]) == (1.0, [2]), {1, 2} == {2, 1}))
TRUTH = tl.constexpr(("full" if table else "empty", "full" if {} else "empty"))
ORDERED = tl.constexpr(tuple(k for k, v in sorted({"b": 1, "a": 2}.items())))
TEXT_OF = tl.constexpr(str({"a": [1], "b": (2,), 3: {"c": None}}))
INNER = tl.constexpr({"a": {"b": {"c": 3}}}["a"]["b"]["c"])
KEYS_BY_NAMES = tl.constexpr("".join([a + b for a, b in [{"p": 1, "q": 2}]]))
first, second = {"p": 1, "q": 2}
UNPACKED = tl.constexpr(first + second)
KINDS = tl.constexpr((isinstance({}, dict), isinstance([], list), isinstance((), list),
                      isinstance([], tuple), isinstance({}, (list, tuple))))
SETS = tl.constexpr((3 in {1, 2, 3}, len({1, 1.0, 2}), sorted({3, 1, 2}), max({1, 2}),
                     {x % 3 for x in range(10)} == {0, 1, 2}, 3 in frozenset((1, 2))))
grown = {}
grown["k"] = 5
grown["k"] = grown["k"] + 1
grown["l"] = 7
GROWN = tl.constexpr((grown["k"], len(grown)))
numbers = [1, 2, 3]
numbers[-1] = 5
NUMBERS = tl.constexpr((numbers, len(numbers)))
if {"cuda": 3}.get("cuda", 0) > 2:
    BY_TABLE = tl.constexpr("yes")
else:
    BY_TABLE = tl.constexpr("no")


class Tiles:
    sizes = {"small": 32}
    half = staticmethod(lambda x: x // 2)


OF_TABLE = tl.constexpr(Tiles.half(Tiles.sizes["small"]))

# Functions without a name.
product = lambda x, y=2: x * y
PRODUCTS = tl.constexpr((product(3), product(3, y=5), (lambda: 4)(), (lambda *xs: len(xs))(1, 2, 3)))
CURRIED = tl.constexpr((lambda n: (lambda m: n * m))(3)(4))
MAPPED = tl.constexpr((tuple(map(lambda x: x + 1, (1, 2, 3))), list(filter(lambda x: x > 1, (1, 2))),
                       tuple(map(lambda a, b: a - b, (5, 6), (1, 2, 3))), list(map(str, (1, 2)))))
SORTED = tl.constexpr((sorted(("bb", "a", "cc", "d"), key=lambda s: -len(s), reverse=True),
                       sorted([2, True, 1.5])))
EXTREMA = tl.constexpr((max((3, 1, -5), key=lambda x: x * x), min({"a": 3, "b": 2}), max("a", "b"),
                        min((), default=4), next(iter({"k": 1}))))
operators = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}
CHOSEN_OPERATOR = tl.constexpr(operators["mul"](3, 4))
later = 5
read_late = lambda: later
later = 6
LATE = tl.constexpr(read_late())
DEFAULTS = tl.constexpr(tuple(f(1) for f in [lambda x, i=i: x * 10 + i for i in range(3)]))
REDUCED = tl.constexpr(functools.reduce(lambda a, b: a * 10 + b, (1, 2, 3)))


def options(a, b=2, *rest, **named):
    return a * 100 + b * 10 + len(named) + named.get("c", 0)


NAMED = tl.constexpr((options(1), options(1, c=3), options(**{"a": 1, "b": 3, "d": 4})))


def adders():
    made = ()
    for i in range(3):
        def add(x, i=i):
            return x + i
        made = made + (add,)
    return made


ADDED = tl.constexpr(tuple(add(10) for add in adders()))


@triton.constexpr_function
def width_of(name):
    return {"half": 16, "single": 32}[name] if name in {"half", "single"} else 0


WIDTHS = tl.constexpr((width_of("single"), width_of("octuple")))


# What changes lists leaves numbers as they are, and reading them changes nothing.
def record(entries, entry):
    entries.append(entry)
    return len(entries)


def longest(entries):
    return max([len(entry) for entry in entries])


entries = []
step = 4
for i in range(2):
    record(entries, (i, step))
words = ["a", "bcd"]
LONGEST = tl.constexpr(longest(words))
STEP = tl.constexpr((step, longest(words)))
