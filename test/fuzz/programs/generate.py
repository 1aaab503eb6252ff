"""Random programs: `generate(seed, targets)`."""

import random

import numpy as np

from . import axes, functions, memory, operations, products
from .element_types import BOOL, FLOATS, FLOATS8, INT32, INTEGERS
from .memory import Load, Store
from .program import Branch, Carried, Compute, Loop, Program, ProgramId, Value, size

SHAPES = [(), (1,), (2,), (64,), (128,), (512,), (16, 16), (32, 8), (8, 64), (16, 32), (32, 32), (1, 32),
          (64, 1), (2, 256), (4, 8, 16), (2, 16, 32), (8, 1, 32), (2, 2, 4, 8)]
TYPES = INTEGERS + FLOATS + FLOATS8 + [BOOL] + [INT32] * 8
# The families of operations; None stands for a load, "control" for a loop or a branch.
INNER = (operations.ELEMENTS * 2 + operations.TILES + axes.AXES + functions.FUNCTIONS + memory.MEMORY +
         [None, None, products.dot, "control"])
FAMILIES = INNER + [None, None, products.dot, products.dot_loop, products.dot_loop, products.dot_scaled,
                    "control", "control", "control"]
# Where a program for a cluster of blocks can run.
CLUSTER_TARGETS = ("cuda:90", "cuda:100", "cuda:120")


class Generator:
    """Writes statements one after the other. Values in `scope` can be used: those of the statements
    so far, outside of bodies that have ended."""

    max_depth = 2

    def __init__(self, rng, target, grid, aligned):
        self.rng, self.target, self.grid, self.aligned = rng, target, grid, aligned
        self.data = np.random.default_rng(rng.randrange(1 << 30))
        self.scope, self.statements, self.count = [], [], 0
        self.loops = []  # around the next statement: (index, count), or None for a branch

    @property
    def depth(self):
        return len(self.loops)

    # Values

    def name(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    def add(self, statement):
        self.statements.append(statement)
        self.scope += statement.results
        return statement.results[0]

    def compute(self, type, shape, text, operands, function, bound=0):
        """A statement of one result."""
        result = Value(self.name(), type, tuple(shape), bound)
        return self.add(Compute((result,), tuple(each.name for each in operands), text, function))

    def pick(self, accepts=lambda value: True):
        found = [value for value in self.scope if accepts(value)]
        return self.rng.choice(found) if found else None

    def tile(self, accepts=lambda value: True):
        """A tile of numbers that can be computed with and that `accepts` takes; none now and then,
        so that a new one is loaded."""
        return self.any_tile(lambda v: v.type.computes and accepts(v))

    def any_tile(self, accepts=lambda value: True):
        """Likewise a tile of any type."""
        found = self.pick(lambda v: v.shape and accepts(v))
        return found if found and self.rng.random() < .95 else None

    def tile_of(self, type, shape):
        """A tile of this type and shape, with small numbers."""
        found = self.pick(lambda v: v.type == type and v.shape == shape and v.bound <= 8)
        return found if found and type.kind == "f" else self.load(type, shape)

    def tile_from(self, array, type, shape):
        """A tile that is loaded from this array, grid x shape."""
        return self.add(Load(results=(Value(self.name(), type, tuple(shape)),), parameter=self.name("x"),
                             array=type.array(array)))

    def like(self, value, bound=None):
        """A value of the same type and shape."""
        found = self.pick(lambda v: v.type == value.type and v.shape == value.shape and v != value and
                          (bound is None or v.bound <= bound))
        return found if found and self.rng.random() < .8 else self.load(value.type, value.shape)

    def numbers(self, type, shape):
        """A new array; of floats, of magnitude 8 at most."""
        small = {"f": 8, "b": 2}.get(type.kind, 100)
        return type.array(self.data.integers(0 if type.kind in "ub" else -small, small, shape))

    def means_of(self, type, shape, masked=True):
        """How a tile is loaded or stored: attributes of memory.Transfer."""
        count, draw = size(shape), self.rng.random()
        if masked and count > 1 and draw < .3:
            return {"limit": self.rng.randrange(1, count)}
        if draw < .5 and self.aligned and len(shape) == 2 and shape[1] * type.bits >= 128 and type.kind != "b":
            return {"means": "descriptor"}
        if draw > .85 and shape and type.kind != "b":
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            extents = tuple(self.rng.choice([extent, self.rng.randrange(1, extent + 1)]) for extent in shape)
            return {"means": "block", "extents": extents if masked else None, "order": tuple(order)}
        return {}

    def load(self, type, shape, masked=True):
        shape, index, counts = tuple(shape), None, ()
        if self.loops and self.loops[-1] and self.rng.random() < .6:
            loop, count = self.loops[-1]
            index, counts = loop.name, (count,)
        means = self.means_of(type, shape, masked)
        if "means" not in means and self.rng.random() < .15:
            means["hints"] = self.rng.choice(memory.CACHES)
        return self.add(Load(results=(Value(self.name(), type, shape, 8),), parameter=self.name("x"),
                             array=self.numbers(type, (self.grid, *counts, *shape)), index=index, **means))

    def tame(self, value):
        """The value's low bits, as a small number of the same type."""
        kind = "int64" if value.type.bits == 64 else "int32"
        return self.compute(value.type, value.shape, f"({{0}}.to(tl.{kind}) & 7).to(tl.{value.type.name})",
                            [value], lambda a: a.astype(kind) & 7, bound=7)

    def small(self, value, bound):
        """The value, or the same tamed: at most `bound`, if it is a float."""
        return value if value.type.kind != "f" or value.bound <= bound else self.tame(value)

    # Statements

    def step(self):
        families = FAMILIES if self.depth == 0 else INNER
        family = self.rng.choice(families)
        if family is None or not self.scope:
            self.load(self.rng.choice(TYPES), self.rng.choice(SHAPES))
        elif family == "control":
            if self.depth < self.max_depth:
                self.control()
        else:
            family(self)

    def body(self, starts, steps, loop=None):
        """The statements of a body, and for each of `starts` a value such as it to end with."""
        outer, self.statements = self.statements, []
        visible = len(self.scope)
        self.loops.append(loop)
        self.scope += [value for value in starts if value not in self.scope]
        self.scope += [loop[0]] if loop else []
        for _ in range(self.rng.randrange(1, steps)):
            self.step()
        ends = []
        for start in starts:
            end = self.like(start, start.bound if not start.type.computes else None)
            if start.type.kind == "f":
                end = self.small(end, start.bound)
            text = "{0} + 0" if start.type.computes else "{0}"
            ends.append(self.compute(start.type, start.shape, text, [end], lambda a: a, start.bound))
        made, self.statements = self.statements, outer
        del self.scope[visible:]
        self.loops.pop()
        return made, ends

    def loop_options(self):
        """Some of the hints that tl.range takes."""
        options = [f"num_stages={self.rng.randrange(1, 5)}", f"loop_unroll_factor={self.rng.randrange(1, 5)}",
                   "flatten=True", "disallow_acc_multi_buffer=True", "warp_specialize=True",
                   "disable_licm=True"]
        return self.rng.sample(options, self.rng.choice([0, 1, 1, 2]))

    def control(self):
        carried = []
        for _ in range(self.rng.choice([1, 1, 2])):
            first = self.pick(lambda v: v.name != "pid" and (v.type.computes or v.bound <= 8) and
                              v.name not in [c.first for c in carried])
            if not first:
                continue
            first = self.small(first, 8)
            carried.append(Carried(Value(self.name("c"), first.type, first.shape, max(first.bound, 8)),
                                   first.name, []))
        if not carried:
            return
        if self.rng.random() < .4:
            self.branch(carried)
        else:
            self.loop(carried)

    def branch(self, carried):
        starts = [each.result for each in carried]
        condition, holds = self.rng.choice(
            [("n == 1", lambda s: True), ("n != 1", lambda s: False), ("sizes[0] < sizes[1]", lambda s: True),
             ("{0} == 0", lambda s: s == 0), ("{0} + n > 1", lambda s: s + np.int32(1) > 1),
             ("({0} & 1) != 0 and {0} > -50", lambda s: s & 1 != 0 and s > -50)])
        tested = self.pick(lambda v: v.type == INT32 and v.shape == ())
        flag = self.pick(lambda v: v.type == BOOL and v.shape == ())
        if flag and self.rng.random() < .5:
            tested = flag
            condition, holds = self.rng.choice([("{0}", lambda s: s), ("not {0}", lambda s: not s)])
        # The bodies begin from what was there before, since the results have no value yet.
        for each in carried:
            text = "{0} + 0" if each.result.type.computes else "{0}"
            self.add(Compute((each.result,), (each.first,), text, lambda a: a))
        then, ends = self.body(starts, 4)
        otherwise, other_ends = self.body(starts, 4)
        for each, end, other in zip(carried, ends, other_ends):
            each.ends += [end.name, other.name]
        self.statements.append(Branch(condition, tested.name, holds, carried, then, otherwise))

    def loop(self, carried):
        index, count = Value(self.name("i"), INT32, ()), self.rng.randrange(1, 5)
        start = self.pick(lambda v: v.type == INT32 and v.shape == ()) if self.rng.random() < .3 else None
        body, ends = self.body([each.result for each in carried], 5, (index, count))
        for each, end in zip(carried, ends):
            each.ends.append(end.name)
        form = self.rng.choice(["range", "range", "tl.range", "tl.range", "static_range", "while", "while",
                                "countdown", "reversed"])
        if form in ("static_range", "reversed"):
            start = None
        tested = [each.result.name for each in carried if each.result.type == INT32 and each.result.shape]
        until = tested[0] if form == "while" and tested and self.rng.random() < .4 else None
        self.add(Loop(carried, index, count, body, form, ", ".join(self.loop_options()),
                      self.rng.choice([1, 1, 2]), start.name if start else None, until,
                      self.rng.choice(["n", "n", "sizes[0]"])))

    def stores(self):
        for value in self.scope[-5:]:
            if value.name != "pid":
                self.statements.append(Store(value=value, parameter=self.name("o"), grid=self.grid,
                                             **self.means_of(value.type, value.shape)))


def generate(seed, targets):
    """The program of this number, for one of the targets."""
    rng = random.Random(seed * 7919 + 1)
    target = rng.choice(targets)
    grid, aligned = rng.choice([1, 1, 2]), rng.random() < .6
    generator = Generator(rng, target, grid, aligned)
    generator.add(ProgramId())
    generator.load(INT32, rng.choice(SHAPES))
    for _ in range(rng.randrange(3, 20)):
        generator.step()
    generator.stores()
    program = Program(generator.statements, grid, target, rng.choice([1, 2, 4, 8]), aligned,
                      stages=rng.choice([3, 3, 1, 2, 4]))
    if target in CLUSTER_TARGETS and rng.random() < .1:
        program.ctas = 2
    return program
