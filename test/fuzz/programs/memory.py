"""Statements that read and write memory, and the families of operations that write them."""

from dataclasses import dataclass

import numpy as np

from .element_types import INT32, INTEGERS, FLOATS
from .program import Statement, Value, indented, positions, row_major, size

CACHES = [', cache_modifier=".cg"', ', cache_modifier=".ca"', ', eviction_policy="evict_first"',
          ', eviction_policy="evict_last"', ", volatile=True"]


@dataclass
class Transfer(Statement):
    """A tile from or to memory, by `means`: "pointers" for the elements before `limit`, a
    "descriptor" for all, a "block" pointer for those within `extents`."""
    limit: int = None
    means: str = "pointers"
    extents: tuple = None
    order: tuple = None
    hints: str = ""

    plain = {"hints": "", "extents": None, "limit": None, "means": "pointers"}

    def inside(self, shape):
        """Which elements are read or written."""
        if self.means == "block" and self.extents:
            return (np.indices(shape).T < np.array(self.extents)).T.all(0)
        limit = self.limit if self.means == "pointers" and self.limit is not None else size(shape)
        return (np.arange(size(shape)) < limit).reshape(shape)

    def block(self, base, shape):
        """A block pointer that comes to the tile in two steps, and the axes to check."""
        extents, steps = list(self.extents or shape), list(range(1, len(shape) + 1))
        pointer = (f"tl.make_block_ptr({base}, shape={extents}, strides={row_major(shape)}, "
                   f"offsets={[-step for step in steps]}, block_shape={list(shape)}, "
                   f"order={list(self.order)})")
        checked = [axis for axis in range(len(shape)) if extents[axis] < shape[axis]]
        return f"tl.advance({pointer}, {steps})", checked

    def descriptor(self, base, shape):
        shape = list(shape)
        return (f"tl.make_tensor_descriptor({base}, shape={shape}, strides={row_major(shape)}, "
                f"block_shape={shape})")


@dataclass
class Load(Transfer):
    """Loads `array[pid]`, or `array[pid, index]` where `index` is a loop's; elements that are left
    out become `other`, or 0 by a block pointer."""
    results: tuple = ()
    parameter: str = ""
    array: np.ndarray = None  # grid x shape, or grid x count x shape
    index: str = None
    other: int = 7

    operands = ()

    def lines(self):
        value = self.results[0]
        shape, type = value.shape, value.type
        at = f"(pid * {self.array.shape[1]} + {self.index})" if self.index else "pid"
        base = f"{self.parameter} + {at} * {size(shape)}"
        cast = f".to(tl.{type.name}, bitcast=True)" if type.is_bits else ""
        if self.means == "descriptor":
            return [f"{value.name} = {self.descriptor(base, shape)}.load({[0] * len(shape)}){cast}"]
        if self.means == "block":
            pointer, checked = self.block(base, shape)
            checks = f', boundary_check={checked}, padding_option="zero"' if checked else ""
            return [f"{value.name} = tl.load({pointer}{checks}{self.hints}){cast}"]
        other = type.stored(type.array(self.other)).item() if type.is_bits else self.other
        mask = "" if self.limit is None else f", mask={positions(shape)} < {self.limit}, other={other}"
        return [f"{value.name} = tl.load({base} + ({positions(shape)}){mask}{self.hints}){cast}"]

    def run(self, state):
        array = self.array[state.pid]
        if self.index:
            array = array[state.values[self.index]]
        other = 0 if self.means == "block" else self.other
        self.define(state, (np.where(self.inside(array.shape), array, other),))

    def arrays(self):
        return [(self.parameter, self.results[0].type, self.array, False)]


@dataclass
class Store(Transfer):
    """Stores a value, or what is inside, at `parameter[pid]`."""
    value: Value = None
    parameter: str = ""
    grid: int = 1

    results = ()

    @property
    def operands(self):
        return (self.value.name,)

    @property
    def untouched(self):
        return 1 if self.value.type.kind == "b" else 8 if self.value.type.bits == 8 else 99

    def lines(self):
        shape, type = self.value.shape, self.value.type
        base = f"{self.parameter} + pid * {size(shape)}"
        text = self.value.name + (".to(tl.uint8, bitcast=True)" if type.is_bits else "")
        if self.means == "descriptor":
            return [f"{self.descriptor(base, shape)}.store({[0] * len(shape)}, {text})"]
        if self.means == "block":
            pointer, checked = self.block(base, shape)
            checks = f", boundary_check={checked}" if checked else ""
            return [f"tl.store({pointer}, {text}{checks})"]
        mask = "" if self.limit is None else f", mask={positions(shape)} < {self.limit}"
        return [f"tl.store({base} + ({positions(shape)}), {text}{mask})"]

    def run(self, state):
        out, array = state.arrays[self.parameter], state.values[self.value.name]
        out[state.pid] = np.where(self.inside(array.shape), array, out[state.pid])

    def arrays(self):
        blank = np.full((self.grid, *self.value.shape), self.untouched, self.value.type.dtype)
        return [(self.parameter, self.value.type, blank, True)]


@dataclass
class Lookup(Statement):
    """Elements of an array at indices that were computed."""
    results: tuple
    operands: tuple
    parameter: str
    array: np.ndarray  # of a power of two of elements

    def lines(self):
        return [f"{self.results[0].name} = tl.load({self.parameter} + ({self.operands[0]} & "
                f"{len(self.array) - 1}))"]

    def run(self, state):
        at = state.values[self.operands[0]] & np.int32(len(self.array) - 1)
        self.define(state, (self.array[at],))

    def arrays(self):
        return [(self.parameter, self.results[0].type, self.array, False)]


@dataclass
class BlockSum(Statement):
    """The sum of the blocks of a matrix, which a block pointer passes from left to right. The last
    one may reach beyond the matrix."""
    results: tuple
    parameter: str
    array: np.ndarray  # grid x rows x columns
    options: str = ""

    operands = ()
    plain = {"options": ""}

    @property
    def blocks(self):
        return -(-self.array.shape[2] // self.results[0].shape[1])

    def lines(self):
        (rows, width), columns = self.results[0].shape, self.array.shape[2]
        value, pointer = self.results[0].name, "p" + self.parameter
        head = f"tl.range(0, n * {self.blocks}{self.options})" if self.options else f"range(n * {self.blocks})"
        return [f"{pointer} = tl.make_block_ptr({self.parameter} + pid * {rows * columns}, "
                f"shape=[{rows}, {columns}], strides=[{columns}, 1], offsets=[0, 0], "
                f"block_shape=[{rows}, {width}], order=[1, 0])",
                f"{value} = tl.zeros([{rows}, {width}], tl.{self.results[0].type.name})",
                f"for i{value} in {head}:",
                *indented([f'{value} += tl.load({pointer}, boundary_check=[1], padding_option="zero")',
                           f"{pointer} = tl.advance({pointer}, [0, {width}])"])]

    def run(self, state):
        array, width = self.array[state.pid], self.results[0].shape[1]
        padded = np.pad(array, ((0, 0), (0, self.blocks * width - array.shape[1])))
        self.define(state, (padded.reshape(len(array), self.blocks, width).sum(1, dtype=array.dtype),))

    def arrays(self):
        return [(self.parameter, self.results[0].type, self.array, False)]


@dataclass
class Atomic(Statement):
    """Element i of the value, of those before `limit`, goes to place (i * step) % places, by an
    operation whose order does not matter."""
    operands: tuple
    value: Value
    operation: str
    parameter: str
    places: int
    step: int
    limit: int = None
    options: str = ""

    results = ()
    plain = {"options": "", "limit": None}
    functions = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and,
                 "or": np.bitwise_or, "xor": np.bitwise_xor}

    def lines(self):
        order = positions(self.value.shape)
        at = f"({order}) * {self.step} % {self.places}"
        mask = "" if self.limit is None else f", mask={order} < {self.limit}"
        return [f"tl.atomic_{self.operation}({self.parameter} + {at}, {self.operands[0]}{mask}{self.options})"]

    def run(self, state):
        array = state.values[self.operands[0]].reshape(-1)[:self.limit]
        at = np.arange(array.size) * self.step % self.places
        self.functions[self.operation].at(state.arrays[self.parameter], at, array)

    def arrays(self):
        return [(self.parameter, self.value.type, np.zeros(self.places, self.value.type.dtype), True)]


@dataclass
class Exchange(Statement):
    """An atomic operation on places of which each belongs to one element: it gives what they held.
    `cas` writes the value where 1 is found."""
    results: tuple
    operands: tuple
    operation: str
    parameter: str
    array: np.ndarray  # grid x shape
    options: str = ""

    plain = {"options": ""}
    functions = {**Atomic.functions, "xchg": lambda old, new: new,
                 "cas": lambda old, new: np.where(old == 1, new, old)}

    def lines(self):
        value, shape = self.operands[0], self.results[0].shape
        at = f"{self.parameter} + pid * {size(shape)} + ({positions(shape)})"
        expected = ""
        if self.operation == "cas":
            one = f"tl.full({list(shape)}, 1, tl.{self.results[0].type.name})"
            expected = f", {one if shape else f'{value} * 0 + 1'}"
        return [f"{self.results[0].name} = tl.atomic_{self.operation}({at}{expected}, {value}{self.options})"]

    def run(self, state):
        memory, new = state.arrays[self.parameter], state.values[self.operands[0]]
        old = memory[state.pid].copy()
        memory[state.pid] = self.functions[self.operation](old, new)
        self.define(state, (old,))

    def arrays(self):
        return [(self.parameter, self.results[0].type, self.array, True)]


# Families


def lookup(g):
    at = g.tile(lambda v: v.type == INT32)
    if at:
        type = g.rng.choice(INTEGERS + FLOATS)
        array = g.numbers(type, (g.rng.choice([8, 64, 256]),))
        g.add(Lookup((Value(g.name(), type, at.shape, 8),), (at.name,), g.name("x"), array))


def block_sum(g):
    type = g.rng.choice(INTEGERS + FLOATS)
    rows, width, blocks = g.rng.choice([1, 16, 32]), g.rng.choice([16, 32, 64]), g.rng.randrange(1, 5)
    columns = blocks * width - g.rng.choice([0, 0, 3, width // 2])
    options = "".join(f", {option}" for option in g.loop_options())
    g.add(BlockSum((Value(g.name(), type, (rows, width), 8 * blocks),), g.name("x"),
                   g.numbers(type, (g.grid, rows, columns)), options))


def synchronization(g):
    """Some of the order and the scope of an atomic operation."""
    return (g.rng.choice(["", *(f', sem="{sem}"' for sem in ("relaxed", "acquire", "release", "acq_rel"))]) +
            g.rng.choice(["", "", ', scope="gpu"', ', scope="cta"' if g.grid == 1 else ""]))


def operations_of(type):
    """Those that a type has: of floats and of 16 bits, additions only."""
    if type.kind == "f":
        return ["add"]
    return ["add", "and", "or", "xor", "max", "min"]


def atomic(g):
    a = g.pick(lambda v: v.type.name in ("int32", "int64", "uint32", "uint64") or
               (v.type.name in ("float32", "float16", "bfloat16") and
                v.bound * size(v.shape) * g.grid <= v.type.exact))
    if not a or g.depth:
        return
    count = size(a.shape)
    limit = g.rng.randrange(1, count) if count > 1 and g.rng.random() < .3 else None
    g.statements.append(Atomic((a.name,), a, g.rng.choice(operations_of(a.type)), g.name("o"),
                               g.rng.choice([1, 7, 64, 256]), g.rng.choice([1, 3, 5]), limit,
                               synchronization(g)))


def exchange(g):
    a = g.pick(lambda v: v.type.name in ("int32", "int64", "uint32", "uint64"))
    if not a or g.depth:
        return
    operation = g.rng.choice(operations_of(a.type) + ["xchg", "cas"])
    array = g.data.integers(0, 3, (g.grid, *a.shape)).astype(a.type.dtype)
    g.add(Exchange((Value(g.name(), a.type, a.shape),), (a.name,), operation, g.name("o"), array,
                   synchronization(g)))


MEMORY = [lookup, block_sum, atomic, exchange]
