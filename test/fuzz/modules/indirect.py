"""Statements that change what something else has, by way of other objects."""

from .names import ATTRIBUTES, CLASS, DICT, INT, KEYS, LIST, MODULE

# What programs have as modules (generate.py); others are not there.
MODULES = ["u", "v", "w1", "p.a", "p.b", "p.s.c", "p", "m", "tw_new"]


def indented(lines):
    return ["    " + line for line in lines]


class Indirect:
    """A part of Statements (statements.py)."""

    def indirect(self, depth):
        kinds = [self.ancestor, self.walked, self.walked, self.of_python, self.importing_changed,
                 self.class_container, self.class_container, self.handed_out, self.patched, self.found_by,
                 self.unbound]
        return self.chance.choice(kinds)(depth)

    def ancestor(self, depth):
        """A class that changes those that it derives from."""
        base, name = self.names.any(CLASS), self.names.new(CLASS)
        if not base:
            return self.class_of(depth)
        attribute, value = self.chance.choice(ATTRIBUTES), self.names.integer(1)
        path = self.chance.choice([
            "{0}.__base__", "{0}.__mro__[1]", "{0}.__bases__[0]", "{0}.mro()[1]", "super({1}, {0}).__thisclass__",
            "{0}", "{0}.__base__.__subclasses__()[0]", f"{base}", "__class__", "__class__.__base__"])
        set_by = self.chance.choice([
            "{0}.{1} = {2}", "setattr({0}, '{1}', {2})", "type.__setattr__({0}, '{1}', {2})",
            "b = {0}; b.{1} = {2}", "for b in ({0},): b.{1} = {2}", "{0}.{1}, z = {2}, 1",
            "{0}.D['k'] = {2}", "{0}.L.append({2})", "[setattr(b, '{1}', {2}) for b in [{0}]]"])
        first = self.chance.choice(["cls", "self"])
        of_class = "cls" if first == "cls" else self.chance.choice(["type(self)", "self.__class__"])
        head = ["@classmethod", "def go(cls):"] if first == "cls" else ["def go(self):"]
        change = set_by.format(path.format(of_class, name), attribute, value)
        call = self.chance.choice([f"{name}.go()", f"{name}().go()"] if first == "cls" else [f"{name}().go()"])
        lines = [f"class {name}({base}):", *indented(head + indented([change])), call]
        self.names.add(CLASS, name)
        if self.chance.random() < 0.3:
            return [f"class {name}({base}): pass",
                    set_by.format(path.replace("__class__", "{0}").format(name, name), attribute, value)]
        return lines

    def walked(self, depth):
        """Classes and modules in a list, each handed to a function."""
        names = self.names
        some = [each for each in (names.any(CLASS), names.any(CLASS), names.any(MODULE)) if each]
        if not some:
            return self.class_of(depth)
        attribute = self.chance.choice([*ATTRIBUTES, names.new(INT)])
        value = names.integer(1)
        mark = self.chance.choice([
            [f"def mark(c): c.{attribute} = {value}"], [f"def mark(c): setattr(c, '{attribute}', {value})"],
            [f"def mark(c, n='{attribute}'): setattr(c, n, {value})"], [f"mark = lambda c: setattr(c, '{attribute}', {value})"],
            ["def mark(c):", f"    def inner(): c.{attribute} = {value}", "    inner()"],
            ["def mark(c): put(c)", f"def put(c): c.{attribute} = {value}"],
            ["def mark(c):", "    k = c", f"    k.{attribute} = {value}"], ["def mark(c): c.D['k'] = 3"],
            [f"def mark(*c): c[0].{attribute} = {value}"], ["def mark(c): c.L.append(3)"],
            ["class Mark:", f"    def put(self, c): c.{attribute} = {value}", "mark = Mark().put"],
            ["class mark:", f"    def __init__(self, c): c.{attribute} = {value}"]])
        kept = self.chance.choice(["KLS = [{0}]", "KLS = ({0},)", "KLS = [{0}][:]", "KLS = []\nKLS += [{0}]",
                                   "KLS = []\nfor c in [{0}]: KLS.append(c)", "def kls(): return [{0}]\nKLS = kls()",
                                   "KLS = list({{c: 1 for c in [{0}]}})", "KLS = {{1: {1}}}.values()"])
        walk = self.chance.choice([
            ["for c in KLS: mark(c)"], ["[mark(c) for c in KLS]"], ["list(map(mark, KLS))"], ["any(mark(c) for c in KLS)"],
            ["def go():", "    for c in KLS: mark(c)", "go()"], ["def go(cs):", "    for c in cs: mark(c)", "go(KLS)"],
            ["for i, c in enumerate(KLS): mark(c)"], ["def go(c): mark(c)", "go(list(KLS)[0])"], ["mark(*list(KLS)[:1])"],
            ["def go(*cs):", "    for c in cs: mark(c)", "go(*KLS)"], ["def go(cs=KLS): [mark(c) for c in cs]", "go()"],
            ["for c in KLS:", "    k = c", "    mark(k)"], ["functools.partial(mark, list(KLS)[0])()"],
            ["class Run:", "    def go(self):", "        for c in KLS: mark(c)", "Run().go()"]])
        lines = "\n".join([*mark, kept.format(", ".join(some), some[0]), *walk])
        return lines.split("\n")

    def of_python(self, depth):
        """Functions that Python has by itself."""
        names = self.names
        name = self.chance.choice(["abs", "sum", "len", "max", "divmod", "tw_b", "sorted"])
        x, value = names.new(INT), names.integer(1)
        put = self.chance.choice([
            "__builtins__['{0}'] = {1}", "import builtins; builtins.{0} = {1}", "import builtins as b; b.{0} = {1}",
            "import builtins; setattr(builtins, '{0}', {1})", "import builtins; vars(builtins)['{0}'] = {1}",
            "import builtins; builtins.__dict__.update({0}={1})", "__import__('builtins').{0} = {1}",
            "sys.modules['builtins'].{0} = {1}", "importlib.import_module('builtins').{0} = {1}",
            "B = __builtins__; B['{0}'] = {1}", "__builtins__.update({0}={1})", "globals()['__builtins__']['{0}'] = {1}",
            "def put(d): d['{0}'] = {1}\nput(__builtins__)", "def put(): __builtins__['{0}'] = {1}\nput()",
            "import builtins\ndef put(d): d.{0} = {1}\nput(builtins)", "{0} = {1}"])
        names.add(INT, x)
        use = self.chance.choice(["abs(-2)", "sum([1, 2])", "len([1])", "max(1, 2)", "divmod(7, 2)[0]", "sorted([2, 1])[0]"])
        return [*put.format(name, f"lambda *a, **k: {value}").split("\n"), f"{x} = {use}"]

    def importing_changed(self, depth):
        """What imports find."""
        names, x = self.names, self.names.new(INT)
        value, module = names.integer(1), names.any(MODULE) or "math"
        name = self.chance.choice(MODULES)
        made = self.chance.choice([f"types.SimpleNamespace(x={value}, y=1, L=[1], A=int, __name__='{name}')", module])
        put = self.chance.choice([
            "sys.modules['{0}'] = {1}", "sys.modules['{0}'] = {1}", "sys.modules.setdefault('{0}', {1})",
            "sys.modules.update({{'{0}': {1}}})", "M = sys.modules; M['{0}'] = {1}", "name = '{0}'; sys.modules[name] = {1}",
            "from sys import modules; modules['{0}'] = {1}", "def put(n, m): sys.modules[n] = m\nput('{0}', {1})",
            "def put(): sys.modules['{0}'] = {1}\nput()", "for n in ('{0}',): sys.modules[n] = {1}",
            "sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'p'))", "sys.path[:0] = [os.path.dirname(__file__)]",
            "sys.path = [os.path.join(os.path.dirname(__file__), 'p'), *sys.path]", "sys.path.append('/tw/absent')",
            "sys.modules.pop('{0}', None)", "sys.modules['tw_' + '{0}'] = {1}", "sys.modules[__name__ + '.tw'] = {1}"])
        lines = put.format(name, made).split("\n")
        if self.chance.random() < 0.6 and name != "m":
            lines += [self.chance.choice([f"import {name} as two", f"two = importlib.import_module('{name}')",
                                          f"two = __import__('{name}', fromlist=['x'])", f"from {name} import x",
                                          f"from {name} import *"])]
            names.add(MODULE, "two")
            lines += [self.chance.choice([f"{x} = two.x", f"{x} = getattr(two, 'x', 4)", "z = x"])]
        return lines

    def class_container(self, depth):
        """A list or dict that a class has, by one name or another."""
        names, name = self.names, self.names.new(CLASS)
        known_list, known_dict = names.own(LIST), names.own(DICT)
        value, key = names.integer(1), self.chance.choice(KEYS)
        lines = [f"class {name}:", f"    L = {known_list or '[1]'}", f"    D = {known_dict or {'k': 1}}", "    u = len(L)"]
        names.add(CLASS, name)
        names.add(LIST, f"{name}.L")
        names.add(DICT, f"{name}.D")
        other = self.chance.choice([name, names.any(CLASS)])
        change = self.chance.choice([
            "{0}.L.append({1})", "{0}.D['{2}'] = {1}", "L = {0}.L; L.append({1})", "D = {0}.D; D.update({2}={1})",
            "k = {0}; k.D['{2}'] = {1}", "{0}.L += [{1}]", "{0}().L.append({1})", "for d in ({0}.D,): d['{2}'] = {1}",
            "def put(k): k.D['{2}'] = {1}\nput({0})", "def put(d): d['{2}'] = {1}\nput({0}.D)", "{0}.D.setdefault('{2}', {1})",
            "class Sub({0}): pass\nSub.L.append({1})", "o = {0}(); o.D['{2}'] = {1}", "def put(): {0}.L.append({1})\nput()",
            "getattr({0}, 'D')['{2}'] = {1}", "vars({0})['L'].append({1})", "[k.L.append({1}) for k in [{0}]]", "pass"])
        return lines + change.format(other, value, key).split("\n")

    def handed_out(self, depth):
        """The dict of a module's names, more than once."""
        names, x = self.names, self.names.new(INT)
        value = names.integer(1)
        names.add(INT, x)
        first = self.chance.choice(["spare = globals()", "spare = vars()", "len(globals())", "def spare(): return globals()\nspare()",
                                    "spare = [globals()]", "spare = sys.modules[__name__]", "print(globals() is None)"])
        second = self.chance.choice([
            "globals()['{0}' + ''] = {1}", "globals().update({{'{0}': {1}}})", "for n in ('{0}',): globals()[n] = {1}",
            "vars()['{0}' + ''] = {1}", "globals()['{0}'] = {1}", "exec('{0} = 6')", "globals().update(dict({0}={1}))",
            "setattr(sys.modules[__name__], '{0}' + '', {1})", "{0} = {1}"])
        return [*first.split("\n"), second.format(x, value)]

    def patched(self, depth):
        """Attributes that unittest.mock sets."""
        name, attribute, value = self.chance.choice(MODULES), self.chance.choice(ATTRIBUTES), self.names.integer(1)
        call = self.chance.choice(["patch('{0}.{1}', {2})", "patch.multiple('{0}', {1}={2})", "patch.dict('{0}.D', k={2})"])
        how = self.chance.choice(["mock.{0}.start()", "with mock.{0}: pass", "def go(): mock.{0}.start()\ngo()"])
        return ["from unittest import mock", *how.format(call.format(name, attribute, value)).split("\n")]

    def found_by(self, depth):
        """A finder that answers for some modules."""
        name, x, value = self.chance.choice(MODULES), self.names.new(INT), self.names.integer(1)
        test = self.chance.choice(["if n != '{0}': return", "if not n.startswith('{0}'): return", "if n not in ('{0}', 'tw'): return",
                                   "if n == '{0}' or n.startswith('tw.'): pass\n        else: return"]).format(name)
        put = self.chance.choice(["sys.meta_path.insert(0, Find())", "sys.meta_path.append(Find())",
                                  "def put(): sys.meta_path.insert(0, Find())\nput()",
                                  "if sys.platform == 'win32': sys.meta_path.insert(0, Find())"])
        self.names.add(INT, x)
        return ["import importlib.machinery", "class Load:", "    def create_module(self, spec): return None",
                f"    def exec_module(self, m): m.x = {value}", "class Find:", "    def find_spec(self, n, path, target=None):",
                *f"        {test}".split("\n"), "        return importlib.machinery.ModuleSpec(n, Load())",
                *put.split("\n"), f"import {name} as two", f"{x} = getattr(two, 'x', 4)"]

    def unbound(self, depth):
        """A function's own name that has no value yet."""
        known, x, value = self.names.any(INT) or "z", self.names.new(INT), self.names.integer(1)
        self.names.add(INT, x)
        test = self.chance.choice(["n > 3", "n < 3", "False"])
        return ["def own(n):", f"    if {test}:", f"        {known} = {value}", f"    return {known}",
                f"try: {x} = own(1)", f"except NameError: {x} = 9"]
