"""What a kernel does with its parameters, read from its source: which it loads from or stores to,
directly or in the functions that it calls."""

import ast
import re

from triton.runtime.jit import JITFunction

#: Functions of triton.language whose first argument is a pointer.
_ACCESSES = ("load", "store", "atomic_add", "atomic_max", "atomic_min", "atomic_xchg", "atomic_cas",
             "atomic_and", "atomic_or", "atomic_xor", "make_block_ptr", "make_tensor_descriptor")
#: Functions whose result points where their first argument does.
_KEEPING = ("make_block_ptr", "advance", "multiple_of", "max_contiguous", "cast",
            "make_tensor_descriptor", "broadcast_to", "to_tensor", "pointer_type")
#: Methods of a tensor descriptor.
_DESCRIPTOR_METHODS = ("load", "store", "gather", "scatter", "atomic_add")
#: The attribute in which decorators keep what they were given.
_WRAPPED = ("jit_function", "fn", "kernel", "__wrapped__", "func", "jit_fn", "_fn")
_DEPTH = 6


def unwrap(value):
    """The JITFunction under autotuners, heuristics and a package's own wrappers, or None; and the
    wrappers, outermost first."""
    seen, wrappers = set(), []
    while value is not None and id(value) not in seen:
        seen.add(id(value))
        if isinstance(value, JITFunction):
            return value, wrappers
        if isinstance(value, staticmethod):
            value = value.__func__
            continue
        wrappers.append(value)
        inner = getattr(value, "__dict__", None) or {}
        value = next((inner[name] for name in _WRAPPED
                      if name in inner and not isinstance(inner[name], (str, int))), None)
    return None, wrappers


def looks_like_pointer(name):
    return bool(re.search(r"(ptr|pointer|_p)s?$|^(ptr|p_)|Ptr|PTR", name)) or (
        len(name) <= 2 and name.isupper() and name not in ("N", "M", "H", "D", "B", "T", "S", "K"))


def _called_name(function):
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


class Uses:
    """The names of parameters by what a function, a JITFunction, does with them."""

    def __init__(self, function, depth=0):
        self.function = function
        self.tree = function.parse().body[0]
        self.names = [parameter.name for parameter in function.params]
        #: Loaded from or stored to; tensor descriptors; bounds of loops.
        self.pointers, self.descriptors, self.bounds = set(), set(), set()
        #: Whether it writes to memory; the jitted functions that it calls.
        self.stores, self.called = False, []
        #: What is assigned to a local name, expressions.
        self.assigned = {}
        self._depth = depth
        self._collect_assignments()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
                self.bounds.update(argument.id for argument in node.iter.args
                                   if isinstance(argument, ast.Name) and argument.id in self.names)
            elif isinstance(node, ast.Call):
                self._note_call(node)

    def sources(self, expression, seen=()):
        """The parameters that an expression's value, a pointer, may come from."""
        of = lambda part: self.sources(part, seen)
        if isinstance(expression, ast.Name):
            name = expression.id
            found = {name} & set(self.names)
            if name not in seen:
                for value in self.assigned.get(name, ()):
                    found |= self.sources(value, seen + (name,))
            return found
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, (ast.Add, ast.Sub)):
            left = of(expression.left)
            right = of(expression.right) if isinstance(expression.op, ast.Add) else set()
            # `offset + p`: a name with a pointer's look wins.
            if not left or (any(map(looks_like_pointer, right)) and
                            not any(map(looks_like_pointer, left))):
                return right or left
            return left
        if isinstance(expression, ast.Call):
            name = _called_name(expression.func)
            if name == "to" and isinstance(expression.func, ast.Attribute):
                return of(expression.func.value)
            if name == "where" and len(expression.args) == 3:
                return of(expression.args[1]) | of(expression.args[2])
            argument = _argument(expression, ("base", "input")) if name in _KEEPING else None
            return of(argument) if argument is not None else set()
        if isinstance(expression, ast.IfExp):
            return of(expression.body) | of(expression.orelse)
        if isinstance(expression, ast.Subscript) or (
                isinstance(expression, ast.Attribute) and expression.attr == "T"):
            return of(expression.value)
        return set()

    def _collect_assignments(self):
        def assign(target, value):
            if isinstance(target, ast.Name):
                self.assigned.setdefault(target.id, []).append(value)
            elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                for one, its in zip(target.elts, value.elts):
                    assign(one, its)

        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    assign(target, node.value)
            elif isinstance(node, ast.AnnAssign) and node.value:
                assign(node.target, node.value)

    def _note_call(self, call):
        name = _called_name(call.func)
        if isinstance(call.func, ast.Attribute) and name in _DESCRIPTOR_METHODS:
            owner = call.func.value
            if isinstance(owner, ast.Name) and owner.id in self.names:
                self.descriptors.add(owner.id)
                self.stores |= name != "load"
                return
        if name in _ACCESSES:
            self.stores |= name == "store" or name.startswith("atomic")
            argument = _argument(call, ("base", "pointer"))
            if argument is not None:
                self.pointers |= self.sources(argument)
            return
        callee = self._callee(call.func)
        if callee is None or self._depth > _DEPTH:
            return
        self.called.append(callee)
        inner = uses_of(callee, self._depth + 1)
        self.stores |= inner.stores
        given = list(zip(inner.names, call.args))
        given += [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg]
        for parameter, argument in given:
            if parameter in inner.pointers:
                self.pointers |= self.sources(argument)
            if parameter in inner.descriptors and isinstance(argument, ast.Name) and \
                    argument.id in self.names:
                self.descriptors.add(argument.id)

    def _callee(self, function):
        """The jitted function that an expression names, or None."""
        names = self.function.__globals__
        if isinstance(function, ast.Name):
            return unwrap(names.get(function.id))[0]
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            return unwrap(getattr(names.get(function.value.id), function.attr, None))[0]
        return None


def _argument(call, keywords):
    """The first argument, which may be given by one of these names."""
    if call.args:
        return call.args[0]
    return next((word.value for word in call.keywords if word.arg in keywords), None)


_known = {}


def uses_of(function, depth=0):
    key = id(function)  # Its own hash reads all functions that it calls.
    if key not in _known:
        _known[key] = Uses(function, depth)
    return _known[key]
