//===- HandedModulesTest.cpp - Modules that are changed where they are handed to ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ModulePrograms.h"

using namespace tilewright::test;

namespace {

class HandedModules : public testing::TestWithParam<Program> {};

TEST_P(HandedModules, AgreeWithPythonOrAreRefused) { expectPythonsValue(GetParam()); }

const std::pair<std::string, std::string> moduleC{"c.py", "x = 1\n"};
const std::pair<std::string, std::string> moduleQ{"q.py", "import c\nimport c as other\n"};
const char *const whether = "depends on what has run, which the compiler cannot evaluate";
const std::string mark = "def mark(m): m.x = 5\n";
const std::string result = "C = tl.constexpr(c.x)\n";

INSTANTIATE_TEST_SUITE_P(
    Paths, HandedModules,
    testing::Values(Program{"of modules",
                            "import q, c\n" + mark + "mark(q.c)\n" + result,
                            5,
                            {moduleC, moduleQ},
                            whether},
                    Program{"by another name, of what a function is handed",
                            "import q, c\n" + mark + "def go(h): mark(h.other)\ngo(q)\n" + result,
                            5,
                            {moduleC, moduleQ},
                            whether},
                    Program{"by getattr",
                            "import q, c\n" + mark + "mark(getattr(q, 'c'))\n" + result,
                            5,
                            {moduleC, moduleQ},
                            whether},
                    Program{"of packages",
                            "import p.c\n" + mark + "mark(p.c)\nC = tl.constexpr(p.c.x)\n",
                            5,
                            {{"p/__init__.py", ""}, {"p/c.py", "x = 1\n"}},
                            whether},
                    Program{"to another module than the one that is asked",
                            "import q, c, d\n" + mark + "mark(q.d)\n" + result,
                            1,
                            {moduleC, {"d.py", "x = 2\n"}, {"q.py", "import d\n"}},
                            ""}));

INSTANTIATE_TEST_SUITE_P(
    ComputedNames, HandedModules,
    testing::Values(
        Program{"in sys.modules",
                "import sys, c\n" + mark + "mark(sys.modules.get(''.join(['c'])))\n" + result,
                5,
                {moduleC},
                whether},
        Program{"of import_module",
                "import importlib, c\n" + mark + "mark(importlib.import_module(''.join(['c'])))\n" +
                    result,
                5,
                {moduleC},
                whether},
        Program{"of another module",
                "import importlib, c, d\n" + mark + "mark(importlib.import_module('d' + ''))\n" +
                    result,
                1,
                {moduleC, {"d.py", "x = 2\n"}},
                ""},
        Program{"of the attribute as well",
                "import importlib, c\ndef put(path, v):\n    m, _, n = path.rpartition('.')\n"
                "    setattr(importlib.import_module(m), n, v)\nput('c.x', 5)\n" +
                    result,
                5,
                {moduleC},
                whether},
        Program{"of another attribute",
                "import importlib, c\ndef put(path, v):\n    m, _, n = path.rpartition('.')\n"
                "    setattr(importlib.import_module(m), n, v)\nput('c.y', 5)\n" +
                    result,
                1,
                {moduleC},
                ""},
        Program{"of an attribute that a call in a text has as well",
                "import importlib, c\ndef put(path, v):\n    m, _, n = path.rpartition('.')\n"
                "    setattr(importlib.import_module(m), n, v)\nput('c.y', 5)\nCODE = 'x.f()'\n" +
                    result,
                1,
                {moduleC},
                ""},
        Program{
            "of an attribute that a pattern in a text has",
            "import importlib, c, re\ndef put():\n    m = importlib.import_module(''.join(['c']))\n"
            "    for n in dir(m):\n        if re.fullmatch('(x|y)', n): setattr(m, n, 5)\n"
            "put()\n" +
                result,
            5,
            {moduleC},
            whether},
        Program{"of modules that a loop imports",
                "import p, p.a\nC = tl.constexpr(p.a.x)\n",
                7,
                {{"p/__init__.py", "import importlib\nfor n in ['a', 'b']:\n"
                                   "    importlib.import_module(f'{__name__}.{n}')\n"},
                 {"p/a.py", "x = 1\n"},
                 {"p/b.py", "from . import a\na.x = 7\n"}},
                whether},
        Program{"of what mock patches",
                "import c\nfrom unittest.mock import patch\ntarget = '.'.join(['c', 'x'])\n"
                "patch(target, 5).start()\n" +
                    result,
                5,
                {moduleC},
                whether},
        Program{"of what a function of the program's own patches",
                "import c\ndef patch(a, b): return a\ntarget = '.'.join(['c', 'x'])\n"
                "patch(target, 5)\n" +
                    result,
                1,
                {moduleC},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    Functions, HandedModules,
    testing::Values(
        Program{"that import what they change",
                "import c\ndef load():\n    import c as k\n    k.x = 9\nload()\n" + result,
                9,
                {moduleC},
                whether},
        Program{"that import a class",
                "from c import K\nimport d\nC = tl.constexpr(K.x)\n",
                9,
                {{"c.py", "class K:\n    x = 1\n"},
                 {"d.py", "def load():\n    from c import K as k\n    k.x = 9\nload()\n"}},
                whether},
        Program{"that import and hand on",
                "import c\n" + mark + "def load():\n    import c as k\n    mark(k)\nload()\n" +
                    result,
                5,
                {moduleC},
                whether},
        Program{"that import a module and hand on a part of it",
                "import c\n" + mark + "def load():\n    import q\n    mark(q.c)\nload()\n" + result,
                5,
                {moduleC, moduleQ},
                whether},
        Program{"that import a module and hand on a part of its parts",
                "import c\n" + mark + "def load():\n    import r\n    mark(r.q.c)\nload()\n" +
                    result,
                5,
                {moduleC, moduleQ, {"r.py", "import q\n"}},
                whether},
        Program{"that import a module and hand on a computed part of it",
                "import c\n" + mark +
                    "def load(n):\n    import q\n    mark(getattr(q, n))\nload('c')\n" + result,
                5,
                {moduleC, moduleQ},
                whether},
        Program{"that import from a package and hand on a part of that",
                "import p.c\n" + mark +
                    "def load():\n    from p import q\n    mark(q.c)\nload()\n"
                    "C = tl.constexpr(p.c.x)\n",
                5,
                {{"p/__init__.py", ""}, {"p/c.py", "x = 1\n"}, {"p/q.py", "from . import c\n"}},
                whether},
        Program{"that import a module and hand on what it has",
                "import c\n" + mark +
                    "class A: pass\ndef load():\n    import c as k\n    mark(k.A)\nload()\n" +
                    result,
                1,
                {{"c.py", "x = 1\nclass A: pass\n"}},
                ""},
        Program{"that import and change another module",
                "import c, d\ndef load():\n    import d as k\n    k.x = 9\nload()\n" + result,
                1,
                {moduleC, {"d.py", "x = 2\n"}},
                ""},
        Program{"that write to the names of their callers",
                "import q\nX = 1\nq.inject(X=5)\nC = tl.constexpr(X)\n",
                5,
                {{"q.py", "import sys\ndef inject(**k): sys._getframe(1).f_globals.update(k)\n"}},
                whether},
        Program{"that others call",
                "import q\nX = 1\nC = tl.constexpr(X)\n",
                1,
                {{"q.py", "import sys\ndef inject(**k): sys._getframe(1).f_globals.update(k)\n"}},
                ""}));

INSTANTIATE_TEST_SUITE_P(
    HandedClasses, HandedModules,
    testing::Values(Program{"by their functions",
                            "from absent import wrap\nimport c\nclass K:\n    def f(): pass\n"
                            "K.g = staticmethod(wrap(K.f))\n" +
                                result,
                            1,
                            {moduleC},
                            ""},
                    Program{"to functions of libraries",
                            "from absent import wrap\nimport c\nclass K:\n    x = 1\nwrap(K)\n"
                            "C = tl.constexpr(K.x)\n",
                            5,
                            {moduleC},
                            whether}));

} // namespace
