"""Random operations along the axes of tiles: reductions, scans, sorts, gathers."""

import numpy as np

from .element_types import BOOL, INT32
from .operations import cast, is_integer
from .program import Compute, Value, size


def reduction(g):
    """Along an axis, or along all of them to a scalar."""
    a = g.tile()
    if not a:
        return
    axis = g.rng.randrange(len(a.shape)) if g.rng.random() < .8 else None
    keep = axis is not None and g.rng.random() < .25
    shape = tuple(1 if i == axis else extent for i, extent in enumerate(a.shape)
                  if keep or i != axis and axis is not None)
    count = size(a.shape) if axis is None else a.shape[axis]
    kinds = ["sum", "max", "min"] + (["xor_sum", "own"] if is_integer(a) else [])
    kind, bound = g.rng.choice(kinds), a.bound
    if kind == "sum" and not is_integer(a):
        bound *= count
        if bound > a.type.exact:
            a = g.tame(a)
            bound = 7 * count
            if bound > a.type.exact:
                return
    reduce = {"sum": np.add, "max": np.maximum, "min": np.minimum, "xor_sum": np.bitwise_xor}
    if kind == "own":
        text = f"tl.reduce({{0}}, {axis}, product_beyond_one, keep_dims={keep})"

        def function(x):
            one = np.dtype(a.type.dtype).type(1)
            return np.multiply.reduce(x + one, axis, dtype=x.dtype, keepdims=keep) - one
    else:
        text = f"tl.{kind}({{0}}, axis={axis}, keep_dims={keep})"
        kept = {"dtype": a.type.dtype} if kind == "sum" else {}

        def function(x):
            return reduce[kind].reduce(x, axis, keepdims=keep, **kept)
    g.compute(a.type, shape, cast(text, a.type), [a], function, bound)


def count_of_true(g):
    a = g.pick(lambda v: v.type == BOOL and v.shape)
    if a:
        axis = g.rng.randrange(len(a.shape))
        shape = a.shape[:axis] + a.shape[axis + 1:]
        g.compute(INT32, shape, cast(f"tl.sum({{0}}, axis={axis})", INT32), [a], lambda x: x.sum(axis))


def any_true(g):
    a = g.pick(lambda v: v.type == BOOL and v.shape)
    if a:
        axis = g.rng.randrange(len(a.shape))
        shape = a.shape[:axis] + a.shape[axis + 1:]
        text, function = g.rng.choice([("reduce_or", np.any), ("xor_sum", np.logical_xor.reduce)])
        g.compute(BOOL, shape, f"tl.{text}({{0}}, axis={axis})", [a], lambda x: function(x, axis))


def place_of_extremum(g):
    a = g.tile()
    if a:
        axis = g.rng.randrange(len(a.shape))
        name = g.rng.choice(["argmax", "argmin"])
        shape = a.shape[:axis] + a.shape[axis + 1:]
        g.compute(INT32, shape, f"tl.{name}({{0}}, axis={axis})", [a],
                  lambda x: getattr(np, name)(x, axis))


def reduction_of_two(g):
    a = g.tile(lambda v: v.type == INT32)
    if not a:
        return
    places, axis = g.like(a), g.rng.randrange(len(a.shape))
    shape = a.shape[:axis] + a.shape[axis + 1:]

    def function(x, y):
        best = x.max(axis, keepdims=True)
        return np.squeeze(best, axis), np.where(x == best, y, np.iinfo(np.int32).max).min(axis)
    results = tuple(Value(g.name(), INT32, shape) for _ in range(2))
    g.add(Compute(results, (a.name, places.name), f"tl.reduce(({{0}}, {{1}}), {axis}, larger_with_place)",
                  function))


def scan(g):
    a = g.tile(lambda v: is_integer(v) or v.bound * max(v.shape) <= v.type.exact)
    if not a:
        return
    axis, back = g.rng.randrange(len(a.shape)), g.rng.random() < .4
    kinds = ["cumsum", "larger"] + (["cumprod"] if is_integer(a) else [])
    kind = g.rng.choice(kinds)
    text = (f"tl.associative_scan({{0}}, {axis}, larger, reverse={back})" if kind == "larger" else
            f"tl.{kind}({{0}}, axis={axis}, reverse={back})")

    def function(x):
        x = np.flip(x, axis) if back else x
        x = np.maximum.accumulate(x, axis) if kind == "larger" else getattr(np, kind)(x, axis, dtype=x.dtype)
        return np.flip(x, axis) if back else x
    g.compute(a.type, a.shape, cast(text, a.type), [a], function,
              a.bound * (a.shape[axis] if kind == "cumsum" else 1))


def scan_of_two(g):
    """x -> a x + b, one after the other: not commutative."""
    a = g.tile(lambda v: v.type == INT32)
    if not a:
        return
    b, axis, back = g.like(a), g.rng.randrange(len(a.shape)), g.rng.random() < .4

    def function(x, y):
        x, y = (np.moveaxis(np.flip(each, axis) if back else each, axis, 0).copy() for each in (x, y))
        for i in range(1, len(x)):
            x[i], y[i] = x[i - 1] * x[i], y[i - 1] * x[i] + y[i]
        x, y = (np.moveaxis(each, 0, axis) for each in (x, y))
        return (np.flip(x, axis), np.flip(y, axis)) if back else (x, y)
    results = tuple(Value(g.name(), INT32, a.shape) for _ in range(2))
    g.add(Compute(results, (a.name, b.name),
                  f"tl.associative_scan(({{0}}, {{1}}), {axis}, line_after_line, reverse={back})", function))


def sorting(g):
    a = g.tile(lambda v: 1 < v.shape[-1] <= 256 and size(v.shape) <= 1024)
    if a:
        down = g.rng.random() < .5
        g.compute(a.type, a.shape, f"tl.sort({{0}}, descending={down})", [a],
                  lambda x: np.flip(np.sort(x, -1), -1) if down else np.sort(x, -1), a.bound)


def largest_in_order(g):
    a = g.tile(lambda v: 4 <= v.shape[-1] <= 256 and size(v.shape) <= 1024)
    if a:
        count = g.rng.choice([each for each in (2, 4, 8, 16) if each <= a.shape[-1]])
        g.compute(a.type, (*a.shape[:-1], count), cast(f"tl.topk({{0}}, {count})", a.type), [a],
                  lambda x: np.flip(np.sort(x, -1), -1)[..., :count], a.bound)


def gathering(g):
    a = g.any_tile()
    if not a:
        return
    axis = g.rng.randrange(len(a.shape))
    at = g.tile(lambda v: v.type == INT32 and v.shape == a.shape) or g.load(INT32, a.shape)
    last = np.int32(a.shape[axis] - 1)
    g.compute(a.type, a.shape, f"tl.gather({{0}}, {{1}} & {last}, {axis})", [a, at],
              lambda x, y: np.take_along_axis(x, y & last, axis), a.bound)


def histogram(g):
    a = g.tile(lambda v: v.type == INT32 and len(v.shape) == 1 and v.shape[0] >= 32)
    if not a:
        return
    mask = g.pick(lambda v: v.type == BOOL and v.shape == a.shape)
    if mask:
        g.compute(INT32, (32,), "tl.histogram({0} & 31, 32, mask={1})", [a, mask],
                  lambda x, inside: np.bincount(x[inside] & 31, minlength=32))
    else:
        g.compute(INT32, (32,), "tl.histogram({0} & 31, 32)", [a],
                  lambda x: np.bincount(x & 31, minlength=32))


AXES = [reduction, reduction, reduction, reduction, count_of_true, any_true, place_of_extremum,
        reduction_of_two, scan, scan, scan_of_two, sorting, largest_in_order, gathering, histogram]
