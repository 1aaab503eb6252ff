//===- ObjectChangesTest.cpp - Values that change by way of other objects -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Classes and modules that are handed to functions, Python's own functions, what imports find,
// lists and dicts by several names. The values are those of CPython 3.12.
//
//===--------------------------------------------------------------------------===//

#include "ModulePrograms.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

class ObjectChanges : public testing::TestWithParam<Program> {};

TEST_P(ObjectChanges, AgreeWithPythonOrAreRefused) { expectPythonsValue(GetParam()); }

const char *const otherStatement = "depends on what has run";
const char *const otherModule = "give another module";
const char *const otherName = "may be changed by another name of it";

const std::string twoClasses = "class B:\n    x = 1\n    L = [1]\nclass A(B):\n";
const std::string marked = "class A: x = 1\nclass B: x = 1\ndef mark(c): c.x = 5\n";

INSTANTIATE_TEST_SUITE_P(
    Classes, ObjectChanges,
    testing::Values(
        Program{"base of a class method's class",
                twoClasses + "    @classmethod\n    def go(cls): cls.__base__.x = 3\nA.go()\n"
                             "C = tl.constexpr(B.x)\n",
                3,
                {},
                otherStatement},
        Program{"bases that a loop walks",
                twoClasses +
                    "    @classmethod\n    def go(cls):\n        for c in cls.__mro__[:2]: "
                    "c.x = 3\nA.go()\nC = tl.constexpr(B.x)\n",
                3,
                {},
                otherStatement},
        Program{"the class of an object, by another name",
                twoClasses + "    def go(self):\n        b = type(self).__base__\n        b.x = "
                             "3\nA().go()\nC = tl.constexpr(B.x)\n",
                3,
                {},
                otherStatement},
        Program{"a list that the base has",
                twoClasses + "    @classmethod\n    def go(cls): cls.L.append(2)\nA.go()\n"
                             "C = tl.constexpr(len(B.L))\n",
                2,
                {},
                otherStatement},
        Program{"setattr in a class method",
                twoClasses + "    @classmethod\n    def go(cls): setattr(cls, 'y', 3)\n    y = 1\n"
                             "A.go()\nC = tl.constexpr(A.y)\n",
                3,
                {},
                otherStatement},
        Program{"an attribute of an object is none of its class",
                twoClasses + "    def __init__(self): self.x = 3\nA()\nC = tl.constexpr(B.x)\n",
                1,
                {},
                ""},
        Program{"classes in a list, handed to a function by a function",
                marked + "KLS = [A, B]\ndef go():\n    for c in KLS: mark(c)\ngo()\n"
                         "C = tl.constexpr(A.x)\n",
                5,
                {},
                otherStatement},
        Program{"classes handed on by map",
                marked + "KLS = [A, B]\nlist(map(mark, KLS))\nC = tl.constexpr(A.x)\n",
                5,
                {},
                otherStatement},
        Program{"classes that a comprehension hands on",
                marked + "KLS = [A, B]\n[mark(c) for c in KLS]\nC = tl.constexpr(A.x)\n",
                5,
                {},
                otherStatement},
        Program{"a class that is handed to no one",
                marked + "class D: x = 1\nmark(A)\nC = tl.constexpr(D.x)\n",
                1,
                {},
                ""},
        Program{"a context's attribute is none of the module",
                "X = 1\ndef forward(ctx, x):\n    ctx.X = x\n    return ctx\nC = "
                "tl.constexpr(X)\n",
                1,
                {},
                ""},
        Program{"a module that a function hands to another one",
                "import u, v\nC = tl.constexpr(u.x)\n",
                5,
                {{"u.py", "x = 1\n"},
                 {"v.py", "import u\nMS = [u]\ndef mark(m): m.x = 5\ndef go():\n    for m in MS: "
                          "mark(m)\ngo()\n"}},
                otherStatement},
        Program{"an annotation that is evaluated",
                marked + "def g(a: mark(A)): pass\nC = tl.constexpr(A.x)\n",
                5,
                {},
                otherStatement}));

INSTANTIATE_TEST_SUITE_P(
    Builtins, ObjectChanges,
    testing::Values(
        Program{"an entry of __builtins__ in a function",
                "def f(): __builtins__['abs'] = lambda a: 7\nf()\nC = tl.constexpr(abs(-3))\n",
                7,
                {},
                otherStatement},
        Program{"__builtins__ by another name",
                "import u\nC = tl.constexpr(abs(-3))\n",
                7,
                {{"u.py", "B = __builtins__\nB['abs'] = lambda a: 7\n"}},
                otherStatement},
        Program{"__builtins__ of another function",
                "import u\nC = tl.constexpr(abs(-3))\n",
                3,
                {{"u.py", "__builtins__['sum'] = lambda a: 7\n"}},
                ""},
        Program{"__builtins__ that is only read",
                "import u\nC = tl.constexpr(abs(-3))\n",
                3,
                {{"u.py", "x = __builtins__['abs'] if isinstance(__builtins__, dict) else 1\n"}},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    Imports, ObjectChanges,
    testing::Values(
        Program{"an entry of sys.modules",
                "import v\nfrom u import x\nC = tl.constexpr(x)\n",
                7,
                {{"u.py", "x = 1\n"},
                 {"v.py", "import sys, types\nsys.modules['u'] = types.SimpleNamespace(x=7)\n"}},
                otherModule},
        Program{"an entry of another module",
                "import v\nfrom u import x\nC = tl.constexpr(x)\n",
                1,
                {{"u.py", "x = 1\n"},
                 {"v.py", "import sys, types\nsys.modules['w'] = types.SimpleNamespace(x=7)\n"}},
                ""},
        Program{"entries whose names a loop takes from a dict",
                "import v\nfrom u import x\nC = tl.constexpr(x)\n",
                1,
                {{"u.py", "x = 1\n"},
                 {"v.py", "import sys, types\nOLD = {'a': 1, 'b': 2}\nfor old, new in "
                          "OLD.items():\n    name = f'{__name__}.{old}'\n    sys.modules[name] = "
                          "types.SimpleNamespace(x=7)\n"}},
                ""},
        Program{"entries whose names a loop takes from a dict, of this module",
                "import v\nfrom u import x\nC = tl.constexpr(x)\n",
                7,
                {{"u.py", "x = 1\n"},
                 {"v.py", "import sys, types\nOLD = {'u': 1, 'b': 2}\nfor old, new in "
                          "OLD.items():\n    name = f'{old}'\n    sys.modules[name] = "
                          "types.SimpleNamespace(x=7)\n"}},
                otherModule},
        Program{"an entry after the import",
                "import sys, types\nfrom u import x\nsys.modules['u'] = "
                "types.SimpleNamespace(x=7)\nC = tl.constexpr(x)\n",
                1,
                {{"u.py", "x = 1\n"}},
                ""},
        Program{"an entry by a function that nothing calls",
                "import v\nfrom u import x\nC = tl.constexpr(x)\n",
                1,
                {{"u.py", "x = 1\n"},
                 {"v.py", "import sys, types\ndef put(name):\n    sys.modules[name] = "
                          "types.SimpleNamespace(x=7)\n"}},
                ""},
        Program{
            "sys.modules by another name",
            "import v\nfrom u import x\nC = tl.constexpr(x)\n",
            7,
            {{"u.py", "x = 1\n"},
             {"v.py", "import sys, types\nM = sys.modules\nM['u'] = types.SimpleNamespace(x=7)\n"}},
            otherModule},
        Program{"a folder that has the module",
                "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), "
                "'q'))\nimport u\nC = tl.constexpr(u.x)\n",
                9,
                {{"u.py", "x = 1\n"}, {"q/u.py", "x = 9\n"}},
                otherModule},
        Program{"a folder that does not have it",
                "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), "
                "'q'))\nimport u\nC = tl.constexpr(u.x)\n",
                1,
                {{"u.py", "x = 1\n"}, {"q/w.py", "x = 9\n"}},
                ""},
        Program{"a folder after the others",
                "import sys\nsys.path.append(sys.argv[0])\nimport u\nC = tl.constexpr(u.x)\n",
                1,
                {{"u.py", "x = 1\n"}},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    Lists, ObjectChanges,
    testing::Values(Program{"a class's dict, by a name that is imported on",
                            "import v\nfrom u import A\nC = tl.constexpr(A.D['k'])\n",
                            7,
                            {{"u.py", "class A:\n    D = {'k': 1}\n"},
                             {"w.py", "from u import A\nE = A.D\n"},
                             {"v.py", "from w import E\nE['k'] = 7\n"}},
                            otherName},
                    Program{"a dict, by a class that has it",
                            "from u import A, D\nA.E['k'] = 7\nC = tl.constexpr(D['k'])\n",
                            7,
                            {{"u.py", "D = {'k': 1}\nclass A:\n    E = D\n"}},
                            otherName},
                    Program{"a dict, by a function's default",
                            "import v\nfrom u import D\nC = tl.constexpr(D['k'])\n",
                            7,
                            {{"u.py", "D = {'k': 1}\ndef use(d=D): return d\n"},
                             {"v.py", "from u import use\nuse()['k'] = 7\n"}},
                            otherName},
                    Program{"a dict that only its module has",
                            "import v\nfrom u import D\nC = tl.constexpr(D['k'])\n",
                            1,
                            {{"u.py", "D = {'k': 1}\ndef use(): return sorted(D)\n"},
                             {"v.py", "from u import use\ndef go(d):\n    d['k'] = use()\n"}},
                            ""}));

const std::string finder = "import sys\nimport importlib.machinery as machinery\n"
                           "class L:\n    def create_module(self, spec): return None\n"
                           "    def exec_module(self, m): m.x = 9\n"
                           "class F:\n    def find_spec(self, name, path, target=None):\n";
const std::string answer = "return machinery.ModuleSpec(name, L())\n";
const std::string importsU = "import u\nC = tl.constexpr(u.x)\n";
const std::pair<std::string, std::string> moduleU = {"u.py", "x = 1\n"};

INSTANTIATE_TEST_SUITE_P(
    Finders, ObjectChanges,
    testing::Values(
        Program{"one that answers for the module",
                finder + "        if name == 'u': " + answer + "sys.meta_path.insert(0, F())\n" +
                    importsU,
                9,
                {moduleU},
                otherModule},
        Program{"one that answers for all but one",
                finder + "        if name == 'v': return None\n        " + answer +
                    "sys.meta_path.insert(0, F())\n" + importsU,
                9,
                {moduleU},
                otherModule},
        Program{"one that answers for others",
                "NAME = 'v'\n" + finder +
                    "        if name != NAME and not name.startswith('w.'):\n"
                    "            return None\n        " +
                    answer + "def install(): sys.meta_path.insert(0, F())\ninstall()\n" + importsU,
                1,
                {moduleU},
                ""},
        Program{"one after the others",
                finder + "        " + answer + "sys.meta_path.append(F())\n" + importsU,
                1,
                {moduleU},
                ""},
        Program{"one that a function puts there, by another name of it",
                "from w import install as go\ngo()\n" + importsU,
                9,
                {moduleU,
                 {"w.py",
                  finder + "        " + answer + "def install(): sys.meta_path.insert(0, F())\n"}},
                otherModule},
        Program{"one that nothing puts there",
                "from w import install\n" + importsU,
                1,
                {moduleU,
                 {"w.py",
                  finder + "        " + answer + "def install(): sys.meta_path.insert(0, F())\n"}},
                ""},
        Program{
            "one that nothing puts there, though another's method is called so",
            "import w, importlib.util\nfound = importlib.util.find_spec('u')\n" + importsU,
            1,
            {moduleU,
             {"w.py", "import sys\nclass F:\n    def find_spec(self, name, path, target=None):\n"
                      "        sys.modules[name] = sys\n"
                      "def install(): sys.meta_path.insert(0, F())\n"}},
            ""},
        Program{"an entry on another system",
                "import sys, math\nif sys.platform == 'darwin':\n    sys.modules['u'] = math\n" +
                    importsU,
                1,
                {moduleU},
                ""},
        Program{"an entry that a function sets on this one",
                "import sys, types\ndef put():\n    if sys.platform == 'darwin': return\n"
                "    sys.modules['u'] = types.SimpleNamespace(x=9)\nput()\n" +
                    importsU,
                9,
                {moduleU},
                otherModule},
        Program{"an entry that a function sets on another one",
                "import sys, types\ndef put():\n    if sys.platform != 'darwin': return\n"
                "    sys.modules['u'] = types.SimpleNamespace(x=9)\nput()\n" +
                    importsU,
                1,
                {moduleU},
                ""},
        Program{"whether sys.modules has one",
                "import sys\nHAS = 'v' in sys.modules\ndef go(d=HAS):\n    xs = []\n"
                "    xs.append(d)\ngo()\n" +
                    importsU,
                1,
                {moduleU},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    InnerFunctions, ObjectChanges,
    testing::Values(
        Program{"an object of one around it",
                "class A: x = 1\ndef go(a):\n    def inner(): a.x = 5\n    inner()\ngo(A)\n"
                "C = tl.constexpr(A.x)\n",
                5,
                {},
                otherStatement},
        Program{"a name of its own",
                "class A: x = 1\ndef go():\n    def inner(A): A.x = 5\n"
                "    class Z: x = 1\n    inner(Z)\ngo()\nC = tl.constexpr(A.x)\n",
                1,
                {},
                ""},
        Program{"the class of an object of its own",
                "import u\nclass K: pass\ndef make(kind):\n    def go(self):\n"
                "        other = K()\n        other.__class__ = kind\n        return other\n"
                "    return go\nC = tl.constexpr(u.x)\n",
                1,
                {moduleU},
                ""},
        Program{"the class of a module that it is handed",
                "import types, u\nclass M(types.ModuleType):\n"
                "    def __getattribute__(self, name): return 7\n"
                "def go(m): m.__class__ = M\ngo(u)\nC = tl.constexpr(u.x)\n",
                7,
                {moduleU},
                otherStatement},
        Program{"dicts of classes, one by one",
                "class A:\n    D = {'k': 1}\nfor d in (A.D,): d['k'] = 2\n"
                "C = tl.constexpr(A.D['k'])\n",
                2,
                {},
                otherStatement},
        Program{"a list that super() gives",
                twoClasses + "    def go(self): super().L.append(2)\nA().go()\n"
                             "C = tl.constexpr(len(B.L))\n",
                2,
                {},
                otherStatement}));

INSTANTIATE_TEST_SUITE_P(
    Patches, ObjectChanges,
    testing::Values(
        Program{"a name of a module",
                "from unittest import mock\nimport u\nmock.patch('u.x', 5).start()\n"
                "C = tl.constexpr(u.x)\n",
                5,
                {moduleU},
                otherStatement},
        Program{"some names of a module, in a function",
                "from unittest.mock import patch\nimport u\ndef go():\n"
                "    patch.multiple('u', x=5).start()\ngo()\nC = tl.constexpr(u.x)\n",
                5,
                {moduleU},
                otherStatement},
        Program{"entries of a dict",
                "from unittest import mock\nD = {'k': 1}\n"
                "def go(): mock.patch.dict('m.D', k=2).start()\ngo()\n"
                "C = tl.constexpr(D['k'])\n",
                1,
                {},
                otherStatement},
        Program{"another name",
                "from unittest import mock\nimport u\nmock.patch('u.y', 5, create=True).start()\n"
                "C = tl.constexpr(u.x)\n",
                1,
                {moduleU},
                ""}));

const std::string ownGlobals = "def go():\n    def f(name, globals=None):\n"
                               "        return print(name, globals)\n    f('a')\n";

INSTANTIATE_TEST_SUITE_P(Parameters, ObjectChanges,
                         testing::Values(Program{"one that is called globals",
                                                 ownGlobals + "X = 1\ngo()\nC = tl.constexpr(X)\n",
                                                 1,
                                                 {},
                                                 ""},
                                         Program{"none of that name",
                                                 "def go():\n    def f(name, other=None):\n"
                                                 "        return print(name, globals)\n    f('a')\n"
                                                 "X = 1\ngo()\nC = tl.constexpr(X)\n",
                                                 1,
                                                 {},
                                                 "which the compiler cannot evaluate"}));

INSTANTIATE_TEST_SUITE_P(Names, ObjectChanges,
                         testing::Values(Program{
                             "written to by a text, after a list that gets its value",
                             "z = 64\nglobals().get('L', []).append(z)\nglobals()['z' + ''] = 7\n"
                             "C = tl.constexpr(z)\n",
                             7,
                             {},
                             "is not known while compiling"}));

const char *const noValue = "has no value here";

INSTANTIATE_TEST_SUITE_P(
    UnboundLocals, ObjectChanges,
    testing::Values(
        Program{"before the assignment",
                "X = 1\ndef f():\n    y = X\n    X = 2\n    return y\n"
                "try:\n    V = f()\nexcept NameError:\n    V = 9\nC = tl.constexpr(V)\n",
                9,
                {},
                "which the compiler cannot evaluate"},
        Program{"in a branch that is not taken",
                "X = 1\ndef f(n):\n    if n > 3:\n        X = 2\n    return X\n"
                "C = tl.constexpr(f(1))\n",
                0,
                {},
                noValue},
        Program{"declared as the module's",
                "X = 1\ndef f(n):\n    if n:\n        Y = 2\n    return X\n"
                "C = tl.constexpr(f(0))\n",
                1,
                {},
                ""}));

const std::string setName = "class D:\n    def __set_name__(self, o, n): o.X = 9\n";
const char *const mayChangeClass = "may change the class";

INSTANTIATE_TEST_SUITE_P(
    SetNames, ObjectChanges,
    testing::Values(
        Program{"of a class by a name that a loop may change",
                setName + "for a in ('x', 'y'): globals()[a] = 64\nclass D(D):\n    X = 1\n    d = "
                          "D()\nC = tl.constexpr(D.X)\n",
                9,
                {},
                mayChangeClass},
        Program{"of the base of a class",
                setName + "class E(D): pass\nclass A:\n    X = 1\n    e = E()\n"
                          "C = tl.constexpr(A.X)\n",
                9,
                {},
                mayChangeClass},
        Program{"of an object that is made before",
                setName + "y = D()\nclass A:\n    X = 1\n    d = y\nC = tl.constexpr(A.X)\n",
                9,
                {},
                mayChangeClass},
        Program{"of a class of another module",
                "from u import D\nclass A:\n    X = 1\n    d = D()\nC = tl.constexpr(A.X)\n",
                9,
                {{"u.py", setName}},
                mayChangeClass},
        Program{"of an element",
                setName + "class A:\n    X = 1\n    d = [D()][0]\nC = tl.constexpr(A.X)\n",
                9,
                {},
                mayChangeClass},
        Program{"of a decorator",
                "class D:\n    def __init__(self, f): pass\n    def __set_name__(self, o, n): o.X "
                "= 9\nclass A:\n    X = 1\n    @D\n    def f(self): pass\nC = "
                "tl.constexpr(A.X)\n",
                9,
                {},
                mayChangeClass},
        Program{"of no object in the class",
                setName + "class A:\n    X = 1\n    t = (X, len('ab'))\n    @staticmethod\n"
                          "    def f(): pass\nC = tl.constexpr(A.X)\n",
                1,
                {},
                ""}));

const char *const noDefault = "is not the default value of that field";
const std::string tuples =
    "import typing\nclass B(typing.NamedTuple):\n    v: int = 2\n    w = 5\n";

INSTANTIATE_TEST_SUITE_P(
    Fields, ObjectChanges,
    testing::Values(
        Program{"of a named tuple's class",
                tuples + "C = tl.constexpr(len(str(B.v)))\n",
                43,
                {},
                noDefault},
        Program{"by getattr of a class of a package",
                "import p\nC = tl.constexpr(len(str(getattr(p.p.a.B, 'v', 9))))\n",
                43,
                {{"p/a.py", tuples}, {"p/__init__.py", "import p.a\n"}},
                noDefault,
                "p/m.py"},
        Program{"of a class that derives from one",
                tuples + "class S(B): pass\nC = tl.constexpr(len(str(S.v)))\n",
                43,
                {},
                noDefault},
        Program{"of a class of named tuples by another name",
                "import typing\nN = typing.NamedTuple\nclass B(N):\n    v: int = 2\n"
                "C = tl.constexpr(len(str(B.v)))\n",
                43,
                {},
                noDefault},
        Program{"of a dataclass with slots",
                "from dataclasses import dataclass\n@dataclass(slots=True)\nclass B:\n"
                "    v: int = 2\nC = tl.constexpr(len(str(B.v)))\n",
                27,
                {},
                noDefault},
        Program{"of a named tuple", tuples + "C = tl.constexpr(B().v)\n", 2, {}, ""},
        Program{
            "that are none, without an annotation", tuples + "C = tl.constexpr(B.w)\n", 5, {}, ""},
        Program{"of a dataclass",
                "from dataclasses import dataclass\n@dataclass\nclass B:\n    v: int = 2\n"
                "C = tl.constexpr(B.v)\n",
                2,
                {},
                ""}));

const std::string listOfClass = "L = [1, 2]\nclass A:\n    M = L\nclass S(A): pass\n";
const char *const mayBeChanged = "may be changed here";

INSTANTIATE_TEST_SUITE_P(
    ListsOfClasses, ObjectChanges,
    testing::Values(Program{"by a class that derives",
                            listOfClass + "S.M.append(3)\nC = tl.constexpr(len(L))\n",
                            3,
                            {},
                            mayBeChanged},
                    Program{"by one that derives from that",
                            listOfClass +
                                "class T(S): pass\nT.M.append(3)\nC = tl.constexpr(len(L))\n",
                            3,
                            {},
                            mayBeChanged},
                    Program{"of the base, by a class that derives",
                            "class A:\n    M = [1, 2]\nclass S(A): pass\nS.M.append(3)\n"
                            "C = tl.constexpr(len(A.M))\n",
                            3,
                            {},
                            otherStatement},
                    Program{"by a name of the attribute",
                            listOfClass + "K = A.M\nK.append(3)\nC = tl.constexpr(len(L))\n",
                            3,
                            {},
                            mayBeChanged},
                    Program{"by a name of the attribute that is derived",
                            listOfClass + "K = S.M\nK.append(3)\nC = tl.constexpr(len(L))\n",
                            3,
                            {},
                            mayBeChanged},
                    Program{"by no list of the class",
                            listOfClass + "K = [S]\nK.append(3)\nC = tl.constexpr(len(L))\n",
                            2,
                            {},
                            ""}));

INSTANTIATE_TEST_SUITE_P(
    SubmodulesByStar, ObjectChanges,
    testing::Values(
        Program{"after a definition of the name",
                "from u import *\nC = tl.constexpr(len(str(s)) > 0)\n",
                1,
                {{"p/s.py", ""},
                 {"p/__init__.py", "from . import s as one\n"},
                 {"u.py", "s = ''\nfrom p import *\n"}},
                "is not known while compiling"},
        Program{"after one that may not have run",
                "from u import *\nC = tl.constexpr(len(str(s)) > 0)\n",
                1,
                {{"p/s.py", ""},
                 {"p/__init__.py", "import importlib\none = importlib.import_module('.s', "
                                   "__package__)\n"},
                 {"u.py", "for i in range(0): s = ''\nfrom p import *\n"}},
                "is not known while compiling"},
        Program{"that nothing imports",
                "from u import *\nC = tl.constexpr(len(str(s)))\n",
                0,
                {{"p/s.py", ""}, {"p/__init__.py", ""}, {"u.py", "s = ''\nfrom p import *\n"}},
                ""}));

} // namespace
