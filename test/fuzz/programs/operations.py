"""The operations of random programs, in families: a family is a function of the generator that
writes a statement, or none if nothing in scope suits it.

Each text stands beside the NumPy function of the same meaning.
"""

import numpy as np

from .element_types import BOOL, FLOATS, FLOATS8, INT32, INTEGERS, TYPES
from .program import Compute, Value, size


def is_integer(value):
    return value.type.kind in "iu"


def cast(text, type):
    return f"({text}).to(tl.{type.name})"


# Element by element


def arithmetic(g):
    a = g.tile()
    if not a:
        return
    b = g.like(a)
    symbols = "+-*&|^" if is_integer(a) else "+-*"
    symbol = g.rng.choice(symbols)
    bound = 0
    if not is_integer(a):
        a, b = g.small(a, 1 << 40), g.small(b, 1 << 40)
        bound = a.bound * b.bound if symbol == "*" else a.bound + b.bound
        if bound > a.type.exact:
            a, b = g.tame(a), g.tame(b)
            bound = 49 if symbol == "*" else 14
    functions = {"+": np.add, "-": np.subtract, "*": np.multiply, "&": np.bitwise_and,
                 "|": np.bitwise_or, "^": np.bitwise_xor}
    g.compute(a.type, a.shape, f"{{0}} {symbol} {{1}}", [a, b], functions[symbol], bound)


def with_scalar(g):
    """A tile and a scalar that was computed or is a loop's."""
    a = g.tile(lambda v: v.type == INT32)
    b = g.pick(lambda v: v.shape == () and v.type == INT32)
    if a and b:
        g.compute(INT32, a.shape, "{0} * 3 + {1}", [a, b], lambda x, y: x * np.int32(3) + y)


def division(g):
    a = g.tile(is_integer)
    if not a:
        return
    b = g.like(a)
    kind = np.dtype(a.type.dtype).type
    if g.rng.random() < .5:
        g.compute(a.type, a.shape, "{0} % (({1} & 7) + 1)", [a, b],
                  lambda x, y: np.fmod(x, (y & kind(7)) + kind(1)))
    else:
        def quotient(x, y):
            y = (y & kind(7)) + kind(1)
            return (x - np.fmod(x, y)) // y
        g.compute(a.type, a.shape, "{0} // (({1} & 7) + 1)", [a, b], quotient)


def shift(g):
    a = g.tile(is_integer)
    if not a:
        return
    b = g.like(a)
    kind, mask = np.dtype(a.type.dtype).type, a.type.bits - 1
    left = g.rng.random() < .5
    function = np.left_shift if left else np.right_shift
    g.compute(a.type, a.shape, f"{{0}} {'<<' if left else '>>'} ({{1}} & {mask})", [a, b],
              lambda x, y: function(x, y & kind(mask)))


def comparison(g):
    a = g.tile()
    if not a:
        return
    b = g.like(a)
    symbol, function = g.rng.choice([("<", np.less), ("<=", np.less_equal), (">", np.greater),
                                     (">=", np.greater_equal), ("==", np.equal), ("!=", np.not_equal)])
    g.compute(BOOL, a.shape, f"{{0}} {symbol} {{1}}", [a, b], function)


def logic(g):
    a = g.pick(lambda v: v.type == BOOL and v.shape)
    b = a and g.pick(lambda v: v.type == BOOL and v.shape == a.shape)
    if not a:
        return
    text, function = g.rng.choice([("{0} & {1}", np.logical_and), ("{0} | {1}", np.logical_or),
                                   ("{0} ^ {1}", np.logical_xor), ("{0} == {1}", np.equal),
                                   ("{0} != {1}", np.not_equal), ("~{0}", lambda x, y: ~x),
                                   ("{0} and {1}", np.logical_and), ("{0} or not {1}", lambda x, y: x | ~y)])
    g.compute(BOOL, a.shape, text, [a, b], function)


def selection(g):
    condition = g.pick(lambda v: v.type == BOOL and v.shape)
    if not condition:
        return comparison(g)
    a = g.any_tile(lambda v: v.shape == condition.shape) or g.load(INT32, condition.shape)
    b = g.like(a)
    g.compute(a.type, a.shape, "tl.where({0}, {1}, {2})", [condition, a, b], np.where,
              max(a.bound, b.bound))


def extremum(g):
    a = g.tile()
    if not a:
        return
    b = g.like(a)
    name, function = g.rng.choice([("maximum", np.maximum), ("minimum", np.minimum)])
    g.compute(a.type, a.shape, cast(f"tl.{name}({{0}}, {{1}})", a.type), [a, b], function,
              max(a.bound, b.bound))


def conversion(g):
    a = g.any_tile()
    if not a:
        return
    if a.type.bits == 8 and a.type.kind == "f":
        to = g.rng.choice(FLOATS)
    else:
        to = g.rng.choice(INTEGERS + FLOATS + [BOOL] + (FLOATS8 * 2 if a.type.kind == "f" else []))
    bound = a.bound
    if to.kind == "f" and a.type.kind == "b":
        bound = 1
    elif to.kind == "f" and (is_integer(a) or bound > (to.largest or 1 << 24)):
        a, bound = g.tame(a), 7
    elif a.type.kind == "f" and (to.kind == "u" or to.kind == "i" and bound >= 1 << to.bits - 1):
        a, bound = g.tame(a), 7
    g.compute(to, a.shape, f"{{0}}.to(tl.{to.name})", [a], to.rounded, bound if to.kind == "f" else 0)


def bits(g):
    a = g.tile(lambda v: is_integer(v))
    if a:
        to = TYPES[("u" if a.type.kind == "i" else "") + f"int{a.type.bits}"]
        g.compute(to, a.shape, f"{{0}}.to(tl.{to.name}, bitcast=True)", [a], lambda x: x.view(to.dtype))


def promotion(g):
    """Two types of integers: the result has the wider one, of equal width the unsigned one."""
    a = g.tile(is_integer)
    b = a and g.tile(lambda v: is_integer(v) and v.shape == a.shape and v.type != a.type)
    if not b:
        return
    to = max(a.type, b.type, key=lambda type: (type.bits, type.kind == "u"))
    symbol, function = g.rng.choice([("+", np.add), ("-", np.subtract), ("*", np.multiply),
                                     ("|", np.bitwise_or)])
    g.compute(to, a.shape, f"{{0}} {symbol} {{1}}", [a, b],
              lambda x, y: function(x.astype(to.dtype), y.astype(to.dtype)))


def with_number(g):
    a = g.tile(is_integer)
    if a:
        kind, number = np.dtype(a.type.dtype).type, g.rng.randrange(1, 100)
        text, function = g.rng.choice([
            (f"{{0}} + {number}", lambda x: x + kind(number)), (f"{number} - {{0}}", lambda x: kind(number) - x),
            (f"{number} * {{0}}", lambda x: kind(number) * x), ("-{0}", np.negative), ("~{0}", np.invert),
            (f"tl.where({{0}} > {number}, {{0}}, {number})", lambda x: np.maximum(x, kind(number)))])
        if text != "-{0}" or a.type.kind == "i":
            g.compute(a.type, a.shape, text, [a], function)


def high_product(g):
    a = g.tile(lambda v: is_integer(v) and v.type.bits >= 32)
    if a:
        b = g.like(a)
        g.compute(a.type, a.shape, "tl.umulhi({0}, {1})", [a, b],
                  lambda x, y: (as_unsigned(x) * as_unsigned(y) >> a.type.bits).astype(f"u{a.type.bits // 8}"))


def as_unsigned(array):
    """The bits as Python's integers."""
    return array.view(f"u{array.dtype.itemsize}").astype(object)


def of_floats(g):
    wide = [TYPES["float32"], TYPES["float64"]]
    a = g.tile(lambda v: v.type in wide) or g.load(g.rng.choice(wide), (64, 4))
    a = g.small(a, 1000)
    b, c = g.small(g.like(a), 1000), g.small(g.like(a), 1000)
    text, function, bound = g.rng.choice([
        ("tl.fma({0}, {1}, {2})", lambda x, y, z: x * y + z, a.bound * b.bound + c.bound),
        ("tl.abs({0})", lambda x, y, z: abs(x), a.bound), ("-{0}", lambda x, y, z: -x, a.bound),
        ("tl.floor({0} * 0.5)", lambda x, y, z: np.floor(x / 2), a.bound),
        ("tl.ceil({0} / 4)", lambda x, y, z: np.ceil(x / 4), a.bound),
        ("tl.clamp({0}, -3.0, 50.0)", lambda x, y, z: np.clip(x, -3, 50), 50),
        ("tl.sqrt_rn({0} * {0})" if a.type.name == "float32" else "tl.sqrt({0} * {0})",
         lambda x, y, z: abs(x), a.bound),
        ("tl.where({0} < {1}, {2}, 5.0)", lambda x, y, z: np.where(x < y, z, 5), max(c.bound, 5))])
    operands = [a, b, c] if "{2}" in text else [a, b] if "{1}" in text else [a]
    g.compute(a.type, a.shape, text, operands,
              lambda *each: function(*each, *[None] * (3 - len(each))), bound)


def with_scalars(g):
    """A new scalar of two."""
    a = g.pick(lambda v: v.shape == () and is_integer(v))
    b = a and g.pick(lambda v: v.shape == () and v.type == a.type)
    if not a:
        return
    text, function = g.rng.choice([
        ("{0} + {1} * 3", lambda x, y: x + y * y.dtype.type(3)), ("{0} ^ {1}", np.bitwise_xor),
        ("{0} - {1}", np.subtract), ("tl.where({0} > {1}, {0}, {1})", np.maximum),
        ("{0} if {0} < {1} else {1}", np.minimum)])
    g.compute(a.type, (), text, [a, b], function)


def scalar_condition(g):
    a = g.pick(lambda v: v.shape == () and is_integer(v))
    if a:
        text, function = g.rng.choice([("{0} > 3", lambda x: x > 3), ("({0} & 1) == 0", lambda x: x & x.dtype.type(1) == 0),
                                       ("not ({0} & 2)", lambda x: x & x.dtype.type(2) == 0)])
        g.compute(BOOL, (), text, [a], function)


# Shapes


def expansion(g):
    a = g.tile(lambda v: len(v.shape) == 1 and v.shape[0] <= 128)
    if not a:
        return
    count = g.rng.choice([2, 8, 16])
    rows = g.rng.random() < .5
    shape = (count, a.shape[0]) if rows else (a.shape[0], count)
    b = g.tile(lambda v: v.type == a.type and v.shape == shape) or g.load(a.type, shape)
    name, function = g.rng.choice([("maximum", np.maximum), ("minimum", np.minimum)])
    at = "None, :" if rows else ":, None"
    g.compute(a.type, shape, cast(f"tl.{name}({{0}}, {{1}}[{at}])", a.type), [b, a],
              lambda x, y: function(x, y[None, :] if rows else y[:, None]), max(a.bound, b.bound))


def broadcast(g):
    a = g.any_tile(lambda v: 1 in v.shape and size(v.shape) <= 256)
    if a:
        shape = tuple(4 if extent == 1 else extent for extent in a.shape)
        g.compute(a.type, shape, f"tl.broadcast_to({{0}}, {list(shape)})", [a],
                  lambda x: np.broadcast_to(x, shape), a.bound)


def permutation(g):
    a = g.any_tile(lambda v: len(v.shape) > 1)
    if a:
        order = list(range(len(a.shape)))
        g.rng.shuffle(order)
        g.compute(a.type, [a.shape[axis] for axis in order], f"tl.permute({{0}}, {order})", [a],
                  lambda x: x.transpose(order), a.bound)


def reshape(g):
    a = g.any_tile(lambda v: size(v.shape) >= 4)
    if a:
        n = size(a.shape)
        shape = g.rng.choice([(n,), (2, n // 2), (n // 4, 4), (2, 2, n // 4), (1, n)])
        g.compute(a.type, shape, f"tl.reshape({{0}}, {list(shape)})", [a], lambda x: x.reshape(shape), a.bound)


def joining(g):
    a = g.any_tile(lambda v: size(v.shape) <= 1024 and len(v.shape) < 4)
    if a:
        b = g.like(a)
        g.compute(a.type, (*a.shape, 2), "tl.join({0}, {1})", [a, b],
                  lambda x, y: np.stack([x, y], -1), max(a.bound, b.bound))


def splitting(g):
    a = g.any_tile(lambda v: v.shape[-1] == 2 and len(v.shape) > 1)
    if a:
        halves = tuple(Value(g.name(), a.type, a.shape[:-1], a.bound) for _ in range(2))
        g.add(Compute(halves, (a.name,), "tl.split({0})", lambda x: (x[..., 0], x[..., 1])))


def interleaving(g):
    a = g.tile(lambda v: size(v.shape) <= 1024)
    if a:
        b = g.like(a)
        shape = (*a.shape[:-1], 2 * a.shape[-1])
        g.compute(a.type, shape, "tl.interleave({0}, {1})", [a, b],
                  lambda x, y: np.stack([x, y], -1).reshape(shape), max(a.bound, b.bound))


def concatenation(g):
    a = g.tile(lambda v: len(v.shape) == 1 and v.shape[0] <= 512)
    if a:
        b = g.like(a)
        g.compute(a.type, (2 * a.shape[0],), "tl.cat({0}, {1}, can_reorder=False)", [a, b],
                  lambda x, y: np.concatenate([x, y]), max(a.bound, b.bound))


def flipping(g):
    a = g.any_tile()
    if a:
        axis = g.rng.randrange(len(a.shape))
        g.compute(a.type, a.shape, f"tl.flip({{0}}, {axis})", [a], lambda x: np.flip(x, axis), a.bound)



ELEMENTS = [arithmetic, arithmetic, arithmetic, with_scalar, with_number, division, shift, comparison, logic,
            selection, extremum, conversion, conversion, conversion, bits, promotion, high_product,
            of_floats, of_floats, of_floats, with_scalars, scalar_condition]
TILES = [expansion, broadcast, permutation, permutation, reshape, joining, splitting, interleaving,
         concatenation, flipping]
