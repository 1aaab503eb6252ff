//===- ModuleRunsTest.cpp - Values that other statements and modules set ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each case is a program of some modules and what CPython gives for C, with which the compiler
// agrees or which it refuses by place, never a third thing. The values are those of CPython 3.12.
//
//===--------------------------------------------------------------------------===//

#include "ModulePrograms.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

class ModuleRuns : public testing::TestWithParam<Program> {};

TEST_P(ModuleRuns, AgreeWithPythonOrAreRefused) { expectPythonsValue(GetParam()); }

const char *const otherStatement = "depends on what has run";
const char *const attempt = "depends on whether this `try` succeeds";

INSTANTIATE_TEST_SUITE_P(
    Failing, ModuleRuns,
    testing::Values(
        Program{
            "raises",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "Y = 7\nraise ImportError('no')\n"}},
            ""},
        Program{
            "raises under a condition",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "import math\nif not hasattr(math, 'no_such'):\n    raise "
                      "ImportError('no')\nY = 7\n"}},
            ""},
        Program{
            "does not raise under a condition",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            7,
            {{"u.py",
              "import math\nif not hasattr(math, 'sqrt'):\n    raise ImportError('no')\nY = 7\n"}},
            ""},
        Program{
            "imports an absent name",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "from w import nothing\nY = 7\n"}, {"w.py", "a = 1\n"}},
            ""},
        Program{
            "catches it itself",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            7,
            {{"u.py",
              "try:\n    from w import nothing\nexcept ImportError:\n    nothing = 1\nY = 7\n"},
             {"w.py", "a = 1\n"}},
            ""},
        Program{
            "imports an absent package",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "import no_such_package\nY = 7\n"}},
            attempt},
        Program{"asserts",
                "try:\n    from u import Y as X\nexcept AssertionError:\n    X = 2\nC = "
                "tl.constexpr(X)\n",
                2,
                {{"u.py", "Y = 7\nassert Y == 8\n"}},
                attempt},
        Program{"asserts what holds",
                "try:\n    from u import Y as X\nexcept AssertionError:\n    X = 2\nC = "
                "tl.constexpr(X)\n",
                7,
                {{"u.py", "Y = 7\nassert Y == 7\n"}},
                ""},
        Program{
            "a function of it raises",
            "try:\n    from u import Y as X\nexcept ImportError:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "def f():\n    raise ImportError(\"no\")\nZ = f()\nY = 7\n"}},
            attempt},
        Program{"the package fails",
                "try:\n    from .fast import Y as X\nexcept ImportError:\n    X = 2\nC = "
                "tl.constexpr(X)\n",
                2,
                {{"pack/__init__.py", ""}, {"pack/fast.py", "raise ImportError(\"no\")\n"}},
                "",
                "pack/m.py"}));

INSTANTIATE_TEST_SUITE_P(
    ChangedElsewhere, ModuleRuns,
    testing::Values(Program{"a module that is not asked for",
                            "import u\nimport v\nC = tl.constexpr(u.Y)\n",
                            9,
                            {{"u.py", "Y = 7\n"}, {"v.py", "import u\nu.Y = 9\n"}},
                            otherStatement},
                    Program{"a module far away",
                            "import u\nimport a\nC = tl.constexpr(u.Y)\n",
                            9,
                            {{"u.py", "Y = 7\n"},
                             {"a.py", "import b\n"},
                             {"b.py", "import v\n"},
                             {"v.py", "import u\nu.Y = 9\n"}},
                            otherStatement},
                    Program{"a list",
                            "import v\nfrom u import L\nC = tl.constexpr(len(L))\n",
                            2,
                            {{"u.py", "L = [1]\n"}, {"v.py", "from u import L\nL.append(3)\n"}},
                            otherStatement},
                    Program{"the package around",
                            "from p.cfg import N\nC = tl.constexpr(N)\n",
                            5,
                            {{"p/__init__.py", "from . import cfg\ncfg.N = 5\n"},
                             {"p/cfg.py", "N = 1\n"}},
                            otherStatement,
                            "p/m.py"},
                    Program{"the environment",
                            "from p.cfg import N\nC = tl.constexpr(N)\n",
                            5,
                            {{"p/__init__.py", "import os\nos.environ[\"TW_I\"] = \"5\"\n"},
                             {"p/cfg.py", "import os\nN = int(os.environ.get(\"TW_I\", \"1\"))\n"}},
                            otherStatement,
                            "p/m.py"},
                    Program{"the environment by another name",
                            "import os\ne = os.environ\ne[\"TW_V\"] = \"8\"\nC = "
                            "tl.constexpr(int(os.getenv(\"TW_V\", \"4\")))\n",
                            8,
                            {},
                            otherStatement},
                    Program{"the environment as a whole",
                            "import os\nos.environ.update({\"TW_V\": \"8\"})\nC = "
                            "tl.constexpr(int(os.getenv(\"TW_V\", \"4\")))\n",
                            8,
                            {},
                            otherStatement},
                    Program{"a class",
                            "from cfg import Opts\nimport other\nC = tl.constexpr(Opts.n)\n",
                            5,
                            {{"cfg.py", "class Opts:\n    n = 1\n"},
                             {"other.py", "from cfg import Opts\nOpts.n = 5\n"}},
                            otherStatement},
                    Program{"a dict",
                            "from cfg import opts\nimport other\nC = tl.constexpr(opts['n'])\n",
                            5,
                            {{"cfg.py", "opts = {'n': 1}\n"},
                             {"other.py", "from cfg import opts\nopts['n'] = 5\n"}},
                            otherStatement},
                    Program{"an attribute that comes later",
                            "import u\nC = tl.constexpr(1 if hasattr(u, 'Q') else 2)\nu.Q = 3\n",
                            2,
                            {{"u.py", "Y = 7\n"}},
                            "has 'Q' is not known"},
                    Program{"modules that import each other",
                            "from . import a\nC = tl.constexpr(a.D)\n",
                            1,
                            {{"p/__init__.py", ""},
                             {"p/a.py", "import triton.language as tl\nX = 1\nfrom . import b\nX = "
                                        "2\nD = tl.constexpr(b.C)\n"},
                             {"p/b.py", "from .a import X\nC = X\n"}},
                            "order in which the modules are loaded",
                            "p/m.py"},
                    Program{"a module that nothing changes",
                            "import u\nimport v\nC = tl.constexpr(u.Y)\n",
                            7,
                            {{"u.py", "Y = 7\n"}, {"v.py", "import u\nu.Z = 9\n"}},
                            ""}));

INSTANTIATE_TEST_SUITE_P(
    Names, ModuleRuns,
    testing::Values(
        Program{"vars", "X = 1\nvars()['X'] = 3\nC = tl.constexpr(X)\n", 3, {}, ""},
        Program{"locals", "X = 1\nlocals()['X'] = 3\nC = tl.constexpr(X)\n", 3, {}, ""},
        Program{"globals by another name",
                "X = 1\ng = globals()\ng['X'] = 3\nC = tl.constexpr(X)\n",
                3,
                {},
                "depends on this statement"},
        Program{"globals in a function",
                "C = tl.constexpr(1)\ndef f(v): globals()['C'] = tl.constexpr(v)\nf(4)\n",
                4,
                {},
                "this function has been called"},
        Program{"globals that are read",
                "X = 1\nC = tl.constexpr(X)\nnames = list(globals().keys())\n",
                1,
                {},
                ""},
        Program{"the module itself",
                "import sys\nX = 1\nsys.modules[__name__].__dict__['X'] = 3\nC = tl.constexpr(X)\n",
                3,
                {},
                "after this statement"},
        Program{"global in a class",
                "X = 1\nclass A:\n    global X\n    X = 3\nC = tl.constexpr(X)\n",
                3,
                {},
                "'X' cannot be used"},
        Program{"the name of an exception",
                "e = 5\ntry:\n    raise ValueError\nexcept ValueError as e:\n    pass\ntry:\n    X "
                "= e\nexcept NameError:\n    X = 9\nC = tl.constexpr(X)\n",
                9,
                {},
                attempt},
        Program{"a default",
                "L = []\ndef f(a=L): return len(a)\nL.append(1)\nC = tl.constexpr(f())\n",
                1,
                {},
                "may be changed in between"},
        Program{
            "a comprehension in a class",
            "x = 1\nclass A:\n    x = 5\n    y = [x for _ in range(1)]\nC = tl.constexpr(A.y[0])\n",
            1,
            {},
            ""},
        Program{"the first iterable of one",
                "x = 1\nclass A:\n    x = 5\n    z = [i for i in range(x)]\nC = "
                "tl.constexpr(len(A.z))\n",
                5,
                {},
                ""},
        Program{"a decorated class",
                "def d(c):\n    c.X = 9\n    return c\n@d\nclass A:\n    X = 1\nC = "
                "tl.constexpr(A.X)\n",
                9,
                {},
                "may change the class"},
        Program{"a metaclass",
                "class M(type):\n    def __new__(m, n, b, ns):\n        ns['X'] = 9\n        "
                "return super().__new__(m, n, b, ns)\nclass A(metaclass=M):\n    X = 1\nC = "
                "tl.constexpr(A.X)\n",
                9,
                {},
                "may change the class"},
        Program{"a subclass",
                "class A:\n    X = 1\n    def __init_subclass__(cls): cls.X = 9\nclass B(A): "
                "pass\nC = tl.constexpr(B.X)\n",
                9,
                {},
                "may change the class"},
        Program{"a descriptor of Python",
                "class D:\n    def __set_name__(self, o, n): o.X = 9\nclass A:\n    X = 1\n    d = "
                "D()\nC = tl.constexpr(A.X)\n",
                9,
                {},
                "may change the class"},
        Program{"characters", "C = tl.constexpr(len('\\x41\\u00e9\\101'))\n", 3, {}, ""},
        Program{"their case",
                "C = tl.constexpr(1 if '\\u00e9'.upper() == '\\u00c9' else 2)\n",
                1,
                {},
                "case is not known"}));

/// More modules than are read at once, of which the last one changes `u`.
Program withFarModule() {
  Program program{
      "a module beyond the nearest", "import u\n", 9, {{"u.py", "Y = 7\n"}}, otherStatement};
  for (int i = 0; i < 40; ++i) {
    const std::string name = "near" + std::to_string(i);
    program.text += "import " + name + "\n";
    program.files.push_back({name + ".py", "Z = 1\n"});
  }
  program.text += "import far\nC = tl.constexpr(u.Y)\n";
  program.files.push_back({"far.py", "import u\nu.Y = 9\n"});
  return program;
}

INSTANTIATE_TEST_SUITE_P(Many, ModuleRuns, testing::Values(withFarModule()));

INSTANTIATE_TEST_SUITE_P(
    Objects, ModuleRuns,
    testing::Values(
        Program{"the name of a module in a package",
                "C = tl.constexpr(len(__name__))\n",
                3,
                {{"p/__init__.py", ""}},
                "",
                "p/m.py"},
        Program{"an element among other targets",
                "D = {'j': 1}\nD['j'], z = 4, 5\nC = tl.constexpr(D['j'])\n",
                4,
                {},
                "after this statement"},
        Program{"what a context manager gives",
                "import contextlib\nx = 1\nwith contextlib.nullcontext(5) as x:\n    pass\nC = "
                "tl.constexpr(x)\n",
                5,
                {},
                "which definition of 'x' holds"},
        Program{"exec in a function",
                "X = 1\ndef f(): exec('global X; X = 6')\nf()\nC = tl.constexpr(X)\n",
                6,
                {},
                "which the compiler cannot evaluate"},
        Program{"a list that a function gives",
                "L = [1]\ndef get(): return L\nget().append(2)\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "'L' may be changed here"},
        Program{"a list that is extended by another name",
                "L = [1]\nM = L\nM += [2]\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "'L' may be changed here"},
        Program{"a module's list by another name",
                "import u\nM = u.L\nM.append(2)\nC = tl.constexpr(len(u.L))\n",
                2,
                {{"u.py", "L = [1]\n"}},
                otherStatement},
        Program{"a dict that a star brings",
                "import u\nimport v\nC = tl.constexpr(u.D['k'])\n",
                9,
                {{"u.py", "D = {'k': 1}\n"}, {"v.py", "from u import *\nD['k'] = 9\n"}},
                otherStatement},
        Program{"a dict that a star brings on",
                "import u\nimport w\nC = tl.constexpr(u.D['k'])\n",
                9,
                {{"u.py", "D = {'k': 1}\n"},
                 {"v.py", "from u import *\n"},
                 {"w.py", "from v import D\nD['k'] = 9\n"}},
                otherStatement},
        Program{"another name of a list that a star brings",
                "import u\nimport v\nC = tl.constexpr(len(u.L))\n",
                2,
                {{"u.py", "L = [1]\n"}, {"v.py", "from u import *\nM = L\nM.append(2)\n"}},
                otherStatement},
        Program{"a class in a function",
                "class A:\n    u = 1\ndef f(): A.u = 4\nf()\nC = tl.constexpr(A.u)\n",
                4,
                {},
                otherStatement},
        Program{"a class in a method of it",
                "class A:\n    u = 1\n    @classmethod\n    def f(cls): cls.u = 4\nA.f()\nC = "
                "tl.constexpr(A.u)\n",
                4,
                {},
                otherStatement},
        Program{"a method of what a function of Triton gives",
                "def f(x): return x\nb = triton.testing.perf_report(1)(f)\n"
                "b.run(print_data=True)\nC = tl.constexpr(3)\n",
                3,
                {},
                ""},
        Program{"an attribute whose name is computed",
                "class A:\n    u = 1\nsetattr(A, 'u' + '', 4)\nC = tl.constexpr(A.u)\n",
                4,
                {},
                otherStatement},
        Program{"the names of a module as a dict",
                "import u\nvars(u)['Y'] = 9\nC = tl.constexpr(u.Y)\n",
                9,
                {{"u.py", "Y = 7\n"}},
                otherStatement},
        Program{"a class that decorates a function",
                "class add:\n    def __init__(self, f): self.f = f\n    def __call__(self): return "
                "self.f() + 2\n@add\ndef f(): return 4\nC = tl.constexpr(f())\n",
                6,
                {},
                "what this decorator makes"},
        Program{"a module that takes the place of a name",
                "import p.a\nC = tl.constexpr(p.a.X)\n",
                7,
                {{"p/__init__.py", "a = 1\n"}, {"p/a.py", "X = 7\n"}},
                "until its module of that name"},
        Program{"whether a package has a module",
                "import p\nC = tl.constexpr(1 if hasattr(p, 'a') else 2)\n",
                2,
                {{"p/__init__.py", ""}, {"p/a.py", ""}},
                "has 'a' is not known"},
        Program{"the environment, changed by the package of a file that imports none",
                "import os\nC = tl.constexpr(len(os.environ.get('TW_N', '')))\n",
                1,
                {{"p/__init__.py", "from os import environ\nenviron['TW_N'] = '6'\n"}},
                otherStatement,
                "p/m.py"},
        Program{"a module that a function imports",
                "import u\ndef load():\n    import v\nload()\nC = tl.constexpr(u.Y)\n",
                9,
                {{"u.py", "Y = 7\n"}, {"v.py", "import u\nu.Y = 9\n"}},
                otherStatement},
        Program{"a module that is imported by its text",
                "import importlib, u\nimportlib.import_module('v')\nC = tl.constexpr(u.Y)\n",
                9,
                {{"u.py", "Y = 7\n"}, {"v.py", "import u\nu.Y = 9\n"}},
                otherStatement},
        Program{
            "the environment, by a module that a star may bring",
            "import os, v\nC = tl.constexpr(len(os.environ.get('TW_N', '')))\n",
            2,
            {{"u.py", "import os\n"},
             {"v.py", "from u import *\ntry:\n    from u import *\n    for z in range(3): pass\n"
                      "except AttributeError:\n    pass\nos.environ.update(TW_N='12')\n"}},
            otherStatement}));

INSTANTIATE_TEST_SUITE_P(
    Identity, ModuleRuns,
    testing::Values(Program{"of lists", "C = tl.constexpr([] is [])\n", 0, {}, "are one object"},
                    Program{"of numbers that Python makes twice",
                            "x = 10 ** 6\nC = tl.constexpr((x + 0) is (x * 1))\n",
                            0,
                            {},
                            "are one object"},
                    Program{"of None", "C = tl.constexpr(None is None)\n", 1, {}, ""},
                    Program{
                        "of different numbers", "C = tl.constexpr(1000 is 1001)\n", 0, {}, ""}));

const char *const unknownBrought = "whether this import defines";

INSTANTIATE_TEST_SUITE_P(
    Replaced, ModuleRuns,
    testing::Values(
        Program{"the code of a function",
                "import u\nu.f.__code__ = (lambda a=1: 5).__code__\nC = tl.constexpr(u.f())\n",
                5,
                {{"u.py", "def f(a=1): return a\n"}},
                otherStatement},
        Program{"the default values of a function",
                "def f(a=1): return a\nf.__defaults__ = (7,)\nC = tl.constexpr(f())\n",
                7,
                {},
                otherStatement},
        Program{"the class of a module",
                "import u\nC = tl.constexpr(u.y)\n",
                15,
                {{"u.py", "import sys, types\ny = 2\nclass Mine(types.ModuleType):\n"
                          "    y = property(lambda self: 15)\n"
                          "sys.modules[__name__].__class__ = Mine\n"}},
                otherStatement},
        Program{"the bases of a class",
                "class A:\n    x = 1\nclass B:\n    x = 2\nclass D(A): pass\nD.__bases__ = (B,)\n"
                "C = tl.constexpr(D.x)\n",
                2,
                {},
                otherStatement},
        Program{"an imported name, by a computed key",
                "from u import z\nglobals()['z' + ''] = 1\nC = tl.constexpr(z)\n",
                1,
                {{"u.py", "z = 3\n"}},
                "may give 'z' another value"},
        Program{"a list that a star brings, by its text",
                "from u import *\nglobals().get('L').append(3)\nC = tl.constexpr(len(L))\n",
                3,
                {{"u.py", "L = [1, 2]\n"}},
                "may give 'L' another value"},
        Program{"before what is imported again",
                "from u import z\nglobals()['z' + ''] = 1\nfrom u import z\nC = tl.constexpr(z)\n",
                3,
                {{"u.py", "z = 3\n"}},
                ""},
        Program{"names that are handed out twice",
                "d = globals()\nx = 1\nd['x'] = 2\ny = x\ne = globals()\nC = tl.constexpr(y)\n",
                2,
                {},
                "depends on this statement"},
        Program{"an attribute of a module, which a star brings",
                "import w as two\ntwo.n -= 3\nC = tl.constexpr(two.n + 3)\n",
                3,
                {{"w.py", "from u import *\n"}, {"u.py", "n = 3\n"}},
                "whether 'n' has the value of its definition"},
        Program{"a list by a class, where a star brings all else",
                "from u import *\nC = tl.constexpr(len(L))\n",
                3,
                {{"u.py", "import triton\nimport triton.language as tl\nL = [1, 2]\n"
                          "for i in (1,):\n    list.append(L, 3)\n"}},
                unknownBrought}));

INSTANTIATE_TEST_SUITE_P(
    Shared, ModuleRuns,
    testing::Values(
        Program{"two names of one list",
                "L = M = [1]\nM.append(2)\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "may be changed here"},
        Program{"a name in an expression",
                "L = (M := [1])\nM.append(2)\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "'L' may be changed here"},
        Program{"a name and an attribute",
                "class A: pass\nL = A.u = [1]\nA.u.append(2)\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "may be changed here"},
        Program{"a list that a class keeps",
                "L = [1]\nclass A:\n    u = L\nA.u.append(2)\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "may be changed here"},
        Program{"a list that a class keeps, by its name",
                "L = [1]\nclass A:\n    u = L\nL.append(2)\nC = tl.constexpr(len(A.u))\n",
                2,
                {},
                otherStatement},
        Program{
            "a list that an object keeps",
            "L = [1]\nclass A: pass\no = A()\no.u = L\no.u.append(2)\nC = tl.constexpr(len(L))\n",
            2,
            {},
            "may be changed here"},
        Program{"the variable of a loop",
                "L = [1]\nfor M in (L,): M.append(3)\nC = tl.constexpr(len(L))\n",
                2,
                {},
                "depends on this loop"},
        Program{"what is unpacked with a star",
                "x = [1]\n*L, = (x, 1)\nL[0].append(3)\nC = tl.constexpr(len(x))\n",
                2,
                {},
                "may be changed here"},
        Program{
            "a comprehension in a function",
            "x = [1]\ndef f():\n    [a.append(2) for a in (x,)]\nf()\nC = tl.constexpr(len(x))\n",
            2,
            {},
            "whether this function has been called"},
        Program{"names of a function",
                "x = [1]\ndef f():\n    a = x\n    b = a\n    b.append(1)\nf()\nC = "
                "tl.constexpr(len(x))\n",
                2,
                {},
                "whether this function has been called"},
        Program{"the caller's list, by another name",
                "def f(a):\n    b = a\n    b += [3]\n    return len(a)\nC = tl.constexpr(f([1]))\n",
                2,
                {},
                "that others may have"},
        Program{"an element of a list of a function",
                "def f(a):\n    b = [[a]]\n    for c in b: c += [1]\n    return len(b[0])\nC = "
                "tl.constexpr(f(2))\n",
                2,
                {},
                "that others may have"},
        Program{"a list of a function's own",
                "def f(a):\n    b = [a]\n    b += [1]\n    b += [2]\n    return len(b)\nC = "
                "tl.constexpr(f(2))\n",
                3,
                {},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    Unpacked, ModuleRuns,
    testing::Values(Program{
        "an attribute of what a comprehension runs through",
        "import u\n[setattr(each, 'x', 5) for each in (u,)]\nC = tl.constexpr(u.x)\n",
        5,
        {{"u.py", "x = 1\n"}},
        otherStatement}));

INSTANTIATE_TEST_SUITE_P(Handed, ModuleRuns,
                         testing::Values(Program{
                             "a module of whose name some attribute is set",
                             "import u\nfrom u import A\nA.u = 4\nx = [1]\n"
                             "x[0](setattr, u, 'y', 5)\nC = tl.constexpr(u.f())\n",
                             5,
                             {{"u.py", "y = 1\nclass A: pass\ndef f(): return y\n"}},
                             otherStatement}));

INSTANTIATE_TEST_SUITE_P(
    AnyException, ModuleRuns,
    testing::Values(
        Program{
            "divides by zero",
            "try:\n    import u\n    X = 1\nexcept Exception:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "x = 1 // 0\n"}},
            attempt},
        Program{
            "has no such name",
            "try:\n    import u\n    X = 1\nexcept Exception:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "def f(a=b): pass\n"}},
            attempt},
        Program{
            "changes what is no object",
            "try:\n    import u\n    X = 1\nexcept Exception:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "x = 1\nx.y = 3\n"}},
            attempt},
        Program{
            "makes a class of what is none",
            "try:\n    import u\n    X = 1\nexcept Exception:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "class A(B): pass\n"}},
            attempt},
        Program{
            "has no such type",
            "try:\n    import u\n    X = 1\nexcept Exception:\n    X = 2\nC = tl.constexpr(X)\n",
            2,
            {{"u.py", "def f(a: b): pass\n"}},
            attempt},
        Program{
            "raises nothing",
            "try:\n    import u\n    X = 1\nexcept Exception:\n    X = 2\nC = tl.constexpr(X)\n",
            1,
            {{"u.py", "import triton\nimport triton.language as tl\nY = 7\ndef f(a: int = 1): "
                      "return a\n@triton.jit\ndef k(p, N: tl.constexpr): pass\n"}},
            ""},
        Program{"a deleted name",
                "try:\n    from u import z\n    X = 1\nexcept ImportError:\n    X = 2\nC = "
                "tl.constexpr(X)\n",
                2,
                {{"u.py", "z = 1\ndel z\n"}},
                attempt}));

INSTANTIATE_TEST_SUITE_P(
    OtherWays, ModuleRuns,
    testing::Values(
        Program{"exec by another name",
                "x = 1\ne = exec\ne('x = 2')\nC = tl.constexpr(x)\n",
                2,
                {},
                "depends on this statement"},
        Program{"globals by another name",
                "x = 1\ng = globals\ng()['x'] = 2\nC = tl.constexpr(x)\n",
                2,
                {},
                "depends on this statement"},
        Program{"the names of a function's module",
                "x = 1\ndef f(): pass\nf.__globals__['x'] = 2\nC = tl.constexpr(x)\n",
                2,
                {},
                "what 'x' is after this statement"},
        Program{"a function of Python's",
                "import builtins\nbuiltins.abs = lambda a: 12\nC = tl.constexpr(abs(-2))\n",
                12,
                {},
                otherStatement},
        Program{"a class by another name in a class",
                "class A:\n    x = 1\nclass B:\n    c = A\n    c.x = 3\nC = tl.constexpr(A.x)\n",
                3,
                {},
                otherStatement},
        Program{"the class of an object",
                "class A:\n    x = 1\n    def f(self): self.__class__.x = 2\nA().f()\nC = "
                "tl.constexpr(A.x)\n",
                2,
                {},
                otherStatement},
        Program{
            "a class by a function that another one calls",
            "class A:\n    x = 1\ndef f(c): c.x = 3\nsorted([A], key=f)\nC = tl.constexpr(A.x)\n",
            3,
            {},
            otherStatement},
        Program{"an inner function's parameter gets another class",
                "import u\nC = tl.constexpr(u.x)\n",
                1,
                {{"u.py", "x = 1\ndef f():\n    def g(one, other):\n        one.__class__ = other\n"
                          "        one.x = 5\n    return g\n"}},
                ""},
        Program{"an inner function changes the module's object",
                "import u\nC = tl.constexpr(u.A.x)\n",
                5,
                {{"u.py", "class A:\n    x = 1\ndef f():\n    def g(): A.x = 5\n    g()\nf()\n"}},
                "'x'"},
        Program{
            "Triton is read again",
            "import u\nC = tl.constexpr(triton.cdiv(9, u.x))\n",
            3,
            {{"u.py", "x = 3\ntry:\n    import triton\nexcept ImportError:\n    triton = None\n"
                      "import importlib\nif triton is not None:\n    importlib.reload(triton)\n"}},
            ""},
        Program{
            "another module is read again",
            "import u\nimport v\nC = tl.constexpr(v.x)\n",
            3,
            {{"u.py", "import importlib, v\nv.x = 5\nimportlib.reload(v)\n"}, {"v.py", "x = 3\n"}},
            otherStatement},
        Program{"a class by setattr that is handed on",
                "class A:\n    x = 1\nimport functools\nfunctools.partial(setattr, A, 'x')(3)\nC = "
                "tl.constexpr(A.x)\n",
                3,
                {},
                otherStatement},
        Program{
            "the names around a class in a class",
            "x = 5\nclass A:\n    x = 1\n    class B:\n        y = x\nC = tl.constexpr(A.B.y)\n",
            5,
            {},
            ""}));

const char *const unknownStar = "what is imported here";

INSTANTIATE_TEST_SUITE_P(
    Stars, ModuleRuns,
    testing::Values(
        Program{"a module that is under way has not all names",
                "import u\nimport v\nC = tl.constexpr(v.X)\n",
                1,
                {{"u.py", "from v import *\nX = 2\n"}, {"v.py", "X = 1\nfrom u import *\n"}},
                unknownStar},
        Program{"names that neither module defines",
                "from u import *\nX = 3\nC = tl.constexpr(X)\n",
                3,
                {{"u.py", "from v import *\nY = 2\n"}, {"v.py", "Y = 1\nfrom u import *\n"}},
                ""},
        Program{"one module by either of two ways",
                "from u import *\nfrom v import *\nC = tl.constexpr(math.floor(2.5))\n",
                2,
                {{"u.py", "import math\nfrom v import *\n"},
                 {"v.py", "import math\nfrom u import *\n"}},
                ""},
        Program{"Triton by a star that may fail",
                "try:\n    from u import *\n    for z in range(3): pass\nexcept ImportError:\n"
                "    pass\nC = tl.constexpr(4)\n",
                4,
                {{"u.py", "import triton\nimport triton.language as tl\n"}},
                ""},
        Program{"many modules that have all names of each other",
                "from a import *\nfrom b import *\nC = tl.constexpr(X)\n",
                1,
                {{"a.py", "from b import *\nfrom c import *\nfrom d import *\nfrom e import *\n"},
                 {"b.py", "from c import *\nfrom a import *\nfrom d import *\nfrom e import *\n"},
                 {"c.py", "from d import *\nfrom b import *\nfrom a import *\nfrom e import *\n"},
                 {"d.py", "from e import *\nfrom c import *\nfrom b import *\nfrom a import *\n"},
                 {"e.py", "X = 1\nfrom d import *\nfrom c import *\nfrom b import *\n"}},
                ""}));

const char *const endedFunction = "a function that has ended";

INSTANTIATE_TEST_SUITE_P(
    Closures, ModuleRuns,
    testing::Values(
        Program{
            "a list that functions share",
            "def make():\n    L = [0]\n    def add(): L.append(1)\n    def count(): return len(L)"
            "\n    return add, count\nadd, count = make()\nadd()\nC = tl.constexpr(count())\n",
            2,
            {},
            endedFunction},
        Program{"a variable that functions share",
                "def make():\n    n = 0\n    def add():\n        nonlocal n\n        n += 1\n"
                "    def count(): return n\n    return add, count\nadd, count = make()\nadd()\n"
                "C = tl.constexpr(count())\n",
                1,
                {},
                endedFunction},
        Program{"a variable that none changes",
                "def make(n):\n    def count(a): return n + a\n    return count\ncount = make(3)\n"
                "C = tl.constexpr(count(4))\n",
                7,
                {},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    Namespaces, ModuleRuns,
    testing::Values(
        Program{"one name of them is taken out",
                "x = 1\ny = 2\nglobals().pop('x')\nC = tl.constexpr(y)\n",
                2,
                {},
                ""},
        Program{"a name that is taken out is set again",
                "x = 1\nglobals().pop('x')\nx = 5\nC = tl.constexpr(x)\n",
                5,
                {},
                ""},
        Program{"some names get values",
                "x = 1\ny = 2\nglobals().update(x=3)\nC = tl.constexpr(y)\n",
                2,
                {},
                ""},
        Program{"a name of a dict that is a name",
                "D = {'k': 1}\nk = 2\nglobals()['D'].pop('k')\nC = tl.constexpr(len(D))\n",
                0,
                {},
                "what 'D' is after this statement"},
        Program{"a function of Python's that may be replaced",
                "import u\nif u.f(): abs = lambda a: 12\nC = tl.constexpr(abs(-2))\n",
                12,
                {{"u.py", "def f(): return open(__file__).read() != ''\n"}},
                "depends on this condition"},
        Program{
            "a name of a class that may be the module's",
            "import u\nx = 1\nclass A:\n    if u.f(): x = 2\n    y = x\nC = tl.constexpr(A.y)\n",
            2,
            {{"u.py", "def f(): return open(__file__).read() != ''\n"}},
            "depends on this condition"}));

// A statement of a loop also sees what statements after it did in the iteration before.
INSTANTIATE_TEST_SUITE_P(
    Loops, ModuleRuns,
    testing::Values(
        Program{"a name that changes after it is read",
                "w = 2\nfor i in (3, 4):\n    x = w\n    w = 5\nC = tl.constexpr(x)\n",
                5,
                {},
                "which definition of 'w' holds depends on this loop"},
        Program{"a condition on such a name",
                "w = 2\nfor i in (3, 4):\n    if w < 5:\n        x = 1\n        w = 5\n"
                "    else:\n        x = 3\nC = tl.constexpr(x)\n",
                3,
                {},
                "which definition of 'x' holds depends on this loop"},
        Program{"a name that a comprehension of the loop changes",
                "w = 2\nfor i in (3, 4):\n    x = w\n    L = [w := a for a in (4, 5)]\n"
                "C = tl.constexpr(x)\n",
                5,
                {},
                "which definition of 'w' holds depends on this loop"},
        Program{"a list that changes after it is read",
                "L = []\nfor i in (3, 4):\n    x = len(L)\n    L.append(i)\n"
                "C = tl.constexpr(x)\n",
                1,
                {},
                "which definition of 'x' holds depends on this loop"},
        Program{"a loop around the loop",
                "w = 2\nfor i in (3, 4):\n    for j in (1,):\n        x = w\n    w = 5\n"
                "C = tl.constexpr(x)\n",
                5,
                {},
                "which definition of 'w' holds depends on this loop"},
        Program{"a loop that ends when a name changes",
                "w = 0\nwhile w < 2:\n    x = w\n    w += 1\nC = tl.constexpr(x)\n",
                1,
                {},
                "which definition of 'x' holds depends on this loop"},
        Program{"a name that a loop computes from itself",
                "i = 0\nwhile True:\n    i += 1\n    if i > 3: break\nC = tl.constexpr(i)\n",
                4,
                {},
                "which definition of 'i' holds depends on this loop"},
        Program{"a name that the loop leaves alone",
                "w = 2\nfor i in (3, 4):\n    x = w\n    y = 5\nC = tl.constexpr(x)\n",
                2,
                {},
                ""},
        Program{"a name that the loop sets to what it was",
                "w = 2\nfor i in (3, 4):\n    x = w\n    w = 2\nC = tl.constexpr(x)\n",
                2,
                {},
                ""},
        Program{"a name that changes after the loop",
                "w = 2\nfor i in (3, 4):\n    x = w\nw = 5\nC = tl.constexpr(x)\n",
                2,
                {},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    Attributes, ModuleRuns,
    testing::Values(Program{"a field of a class of named tuples",
                            "import collections\nA = collections.namedtuple('A', 'u v')\n"
                            "C = tl.constexpr(hasattr(A, 'v') + 0)\n",
                            1,
                            {},
                            ""},
                    Program{"a method of numbers that the compiler does not know",
                            "C = tl.constexpr(hasattr(5, 'bit_count') + 0)\n",
                            1,
                            {},
                            "hasattr"},
                    Program{"more values than names",
                            "import contextlib\ny = 1\nwith contextlib.suppress(ValueError):\n"
                            "    x, y = (1, 2, 3)\nC = tl.constexpr(y)\n",
                            1,
                            {},
                            "which definition of 'y' holds"}));

} // namespace
