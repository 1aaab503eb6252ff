"""Statements at the level of a module, each a list of lines, by kinds that are drawn."""

from .indirect import Indirect, indented
from .names import ATTRIBUTES, CLASS, DICT, FUNCTION, INT, KEYS, LIST, MODULE, OBJECT, TEXT

ERRORS = ["ValueError", "KeyError", "ImportError", "AttributeError", "Exception", "ZeroDivisionError",
          "TypeError", "(ValueError, KeyError)", "IndexError", "NameError", "AssertionError",
          "ModuleNotFoundError", "OSError", "LookupError", "RuntimeError"]


class Statements(Indirect):
    """Draws statements for a module, whose names it keeps up to date."""

    def __init__(self, chance, names):
        self.chance, self.names = chance, names

    def one(self, depth=2):
        simple = [self.assign, self.assign, self.assign, self.augment, self.container, self.container,
                  self.change_list, self.change_list, self.change_dict, self.change_dict, self.text,
                  self.call, self.call, self.attribute, self.attribute, self.hidden, self.hidden,
                  self.environment, self.delete, self.walrus, self.module_attribute,
                  self.module_attribute, self.unpack, self.thing, self.alias]
        compound = [self.branch, self.branch, self.loop, self.attempt, self.attempt, self.manager,
                    self.function, self.function, self.class_of, self.class_of, self.library,
                    self.decorated, self.match, self.special_class, self.special_class, self.closure,
                    self.operators, self.patch, self.scoping, self.indirect, self.indirect]
        return self.chance.choice(simple + compound if depth else simple)(depth)

    def rare(self):
        """A statement of one of the kinds that change names in ways of their own."""
        kinds = [self.patch, self.patch, self.scoping, self.operators, self.closure, self.special_class,
                 self.hidden, self.decorated, self.library, self.module_attribute, self.class_of,
                 self.change_list, self.change_dict, self.walrus, self.unpack, self.environment,
                 self.attempt, self.manager, self.function, self.loop, self.match, *[self.indirect] * 5]
        return self.chance.choice(kinds)(1)

    def body(self, depth):
        lines = []
        for _ in range(self.chance.choice([1, 1, 2])):
            lines += self.one(depth - 1)
        return indented(lines or ["pass"])

    # Names and values.

    def assign(self, depth):
        name = self.names.new(INT)
        value = self.names.integer()
        self.names.add(INT, name)
        return [self.chance.choice([f"{name} = {value}", f"{name} = {value}", f"{name}: int = {value}",
                                    f"{name} = y = {value}", f"{name} = ({value},)[0]"])]

    def augment(self, depth):
        name = self.names.any(INT)
        if not name:
            return self.assign(depth)
        return [f"{name} {self.chance.choice(['+=', '-=', '*=', '|=', '//='])} "
                f"({self.names.integer(1)} or 1)"]

    def unpack(self, depth):
        a, b = self.names.new(INT), self.names.new(INT)
        first, second = self.names.integer(1), self.names.integer(1)
        forms = [f"{a}, {b} = {first}, {second}", f"{a}, {b} = {b}, {a}", f"[{a}, {b}] = [{first}, 2]",
                 f"({a}, (w, {b})) = {first}, (1, 2)", f"{a}, *L = [{first}, 2, 3]",
                 f"{a}, {b} = {self.names.any(LIST) or '[1, 2]'}", f"for {a} in range(3): pass"]
        self.names.add(INT, a)
        return [self.chance.choice(forms)]

    def text(self, depth):
        name = self.names.new(TEXT)
        value = self.names.text()
        self.names.add(TEXT, name)
        return [f"{name} = {value}"]

    def container(self, depth):
        kind = self.chance.choice([LIST, DICT])
        value = self.names.list_of() if kind == LIST else self.names.dict_of()
        name = self.names.new(kind)
        self.names.add(kind, name)
        return [f"{name} = {value}"]

    def alias(self, depth):
        kind = self.chance.choice([LIST, DICT, CLASS, FUNCTION, OBJECT])
        known = self.names.any(kind)
        if not known:
            return self.container(depth)
        name = self.names.new(kind)
        self.names.add(kind, name)
        return [f"{name} = {known}"]

    def change_list(self, depth):
        name = self.names.any(LIST)
        if not name:
            return self.container(depth)
        value = self.names.integer(1)
        return [self.chance.choice([
            f"{name}.append({value})", f"{name}[0] = {value}", f"{name} += [{value}]",
            f"{name}.extend([{value}, 1])", f"{name}[1:] = [{value}]", f"{name}.insert(0, {value})",
            f"{name}.pop()", f"{name}.sort()", f"{name}.clear()", f"{name}.reverse()",
            f"[{name}][0].append({value})", f"del {name}[0]", f"({name} or []).append({value})",
            f"list.append({name}, {value})", f"x = {name}.pop()", f"{name} *= 2",
            f"[{name}.append(a) for a in (1, 2)]", f"getattr({name}, 'append')({value})",
            f"operator.setitem({name}, 0, {value})", f"for a in (1, 2): {name}.append(a)",
            f"{name}.__setitem__(0, {value})", f"add = {name}.append; add({value})"])]

    def change_dict(self, depth):
        name = self.names.any(DICT)
        if not name:
            return self.container(depth)
        value, key = self.names.integer(1), self.chance.choice(KEYS)
        return [self.chance.choice([
            f"{name}['{key}'] = {value}", f"{name}.update({key}={value})", f"del {name}['{key}']",
            f"{name}.setdefault('{key}', {value})", f"{name} |= {{'{key}': {value}}}",
            f"{name}['{key}'] += {value}", f"{name}.pop('{key}')", f"x = {name}.pop('{key}', 3)",
            f"{name}.clear()", f"{name}.update({{'{key}': {value}}})", f"dict.update({name}, k=1)",
            f"[{name}][0]['{key}'] = {value}", f"{name}['{key}'], z = {value}, 4"])]

    def walrus(self, depth):
        name = self.names.new(INT)
        value = self.names.integer(1)
        self.names.add(INT, name)
        return [self.chance.choice([f"({name} := {value})", f"z = ({name} := {value}) + 1",
                                    f"L = [{name} := a for a in (4, 5)]",
                                    f"if ({name} := {value}) > 2: z = {name}"])]

    def delete(self, depth):
        name = self.names.own(INT)
        if not name:
            return self.assign(depth)
        return [self.chance.choice([
            f"del {name}", f"{name} = 3; del {name}; {name} = 4",
            f"del globals()['{name}']; {name} = {self.names.integer(1)}"])]

    def call(self, depth):
        name = self.names.any(FUNCTION)
        if not name:
            return self.assign(depth)
        return [self.chance.choice([f"{name}()", f"{name}({self.names.integer(1)})",
                                    f"x = {name}({self.names.integer(1)})",
                                    f"L = [{name}(a) for a in (1, 2)]",
                                    f"list(map({name}, [1]))"])]

    def attribute(self, depth):
        name = self.names.any(self.chance.choice([CLASS, CLASS, OBJECT]))
        if not name:
            return self.class_of(depth)
        attribute, value = self.chance.choice(ATTRIBUTES), self.names.integer(1)
        return [self.chance.choice([f"{name}.{attribute} = {value}", f"{name}.{attribute} += {value}",
                                    f"setattr({name}, '{attribute}', {value})",
                                    f"{name}.m = lambda self=0: {value}",
                                    f"del {name}.{attribute}", f"x, {name}.{attribute} = 1, {value}",
                                    f"for {name}.{attribute} in (1, 2): pass",
                                    f"setattr({name}, '{attribute[:1]}' + '', {value})"])]

    def module_attribute(self, depth):
        module = self.names.any(MODULE)
        if not module:
            return self.assign(depth)
        name, value = self.names.new(INT), self.names.integer(1)
        return [self.chance.choice([
            f"{module}.{name} = {value}", f"setattr({module}, '{name}', {value})",
            f"{module}.{name} += 1", f"{module}.__dict__['{name}'] = {value}",
            f"vars({module})['{name}'] = {value}", f"del {module}.{name}",
            f"setattr({module}, '{name}' + '', {value})", f"{module}.{name}, z = {value}, 1",
            f"{module}.L.append({value})", f"{module}.D['k'] = {value}", f"{module}.A.u = {value}",
            f"sys.modules[{module}.__name__].{name} = {value}", f"for {module}.{name} in (1, 2): pass",
            f"{module}.__dict__.update({name}={value})",
            f"{name} = {module}.{name}", f"{module}.f = lambda a=1: {value}"])]

    def hidden(self, depth):
        """Names that are bound by their text."""
        name, value = self.names.new(INT), self.names.integer(1)
        self.names.add(INT, name)
        return [self.chance.choice([
            f"globals()['{name}'] = {value}", f"vars()['{name}'] = {value}",
            f"locals()['{name}'] = {value}", f"globals().update({name}={value})",
            f"setattr(sys.modules[__name__], '{name}', {value})", f"exec('{name} = 7')",
            f"sys.modules[__name__].{name} = {value}", f"globals().setdefault('{name}', {value})",
            f"this = sys.modules[__name__]; this.{name} = {value}",
            f"sys.modules[__name__].__dict__['{name}'] = {value}",
            f"globals()['{name[:1]}' + ''] = {value}", f"spare = globals(); spare['{name}'] = {value}",
            f"globals().__setitem__('{name}', {value})", f"globals().pop('{name}', 0); {name} = 2",
            f"for a in ('x', 'y'): globals()[a] = {value}", f"globals()['L'] = [{value}]",
            f"globals()['{name}'] += {value}", f"globals().get('L', []).append({value})",
            f"importlib.import_module(__name__).{name} = {value}",
            f"__import__('sys').modules[__name__].{name} = {value}"])]

    def environment(self, depth):
        variable = self.chance.choice(["TW_SET", "TW_UNSET", "TW_NEW", "TW_TEXT"])
        return [self.chance.choice([
            f"os.environ['{variable}'] = '5'", f"os.environ.setdefault('{variable}', '8')",
            f"os.environ.pop('{variable}', None)", f"os.environ.update({{'{variable}': '12'}})",
            f"os.environ.update({variable}='12')", f"env = os.environ; env['{variable}'] = '9'",
            f"x = int(os.environ.get('{variable}', '2') == '5')", f"os.putenv('{variable}', '4')",
            f"del os.environ['{variable}']", f"os.environ |= {{'{variable}': '3'}}",
            f"from os import environ; environ['{variable}'] = '6'",
            f"for a in ('{variable}',): os.environ[a] = '7'", f"os.unsetenv('{variable}')",
            f"os.environ['{variable[:3]}' + '{variable[3:]}'] = '1'"])]

    def thing(self, depth):
        name = self.names.any(CLASS)
        if not name:
            return self.class_of(depth)
        thing = self.names.new(OBJECT)
        self.names.add(OBJECT, thing)
        return [f"{thing} = {name}({self.chance.choice(['', '', self.names.integer(1)])})"]

    # Statements with bodies.

    def branch(self, depth):
        lines = [f"if {self.names.condition()}:", *self.body(depth)]
        if self.chance.random() < 0.3:
            lines += [f"elif {self.names.condition()}:", *self.body(depth)]
        if self.chance.random() < 0.5:
            lines += ["else:", *self.body(depth)]
        return lines

    def loop(self, depth):
        head = self.chance.choice(["for i in range(2):", "for i in (3, 4):", "for i in range(0):",
                                   f"for i in {self.names.any(LIST) or '[1]'}[:2]:",
                                   f"for i, key in enumerate(sorted({self.names.any(DICT) or {}})):",
                                   "while n > 0:"])
        body = self.body(depth)
        if self.chance.random() < 0.2:
            body += ["    break"]
        if head.startswith("while"):
            return ["n = 2", head, *body, "    n -= 1"]
        self.names.add(INT, "i")
        lines = [head, *body]
        return lines + (["else:", *self.body(depth)] if self.chance.random() < 0.2 else [])

    def failing(self):
        module = self.names.any(MODULE) or "math"
        return self.chance.choice([
            "raise ValueError('no')", "raise ImportError", "import tw_absent", "from math import tw_absent",
            "x = {}['k']", "x = 1 // 0", "x = [][1]", "x = tw_undefined", "assert False", "int('q')",
            f"x = {module}.tw_absent", f"from . import tw_absent", "None.x", "x = len(3)",
            "tl.tw_absent", "from triton.language import tw_absent", "raise KeyError('k') from None",
            f"{self.names.any(FUNCTION) or 'abs'}(1, 2, 3, 4)", "x = min([])", "x, y = (1, 2, 3)",
            "getattr(math, 'tw_absent')", "open('/tw/absent')", "x = 'a' + 1", "pass", "pass", "pass",
            "import importlib; importlib.import_module('tw_absent')", "import triton.tw_absent",
            "import triton.language.extra.tw as x", "next(iter(()))", "import collections.abc",
            f"assert {self.names.integer(1)} > 1", f"if {self.names.condition(0)}: raise ValueError",
            f"if {self.names.condition(0)}: raise ImportError('no')", "del tw_undefined",
            "os.environ['TW_UNSET']", "x = int(os.environ['TW_UNSET'])", "import fcntl"])

    def attempt(self, depth):
        lines = ["try:", *self.body(depth), "    " + self.failing()]
        if self.chance.random() < 0.5:
            lines += self.body(depth)
        handlers = self.chance.sample(ERRORS, self.chance.choice([1, 1, 2]))
        for type_name in handlers:
            bound = self.chance.choice(["", "", " as e", " as x"])
            lines += [f"except {type_name}{bound}:", *self.body(depth)]
        if self.chance.random() < 0.6 and not {"Exception"} & set(handlers):
            lines += [self.chance.choice(["except Exception:", "except:"]), *self.body(depth)]
        if self.chance.random() < 0.2:
            lines += ["else:", *self.body(depth)]
        if self.chance.random() < 0.2:
            lines += ["finally:", *self.body(depth)]
        return lines

    def manager(self, depth):
        head = self.chance.choice(["with contextlib.suppress(Exception):", "with contextlib.nullcontext(3) as x:",
                                   "with contextlib.suppress(ImportError, ValueError):",
                                   "with warnings.catch_warnings():", "with open(__file__) as o:"])
        lines = [head, *self.body(depth)]
        if "suppress" in head:
            lines += ["    " + self.failing(), *self.body(depth)]
        return lines

    def match(self, depth):
        return [f"match {self.names.integer(1)}:", "    case 1 | 2:", *indented(self.body(depth)),
                "    case n if n > 3:", *indented(self.body(depth)),
                "    case _:", *indented(self.body(depth))]

    def function(self, depth):
        name = self.names.new(FUNCTION)
        x, value = self.names.new(INT), self.names.integer(1)
        names = self.names
        some_list = names.own(LIST) or "[]"
        # A function may call others, but not itself without an end.
        names.known[FUNCTION] = [each for each in names.known[FUNCTION] if each != name]
        bodies = [
            [f"return {value}"], [f"return a + {x}"], [f"global {x}", f"{x} = a", f"return {x}"],
            [f"global {x}", f"{x} = {value}"], [f"global L", f"L = [a]", "return 1"],
            [f"{some_list}.append(a)", f"return len({some_list})"], [f"globals()['{x}'] = a", "return a"],
            [f"{x} = a", f"{x} += 1", f"return {x}"], ["b.append(a)", "return len(b)"],
            [f"if {names.condition()}:", "    return 1", f"return {value}"],
            ["total = 0", "for i in range(a & 3):", f"    total += {x} + i", "return total"],
            ["try:", "    return 1 // a", "except ZeroDivisionError:", f"    return {value}"],
            [f"raise ValueError({value})"], [f"sys.modules[__name__].{x} = a", "return a"],
            ["def inner(c):", "    nonlocal a", "    a += c", "    return a", "inner(2)", "return a"],
            [f"return (lambda c: c + {x})(a)"], [f"import math", f"return math.floor(a / 2) + {x}"],
            [f"os.environ['TW_NEW'] = '1'", "return 1"], [f"return sum(j for j in range(a & 3)) + {x}"],
            [f"{(names.own(DICT) or '{}')}['k'] = a", "return a"], [f"return f.__name__ and {x}"],
            [f"{(names.any(CLASS) or 'f')}.u = a", "return a"],
            [f"{(names.any(MODULE) or 'f')}.{x} = a", "return a"],
            [f"while a > 3:", "    a -= 2", f"return a"], [f"assert a", f"return {x}"],
            [f"with contextlib.suppress(ValueError):", f"    global {x}", f"    {x} = a", "return a"],
            [f"exec('global {x}; {x} = 6')", "return 2"], [f"return a if a > 2 else {x}"],
            [f"class K:", f"    u = a", f"return K.u + {x}"], [f"yield {x}"],
        ]
        body = self.chance.choice(bodies)
        default = self.chance.choice(["1", "2", value, x])
        head = self.chance.choice([f"def {name}(a={default}, b=[]):", f"def {name}(a={default}, *c, **d):",
                                   f"def {name}(a={default}):", f"def {name}(a={default}, b={some_list}):"])
        names.add(FUNCTION, name)
        lines = [head, *indented(body)]
        if self.chance.random() < 0.4:
            lines += [self.chance.choice([f"{name}()", f"{x} = {name}({value})", f"{name}(5)"])]
        if self.chance.random() < 0.15:
            lines = [f"{name} = lambda a={default}: {value}"]
        return lines

    def decorated(self, depth):
        name, other = self.names.new(FUNCTION), self.names.own(FUNCTION)
        x = self.names.new(INT)
        makers = [["def deco(inner):", "    return inner"], ["def deco(inner):", "    return lambda a=1: 7"],
                  ["def deco(inner):", f"    global {x}", f"    {x} = 11", "    return inner"],
                  ["def deco(inner):", "    inner.u = 3", "    return inner"],
                  ["def deco(inner):", "    @functools.wraps(inner)", "    def run(*a, **k):",
                   "        return inner(*a, **k) + 1", "    return run"],
                  ["deco = functools.lru_cache(None)"], ["deco = functools.lru_cache"],
                  ["def deco(inner):", f"    globals()['{x}'] = 5", "    return inner"],
                  ["def deco(inner):", "    return inner()"],
                  ["class deco:", "    def __init__(self, inner):", "        self.inner = inner",
                   "    def __call__(self, a=1):", "        return self.inner(a) + 2"]]
        value = self.names.integer(1)
        self.names.add(FUNCTION, name)
        return [*self.chance.choice(makers), "@deco", f"def {name}(a=1):", f"    return a + {value}"]

    def class_of(self, depth):
        name, names = self.names.new(CLASS), self.names
        base = names.any(CLASS)
        value, other, attribute = names.integer(1), names.integer(1), self.chance.choice(ATTRIBUTES)
        x = names.new(INT)
        members = [
            [f"u = {value}"], [f"v = {value}"], ["u = 2", "v = u + 1"], [f"{x} = 5", f"u = {x}"],
            ["L = [1]", "v = len(L)"], ["u = [u for u in (1, 2)][0]"], [f"x = 4", "u = [x for _ in (1,)][0]"],
            ["def m(self):", f"    return {value}"], ["def m(self):", "    return self.u"],
            ["@property", f"def {attribute}(self):", f"    return {value}"],
            ["@staticmethod", "def m(self=0):", f"    return {value}"],
            ["@classmethod", "def m(cls):", "    return cls.u"],
            ["def __init__(self, *a):", f"    self.{attribute} = {value}"],
            [f"if {names.condition()}:", f"    {attribute} = {value}"], ["for u in (1, 2): pass"],
            [f"global {x}", f"{x} = {value}"], [f"u = 1", "del u"], [f"(u := {value})"],
            ["def __getattr__(self, name):", "    return 4"], [f"locals()['u'] = {value}"],
            ["try:", "    u = tw_undefined", "except NameError:", f"    u = {value}"],
            ["u = 1", f"u += {value}"], [f"class I:", f"    u = {value}", "u = I.u"],
            [f"{(names.own(LIST) or 'L')}.append({value})"], [f"u = property(lambda self: {value})"],
            ["__slots__ = ('v',)"], ["u: int"], [f"u: int = {value}"], ["f = lambda a=1: 3", "u = f()"],
            [f"vars()['v'] = {value}"], ["def __init_subclass__(cls):", "    cls.u = 9"],
            ["def __set_name__(self, owner, name):", "    owner.u = 8"],
        ]
        body = self.chance.choice(members) + (self.chance.choice(members)
                                              if self.chance.random() < 0.6 else [])
        if base and self.chance.random() < 0.25:
            body += [f"v = {base}()"]
        bases = self.chance.choice(["", "", f"({base})" if base else "", "(object)"])
        if base and self.chance.random() < 0.1 and names.any(CLASS) != base:
            bases = f"({base}, {names.any(CLASS)})"
        lines = [f"class {name}{bases}:", *indented(body)]
        names.add(CLASS, name)
        return lines

    def special_class(self, depth):
        name, value, names = self.names.new(CLASS), self.names.integer(1), self.names
        forms = [
            [f"class {name}(typing.NamedTuple):", f"    u: int = {value}", "    v: int = 2"],
            ["@dataclasses.dataclass", f"class {name}:", f"    u: int = {value}", "    v: int = 2"],
            ["@dataclasses.dataclass(frozen=True)", f"class {name}:", f"    u: int = {value}"],
            [f"class {name}(enum.IntEnum):", f"    u = {value}", "    v = 77"],
            [f"{name} = collections.namedtuple('{name}', 'u v', defaults=(1, {value}))"],
            ["class Meta(type):", "    def __new__(m, n, b, d):", "        d['u'] = 9",
             "        return super().__new__(m, n, b, d)", f"class {name}(metaclass=Meta):", "    u = 1"],
            ["class Meta(type):", f"    v = {value}", f"class {name}(metaclass=Meta):", "    u = 1"],
            ["def change(c):", f"    c.u = {value}", "    return c", "@change", f"class {name}:", "    u = 1"],
            ["def same(c):", "    return c", "@same", f"class {name}:", f"    u = {value}"],
            ["def other(c):", f"    class K:", f"        u = {value}", "    return K", "@other",
             f"class {name}:", "    u = 1"],
            [f"{name} = type('{name}', (), {{'u': {value}}})"],
            [f"class Data:", "    def __get__(self, o, t=None):", f"        return {value}",
             f"class {name}:", "    u = Data()"],
            ["class Named:", "    def __set_name__(self, owner, name):", f"        owner.u = {value}",
             f"class {name}:", "    u = 1", "    d = Named()"],
            [f"{name} = types.SimpleNamespace(u={value}, v=1)"],
            [f"class {name}(enum.Enum):", f"    u = {value}", f"x = {name}.u.value"],
            ["class Meta(type):", "    def __getattr__(c, n):", f"        return {value}",
             f"class {name}(metaclass=Meta):", "    u = 1"],
            ["@functools.total_ordering", f"class {name}:", f"    u = {value}",
             "    def __lt__(self, o): return True"],
        ]
        names.add(CLASS, name)
        return self.chance.choice(forms)

    def closure(self, depth):
        """Functions that keep variables of others, and what changes those."""
        name, x, names = self.names.new(FUNCTION), self.names.new(INT), self.names
        value = names.integer(1)
        forms = [
            ["def make(c):", "    def inner(a=1):", "        nonlocal c", "        c += a", "        return c",
             "    return inner", f"{name} = make({value})"],
            ["def make(*c, **d):", "    return lambda a=1: len(c) + len(d) + a",
             f"{name} = make({value}, 2, k=3)"],
            ["def make():", "    total = [0]", "    def add(a=1):", "        total.append(a)",
             "        return len(total)", "    def count(a=0):", "        return len(total)",
             "    return add, count", f"g, {name} = make()", "g()", "g(2)"],
            ["made = [lambda a=1: i + a for i in range(3)]", f"{name} = made[0]"],
            ["made = []", "for i in range(3):", "    made.append(lambda a=1, i=i: i + a)", f"{name} = made[1]"],
            [f"def {name}(a=1, *b, c={value}, **d):", "    return a + len(b) + c + sum(d.values())",
             f"{x} = {name}(*[1, 2], **{{'c': 3, 'e': 4}})"],
            [f"{name} = functools.partial(lambda a, b=1: a * 2 + b, {value})", f"{name} = functools.partial({name}, b=5)"],
            [f"def {name}(a=1):", f"    {name}.u = a", f"    return {name}.u + {value}"],
            ["def count():", "    count.n = getattr(count, 'n', 0) + 1", "    return count.n",
             "count()", f"def {name}(a=count()):", "    return a + count()"],
            [f"def {name}(a={value}):", "    return sum(values(a))", "def values(n):",
             "    for i in range(n & 3):", "        yield i", "    yield 2"],
            ["@functools.lru_cache(maxsize=None)", f"def {name}(a=1):", f"    return a if a < 2 else {value}",
             f"{name}(3)"],
            [f"def {name}(a=1):", "    class K:", "        def get(self):", "            return a + 1",
             "    return K().get()"],
            [f"def {name}(a=1):", f"    return (b := a + {value}) + b"],
            [f"def {name}(a=1):", "    try:", "        return a", "    finally:", f"        globals()['{x}'] = 3"],
            [f"def {name}(a=1):", "    for i in range(5):", "        if i > a: break", "    else:", "        return 9",
             "    return i"],
        ]
        names.add(FUNCTION, name)
        return self.chance.choice(forms)

    def operators(self, depth):
        """Classes whose methods Python calls by signs, and context managers."""
        name, x, names = self.names.new(CLASS), self.names.new(INT), self.names
        value, module = names.integer(1), names.any(MODULE) or "math"
        names.add(INT, x)
        forms = [
            [f"class {name}:", "    def __add__(self, o):", f"        return {value}",
             "    __radd__ = __add__", f"{x} = {name}() + 1 + (2 + {name}())"],
            [f"class {name}:", "    def __len__(self):", "        return 3", f"{x} = len({name}()) if {name}() else 0"],
            [f"class {name}:", "    def __bool__(self):", "        return False", f"{x} = 1 if {name}() else 2"],
            [f"class {name}:", "    def __eq__(self, o):", "        return True", f"{x} = ({name}() == 5) + 0",
             f"z = {name}() in [1]"],
            [f"class {name}:", "    def __contains__(self, o):", "        return o == 2", f"{x} = (2 in {name}()) + 0"],
            [f"class {name}:", "    def __getitem__(self, i):", f"        return i + {value}", f"{x} = {name}()[2]"],
            [f"class {name}:", "    def __class_getitem__(cls, i):", f"        return i", f"{x} = {name}[4]"],
            [f"class {name}:", "    def __iter__(self):", "        return iter((1, 2))", f"{x} = sum({name}())"],
            [f"class {name}(dict):", "    def __missing__(self, k):", f"        return {value}",
             f"{x} = {name}()['k'] + {name}(k=2)['k']"],
            [f"class {name}(list):", "    u = 3", f"L = {name}([1, 2])", f"L.append({value})", f"{x} = L[-1]"],
            [f"class {name}(int):", "    u = 3", f"{x} = {name}(4) + {name}.u"],
            [f"class {name}:", "    def __enter__(self):", "        return 4", "    def __exit__(self, *a):",
             "        return True", f"with {name}() as {x}:", f"    {x} += 1", "    raise ValueError", f"    {x} = 0"],
            ["@contextlib.contextmanager", "def within():", f"    global {x}", f"    {x} = 1", "    yield 6",
             f"    {x} = 7", "with within() as z:", f"    {x} = {value}"],
            [f"class {name}:", "    def __setattr__(self, n, v):", "        object.__setattr__(self, n, 5)",
             f"o = {name}()", "o.u = 2", f"{x} = o.u"],
            [f"class {name}:", "    def __getattribute__(self, n):", "        return 6", "    u = 1",
             f"{x} = {name}().u"],
            [f"class {name}:", "    def __init__(self, u=2):", "        self.u = u",
             "    @property", "    def v(self):", "        return self.u * 2", "    @v.setter", "    def v(self, a):",
             "        self.u = a", f"o = {name}()", f"o.v = {value}", f"{x} = o.v"],
            [f"class {name}(enum.IntFlag):", "    u = enum.auto()", "    v = enum.auto()", f"{x} = int({name}.u | {name}.v)"],
            [f"class {name}:", "    u: typing.ClassVar[int] = 3", "    def __call__(self, a=1):", "        return a + 1",
             f"{x} = {name}()(2)"],
            [f"class Base:", "    u = 1", "    def m(self):", "        return self.u", f"class {name}(Base):", "    u = 2",
             "    def m(self):", "        return super().m() + 10", f"{x} = {name}().m()"],
            [f"class P:", "    u = 1", "class Q(P):", "    pass", "class R(P):", "    u = 3",
             f"class {name}(Q, R):", "    pass", f"{x} = {name}.u"],
            ["@dataclasses.dataclass", f"class {name}:", f"    u: int = {value}",
             "    v: list = dataclasses.field(default_factory=list)", "    def __post_init__(self):",
             "        self.v.append(self.u)", f"{x} = len({name}(3).v) + {name}().u"],
            ["@dataclasses.dataclass", f"class {name}:", "    u: int = 1",
             f"{x} = dataclasses.replace({name}(), u=4).u + ({name}(2) == {name}(2))"],
            [f"class {name}(typing.NamedTuple):", "    u: int", "    v: int = 2", f"o = {name}({value})",
             f"{x} = o._replace(v=5).v + o.u + len(o)"],
        ]
        names.add(CLASS, name)
        return self.chance.choice(forms)

    def patch(self, depth):
        """Changes of what is defined elsewhere, and of how it is found."""
        names, x = self.names, self.names.new(INT)
        value, function = names.integer(1), names.any(FUNCTION) or "load"
        cls, module = names.any(CLASS) or "Exception", names.any(MODULE) or "types"
        names.add(INT, x)
        return self.chance.choice([
            [f"{function}.__defaults__ = (7,)"], [f"{function}.__code__ = (lambda a=1: 5).__code__"],
            [f"{function}.__defaults__ = {function}.__defaults__ and (1,) + {function}.__defaults__[1:]"],
            [f"{cls}.m = lambda self=0: {value}"], [f"{cls}.__init__ = lambda self, *a: None"],
            [f"{cls}.u = property(lambda self: 8)"], [f"{cls}.__len__ = lambda self: 4"],
            ["math.floor = lambda a: 2"], ["triton.cdiv = lambda a, b: 9"], ["math.tau = 3"],
            ["functools.reduce = lambda *a: 4"], ["operator.add = lambda a, b: 3"],
            ["import builtins", "builtins.divmod = lambda a, b: (5, 5)"], ["import builtins", f"builtins.tw_b = {value}", f"{x} = tw_b"],
            ["abs = lambda a: 12", f"{x} = abs(-2)", "del abs"],
            [f"if {names.condition()}: sum = lambda a: 13", f"{x} = sum([1, 2])"],
            [f"for len in range(0): pass", f"{x} = len([1, 2])"],
            ["os.getenv = lambda *a: '3'"], ["os.path.exists = lambda a: False"],
            ["class Env(dict): pass", "os.environ = Env(TW_SET='9')"],
            [f"sys.modules['tw_made'] = types.SimpleNamespace(x={value})", "import tw_made", f"{x} = tw_made.x"],
            ["tw_made = types.ModuleType('tw_made')", f"exec('x = 5', tw_made.__dict__)", f"{x} = tw_made.x"],
            [f"sys.modules[{module}.__name__] = types.SimpleNamespace(x={value}, L=[1], A=int, __name__='q')"],
            [f"importlib.reload({module})"], [f"sys.modules.pop({module}.__name__)"],
            ["class Mine(types.ModuleType):", "    y = property(lambda self: 15)",
             "sys.modules[__name__].__class__ = Mine"],
            [f"__name__ = 'other'", f"{x} = len(__name__)"], ["__builtins__['hex'] = lambda a: 'abc'"],
            [f"sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'p'))"],
            [f"{cls}.__name__ = 'Longer'"], [f"{module}.__name__ = 'longer.name'"],
            [f"for each in [{module}]: each.{x} = {value}"], [f"[setattr(each, '{x}', {value}) for each in ({module}, {cls})]"],
            [f"def patch(what, **k):", "    for a, b in k.items(): setattr(what, a, b)", f"patch({module}, {x}={value})"],
            [f"def patch(what):", f"    what.{x} = {value}", f"    what.u = {value}", f"patch({cls})", f"patch({module})"],
            [f"with contextlib.ExitStack() as stack:", f"    stack.callback(setattr, {module}, '{x}', {value})"],
            [f"import atexit", f"atexit.register(setattr, {module}, '{x}', {value})"],
            [f"sys.modules[__name__] = types.SimpleNamespace(**globals())"],
            [f"{x} = vars({module}).setdefault('{x}', {value})"], [f"{module}.__getattr__ = lambda n: 17"],
            [f"{module}.__all__ = ['x']"], [f"__all__ = ['y', 'L']", f"{x} = len(__all__)"],
        ])

    def scoping(self, depth):
        """Which of several names Python means."""
        names, x = self.names, self.names.new(INT)
        value = names.integer(1)
        names.add(INT, x)
        return self.chance.choice([
            ["L = [x for x in (5, 6)]"], [f"{x} = [{x} for {x} in (5, 6)][0]"], [f"D = {{x: y for x, y in [('k', 2)]}}"],
            [f"{x} = sum([a for a in (1, 2) for b in range(a)])"], [f"{x} = [a for a in (1, 2, 3) if (b := a) > 1][0]", "z = b"],
            ["class K:", "    n = 3", f"    u = [n for _ in (1,)][0]", f"{x} = K.u"],
            ["class K:", "    n = 3", "    u = [a for a in range(n)][-1]", f"{x} = K.u"],
            [f"{x} = 1", "def out():", f"    {x} = 2", "    def inner():", f"        global {x}", f"        {x} = 3",
             "    inner()", f"    return {x}", f"z = out()"],
            [f"try:", f"    {x} = {value}", "finally:", f"    y = {x}"], ["try:", f"    {x} = 1", "    raise KeyError", "except KeyError as w:",
             f"    {x} = 2", "else:", f"    {x} = 3", "finally:", f"    {x} += 10"],
            ["for i in range(3):", "    if i == 1: continue", f"    {x} = i", "else:", f"    {x} += 5"],
            ["i = 0", "while True:", "    i += 1", "    if i > 3: break", f"{x} = i"],
            ["while False:", f"    {x} = 1", "else:", f"    {x} = 2"], [f"for {x} in range(4):", f"    if {x} == 2: break"],
            [f"with open(os.devnull) as o: {x} = {value}"], [f"{x}: int", f"{x} = {value}"],
            [f"{x} = {value}; {x} = {x} + 1; z = {x}"], [f"{x} = z = w = {value}"], [f"{x}, *_, y = range(4)"],
            [f"*L, {x} = (1, 2, 3)"], [f"({x}), y = {value}, 2"], [f"L = [1, 2]", f"L[0], {x} = 5, L[0]"],
            [f"L = [1, 2, 3]", f"i, L[i] = 1, 9", f"{x} = L[1]"], [f"L = M = [1]", f"M.append({value})", f"{x} = len(L)"],
            ["D = {'k': [1]}", "E = dict(D)", f"E['k'].append({value})", f"{x} = len(D['k'])"],
            ["D = {'k': 1}", "E = D", "E |= {'j': 2}", f"{x} = len(D)"], ["t = 'a'", "s = t", "t += 'b'", f"{x} = len(s)"],
            ["L = [1]", "M = L", "L = L + [2]", f"{x} = len(M)"], ["L = [1]", "M = L", "L += [2]", f"{x} = len(M)"],
            ["def grow(a, b=[]):", "    b.append(a)", "    return b", "L = grow(1)", "M = grow(2)", f"{x} = len(L)"],
            [f"{x} = (lambda: (lambda: {x})())()"], [f"if (n := {value}) > 1 and (w := n): {x} = w"],
            [f"{x} = [i for i in range(3)][-1] if {names.condition()} else -1"], ["del L, D"], [f"global {x}", f"{x} = {value}"],
            [f"if True:", f"    def f(a=1): return {value}", "else:", "    def f(a=1): return 0"],
            [f"assert (z := 4)", f"{x} = z"], [f"{x} = {value} if True else tw_undefined"], [f"{x} = True or tw_undefined"],
        ])

    def library(self, depth):
        x, value = self.names.new(INT), self.names.integer(1)
        known_list = self.names.any(LIST) or "[1, 2]"
        self.names.add(INT, x)
        return self.chance.choice([
            [f"{x} = functools.partial(lambda a, b: a - b, {value})(2)"],
            [f"{x} = len(list(itertools.chain({known_list}, [1])))"],
            [f"D = collections.defaultdict(int)", f"D['k'] += {value}", f"{x} = D['k'] + D['j']", "del D"],
            [f"D = collections.OrderedDict(k={value})", f"{x} = D['k']"],
            [f"{x} = collections.Counter({known_list})[1]"],
            [f"{x} = copy.copy({known_list})[0]"], [f"{x} = copy.deepcopy({known_list})[0]"],
            [f"{x} = operator.itemgetter(0)({known_list})"], [f"{x} = math.prod({known_list})"],
            [f"{x} = int(math.sqrt(abs({value})))"], [f"{x} = max({known_list}, default=3)"],
            [f"{x} = json.loads('[1, 2]')[1]"], [f"{x} = re.match('a+', 'aab').end()"],
            [f"it = iter({known_list})", f"{x} = next(it) + 1", f"z = next(it, 5)"],
            [f"gen = (a for a in {known_list})", f"{x} = sum(gen)", f"z = sum(gen)"],
            [f"{x} = len(os.path.join('a', 'b'))"], [f"{x} = pathlib.Path('a/b').name == 'b'"],
            [f"{x} = bool(importlib.util.find_spec('tw_absent'))"],
            [f"{x} = int(importlib.util.find_spec('math') is not None)"],
            [f"{x} = types.SimpleNamespace(a={value}).a"], [f"{x} = len(bytes(3))"],
            [f"{x} = sys.maxsize > 2**32"], [f"{x} = (sys.version_info.major, 1)[0]"],
            [f"{x} = len(sys.argv) * 0 + 1"], [f"{x} = int(callable({self.names.any(FUNCTION) or 'abs'}))"],
            [f"{x} = next(a for a in (1, 2, 3) if a > 1)"], [f"{x} = 10 ** 20 % 7"],
            [f"{x} = (1 << 65) >> 60"], [f"{x} = int.from_bytes(b'ab', 'big')"], [f"{x} = ~{value}"],
            [f"{x} = -7 // 2 + -7 % 3"], [f"{x} = int(-3.5) + round(2.5) + round(-1.5)"],
            [f"{x} = hash(1) + id(0) * 0"], [f"{x} = True + True"], [f"{x} = 0x1F + 0b11 + 0o17 + 1_000"],
            [f"{x} = len('\\x41\\u00e9\\101\\N{{BULLET}}')"], [f"{x} = len(b'\\x00ab')"],
            [f"{x} = [*range(3), *{known_list}][-1]"], [f"{x} = {{**{{'a': 1}}, 'a': 2}}['a']"],
            [f"{x} = (lambda *a, **k: len(a) + len(k))(1, 2, c=3)"], [f"{x} = 'abc'.find('c')"],
            [f"{x} = sum(x for x in range(3))"], [f"{x} = [[1, 2], [3]][0][1]"],
            [f"{x} = functools.reduce(max, {known_list}, 0)"], [f"{x} = sum(map(int, '123'))"],
            [f"{x} = list(itertools.accumulate([1, 2, 3]))[-1]"], [f"{x} = len(list(itertools.product((1, 2), (3, 4))))"],
            [f"{x} = sorted([3, 1, 2], key=lambda a: -a)[0]"], [f"{x} = list(filter(None, [0, 3]))[0]"],
            [f"{x} = dict(zip('ab', (1, 2)))['b']"], [f"{x} = list(reversed({known_list}))[0]"],
            [f"{x} = str(1.5) + repr('a') + str(None)", f"{x} = len({x})"], [f"{x} = '%s-%d' % ('a', 3)", f"{x} = len({x})"],
            [f"{x} = f'{{3:>5}}{{1.25:.1f}}{{255:#x}}'", f"{x} = len({x})"], [f"{x} = 'a,b'.partition(',')[2] == 'b'"],
            [f"{x} = max('b', 'a') == 'b'"], [f"{x} = (1, 2) + (3,) == (1, 2, 3)"], [f"{x} = [1, 2] < [1, 3]"],
            [f"{x} = 7 .__add__(1)"], [f"{x} = (5).bit_count() if sys.version_info > (3, 10) else 2"],
            [f"{x} = 1_0 if 'a' in 'abc' else 0"], [f"{x} = {{1, 2}} | {{3}} == {{1, 2, 3}}"], [f"{x} = len({{1, 1.0, True}})"],
            [f"{x} = {{True: 1, 1: 2}}[1]"], [f"{x} = 2 ** -1 == 0.5"], [f"{x} = -2 ** 2"], [f"{x} = not 1 == 2"],
            [f"{x} = 1 < 2 == True"], [f"{x} = round(0.5) + round(1.5) + round(2.675, 2)"], [f"{x} = int('-7') // 2"],
            [f"{x} = float('1e3') == 1000"], [f"{x} = 7 % -3"], [f"{x} = -7.5 // 2"], [f"{x} = 1e400 > 1"],
            [f"{x} = bool('') + bool('0') + bool([]) + bool([0])"], [f"{x} = 'ab' * 2 == 'abab'"], [f"{x} = 'é'.upper() == 'É'"],
            [f"{x} = ''.join(reversed('ab')) == 'ba'"], [f"{x} = (3).__class__ is int"], [f"{x} = type(True) is bool"],
            [f"{x} = isinstance(True, int) + isinstance(1, bool)"], [f"{x} = None is None"], [f"{x} = [] is []"],
            [f"{x} = len({{}}.fromkeys('aab'))"], [f"{x} = int('0x1f', 16) + int('11', 2)"],
            [f"{x} = len('a,b'.split(',')) + len('  a '.strip())"], [f"{x} = 3 if [] else 4"],
            [f"{x} = None or 4"], [f"{x} = 0.1 + 0.2 == 0.3"], [f"{x} = divmod(-7, 2)[0]"]])
