"""Tile programs as trees: their text in Triton's language and their meaning in NumPy.

A program is a list of statements. A statement defines values, from those that stand before it, and
knows two things: the lines of source that compute them, and the function of NumPy arrays that says
what they are. What a kernel must store is found by running the second.

Integers wrap around. Floats hold whole numbers whose sums and products stay so small that each type
has them exactly (`Value.bound`): the order in which a compiler adds does not matter.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Type:
    name: str       # in triton.language
    pointer: str    # in a signature
    dtype: str      # in which NumPy computes; that of bfloat16 is wider
    kind: str       # i: signed, u: unsigned, f: float, b: truth
    bits: int
    exact: int = 0  # of floats: whole numbers up to this one are exact

    def array(self, values):
        return np.asarray(values).astype(self.dtype)


INTEGERS = [Type(f"{'u' * (kind == 'u')}int{bits}", f"{kind}{bits}", f"{kind}{bits // 8}", kind, bits)
            for bits in (8, 16, 32, 64) for kind in "iu"]
FLOATS = [Type("float16", "fp16", "f2", "f", 16, 1 << 11), Type("bfloat16", "bf16", "f4", "f", 16, 1 << 8),
          Type("float32", "fp32", "f4", "f", 32, 1 << 24), Type("float64", "fp64", "f8", "f", 64, 1 << 53)]
BOOL = Type("int1", "i1", "?", "b", 1)
TYPES = {each.name: each for each in INTEGERS + FLOATS + [BOOL]}
INT32, FLOAT32 = TYPES["int32"], TYPES["float32"]


@dataclass(frozen=True)
class Value:
    name: str
    type: Type
    shape: tuple
    bound: int = 0  # of floats: the largest magnitude


def positions(shape):
    """The row-major numbers of a tile's elements, as source."""
    terms, stride = [], 1
    for axis in reversed(range(len(shape))):
        at = ", ".join(":" if other == axis else "None" for other in range(len(shape)))
        index = f"tl.arange(0, {shape[axis]})" + (f"[{at}]" if len(shape) > 1 else "")
        terms.insert(0, f"{index} * {stride}" if stride > 1 else index)
        stride *= shape[axis]
    return " + ".join(terms) if terms else "0"


def indented(lines):
    return ["    " + line for line in lines]


class Run:
    """What one program of the grid knows: its values, and the arrays of the launch."""

    def __init__(self, pid, arrays):
        self.pid, self.arrays, self.values = pid, arrays, {}


class Statement:
    """A class has `results`, the values that it defines, and `operands`, the names that it reads."""
    bodies = ()  # of control flow: [statements, ..]

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
class Load(Statement):
    """Loads `array[pid]`; elements from `limit` on are masked and become `other`."""
    results: tuple
    parameter: str
    array: np.ndarray  # grid x shape
    limit: int = None
    other: int = 7
    described: bool = False

    operands = ()

    def lines(self):
        value = self.results[0]
        size, at = int(np.prod(value.shape)), positions(value.shape)
        base = f"{self.parameter} + pid * {size}"
        if self.described:
            strides = [int(np.prod(value.shape[axis + 1:])) for axis in range(len(value.shape))]
            shape = list(value.shape)
            return [f"{value.name} = tl.make_tensor_descriptor({base}, shape={shape}, strides={strides}, "
                    f"block_shape={shape}).load({[0] * len(shape)})"]
        mask = "" if self.limit is None else f", mask={at} < {self.limit}, other={self.other}"
        return [f"{value.name} = tl.load({base} + ({at}){mask})"]

    def run(self, state):
        array = self.array[state.pid]
        if self.limit is not None:
            array = np.where(np.arange(array.size).reshape(array.shape) < self.limit, array, self.other)
        self.define(state, (array,))

    def arrays(self):
        return [(self.parameter, self.results[0].type, self.array, False)]


@dataclass
class Store(Statement):
    """Stores a value, or its elements before `limit`, at `parameter[pid]`."""
    operands: tuple
    value: Value
    parameter: str
    grid: int
    limit: int = None
    described: bool = False

    results = ()
    untouched = 99

    def lines(self):
        shape = list(self.value.shape)
        base = f"{self.parameter} + pid * {int(np.prod(shape))}"
        if self.described:
            strides = [int(np.prod(shape[axis + 1:])) for axis in range(len(shape))]
            return [f"tl.make_tensor_descriptor({base}, shape={shape}, strides={strides}, "
                    f"block_shape={shape}).store({[0] * len(shape)}, {self.operands[0]})"]
        at = positions(shape)
        mask = "" if self.limit is None else f", mask={at} < {self.limit}"
        return [f"tl.store({base} + ({at}), {self.operands[0]}{mask})"]

    def run(self, state):
        out = state.arrays[self.parameter][state.pid].reshape(-1)
        out[:self.limit] = state.values[self.operands[0]].reshape(-1)[:self.limit]

    def arrays(self):
        blank = np.full((self.grid, *self.value.shape), self.untouched, self.value.type.dtype)
        return [(self.parameter, self.value.type, blank, True)]


@dataclass
class Atomic(Statement):
    """Element i of the value goes to place (i * step) % places, by an operation whose order does
    not matter."""
    operands: tuple
    value: Value
    operation: str
    parameter: str
    places: int
    step: int

    results = ()
    functions = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and,
                 "or": np.bitwise_or, "xor": np.bitwise_xor}

    def lines(self):
        at = f"({positions(self.value.shape)}) * {self.step} % {self.places}"
        return [f"tl.atomic_{self.operation}({self.parameter} + {at}, {self.operands[0]})"]

    def run(self, state):
        array = state.values[self.operands[0]].reshape(-1)
        at = np.arange(array.size) * self.step % self.places
        self.functions[self.operation].at(state.arrays[self.parameter], at, array)

    def arrays(self):
        return [(self.parameter, self.value.type, np.zeros(self.places, self.value.type.dtype), True)]


@dataclass
class Carried:
    """A value that control flow gives: its first value, and what each body ends with."""
    result: Value
    first: str
    ends: list


@dataclass
class Loop(Statement):
    """`for index in range(0, n * count)`, or the same as `while`; n is 1."""
    carried: list
    index: Value
    count: int
    body: list
    is_while: bool = False

    @property
    def results(self):
        return tuple(each.result for each in self.carried)

    @property
    def operands(self):
        return tuple(each.first for each in self.carried)

    @property
    def bodies(self):
        return [self.body]

    def lines(self):
        i = self.index.name
        inner = [line for statement in self.body for line in statement.lines()]
        inner += [f"{each.result.name} = {each.ends[0]}" for each in self.carried]
        head = [f"{each.result.name} = {each.first}" for each in self.carried]
        if self.is_while:
            return head + [f"{i} = n * 0", f"while {i} < n * {self.count}:",
                           *indented(inner + [f"{i} = {i} + 1"])]
        return head + [f"for {i} in range(0, n * {self.count}):", *indented(inner)]

    def run(self, state):
        for each in self.carried:
            state.values[each.result.name] = state.values[each.first]
        for i in range(self.count):
            state.values[self.index.name] = np.int32(i)
            for statement in self.body:
                statement.run(state)
            ends = [state.values[each.ends[0]] for each in self.carried]
            self.define(state, ends)


@dataclass
class Branch(Statement):
    """`condition` is source; `function` says of a program's number whether it holds."""
    condition: str
    function: object
    carried: list
    then: list
    otherwise: list
    operands: tuple = ()

    @property
    def results(self):
        return tuple(each.result for each in self.carried)

    @property
    def bodies(self):
        return [self.then, self.otherwise]

    def lines(self):
        lines = []
        for which, head in enumerate((f"if {self.condition}:", "else:")):
            inner = [line for statement in self.bodies[which] for line in statement.lines()]
            inner += [f"{each.result.name} = {each.ends[which]}" for each in self.carried]
            lines += [head, *indented(inner)]
        return lines

    def run(self, state):
        which = 0 if self.function(state.pid) else 1
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
    helpers: str = ""

    def arrays(self):
        """(parameter, Type, initial array, whether it is compared), each once."""
        found = {each[0]: each for statement in walk(self.statements) for each in statement.arrays()}
        return [found[name] for name in sorted(found)]

    def source(self):
        lines = [line for statement in self.statements for line in statement.lines()]
        parameters = ", ".join([name for name, *_ in self.arrays()] + ["n"])
        return (f"import triton\nimport triton.language as tl\n\n{self.helpers}\n"
                f"@triton.jit\ndef kernel({parameters}):\n" + "\n".join(indented(lines)) + "\n")

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
