"""Which arguments a kernel changes, for PyTorch, which finds it out by a walk through Triton's IR.

The answer is read from the text of the IR here. PyTorch then gets an IR (`Module`) of a function
with as many parameters, and a store to each that the kernel changes. Where the text has something
that is not followed, such as a branch to a block, all of them count as changed.
"""

import re

_NAME = re.compile(r"%[\w$.-]+(?:#\d+)?")
_FUNCTION = re.compile(r"tt\.func (?:public |private )?@([\w$.\"-]+)\((.*)")
_PARAMETER = re.compile(r"(%[\w$.-]+): (!tt\.ptr|!tt\.tensordesc<(?:tensor<)?([\dx]+))?")
_RESULTS = re.compile(r"^(%[\w$.-]+)(?::(\d+))? = ")
_CARRIED = re.compile(r"(%[\w$.-]+) = (%[\w$.-]+(?:#\d+)?)")

#: Ops whose results lead to no argument's memory, unless they are made pointers again.
_READS = ("tt.load", "tt.descriptor_load", "tt.descriptor_gather", "tt.atomic_rmw",
          "tt.atomic_cas")
#: Ops that change what their first operand points to; the last one changes what any of them does.
_WRITES = ("tt.store", "tt.atomic_rmw", "tt.atomic_cas", "tt.descriptor_store",
           "tt.descriptor_reduce", "tt.descriptor_scatter")
_WRITES_ANYWHERE = ("tt.elementwise_inline_asm",)
#: A label alone is no branch: regions begin with one where they have arguments.
_NOT_FOLLOWED = re.compile(r"(?:^|[ ])(?:tt\.int_to_ptr|cf\.|scf\.execute_region)")


class _Function:
    def __init__(self, header):
        #: By name, how many parameters PyTorch counts for it: the sizes and strides of a descriptor
        #: are parameters to Triton.
        self.parameters = {name: 1 + 2 * (sizes.count("x") + 1) if sizes else 1
                           for name, _, sizes in _PARAMETER.findall(header)}
        self.lines = []
        #: What each value may point into: names of parameters.
        self.sources = {name: {name} for name in self.parameters}
        self.changed = set()

    def add(self, name, sources):
        known = self.sources.setdefault(name, set())
        size = len(known)
        known |= sources
        return len(known) != size


class _Region:
    """The regions of an op, while its lines are read."""

    def __init__(self, yielded, results):
        #: Lists of names that take the values of `yield`, by position.
        self.yielded = yielded
        #: What `scf.condition` passes on goes to the results and to the arguments of the body.
        self.results = results
        self.passed = []


def _functions(text):
    functions = {}
    current = None
    for line in text.splitlines():
        # Where it comes from is no part of an op.
        line = re.sub(r"\bloc\((?:[^()]|\([^()]*\))*\)", "", line).strip()
        header = _FUNCTION.search(line)
        if header:
            current = functions[header.group(1)] = _Function(header.group(2))
        elif current is not None and not line.startswith("#"):
            current.lines.append(line)
    return functions


def _follow(function, functions):
    """One pass over the lines; whether anything new was found."""
    grown = False
    regions = []
    for line in function.lines:
        if line.startswith("}"):
            if regions and not line.endswith("{"):
                regions.pop()
            continue
        if line.startswith("^"):
            # The body of a `scf.while`; the arguments of other regions lead to no memory.
            for name, value in zip(_NAME.findall(line), regions[-1].passed if regions else []):
                grown |= function.add(name, function.sources.get(value, set()))
            continue
        results = []
        match = _RESULTS.match(line)
        if match:
            results = ([f"{match.group(1)}#{i}" for i in range(int(match.group(2)))]
                       if match.group(2) else [match.group(1)])
            line = line[match.end():]
        op = line.split(" ", 1)[0].split("(", 1)[0].strip('"')
        operands = _NAME.findall(line)
        sources = [function.sources.get(name, set()) for name in operands]
        together = set().union(*sources)
        is_while = op == "scf.while"
        carried = _CARRIED.findall(line if is_while else line.partition("iter_args(")[2])
        if op in ("scf.yield", "tt.reduce.return", "tt.scan.return", "tt.map_elementwise.return"):
            for names in regions[-1].yielded if regions else []:
                for name, value in zip(names, sources):
                    grown |= function.add(name, value)
            continue
        if op == "scf.condition":
            regions[-1].passed = operands[1:]
            for name, value in zip(regions[-1].results, sources[1:]):
                grown |= function.add(name, value)
            continue
        if op in _WRITES or op in _WRITES_ANYWHERE:
            before = len(function.changed)
            function.changed |= together if op in _WRITES_ANYWHERE else sources[0]
            grown |= len(function.changed) != before
        if op == "tt.call":
            callee = functions[re.search(r"@([\w$.\"-]+)", line).group(1)]
            for parameter, value in zip(callee.parameters, sources):
                if parameter in callee.changed and not value <= function.changed:
                    function.changed |= value
                    grown = True
        if carried:
            for index, (name, value) in enumerate(carried):
                grown |= function.add(name, function.sources.get(value, set()))
                if index < len(results) and not is_while:
                    grown |= function.add(results[index], function.sources.get(value, set()))
        elif op not in _READS and not is_while:
            for name in results:
                grown |= function.add(name, together)
        if line.endswith("{"):
            names = [name for name, _ in carried]
            regions.append(_Region([names] if is_while else [results, names], results))
    return grown


def changed_parameters(text, kernel):
    """For each parameter that PyTorch counts of the function, whether the kernel changes what it
    points to."""
    functions = _functions(text)
    function = functions[kernel]
    if any(_NOT_FOLLOWED.search(line) for one in functions.values() for line in one.lines):
        function.changed = set(function.parameters)
    else:
        while any([_follow(one, functions) for one in functions.values()]):
            pass
    found = []
    for name, count in function.parameters.items():
        found += [name in function.changed] + [False] * (count - 1)
    return found


class _Object:
    """An object of the IR: a value, a block or a region."""

    def __init__(self, parent=None, arguments=()):
        self.parent = parent
        self.arguments = arguments

    def id(self):
        return id(self)

    def get_parent(self):
        return self.parent

    def get_num_arguments(self):
        return len(self.arguments)

    def get_argument(self, index):
        return self.arguments[index]


class _Op:
    def __init__(self, name, operands=(), block=None, regions=(), symbol=None):
        self.name = name
        self.operands = operands
        self.block = block
        self.regions = regions
        self.symbol = symbol

    def get_name(self):
        return self.name

    def get_num_operands(self):
        return len(self.operands)

    def get_operand(self, index):
        return self.operands[index]

    def get_num_results(self):
        return 0

    def get_num_regions(self):
        return len(self.regions)

    def get_region(self, index):
        return self.regions[index]

    def get_block(self):
        return self.block

    def get_str_attr(self, name):
        return self.symbol if name == "sym_name" else None


class Module:
    """A function of this name that stores to its parameters where `changed` says so."""

    def __init__(self, name, changed):
        region = _Object()
        block = _Object(region, [_Object() for _ in changed])
        self.ops = [_Op("tt.store", (value, value), block)
                    for value, is_changed in zip(block.arguments, changed) if is_changed]
        self.ops += [_Op("tt.return", (), block), _Op("tt.func", regions=(region,), symbol=name),
                     _Op("builtin.module")]

    def verify(self):
        return True

    def walk(self, visit):
        for op in self.ops:
            visit(op)
