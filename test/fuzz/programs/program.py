"""Tile programs as trees: their text in Triton's language and their meaning in NumPy.

A program is a list of statements. A statement defines values, from those that stand before it, and
knows two things: the lines of source that compute them, and the function of NumPy arrays that says
what they are. What a kernel must store is found by running the second.

Integers wrap around. Floats hold whole numbers whose sums and products stay so small that each type
has them exactly (`Value.bound`): the order in which a compiler adds does not matter.
"""

from dataclasses import dataclass

import numpy as np

from .helpers import helpers_of
from .element_types import INT32, Type


@dataclass(frozen=True)
class Value:
    name: str
    type: Type
    shape: tuple
    bound: int = 0  # of floats: the largest magnitude


def size(shape):
    return int(np.prod(shape))


def positions(shape):
    """The row-major numbers of a tile's elements, as source."""
    terms, stride = [], 1
    for axis in reversed(range(len(shape))):
        at = ", ".join(":" if other == axis else "None" for other in range(len(shape)))
        index = f"tl.arange(0, {shape[axis]})" + (f"[{at}]" if len(shape) > 1 else "")
        terms.insert(0, f"{index} * {stride}" if stride > 1 else index)
        stride *= shape[axis]
    return " + ".join(terms) if terms else "0"


def row_major(shape):
    return [size(shape[axis + 1:]) for axis in range(len(shape))]


def indented(lines):
    return ["    " + line for line in lines]


class Run:
    """What one program of the grid knows: its values, and the arrays of the launch."""

    def __init__(self, pid, arrays):
        self.pid, self.arrays, self.values = pid, arrays, {}


class Statement:
    """A class has `results`, the values that it defines, and `operands`, the names that it reads."""
    bodies = ()  # of control flow: [statements, ..]
    plain = {}   # attributes, with the value at which the statement is simplest

    def lines(self):
        raise NotImplementedError

    def run(self, state):
        raise NotImplementedError

    def arrays(self):
        """(parameter, Type, initial array, whether it is compared) of the statement's own arrays."""
        return []

    def define(self, state, arrays):
        for result, array in zip(self.results, arrays, strict=True):
            array = result.type.array(array)
            assert array.shape == result.shape, (self.lines(), array.shape, result.shape)
            state.values[result.name] = array


@dataclass
class Compute(Statement):
    """`text` names the operands {0}, {1}, ..; `function` gives an array, or one for each result."""
    results: tuple
    operands: tuple
    text: str
    function: object

    def lines(self):
        return [f"{', '.join(r.name for r in self.results)} = {self.text.format(*self.operands)}"]

    def run(self, state):
        made = self.function(*(state.values[name] for name in self.operands))
        self.define(state, made if len(self.results) > 1 else (made,))


@dataclass
class ProgramId(Statement):
    results = (Value("pid", INT32, ()),)
    operands = ()

    def lines(self):
        return ["pid = tl.program_id(0)"]

    def run(self, state):
        self.define(state, (state.pid,))


@dataclass
class Carried:
    """A value that control flow gives: its first value, and what each body ends with."""
    result: Value
    first: str
    ends: list


@dataclass
class Loop(Statement):
    """The body for `index` from 0, or 0 or 1 as the scalar `start` is even or odd, to `count`; n is
    1, as is `scale`. `form` is the head: "range", "tl.range" with `options`, "static_range", "while", which ends
    early where `until`, a carried tile, has become small, or backwards "reversed" and "countdown"."""
    carried: list
    index: Value
    count: int
    body: list
    form: str = "range"
    options: str = ""
    step: int = 1
    start: str = None
    until: str = None
    scale: str = "n"

    plain = {"until": None, "scale": "n", "options": "", "form": "range", "step": 1, "start": None, "count": 1}

    @property
    def results(self):
        return tuple(each.result for each in self.carried)

    @property
    def operands(self):
        return tuple(each.first for each in self.carried) + ((self.start,) if self.start else ())

    @property
    def bodies(self):
        return [self.body]

    def lines(self):
        i, count = self.index.name, f"{self.scale} * {self.count}"
        inner = [line for statement in self.body for line in statement.lines()]
        inner += [f"{each.result.name} = {each.ends[0]}" for each in self.carried]
        head = [f"{each.result.name} = {each.first}" for each in self.carried]
        start = f"{self.start} & 1" if self.start else "0"
        step = "" if self.step == 1 else f", {self.step}"
        if self.form == "while":
            until = f" & (tl.max({self.until} & 15) > 3)" if self.until else ""
            return head + [f"{i} = n * 0 + ({start})", f"while ({i} < {count}){until}:",
                           *indented(inner + [f"{i} = {i} + {self.step}"])]
        if self.form == "countdown":
            return head + [f"{i} = {count}", f"while {i} > ({start}):",
                           *indented([f"{i} = {i} - 1", *inner])]
        if self.form == "reversed":
            return head + [f"for {i} in range({count} - 1, -1, -1):", *indented(inner)]
        if self.form == "static_range":
            return head + [f"for static_{i} in tl.static_range(0, {self.count}{step}):",
                           *indented([f"{i} = n * static_{i}", *inner])]
        options = f", {self.options}" if self.form == "tl.range" and self.options else ""
        return head + [f"for {i} in {self.form}({start}, {count}{step}{options}):",
                       *indented(inner)]

    def indices(self, state):
        uses_start = self.start and self.form not in ("static_range", "reversed")
        start = int(state.values[self.start] & 1) if uses_start else 0
        if self.form in ("countdown", "reversed"):
            return range(self.count - 1, start - 1, -1)
        return range(start, self.count, self.step)

    def run(self, state):
        for each in self.carried:
            state.values[each.result.name] = state.values[each.first]
        for i in self.indices(state):
            if self.form == "while" and self.until and (state.values[self.until] & 15).max() <= 3:
                break
            state.values[self.index.name] = np.int32(i)
            for statement in self.body:
                statement.run(state)
            ends = [state.values[each.ends[0]] for each in self.carried]
            self.define(state, ends)


@dataclass
class Branch(Statement):
    """`condition` is source about {0}, the scalar `tested`; `function` says of it whether the
    condition holds."""
    condition: str
    tested: str
    function: object
    carried: list
    then: list
    otherwise: list

    @property
    def operands(self):
        return (self.tested, *(each.result.name for each in self.carried))

    @property
    def results(self):
        return tuple(each.result for each in self.carried)

    @property
    def bodies(self):
        return [self.then, self.otherwise]

    def lines(self):
        lines = []
        for which, head in enumerate((f"if {self.condition.format(self.tested)}:", "else:")):
            inner = [line for statement in self.bodies[which] for line in statement.lines()]
            inner += [f"{each.result.name} = {each.ends[which]}" for each in self.carried]
            lines += [head, *indented(inner)]
        return lines

    def run(self, state):
        which = 0 if self.function(state.values[self.tested]) else 1
        for statement in self.bodies[which]:
            statement.run(state)
        self.define(state, [state.values[each.ends[which]] for each in self.carried])


def walk(statements):
    """All statements, those of bodies too."""
    for statement in statements:
        yield statement
        for body in statement.bodies:
            yield from walk(body)


@dataclass
class Program:
    statements: list
    grid: int
    target: str
    warps: int
    aligned: bool = True
    ctas: int = 1
    stages: int = 3

    def arrays(self):
        """(parameter, Type, initial array, whether it is compared), each once."""
        found = {each[0]: each for statement in walk(self.statements) for each in statement.arrays()}
        return [found[name] for name in sorted(found)]

    def source(self):
        lines = [line for statement in self.statements for line in statement.lines()]
        parameters = ", ".join([name for name, *_ in self.arrays()] + ["n", "sizes"])
        text = f"@triton.jit\ndef kernel({parameters}):\n" + "\n".join(indented(lines)) + "\n"
        return f"import triton\nimport triton.language as tl\n{helpers_of(text)}\n\n{text}"

    def expected(self):
        """What every compared array holds in the end, and the last values of each program."""
        arrays = {name: first.copy() for name, _, first, compared in self.arrays() if compared}
        runs = []
        with np.errstate(all="ignore"):
            for pid in range(self.grid):
                state = Run(pid, arrays)
                for statement in self.statements:
                    statement.run(state)
                runs.append(state)
        return arrays, runs
