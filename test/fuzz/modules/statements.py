"""Statements at the level of a module, each a list of lines, by kinds that are drawn."""

from .names import ATTRIBUTES, CLASS, DICT, FUNCTION, INT, KEYS, LIST, MODULE, OBJECT, TEXT

ERRORS = ["ValueError", "KeyError", "ImportError", "AttributeError", "Exception", "ZeroDivisionError",
          "TypeError", "(ValueError, KeyError)", "IndexError", "NameError", "AssertionError",
          "ModuleNotFoundError", "OSError", "LookupError", "RuntimeError"]


def indented(lines):
    return ["    " + line for line in lines]


class Statements:
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
                    self.decorated, self.match, self.special_class]
        return self.chance.choice(simple + compound if depth else simple)(depth)

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
            [f"{x} = len({{}}.fromkeys('aab'))"], [f"{x} = int('0x1f', 16) + int('11', 2)"],
            [f"{x} = len('a,b'.split(',')) + len('  a '.strip())"], [f"{x} = 3 if [] else 4"],
            [f"{x} = None or 4"], [f"{x} = 0.1 + 0.2 == 0.3"], [f"{x} = divmod(-7, 2)[0]"]])
