"""Programs of several modules that import and change each other."""

import random

from .execute import by_cpython
from .names import INT, MODULE, NAMES, Names
from .program import Program
from .statements import Statements, indented

HEAD = ("import collections, contextlib, copy, dataclasses, enum, functools, importlib, itertools\n"
        "import json, math, operator, os, pathlib, re, sys, types, typing, warnings\n"
        "import importlib.util\nimport triton\nimport triton.language as tl")
# Statements that are taken out of a program, one by one, until CPython runs it.
MAX_REPAIRS = 40


class Module:
    def __init__(self, path, chance):
        self.path, self.names = path, Names(chance)
        self.is_package = path.endswith("__init__.py")
        self.dotted = path[:-len("/__init__.py" if self.is_package else ".py")].replace("/", ".")
        # The package that it is in, or is.
        self.package = self.dotted if self.is_package else self.dotted.rpartition(".")[0]


class Generator:
    def __init__(self, seed):
        self.chance = random.Random(seed)

    def layout(self):
        """The modules in the order in which they are written, the kernel's last."""
        paths = self.chance.choice([
            ["u.py", "v.py", "m.py"], ["m.py"], ["p/__init__.py", "p/a.py", "p/b.py", "p/m.py"],
            ["p/a.py", "p/__init__.py", "p/m.py"], ["p/a.py", "p/s/__init__.py", "p/s/c.py",
                                                    "p/__init__.py", "u.py", "p/m.py"],
            ["p/__init__.py", "p/a.py", "m.py"], ["p/a.py", "p/b.py", "p/__init__.py", "m.py"],
            ["p/s/__init__.py", "p/s/c.py", "p/a.py", "p/__init__.py", "p/s/m.py"],
            ["u.py", "m.py"], ["u.py", "v.py", "w1.py", "m.py"], ["p/a.py", "u.py", "m.py"]])
        return [Module(path, self.chance) for path in paths]

    def program(self):
        if self.chance.random() < 0.3:
            return self.small_program()
        modules = self.layout()
        # Modules that import all names of each other.
        self.circular = len(modules) > 2 and self.chance.random() < 0.15
        program = Program(modules[-1].path)
        for module in modules:
            program.files[module.path] = [HEAD]
        for position, module in enumerate(modules):
            self.write(program, module, modules, position)
        last = modules[-1]
        for number in range(8):
            self.add_value(program, last, number + 1)
        return program

    def small_program(self):
        """One or two statements among plain names of each kind, all of which are looked at."""
        program = Program("m.py")
        other, main = Module("u.py", self.chance), Module("m.py", self.chance)
        for module in (other, main):
            program.files[module.path] = [HEAD]
        plain = ["x = 1", "y = 2", "z = 3", "n = 4", "w = 5", "s = 'ab'", "L = [1, 2]", "D = {'k': 1}",
                 "class A:\n    u, L, D = 1, [1], {'k': 1}\n    def m(self=0): return 2", "def f(a=1): return a + x"]
        program.files["u.py"] += plain
        chunks = program.files["m.py"]
        chunks.append("import u")
        chunks.append(self.chance.choice(["from u import *", "\n".join(plain), "from u import x, y, z, L, D, A, f"]))
        for module, prefixes in ((other, [""]), (main, ["", "u."])):
            for prefix in prefixes:
                for kind, some in (("int", "xyznw"), ("text", "s"), ("list", "L"), ("dict", "D"),
                                   ("class", "A"), ("function", "f")):
                    for each in some:
                        module.names.add(kind, prefix + each)
        main.names.add(MODULE, "u")
        where = [main] * 4 + [other]
        for _ in range(self.chance.choice([1, 1, 2])):
            module = self.chance.choice(where)
            program.files[module.path].append("\n".join(Statements(self.chance, module.names).rare()))
        looks = ["x", "y", "z", "n", "w", "len(s)", "len(L)", "L[-1]", "D.get('k', 9)", "len(D)", "A.u",
                 "len(A.L)", "A.D['k']",
                 "f()", "f(3)", "A().m()", "hasattr(A, 'v') + 0", "abs(-3)", "math.floor(2.5)", "len('abc')",
                 "os.environ.get('TW_SET') == '3'", "triton.cdiv(9, 2)", "sum([1, 2])", "__name__"]
        looks += [f"u.{each}" for each in ("x", "y", "A.u", "f()", "L[0]", "D['k']", "len(A.L)")]
        for number, value in enumerate(self.chance.sample(looks, 12)):
            chunks.append(f"V{number + 1} = tl.constexpr({value})")
            program.values[number + 1] = f"V{number + 1}"
        return program

    def write(self, program, module, modules, position):
        chunks = program.files[module.path]
        statements = Statements(self.chance, module.names)
        if self.chance.random() < 0.1:
            chunks.insert(0, "'''Doc.'''")
        is_last = position == len(modules) - 1
        circular = self.circular
        for _ in range(self.chance.randint(3, 9) if not is_last else self.chance.randint(5, 12)):
            earlier = modules[:position]
            later = [each for each in modules if each is not module]
            if earlier and self.chance.random() < 0.35:
                lines = self.importing(module, self.chance.choice(earlier), star=circular)
            elif later and self.chance.random() < (0.25 if circular else 0.05):
                lines = self.importing(module, self.chance.choice(later), star=circular)
            else:
                lines = statements.one()
            chunks.append("\n".join(lines))
        if not is_last and self.chance.random() < 0.06:
            chunks.append(Program.KEPT + self.chance.choice(
                ["raise ImportError('no')", "import tw_absent", "from math import tw_absent", "raise ValueError",
                 "x = math.tw_absent", "if x > 1: raise ImportError", "assert x == 3", "from . import tw_absent",
                 "import triton.language.tw_absent", "int('q')", "raise ModuleNotFoundError", "x = 1 // 0"]))
        if self.chance.random() < 0.15:
            listed = self.chance.sample([n for some in NAMES.values() for n in some], 4)
            chunks.append(self.chance.choice([f"__all__ = {listed}", f"__all__ = {listed[:1]} + {listed[1:]}",
                                              f"__all__ = {listed}\n__all__ += ['_hid']",
                                              "__all__ = [a for a in dir() if len(a) < 2]",
                                              f"__all__ = {tuple(listed)}"]))
        if self.chance.random() < 0.06:
            chunks.append("def __getattr__(name):\n    if name in 'xyz':\n        return 5\n"
                          "    raise AttributeError(name)")

    def importing(self, module, other, star=False):
        """An import of another module, in one of the forms that there are; often `*` if `star`."""
        here, names = other.dotted, module.names
        alias, x = self.chance.choice(["one", "two"]), self.chance.choice(NAMES[INT])
        parent, _, last = here.rpartition(".")
        forms = [(f"import {here} as {alias}", alias), (f"import {here}", here),
                 (f"from {here} import *", "*"), (f"from {here} import {x}", x),
                 (f"from {here} import {x} as y", "y"), (f"from {here} import L, D", "L D"),
                 (f"from {here} import f, A", "f A"),
                 (f"{alias} = importlib.import_module('{here}')", alias),
                 (f"{alias} = __import__('{here}', fromlist=['x'])", alias),
                 (f"{alias} = sys.modules['{here}']", alias),
                 (f"import {here}, math as {alias}", here)]
        if parent:
            forms += [(f"from {parent} import {last}", last), (f"from {parent} import {last} as {alias}", alias)]
        relative = self.relative(module, other)
        if relative:
            dots, rest = relative
            forms += [(f"from {dots}{rest} import {x}", x), (f"from {dots}{rest} import *", "*"),
                      (f"from {dots}{rest} import A, f", "A f"),
                      (f"{alias} = importlib.import_module('{dots}{rest}', __package__)", alias)]
            inner, _, name = rest.rpartition(".")
            if name:
                forms += [(f"from {dots}{inner} import {name}", name)] * 3
                forms += [(f"from {dots}{inner} import {name} as {alias}", alias)]
        text, bound = self.chance.choice(forms)
        if star and self.chance.random() < 0.6:
            text, bound = self.chance.choice([each for each in forms if "*" in each[1]])
        self.bind(names, other, bound)
        return self.wrapped(text, module)

    def bind(self, names, other, bound):
        if bound == "*":
            names.add_all(other.names, only=lambda e: not e.startswith("_"))
        elif bound.split()[0] in [n for some in NAMES.values() for n in some]:
            for each in bound.split():
                for kind, some in NAMES.items():
                    if each in some:
                        names.add(kind, each)
        else:
            names.add(MODULE, bound)
            names.add_all(other.names, bound + ".")

    @staticmethod
    def relative(module, other):
        """(dots, the rest) of a relative import; None where there is none."""
        if not module.package:
            return None
        parts, target = module.package.split("."), other.dotted.split(".")
        for level in range(1, len(parts) + 1):
            base = parts[:len(parts) - level + 1]
            if target[:len(base)] == base and len(target) > len(base):
                return "." * level, ".".join(target[len(base):])
        return None

    def wrapped(self, text, module):
        """The import, perhaps inside of another statement."""
        roll = self.chance.random()
        if roll < 0.75:
            return [text]
        statements = Statements(self.chance, module.names)
        if roll < 0.85:
            return ["try:", "    " + text, *statements.body(1),
                    f"except {self.chance.choice(['ImportError', 'Exception', 'AttributeError'])}:",
                    *statements.body(1)]
        if roll < 0.9:
            return [f"if {module.names.condition()}:", "    " + text]
        if "*" in text:
            return [text]
        if roll < 0.95:
            return ["def load():", "    " + text, f"    return {module.names.integer(1)}", "x = load()"]
        return ["class Holder:", "    " + text, "A = Holder"]

    def add_value(self, program, module, number):
        names, chunks = module.names, program.files[module.path]
        roll = self.chance.random()
        if roll < 0.1 and names.known[MODULE]:
            place = self.chance.choice(names.known[MODULE])
            name = self.chance.choice(["K", "x"])
            program.values[number] = f"{place}.{name}"
            return
        value = (names.integer() if roll < 0.8 else names.text() if roll < 0.88
                 else f"tuple({names.list_of()})" if roll < 0.95 else names.condition())
        # Somewhere after what it names, most of them at the end.
        place = len(chunks) if self.chance.random() < 0.8 else self.chance.randint(1, len(chunks))
        chunks.insert(place, f"V{number} = tl.constexpr({value})")
        program.values[number] = f"V{number}"


def repaired(program):
    """(the program without what CPython does not run, what it gives), or None."""
    # Most of what raises is found at once; what raises since it is gone, one by one.
    for _ in range(3):
        raising = by_cpython(program, tolerant=True).chunks
        if not raising:
            break
        for path, number in sorted(set(raising), reverse=True):
            if not program.files[path][number].startswith(Program.KEPT):
                program.remove(path, number)
    for _ in range(MAX_REPAIRS):
        outcome = by_cpython(program)
        if not outcome.raised:
            return program, outcome
        path, line, _ = outcome.raised
        chunk = program.chunk_at(path, line) if path in program.files else None
        if not chunk:
            return None
        program.remove(path, chunk)
    return None


def generate(seed):
    """The program of this number, with what CPython gives for it."""
    for attempt in range(10):
        done = repaired(Generator(f"{seed}/{attempt}").program())
        if done and done[1].values:
            return done
    return None
