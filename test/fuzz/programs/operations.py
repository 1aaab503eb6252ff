"""The operations of random programs, in families: a family is a function of the generator that
writes a statement, or none if nothing in scope suits it.

Each text stands beside the NumPy function of the same meaning.
"""

import numpy as np

from .program import BOOL, FLOATS, INT32, INTEGERS, TYPES, Atomic, Compute, Value

HELPERS = '''
@triton.jit
def mixed(x, factor: tl.constexpr):
    return (x * factor + 1) ^ x


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def product_beyond_one(a, b):
    return a + b + a * b


@triton.jit
def larger_with_place(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


@triton.jit
def line_after_line(a, b, c, d):
    return a * c, b * c + d
'''


def size(shape):
    return int(np.prod(shape))


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
    symbol, function = g.rng.choice([("&", np.logical_and), ("|", np.logical_or), ("^", np.logical_xor)])
    g.compute(BOOL, a.shape, f"{{0}} {symbol} {{1}}", [a, b], function)


def selection(g):
    condition = g.pick(lambda v: v.type == BOOL and v.shape)
    if not condition:
        return comparison(g)
    a = g.tile(lambda v: v.shape == condition.shape) or g.load(INT32, condition.shape)
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
    a = g.tile()
    if not a:
        return
    to = g.rng.choice(INTEGERS + FLOATS)
    if to.kind == "f":
        bound = a.bound
        if is_integer(a) or bound > to.exact:
            a, bound = g.tame(a), 7
    else:
        bound = 0
        if not is_integer(a) and (to.kind == "u" or a.bound >= 1 << to.bits - 1):
            a = g.tame(a)
    g.compute(to, a.shape, f"{{0}}.to(tl.{to.name})", [a], lambda x: x.astype(to.dtype), bound)


def bits(g):
    a = g.tile(lambda v: is_integer(v))
    if a:
        to = TYPES[("u" if a.type.kind == "i" else "") + f"int{a.type.bits}"]
        g.compute(to, a.shape, f"{{0}}.to(tl.{to.name}, bitcast=True)", [a], lambda x: x.view(to.dtype))


def call(g):
    a = g.tile(is_integer)
    if a:
        kind = np.dtype(a.type.dtype).type
        g.compute(a.type, a.shape, "mixed({0}, 3)", [a], lambda x: (x * kind(3) + kind(1)) ^ x)


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
    a = g.tile(lambda v: 1 in v.shape and size(v.shape) <= 256)
    if a:
        shape = tuple(4 if extent == 1 else extent for extent in a.shape)
        g.compute(a.type, shape, f"tl.broadcast_to({{0}}, {list(shape)})", [a],
                  lambda x: np.broadcast_to(x, shape), a.bound)


def permutation(g):
    a = g.tile(lambda v: len(v.shape) > 1)
    if a:
        order = list(range(len(a.shape)))
        g.rng.shuffle(order)
        g.compute(a.type, [a.shape[axis] for axis in order], f"tl.permute({{0}}, {order})", [a],
                  lambda x: x.transpose(order), a.bound)


def reshape(g):
    a = g.tile(lambda v: size(v.shape) >= 4)
    if a:
        n = size(a.shape)
        shape = g.rng.choice([(n,), (2, n // 2), (n // 4, 4), (2, 2, n // 4), (1, n)])
        g.compute(a.type, shape, f"tl.reshape({{0}}, {list(shape)})", [a], lambda x: x.reshape(shape), a.bound)


def joining(g):
    a = g.tile(lambda v: size(v.shape) <= 1024 and len(v.shape) < 4)
    if a:
        b = g.like(a)
        g.compute(a.type, (*a.shape, 2), "tl.join({0}, {1})", [a, b],
                  lambda x, y: np.stack([x, y], -1), max(a.bound, b.bound))


def splitting(g):
    a = g.tile(lambda v: v.shape[-1] == 2 and len(v.shape) > 1)
    if a:
        halves = tuple(Value(g.name(), a.type, a.shape[:-1], a.bound) for _ in range(2))
        g.add(Compute(halves, (a.name,), "tl.split({0})", lambda x: (x[..., 0], x[..., 1])))


def flipping(g):
    a = g.tile()
    if a:
        axis = g.rng.randrange(len(a.shape))
        g.compute(a.type, a.shape, f"tl.flip({{0}}, {axis})", [a], lambda x: np.flip(x, axis), a.bound)


# Products and memory

# Element, result, what else tl.dot is told.
DOTS = [("float16", "float32", ""), ("float16", "float16", ", out_dtype=tl.float16"),
        ("bfloat16", "float32", ""), ("float32", "float32", ', input_precision="ieee"'),
        ("float32", "float32", ', input_precision="tf32"'), ("int8", "int32", ""),
        ("float8e5", "float32", ""), ("float8e4nv", "float32", ""), ("float64", "float64", "")]


def dot(g):
    element, result, more = g.rng.choice(DOTS)
    batch = (g.rng.choice([2, 4]),) if g.rng.random() < .2 else ()
    m, n, k = (g.rng.choice([16, 32] if batch else [16, 32, 64]) for _ in range(3))
    k = max(k, 32) if element in ("int8", "float8e5", "float8e4nv") else k
    operands = [g.load(INT32, (*batch, *shape)) for shape in ((m, k), (k, n))]
    type = TYPES[result]
    shape, bound = (*batch, m, n), 9 * k
    through = ".to(tl.float16)" if element.startswith("float8") else ""
    texts = [f"({{{i}}} & 3){through}.to(tl.{element})" for i in range(2)]

    def function(x, y, *sum):
        product = (x & 3).astype(np.int64) @ (y & 3).astype(np.int64)
        return product + (sum[0] if sum else 0)
    if g.rng.random() < .4:
        start = g.pick(lambda v: v.type == type and v.shape == shape and v.bound < 1000) or g.load(type, shape)
        operands.append(start)
        more, bound = f", acc={{2}}{more}", bound + start.bound
    if type.kind == "f" and bound > type.exact:
        return
    g.compute(type, shape, f"tl.dot({texts[0]}, {texts[1]}{more})", operands, function, bound)


def atomic(g):
    a = g.tile(lambda v: v.type.name in ("int32", "int64", "uint32") or
               (v.type.name in ("float32", "float16") and v.bound * size(v.shape) * g.grid <= v.type.exact))
    if not a or g.depth:
        return
    operations = ["add"] + (["max", "min"] if a.type.kind == "i" else [])
    operations += ["and", "or", "xor"] if is_integer(a) else []
    g.statements.append(Atomic((a.name,), a, g.rng.choice(operations), g.name("o"),
                               g.rng.choice([1, 7, 64, 256]), g.rng.choice([1, 3, 5])))


ELEMENTS = [arithmetic, arithmetic, arithmetic, with_scalar, division, shift, comparison, logic, selection,
            extremum, conversion, conversion, bits, call]
TILES = [expansion, broadcast, permutation, permutation, reshape, joining, splitting, flipping]
