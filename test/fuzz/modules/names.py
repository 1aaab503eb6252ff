"""The names of a module while it is written, and expressions of them."""

import random

INT, TEXT, LIST, DICT, CLASS, FUNCTION, MODULE, OBJECT = (
    "int", "text", "list", "dict", "class", "function", "module", "object")
# Few names, so that statements meet each other's.
NAMES = {INT: "x y z n w".split(), TEXT: "s t".split(), LIST: "L M".split(), DICT: "D E".split(),
         CLASS: "A B C".split(), FUNCTION: "f g h".split(), OBJECT: "o q".split()}
ATTRIBUTES = ["u", "v"]
KEYS = ["k", "j"]


class Names:
    """What a module's code can write: by kind, the expressions that are of it."""

    def __init__(self, chance):
        self.chance = chance
        self.known = {kind: [] for kind in (*NAMES, MODULE)}

    def add(self, kind, expression):
        if expression not in self.known[kind]:
            self.known[kind].append(expression)

    def add_all(self, others, prefix="", only=None):
        """What another module has, as it is written here."""
        for kind, expressions in others.known.items():
            for expression in expressions:
                if only is None or only(expression):
                    self.add(kind, prefix + expression)

    def new(self, kind):
        return self.chance.choice(NAMES[kind])

    def any(self, kind):
        return self.chance.choice(self.known[kind]) if self.known[kind] else None

    def own(self, kind):
        """A name without a dot: what the module itself binds."""
        plain = [each for each in self.known[kind] if each.isidentifier()]
        return self.chance.choice(plain) if plain else None

    # Expressions.

    def integer(self, depth=2):
        forms = [self._literal, self._variable, self._variable]
        if depth:
            forms += [self._variable, self._arithmetic, self._of_list, self._of_dict, self._of_text,
                      self._of_class, self._of_call, self._choice, self._builtin, self._of_module]
        return self.chance.choice(forms)(depth - 1)

    def _literal(self, depth):
        return str(self.chance.choice([0, 1, 2, 3, 4, 5, 7, 8, 16, 64, -1, -3, 100]))

    def _variable(self, depth):
        return self.any(INT) or self._literal(depth)

    def _arithmetic(self, depth):
        operator = self.chance.choice(["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "+", "*"])
        right = self.integer(depth)
        if operator in ("<<", ">>"):
            right = f"({right} & 3)"
        if operator in ("//", "%"):
            right = f"({right} or 1)"
        return f"({self.integer(depth)} {operator} {right})"

    def _of_list(self, depth):
        name = self.any(LIST)
        if not name:
            return self._literal(depth)
        return self.chance.choice([
            f"len({name})", f"{name}[0]", f"{name}[-1]", f"sum({name})", f"{name}.count(1)",
            f"len([a for a in {name} if a > 1])", f"sum(a * 2 for a in {name})", f"max({name})",
            f"len({name}[1:])", f"sorted({name})[0]", f"(1 if 2 in {name} else 0)",
            f"len({{a % 3 for a in {name}}})", f"sum([i for i, a in enumerate({name})])",
            f"{name}.index({name}[0])", f"len(set({name}))", f"min({name}, key=lambda a: -a)",
            f"len(list(zip({name}, {name})))", f"len({name} + [1])", f"len({name} * 2)"])

    def _of_dict(self, depth):
        name, key = self.any(DICT), self.chance.choice(KEYS)
        if not name:
            return self._literal(depth)
        return self.chance.choice([
            f"len({name})", f"{name}['{key}']", f"{name}.get('{key}', 9)", f"{name}.get('{key}')",
            f"('{key}' in {name}) + 0", f"sum({name}.values())", f"len(sorted({name}))",
            f"len({{**{name}, 'm': 1}})", f"sum(b for a, b in {name}.items())"])

    def _of_text(self, depth):
        return f"len({self.text(depth)})"

    def _of_class(self, depth):
        name, attribute = self.any(CLASS), self.chance.choice(ATTRIBUTES)
        thing = self.any(OBJECT) if self.chance.random() < 0.4 else None
        if thing:
            return self.chance.choice([f"{thing}.{attribute}", f"getattr({thing}, '{attribute}', 9)",
                                       f"hasattr({thing}, '{attribute}') + 0", f"{thing}.m()"])
        if not name:
            return self._literal(depth)
        return self.chance.choice([
            f"{name}.{attribute}", f"{name}.{attribute}", f"getattr({name}, '{attribute}', 9)",
            f"hasattr({name}, '{attribute}') + 0", f"{name}().{attribute}", f"{name}().m()",
            f"{name}.__dict__['{attribute}']", f"len({name}.__name__)", f"vars({name})['{attribute}']"])

    def _of_call(self, depth):
        name = self.any(FUNCTION)
        if not name:
            return self._literal(depth)
        return self.chance.choice([f"{name}()", f"{name}({self.integer(depth)})",
                                   f"{name}(a={self.integer(depth)})"])

    def _choice(self, depth):
        return f"({self.integer(depth)} if {self.condition(depth)} else {self.integer(depth)})"

    def _builtin(self, depth):
        a, b = self.integer(depth), self.integer(depth)
        return self.chance.choice([
            f"abs({a})", f"max({a}, {b})", f"min({a}, {b})", f"int({a} / 2)", f"round({a} / 4)",
            f"divmod({a}, 7)[1]", f"pow({a}, 2)", f"({a}).bit_length()", f"bool({a}) + 0",
            f"len(range({a} & 7))", f"int('{self.chance.randrange(20)}')", f"int(str({a}))",
            f"sum(range({a} & 7))", f"len(str({a}))", f"math.floor({a} / 3)", f"math.gcd({a}, {b})",
            f"functools.reduce(lambda p, r: p + r, [{a}, {b}], 1)", f"ord('a') + {a}",
            f"len([{a} for _ in range(3)])", f"(lambda p: p + {b})({a})", f"operator.add({a}, {b})",
            f"next(iter([{a}, {b}]))", f"len(f'{{{a}}}-{{{b}:>4}}')", f"int(3.7) + {a}",
            f"all([{a}, {b}]) + 0", f"any([{a}, {b}]) + 0", f"len(hex({a} & 255))",
            f"triton.cdiv({a}, 4)", f"triton.next_power_of_2({a} & 31)", f"len(list(map(abs, [{a}])))",
            f"(({a}, {b}) < ({b}, {a})) + 0", f"[{a}, {b}, 5][{self.chance.choice([0, 1, -1])}]",
            f"isinstance({a}, int) + 0", f"{{1: {a}, 2: {b}}}[{self.chance.choice([1, 2])}]",
            f"eval('{self.chance.choice(['x', '1 + 2', 'y'])}')"])

    def _of_module(self, depth):
        variable = self.chance.choice(["TW_SET", "TW_UNSET", "TW_NEW", "TW_TEXT", "TW_EMPTY"])
        name = self.any(MODULE)
        x = self.new(INT)
        forms = [
            f"int(os.environ.get('{variable}', '6') == '3')", f"int(os.getenv('{variable}', '4') or 2)",
            f"len(os.environ.get('{variable}', ''))", f"('{variable}' in os.environ) + 0",
            "(sys.version_info >= (3, 9)) + 0", "len(__name__)", "len(__name__.split('.'))",
            f"globals().get('{x}', 9)", f"globals()['{x}']", f"('{x}' in globals()) + 0",
            f"vars().get('{x}', 9)", f"getattr(sys.modules[__name__], '{x}', 9)",
            f"len(__package__ or '')", "(__name__ == '__main__') + 0", "len(__doc__ or '')",
            "len(os.path.basename(__file__))", f"hasattr(math, '{self.chance.choice(['sqrt', 'tw'])}') + 0",
            f"hasattr(tl, '{self.chance.choice(['load', 'tw'])}') + 0", "len(triton.__version__)"]
        if name:
            forms += [f"{name}.{x}", f"{name}.{x}", f"getattr({name}, '{x}', 9)",
                      f"hasattr({name}, '{x}') + 0", f"{name}.__dict__.get('{x}', 9)",
                      f"len({name}.__name__)", f"vars({name})['{x}']", f"getattr({name}, '{x}')"]
        return self.chance.choice(forms)

    def text(self, depth=1):
        known = self.any(TEXT)
        forms = ["'ab'", "'x1'", "'\\x41b'", "'é'", "''", "__name__", f"str({self.integer(0)})",
                 "os.environ.get('TW_TEXT', 'off')", "f'{x}'", "'a' 'b'", "'-'.join(['a', 'b'])",
                 "'%d' % 3", "'{}'.format(7)", "r'\\n'"]
        if known:
            forms += [known, known, f"{known}.upper()", f"{known} + 'c'", f"{known}[1:]",
                      f"{known}.strip('a')", f"{known}.replace('a', 'bb')", f"f'{{{known}}}!'"]
        return self.chance.choice(forms)

    def condition(self, depth=1):
        a, b = self.integer(depth and depth - 1), self.integer(0)
        forms = [f"{a} < {b}", f"{a} == {b}", f"{a} != {b}", f"{a} >= {b}", a, f"not {a}", "True",
                 f"{a} in (1, 2, 3)", f"{a} < {b} < 9", f"{a} is None", f"{self.text(0)} == 'ab'",
                 f"{a} > 1 and {b} < 5", f"{a} > 1 or {b} < 5", "__name__ == '__main__'",
                 "os.environ.get('TW_SET') == '3'", "os.path.exists(__file__)",
                 "sys.version_info[0] == 3", "triton.__version__ >= '3'", "'x' in globals()",
                 "typing.TYPE_CHECKING", "os.environ.get('TW_NEW', '0') == '1'",
                 "sys.platform == 'linux'", "hasattr(tl, 'load')", "hasattr(tl, 'tw_none')"]
        return self.chance.choice(forms)

    def list_of(self, depth=1):
        known = self.any(LIST)
        forms = ["[1]", "[]", f"[{self.integer(0)}, {self.integer(0)}]", "[3, 1, 2]", "list(range(3))",
                 f"[a + 1 for a in range({self.integer(0)} & 3)]", "[1] * 2", "list((4, 5))"]
        if known:
            forms += [known, known, f"list({known})", f"{known}[:]", f"{known} + [1]",
                      f"sorted({known})", f"[*{known}, 6]", f"{known}.copy()",
                      f"[a for a in {known} if a != 1]", f"{known} or [8]"]
        return self.chance.choice(forms)

    def dict_of(self, depth=1):
        known = self.any(DICT)
        forms = ["{}", "{'k': 1}", f"{{'k': {self.integer(0)}, 'j': 2}}", "dict(k=3)",
                 f"{{a: 1 for a in ('k', 'j')}}", "dict([('j', 4)])"]
        if known:
            forms += [known, known, f"dict({known})", f"{{**{known}, 'j': 5}}", f"{known}.copy()",
                      f"{known} | {{'k': 6}}"]
        return self.chance.choice(forms)
