"""Random calls of functions of the program's own (helpers.py)."""

import numpy as np

from .element_types import INT32
from .operations import is_integer
from .program import Compute, Value


def call(g):
    a = g.tile(is_integer)
    if a:
        kind = np.dtype(a.type.dtype).type
        g.compute(a.type, a.shape, "mixed({0}, 3)", [a], lambda x: (x * kind(3) + kind(1)) ^ x)


def call_with_defaults(g):
    a = g.tile(is_integer)
    if not a:
        return
    more, factor, offset, negated = g.rng.choice([
        ("", 3, 1, False), (", 5", 5, 1, False), (", negated=True", 3, 1, True),
        (", offset=-4 + n * 6", 3, 2, False), (", 7, n + 1", 7, 2, False),
        (", offset=2, factor=2, negated=True", 2, 2, True)])
    if "n" in more.replace("negated", "") and a.type != INT32:
        return
    kind = np.dtype(a.type.dtype).type

    def function(x):
        y = x * kind(factor) + kind(offset)
        return -y if negated else y
    g.compute(a.type, a.shape, f"with_defaults({{0}}{more})", [a], function)


def call_with_tuple(g):
    a = g.tile(is_integer)
    if not a:
        return
    b, factor = g.like(a), g.rng.choice([2, 3])
    kind = np.dtype(a.type.dtype).type
    text = g.rng.choice([f"of_pair(({{0}}, {{1}}), {factor})", f"of_pair(factor={factor}, pair=({{0}}, {{1}}))"])
    results = tuple(Value(g.name(), a.type, a.shape) for _ in range(2))
    g.add(Compute(results, (a.name, b.name), text,
                  lambda x, y: (x * kind(factor) - y, x if factor % 2 else y)))


def call_of_any_number(g):
    a = g.tile(is_integer)
    if not a:
        return
    count = g.rng.randrange(0, 4)
    operands = [a] + [g.like(a) for _ in range(count)]
    text = ", ".join(f"{{{i}}}" for i in range(count + 1))
    if count and g.rng.random() < .3:
        text = f"*({text})"
    g.compute(a.type, a.shape, f"xor_of_all({text})", operands,
              lambda *each: np.bitwise_xor.reduce(each))


def call_with_function(g):
    a = g.tile(is_integer)
    if not a:
        return
    b = g.like(a)
    if a.type.bits >= 32 and a.type.kind == "i" and g.rng.random() < .5:
        g.compute(a.type, a.shape, "applied(larger, {0}, {1})", [a, b], np.maximum)
    else:
        def beyond_one(x, y):
            return x + y + x * y
        g.compute(a.type, a.shape, "applied(product_beyond_one, {0}, {1})", [a, b],
                  lambda x, y: beyond_one(beyond_one(x, y), y))


def call_with_scalars(g):
    """A function that stays one in machine code, or one that returns early."""
    scalars = [v for v in g.scope if v.type == INT32 and v.shape == ()]
    if not scalars:
        return
    a, b = g.rng.choice(scalars), g.rng.choice(scalars)
    if g.rng.random() < .5:
        def by_sign(s):
            return np.where(s < 0, -s, np.where(s > 50, s >> 1, s * np.int32(2)))
        g.compute(INT32, (), "by_sign({0})", [a], by_sign)
        return

    def called(x, y):
        total = x
        for i in range(int(y & 3)):
            total = total * np.int32(3) + np.int32(i)
        return total ^ y if total > y else total
    g.compute(INT32, (), "called({0}, {1})", [a, b], called)


def of_element(x):
    return np.where(x > 20, x >> 1, np.where(x < -20, -x, x * np.int32(5)))


def map_of_elements(g):
    a = g.tile(lambda v: v.type == INT32)
    if not a:
        return
    way = g.rng.randrange(3)
    if way == 0:
        g.compute(INT32, a.shape, "tl.map_elementwise(of_element, {0})", [a], of_element)
    elif way == 1:
        g.compute(INT32, a.shape, "tl.map_elementwise(of_two_elements, {0}, pack=2)[0]", [a], of_element)
    else:
        def function(x, y):
            x, count = x & np.int32(63), np.zeros_like(x)
            while (going := x > 3).any():
                x = np.where(going, x - np.int32(1) - (x >> 2), x)
                count += going
            return count, x + y
        b = g.like(a)
        results = tuple(Value(g.name(), INT32, a.shape) for _ in range(2))
        g.add(Compute(results, (a.name, b.name), "tl.map_elementwise(steps, {0}, {1})", function))


FUNCTIONS = [call, call_with_defaults, call_with_tuple, call_of_any_number, call_with_function,
             call_with_scalars, map_of_elements, map_of_elements]
