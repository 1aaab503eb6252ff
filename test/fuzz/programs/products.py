"""Random products of matrices: tl.dot, tl.dot_scaled, and loops of products."""

import numpy as np

from .element_types import INT32, TYPES, UINT8
from .memory import Load
from .program import Carried, Compute, Loop, Value

# Element of a, of b, of the result, what else tl.dot is told.
DOTS = [("float16", "float16", "float32", ""), ("float16", "float16", "float16", ", out_dtype=tl.float16"),
        ("bfloat16", "bfloat16", "float32", ""), ("float32", "float32", "float32", ', input_precision="ieee"'),
        ("float32", "float32", "float32", ', input_precision="tf32"'),
        ("float32", "float32", "float32", ', input_precision="tf32x3"'), ("int8", "int8", "int32", ""),
        ("float8e5", "float8e5", "float32", ""), ("float8e4nv", "float8e4nv", "float32", ""),
        ("float8e4nv", "float8e5", "float32", ""), ("float64", "float64", "float64", "")]


def product(a, b, *start):
    """Exact: the sums of whole numbers of this size are in float64."""
    whole = a.astype("f8") @ b.astype("f8")
    return whole + (start[0] if start else 0)


def sizes(g, element, is_batch):
    m, n, k = (g.rng.choice([16, 32] if is_batch else [16, 32, 64]) for _ in range(3))
    return m, n, max(k, 32) if TYPES[element].bits == 8 else k


def dot(g):
    """Of small numbers that are computed, or of tiles as they lie in memory."""
    left, right, result, more = g.rng.choice(DOTS)
    batch = (g.rng.choice([2, 4]),) if g.rng.random() < .2 else ()
    m, n, k = sizes(g, left, batch)
    type, shape = TYPES[result], (*batch, m, n)
    shapes = ((*batch, m, k), (*batch, k, n))
    if g.rng.random() < .5:
        operands = [g.load(INT32, each) for each in shapes]
        texts = [f"({{{i}}} & 3){'.to(tl.float16)' if TYPES[name].bits == 8 and name != 'int8' else ''}"
                 f".to(tl.{name})" for i, name in enumerate((left, right))]
        bound = 9 * k

        def function(x, y, *start):
            return product(x & 3, y & 3, *start)
    else:
        operands = [g.tile_of(TYPES[name], each) for name, each in zip((left, right), shapes)]
        texts, function = ["{0}", "{1}"], product
        bound = operands[0].bound * operands[1].bound * k
    if g.rng.random() < .4:
        start = g.pick(lambda v: v.type == type and v.shape == shape and v.bound < 1000) or g.load(type, shape)
        operands.append(start)
        more, bound = f", acc={{2}}{more}", bound + start.bound
    if type.kind == "i" or bound <= type.exact:
        g.compute(type, shape, f"tl.dot({texts[0]}, {texts[1]}{more})", operands, function, bound)


def dot_loop(g):
    """acc += a[i] @ b[i] of tiles that the loop loads, as a kernel of products has it."""
    left, right, result, more = g.rng.choice(DOTS)
    m, n, k = sizes(g, left, False)
    type, count = TYPES[result], g.rng.randrange(1, 5)
    bound = 64 * k * count
    if g.depth or (type.kind == "f" and bound > type.exact):
        return
    index = Value(g.name("i"), INT32, ())
    start = g.load(type, (m, n))
    acc = Value(g.name("c"), type, (m, n), bound + start.bound)
    operands = [Load(results=(Value(g.name(), TYPES[name], shape, 8),), parameter=g.name("x"),
                     array=g.numbers(TYPES[name], (g.grid, count, *shape)), index=index.name,
                     **g.means_of(TYPES[name], shape))
                for name, shape in ((left, (m, k)), (right, (k, n)))]
    a, b = (each.results[0] for each in operands)
    end = Value(g.name(), type, (m, n), acc.bound)
    body = [*operands, Compute((end,), (a.name, b.name, acc.name), f"tl.dot({{0}}, {{1}}, acc={{2}}{more})",
                               product)]
    form = g.rng.choice(["range", "tl.range", "tl.range", "static_range", "while", "reversed"])
    g.add(Loop([Carried(acc, start.name, [end.name])], index, count, body, form, ", ".join(g.loop_options())))


# e2m1 without its sign, and the names of formats with the types that hold them.
HALVES = np.array([0, .5, 1, 1.5, 2, 3, 4, 6])
FORMATS = {"e2m1": "uint8", "e4m3": "float8e4nv", "e5m2": "float8e5", "bf16": "bfloat16", "fp16": "float16"}
FORMAT_PAIRS = [("e2m1", "e2m1"), ("e2m1", "e2m1"), ("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e4m3", "e5m2"),
                ("e2m1", "e4m3"), ("e5m2", "e2m1"), ("bf16", "e2m1"), ("e4m3", "bf16"), ("fp16", "e4m3"),
                ("bf16", "bf16")]


def unpacked(codes, axis):
    """The numbers of two e2m1 in each byte, the first one in the low bits."""
    pair = np.stack([codes & 15, codes >> 4], axis + 1)
    numbers = np.where(pair & 8, -1, 1) * HALVES[pair & 7]
    shape = list(codes.shape)
    shape[axis] *= 2
    return numbers.reshape(shape)


def dot_scaled(g):
    formats = g.rng.choice(FORMAT_PAIRS)
    m, n, k = g.rng.choice([32, 64]), g.rng.choice([32, 64]), g.rng.choice([64, 128])
    operands, texts, packs, has_scale, along = [], [], "", [], []
    for side, (format, shape) in enumerate(zip(formats, ((m, k), (k, n)))):
        axis = 1 - side
        if format == "e2m1" and g.rng.random() < .25:
            axis = side
            packs += f", {'lr'[side]}hs_k_pack=False"
        along.append(axis)
        if format == "e2m1":
            shape = tuple(extent // 2 if i == axis else extent for i, extent in enumerate(shape))
            operands.append(g.tile_from(g.data.integers(0, 256, (g.grid, *shape)), UINT8, shape))
        else:
            operands.append(g.load(TYPES[FORMATS[format]], shape, masked=False))
        # Of e2m1 with a factor of 2 at least, all products are whole.
        has_scale.append(format == "e2m1" or format[0] == "e" and g.rng.random() < .7)
        if has_scale[-1]:
            scales = g.data.integers(128 if format == "e2m1" else 127, 130, (g.grid, (m, n)[side], k // 32))
            operands.append(g.tile_from(scales, UINT8, scales.shape[1:]))
        place = len(operands) - 1 - has_scale[-1]
        texts.append(f'{{{place}}}, {f"{{{place + 1}}}" if has_scale[-1] else None}, "{format}"')
    more = packs

    def function(*values):
        values, sides = list(values), []
        for side, format in enumerate(formats):
            numbers = values.pop(0)
            numbers = unpacked(numbers, along[side]) if format == "e2m1" else numbers.astype("f8")
            if has_scale[side]:
                factors = np.exp2(values.pop(0).astype("f8") - 127).repeat(32, 1)
                numbers = numbers * (factors if side == 0 else factors.T)
            sides.append(numbers)
        return product(*sides, *values)
    type, bound = TYPES["float32"], 32 * 32 * k
    if g.rng.random() < .4:
        start = g.pick(lambda v: v.type == type and v.shape == (m, n) and v.bound < 1000) or g.load(type, (m, n))
        more += f", acc={{{len(operands)}}}"
        operands.append(start)
        bound += start.bound
    g.compute(type, (m, n), f"tl.dot_scaled({texts[0]}, {texts[1]}{more})", operands, function, bound)
