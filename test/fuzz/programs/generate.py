"""Random programs: `generate(seed, targets)`."""

import random

import numpy as np

from . import axes, operations
from .program import (BOOL, FLOATS, INT32, INTEGERS, Branch, Carried, Compute, Load, Loop, Program,
                      ProgramId, Store, Value)

SHAPES = [(1,), (2,), (64,), (128,), (512,), (16, 16), (32, 8), (8, 64), (16, 32), (32, 32), (1, 32),
          (64, 1), (2, 256), (4, 8, 16), (2, 16, 32), (8, 1, 32), (2, 2, 4, 8)]
# The families of operations; None stands for a load, "control" for a loop or a branch.
INNER = operations.ELEMENTS + operations.TILES + axes.AXES + [None, operations.dot, "control"]
FAMILIES = INNER + [None, None, operations.dot, operations.atomic, "control", "control"]
# Where a program for a cluster of blocks can run.
CLUSTER_TARGETS = ("cuda:90", "cuda:100", "cuda:120")


class Generator:
    """Writes statements behind each other. Values in `scope` can be used: those of the statements
    so far, outside of bodies that have ended."""

    max_depth = 2

    def __init__(self, rng, target, grid, aligned):
        self.rng, self.target, self.grid, self.aligned = rng, target, grid, aligned
        self.data = np.random.default_rng(rng.randrange(1 << 30))
        self.scope, self.statements, self.count, self.depth = [], [], 0, 0

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
        """A tile of numbers that `accepts` takes; a new one now and then."""
        found = self.pick(lambda v: v.shape and v.type != BOOL and accepts(v))
        return found if found and self.rng.random() < .95 else None

    def like(self, value, bound=None):
        """A value of the same type and shape."""
        found = self.pick(lambda v: v.type == value.type and v.shape == value.shape and v != value and
                          (bound is None or v.bound <= bound))
        return found if found and self.rng.random() < .8 else self.load(value.type, value.shape)

    def load(self, type, shape):
        shape = tuple(shape)
        small = 8 if type.kind == "f" else 100
        low = 0 if type.kind == "u" else -small
        array = type.array(self.data.integers(low, small, (self.grid, *shape)))
        size = int(np.prod(shape))
        limit = self.rng.randrange(1, size) if size > 1 and self.rng.random() < .3 else None
        described = (limit is None and self.aligned and len(shape) == 2 and self.rng.random() < .3 and
                     shape[1] * type.bits >= 128)
        return self.add(Load((Value(self.name(), type, shape, small),), self.name("x"), array, limit,
                             described=described))

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
            self.load(self.rng.choice(INTEGERS + FLOATS + [INT32] * 6), self.rng.choice(SHAPES))
        elif family == "control":
            if self.depth < self.max_depth:
                self.control()
        else:
            family(self)

    def body(self, starts, steps):
        """The statements of a body, and for each of `starts` a value such as it to end with."""
        outer, self.statements = self.statements, []
        visible, self.depth = len(self.scope), self.depth + 1
        self.scope += [value for value in starts if value not in self.scope]
        for _ in range(self.rng.randrange(1, steps)):
            self.step()
        ends = []
        for start in starts:
            end = self.like(start)
            if start.type.kind == "f":
                end = self.small(end, start.bound)
            ends.append(self.compute(start.type, start.shape, "{0} + 0", [end], lambda a: a, start.bound))
        made, self.statements = self.statements, outer
        del self.scope[visible:]
        self.depth -= 1
        return made, ends

    def control(self):
        carried = []
        for _ in range(self.rng.choice([1, 1, 2])):
            first = self.pick(lambda v: v.type != BOOL and v.name not in ("pid",) and
                              v.name not in [c.first for c in carried])
            if not first:
                continue
            first = self.small(first, 8)
            carried.append(Carried(Value(self.name("c"), first.type, first.shape, max(first.bound, 8)),
                                   first.name, []))
        if not carried:
            return
        starts = [each.result for each in carried]
        if self.rng.random() < .4:
            condition, holds = self.rng.choice(
                [("n == 1", lambda pid: True), ("n != 1", lambda pid: False),
                 ("pid == 0", lambda pid: pid == 0), ("pid + n > 1", lambda pid: pid > 0)])
            # The bodies begin from what was there before, since the results have no value yet.
            for each in carried:
                self.add(Compute((each.result,), (each.first,), "{0} + 0", lambda a: a))
            then, ends = self.body(starts, 4)
            otherwise, other_ends = self.body(starts, 4)
            results = []
            for each, end, other in zip(carried, ends, other_ends):
                each.ends += [end.name, other.name]
                results.append(each.result)
            self.statements.append(Branch(condition, holds, carried, then, otherwise,
                                          tuple(value.name for value in results)))
            return
        index = Value(self.name("i"), INT32, ())
        self.scope.append(index)
        body, ends = self.body(starts, 5)
        self.scope.remove(index)
        for each, end in zip(carried, ends):
            each.ends.append(end.name)
        self.add(Loop(carried, index, self.rng.randrange(1, 5), body, self.rng.random() < .25))

    def stores(self):
        kept = [v for v in self.scope if v.shape and v.type != BOOL]
        for value in kept[-4:]:
            size = int(np.prod(value.shape))
            limit = self.rng.randrange(1, size) if size > 1 and self.rng.random() < .2 else None
            described = (limit is None and self.aligned and len(value.shape) == 2 and
                         self.rng.random() < .2 and value.shape[1] * value.type.bits >= 128)
            self.statements.append(Store((value.name,), value, self.name("o"), self.grid, limit, described))


def generate(seed, targets):
    """The program of this number, for one of the targets."""
    rng = random.Random(seed * 7919 + 1)
    target = rng.choice(targets)
    grid, aligned = rng.choice([1, 1, 2]), rng.random() < .6
    generator = Generator(rng, target, grid, aligned)
    generator.add(ProgramId())
    generator.load(INT32, rng.choice(SHAPES))
    for _ in range(rng.randrange(3, 16)):
        generator.step()
    generator.stores()
    program = Program(generator.statements, grid, target, rng.choice([1, 2, 4, 8]), aligned,
                      helpers=operations.HELPERS)
    if target in CLUSTER_TARGETS and rng.random() < .1:
        program.ctas = 2
    return program
