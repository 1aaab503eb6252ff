"""The source text of a kernel, with the values that Python has for its names.

The compiler reads a text. What a kernel's names mean is known to Python alone: a global may have
been bound anew, a closure has values of its own, a helper comes from another module. So the text
that is compiled is made of the live objects:

  - each jitted function that the kernel reaches, as its file has it, at its own line where that
    line is of the kernel's file and free, else at the end (`pieces` says which lines these are),
  - at the end the classes of aggregates, made of the names of their fields and of their methods,
  - before them a definition of every global name that they use, with the value of this moment, all
    in the first line.

Where two functions mean different things by one name, it is renamed in one of them; `module.name`
becomes a name of its own. `watches` are the places that the values came from: when one of them
changes, the text is made again.
"""

import ast
import inspect
import linecache
import math
import types

from .. import language
from ..errors import CompileError
from .values import (foreign_dtype, is_aggregate, is_constexpr, is_constexpr_function, is_function,
                     is_layout, is_tuple_class, stand_ins)

_JIT = "_tilewright_jit"
_CONSTEXPR = "_tilewright_constexpr"
_CONSTEXPR_FUNCTION = "_tilewright_constexpr_function"
_LANGUAGE = "_tilewright_language"
_NAMED_TUPLE = "_tilewright_named_tuple"
_GLUON = "_tilewright_gluon"
_GLUON_JIT = "_tilewright_gluon_jit"
#: Cooperative matrices: a module of Tilewright's own.
_MATRIX = "tilewright.matrix"


class Program:
    """The text of a kernel and of all that it uses.

    functions: values of constexpr parameters that are no literals, such as jitted functions; in the
    text their names are global ones. further: functions that are to be in the text as well. name:
    what the text calls the kernel.
    """

    def __init__(self, kernel, functions=None, further=(), name=None):
        self.file = kernel.fn.__code__.co_filename
        self.kernel = name or kernel.__name__
        #: Whether signatures say all that it is made for.
        self.is_whole = not functions and not further
        self.watches = []
        self._watched = set()
        self.pieces = []
        #: By the definition: the name; by the name: the definition.
        self._names = {}
        self._definitions = {}
        self._functions = {}
        self._queue = []
        self._reserve(self.kernel, ("function", id(kernel)))
        self._functions[id(kernel)] = self.kernel
        self._queue.append((kernel, self.kernel, functions or {}))
        self._has_gluon = getattr(kernel, "is_gluon", False)
        for function in further:
            self._name_for(getattr(function, "fn", function).__name__, function)
        blocks, classes = [], []
        while self._queue:
            value, name, functions = self._queue.pop(0)
            if is_aggregate(value):
                classes.append(self._read_class(value, name))
            else:
                blocks.append(self._read(value, name, functions))
        self.text = self._assemble(blocks, classes)

    # Names

    def _reserve(self, name, definition):
        """The name that the definition has in the text: this one if it is free."""
        if definition in self._names:
            return self._names[definition]
        chosen, number = name, 2
        while chosen in self._definitions:
            chosen, number = f"{name}_{number}", number + 1
        self._definitions[chosen] = definition
        self._names[definition] = chosen
        return chosen

    def name_of(self, function):
        """What the text calls a function."""
        return self._functions[id(function)]

    def _watch(self, container, name, value):
        if isinstance(container, types.ModuleType):
            container = container.__dict__
        # Each launch looks at each of them: a name that is used many times is one.
        if (id(container), name) not in self._watched:
            self._watched.add((id(container), name))
            self.watches.append((container, name, value))

    def _name_for(self, preferred, value, is_annotated=False):
        """The name in the text of a value that a function names; None if it can have none."""
        if getattr(value, "__triton_builtin__", False):
            value = stand_ins.get((value.__module__, value.__name__), value)
        if is_function(value) or is_aggregate(value):
            origin = getattr(value, "fn", value).__module__ or ""
            if is_function(value) and origin.startswith(("triton.language", "triton.tools")):
                return self._reserve(preferred, _import_of(origin, value.fn.__name__))
            name = self._reserve(preferred, ("function", id(value)))
            if id(value) not in self._functions:
                self._functions[id(value)] = name
                self._queue.append((value, name, {}))
            return name
        if is_tuple_class(value):
            return self._reserve(preferred, self._definition_of_class(value))
        definition = _definition_of(value, is_annotated, self._literal_of)
        return self._reserve(preferred, definition) if definition else None

    def _definition_of_class(self, tuple_class):
        defaults = [self._literal_of(one) for one in tuple_class._field_defaults.values()]
        if None in defaults:
            defaults = []
        return ("tuple class", tuple_class.__name__, tuple_class._fields, tuple(defaults))

    def _literal_of(self, value):
        """The expression of a constant in the text; None for what is none."""
        if is_constexpr(value):
            return self._literal_of(value.value)
        if is_layout(value):
            self._has_gluon = True
            return value._written(_GLUON + ".")
        if not isinstance(value, (tuple, list)):
            return _literal_of(value)
        elements = [self._literal_of(one) for one in value]
        if None in elements:
            return None
        is_named = is_tuple_class(type(value))
        name = self._name_for(type(value).__name__, type(value)) if is_named else ""
        return name + "(" + "".join(one + ", " for one in elements) + ")"

    # Functions

    def _read(self, function, name, functions):
        """The lines of a function, edited; where they stand, and what is to stand before them."""
        fn = function.fn
        first = fn.__code__.co_firstlineno
        # A library may say that a function stands elsewhere than its text.
        begin = getattr(function, "_first_line", first)
        lines = getattr(function, "source_lines", None) or linecache.getlines(
            fn.__code__.co_filename, fn.__globals__)
        if len(lines) < begin:
            raise CompileError([_no_source(fn)])
        block = inspect.getblock(lines[begin - 1:])
        is_indented = block[0][:1].isspace()
        text = "".join(block)
        tree = ast.parse(("if True:\n" if is_indented else "\n") + text)
        node = tree.body[0].body[0] if is_indented else tree.body[0]
        edits = _Edits(block)
        headers = self._headers(function)
        self._edit(node, fn, functions, edits)
        if name != node.name:
            edits.replace_name(node, name)
        edited = edits.apply()
        decorators = node.lineno - 1 - 1  # Line 1 is the one before the block.
        if node.decorator_list:
            indentation = edited[0][:len(edited[0]) - len(edited[0].lstrip())]
            edited[:decorators] = ([indentation + header + "\n" for header in headers] +
                                   ["\n"] * (decorators - len(headers)))
            headers = []
        return fn.__code__.co_filename, first, is_indented, headers, edited

    def _headers(self, function):
        """The decorators that the function has in the text."""
        if isinstance(function, _Method):
            headers = [] if function.function is function.fn else self._headers(function.function)
            return ["@staticmethod"] * function.is_static + headers
        if is_constexpr_function(function):
            return [f"@{_CONSTEXPR_FUNCTION}"]
        if getattr(function, "is_builtin", False):
            self._has_gluon = True
            return [f"@{_GLUON}._core.builtin"]
        jit = _GLUON_JIT if getattr(function, "is_gluon", False) else _JIT
        return [f"@{jit}(noinline=True)" if getattr(function, "noinline", False) else f"@{jit}"]

    def _read_class(self, cls, name):
        """A class of aggregates: its name, the lines of its fields and constants, and its methods as
        _read gives functions."""
        members = {}
        for base in reversed(cls.__mro__[:-1]):
            members.update(vars(base))
        fields = [f"{field}: None\n" for base in reversed(cls.__mro__[:-1])
                  for field in vars(base).get("__annotations__", ())]
        methods = []
        for member, value in members.items():
            method = _Method.of(value)
            if method is not None:
                methods.append(self._read(method, member, {}))
            elif not member.startswith("__"):
                literal = self._literal_of(value)
                if literal is not None:
                    text = f"{_CONSTEXPR}({literal})" if is_constexpr(value) else literal
                    fields.append(f"{member} = {text}\n")
        return name, fields, methods

    def _edit(self, node, fn, functions, edits):
        arguments = node.args
        parameters = [one.arg for one in arguments.posonlyargs + arguments.args +
                      arguments.kwonlyargs + [arguments.vararg, arguments.kwarg] if one]
        bound = {one.id for one in ast.walk(node)
                 if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
        # A parameter that the caller of this program gave a function is that function. Errors name an
        # object of which the compiler knows nothing by its class.
        replaced = {parameter: self._name_for(parameter + "_", value, is_annotated=True)
                    or self._reserve(f"{type(value).__name__}_of_{parameter}", ("object", id(value)))
                    for parameter, value in functions.items()}
        local = (bound | set(parameters)) - set(replaced)
        self._edit_defaults(arguments, fn, edits)
        cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or ()))

        def visit(one):
            chain = _chain_of(one)
            if chain and chain[0] not in local:
                if chain[0] in replaced:
                    edits.replace_root(one, chain, replaced[chain[0]])
                else:
                    self._edit_global(one, chain, fn, cells, edits)
            elif not chain:
                for child in ast.iter_child_nodes(one):
                    visit(child)

        for statement in node.body:
            visit(statement)
        for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs:
            if one.annotation is not None and _chain_of(one.annotation):
                visit(one.annotation)
        if node.returns is not None and _chain_of(node.returns):
            visit(node.returns)

    def _edit_defaults(self, arguments, fn, edits):
        """Defaults have been computed when the function was made."""
        for nodes, values in ((arguments.defaults, fn.__defaults__ or ()),
                              ([one for one in arguments.kw_defaults if one is not None],
                               list((fn.__kwdefaults__ or {}).values()))):
            for node, value in zip(nodes, values):
                if isinstance(node, ast.Constant):
                    continue
                edits.replace(node, self._name_for("_default", value) or "None")

    def _edit_global(self, node, chain, fn, cells, edits):
        """A name of the module, or of a closure, with the attributes after it."""
        root = chain[0]
        if root in cells:
            try:
                value = cells[root].cell_contents
            except ValueError:  # Not bound yet.
                return
            self._watch(cells[root], root, value)
        elif root in fn.__globals__:
            value = fn.__globals__[root]
            self._watch(fn.__globals__, root, value)
        else:
            return
        annotations = fn.__globals__.get("__annotations__", {})
        is_annotated = root in annotations and _is_annotation(annotations[root])
        used = 1
        while (used < len(chain) and isinstance(value, (types.ModuleType, type))
               and not _is_known(value, chain[used]) and hasattr(value, chain[used])):
            owner, value = value, getattr(value, chain[used])
            self._watch(owner, chain[used], value)
            used += 1
        # What a module holds needs no annotation, as in Triton: `torch.version.hip is None`.
        name = self._name_for("_".join(chain[:used]), value, is_annotated or used > 1)
        if name is not None and (used > 1 or name != root):
            edits.replace_root(node, chain, name, used)

    # The text

    def _assemble(self, blocks, classes):
        own = blocks[0][0]
        place = {1: "; ".join(self._prologue()) + "\n"}
        rest = []
        for block in blocks:
            file, first, is_indented, headers, lines = block
            begin = first - 1 if is_indented else first
            if (file == own and not headers
                    and not any(line in place for line in range(begin, first + len(lines)))):
                if is_indented:
                    place[begin] = "if True:\n"
                place.update(zip(range(first, first + len(lines)), lines))
            else:
                rest.append(block)
        text = [place.get(line, "\n") for line in range(1, max(place) + 1)]
        for block in rest:
            if block[2]:
                text.append("if True:\n")
            self._append(text, block)
        for name, fields, methods in classes:
            text += [f"@{_LANGUAGE}._aggregate\n", f"class {name}:\n"]
            indentation = _indentation_of(methods[0][4][0]) if methods else "    "
            text += [indentation + field for field in fields] or [indentation + "pass\n"]
            for method in methods:
                self._append(text, method, indentation)
        text.extend(f"{_OPAQUE[definition[0]]} {name}():\n    pass\n"
                    for definition, name in self._names.items() if definition[0] in _OPAQUE)
        return "".join(text)

    def _append(self, text, block, indentation=None):
        """Adds the lines of a function. indentation: what its first line is to begin with; None for what
        it begins with."""
        file, first, _, headers, lines = block
        own = _indentation_of(lines[0])
        text.extend(own + header + "\n" for header in headers)
        if indentation not in (None, own):
            lines = [indentation + line[len(own):] if line.startswith(own) else line
                     for line in lines]
        self.pieces.append((len(text) + 1, len(lines), file, first))
        text.extend(lines)

    def _prologue(self):
        """The definitions of the names, one line of simple statements in front of all functions."""
        yield f"import triton.language as {_LANGUAGE}"
        yield f"from triton import jit as {_JIT}"
        yield f"from triton import constexpr_function as {_CONSTEXPR_FUNCTION}"
        yield f"from triton.language import constexpr as {_CONSTEXPR}"
        yield f"from collections import namedtuple as {_NAMED_TUPLE}"
        if self._has_gluon:
            yield f"from triton.experimental.gluon import jit as {_GLUON_JIT}"
            yield f"import triton.experimental.gluon.language as {_GLUON}"
        for definition, name in self._names.items():
            if definition[0] == "import":
                yield f"import {definition[1]} as {name}"
            elif definition[0] == "from":
                yield f"from {definition[1]} import {definition[2]} as {name}"
            elif definition[0] == "constant":
                yield f"{name} = {_CONSTEXPR}({definition[1]})"
            elif definition[0] == "tuple class":
                yield (f"{name} = {_NAMED_TUPLE}({definition[1]!r}, {definition[2]!r}, "
                       f"defaults=({''.join(one + ', ' for one in definition[3])}))")
            elif definition[0] == "value":
                yield f"{name} = {definition[1]}"


#: Kernels may name what these define, and not use it: functions and objects of the host.
_OPAQUE = {"plain": "def", "object": "class"}


def _no_source(fn):
    file = fn.__code__.co_filename
    message = f"the source text of '{fn.__qualname__}' cannot be read from {file}"
    remedy = "define the kernel in a file or in a notebook's cell"
    return {"severity": "error", "file": file, "line": fn.__code__.co_firstlineno, "column": 0,
            "message": message, "remedy": remedy, "source_line": "",
            "text": f"{file}:{fn.__code__.co_firstlineno}: error: {message}\n  {remedy}\n"}


class _Method:
    """A function of a class, as a jitted function is read: `fn` is the Python function."""

    def __init__(self, function, is_static):
        self.function = function
        self.fn = getattr(function, "fn", function)
        self.is_static = is_static
        for name in ("source_lines", "_first_line"):
            if hasattr(function, name):
                setattr(self, name, getattr(function, name))

    @classmethod
    def of(cls, value):
        """None for an attribute that is no function."""
        is_static = isinstance(value, staticmethod)
        function = value.__func__ if is_static else value
        if is_function(function) or isinstance(function, types.FunctionType):
            return cls(function, is_static)
        return None


def _indentation_of(line):
    return line[:len(line) - len(line.lstrip())]


def _chain_of(node):
    """`a.b.c` as a list of names; None for other expressions."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    return [node.id] + names[::-1]


def _is_annotation(annotation):
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return text.split(".")[-1] == "constexpr"


def _is_known_module(value):
    """Modules that the compiler knows by their names."""
    if not isinstance(value, types.ModuleType):
        return False
    name = value.__name__
    return value is math or name.split(".")[0] == "triton" or name in (
        "tilewright", _MATRIX) or (name + ".").startswith(("tilewright.language.",
                                                           "tilewright.gluon."))


def _is_known(value, attribute):
    """Whether the compiler itself finds the attribute of a module or class."""
    if isinstance(value, types.ModuleType):
        return _is_known_module(value)
    return _is_layout_class(value) or (is_aggregate(value) and
                                       _Method.of(inspect.getattr_static(value, attribute, None))
                                       is not None)


def _is_layout_class(value):
    return isinstance(value, type) and hasattr(value, "_written")


def _import_of(module, name):
    """Triton gathers triton.language from several modules."""
    if module in ("triton.language.standard", "triton.language.core", "triton.language.math",
                  "triton.language.random", "triton.language.semantic"):
        module = "triton.language"
    return ("from", module, name)


def _definition_of(value, is_annotated, literal_of):
    if isinstance(value, types.ModuleType):
        if not _is_known_module(value):
            return None
        return ("import", value.__name__)
    if isinstance(value, language.Builtin):
        return ("from", value.module, value.name)
    if _is_layout_class(value):
        return ("from", f"triton.experimental.gluon.language.{value._origin}".rstrip("."),
                value.__name__)
    if isinstance(value, language.dtype):
        return ("from", "triton.language", value.language_name)
    if foreign_dtype(value) is not None:
        return ("from", "triton.language", foreign_dtype(value))
    if value is language.constexpr or getattr(value, "__module__", "") == "triton.language.core" \
            and getattr(value, "__name__", "") == "constexpr":
        return ("from", "triton.language", "constexpr")
    if is_constexpr(value):
        return ("constant", literal_of(value.value))
    module = getattr(value, "__module__", None) or ""
    if module.startswith("triton.language") and hasattr(value, "__name__"):
        return _import_of(module, value.__name__)
    if isinstance(value, types.FunctionType):
        return ("plain", id(value))
    literal = literal_of(value)
    if literal is None:
        return None
    return ("constant" if is_annotated else "value", literal)


def _literal_of(value):
    """The expression of a constant that is no tuple; None for what is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if value is None or isinstance(value, (bool, int, float, str)):
        # Of a class that derives from one of these, such as an enumeration, the value itself.
        for base in (bool, int, float, str):
            if isinstance(value, base) and type(value) is not base:
                value = base(value)
                break
        return repr(value)
    if isinstance(value, language.dtype):
        return f"{_LANGUAGE}.{value.language_name}"
    if isinstance(value, language._PointerType):
        return f"{_LANGUAGE}.pointer_type({_literal_of(value.element_ty)})"
    kind = foreign_dtype(value)
    return f"{_LANGUAGE}.{kind}" if kind is not None else None


class _Edits:
    """Replacements in the lines of a function; columns are those of `ast`, in UTF-8."""

    def __init__(self, block):
        self.lines = [line.encode() for line in block]
        self.list = []

    def replace(self, node, text):
        # The tree has a line more in front.
        self.list.append((node.lineno - 2, node.col_offset, node.end_lineno - 2,
                          node.end_col_offset, text))

    def replace_root(self, node, chain, name, used=1):
        """Replaces the first names of a chain of attributes."""
        for _ in range(len(chain) - used):
            node = node.value
        self.replace(node, name)

    def replace_name(self, node, name):
        line = node.lineno - 2
        while True:
            at = self.lines[line].find(node.name.encode(), 0)
            if at >= 0:
                break
            line += 1
        self.list.append((line, at, line, at + len(node.name.encode()), name))

    def apply(self):
        for line, column, end_line, end_column, text in sorted(self.list, reverse=True):
            rest = self.lines[end_line][end_column:]
            self.lines[line] = self.lines[line][:column] + text.encode() + rest
            # Lines that are gone leave empty ones, so that those after keep their numbers.
            for gone in range(line + 1, end_line + 1):
                self.lines[gone] = b""
        return [line.decode().rstrip("\n") + "\n" for line in self.lines]
