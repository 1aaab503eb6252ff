//===- ImportTest.cpp - Kernels with names of other files ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each case is a kernel that stores one constant, as a static_assert has checked it, so that what
// the names mean is compared with what Python would find.
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr const char *head = "import triton\nimport triton.language as tl\n";

/// A kernel that checks `condition`, in a module that begins with `imports`.
std::string kernel(const std::string &imports, const std::string &condition) {
  return head + imports + "\n@triton.jit\ndef k(p):\n    tl.static_assert(" + condition +
         ")\n    tl.store(p, 1)\n";
}

struct Case {
  const char *name;
  std::string imports;
  std::string condition;
  FileSet set;
};

void PrintTo(const Case &one, std::ostream *os) { *os << one.name; }

class Imports : public testing::TestWithParam<Case> {};

TEST_P(Imports, MeanWhatPythonFinds) {
  const Case &one = GetParam();
  FileSet set = one.set;
  set.files.push_back({"pkg/sub/k.py", kernel(one.imports, one.condition)});
  CompiledFiles compiled = compileFiles(set, "pkg/sub/k.py", "*i32");
  EXPECT_TRUE(compiled.errors.empty()) << compiled.rendered();
  EXPECT_TRUE(compiled.verified);
}

std::string constants(const std::string &text) { return head + text; }

INSTANTIATE_TEST_SUITE_P(
    Modules, Imports,
    testing::Values(
        Case{"beside",
             "from .a import X",
             "X == 3",
             {{{"pkg/sub/a.py", constants("X = tl.constexpr(3)")}}}},
        Case{"above",
             "from ..a import X as Y",
             "Y == 3",
             {{{"pkg/a.py", constants("X = tl.constexpr(3)")}}}},
        Case{"absolute, from the folder of the package",
             "import pkg.sub.a as m",
             "m.X == 3",
             {{{"pkg/__init__.py", ""}, {"pkg/sub/__init__.py", ""}, {"pkg/sub/a.py", "X = 3"}}}},
        Case{"absolute, bound by its first part",
             "import pkg.sub.a",
             "pkg.sub.a.X == 3",
             {{{"pkg/__init__.py", ""}, {"pkg/sub/__init__.py", ""}, {"pkg/sub/a.py", "X = 3"}}}},
        Case{"beside a file that is in no package",
             "import a",
             "a.X == 3",
             {{{"pkg/sub/a.py", "X = 3"}}}},
        Case{"from a path",
             "from lib.a import X",
             "X == 4",
             {{{"two/lib/a.py", constants("X = tl.constexpr(4)")},
               {"two/lib/__init__.py", ""},
               {"three/lib/__init__.py", "X = 5"}},
              {"one", "two", "three"}}},
        Case{"a package before a module, a module before a folder",
             "import lib",
             "lib.X == 1",
             {{{"one/lib/__init__.py", "X = 1"}, {"one/lib.py", "X = 2"}, {"one/lib/a.py", ""}},
              {"one"}}},
        Case{
            "folders without __init__.py, in several places",
            "import lib.a\nfrom lib import b\nfrom lib.b import Z",
            "lib.a.X + b.Y + Z == 6",
            {{{"one/lib/a.py", "X = 1"}, {"two/lib/b.py", constants("Y = 2\nZ = tl.constexpr(3)")}},
             {"one", "two"}}},
        Case{"a folder without __init__.py in a package",
             "import pkg.deep.er",
             "pkg.deep.er.X == 3",
             {{{"pkg/__init__.py", ""}, {"pkg/deep/er.py", "X = 3"}}}},
        Case{"folders without __init__.py in each other",
             "import lib.deep.er",
             "lib.deep.er.X == 3",
             {{{"one/lib/deep/er.py", "X = 3"}}, {"one"}}},
        Case{"re-exported",
             "from .. import X",
             "X == 3",
             {{{"pkg/__init__.py", "from .deep import X"},
               {"pkg/deep/__init__.py", "from .er import *"},
               {"pkg/deep/er.py", constants("X = tl.constexpr(3)")}}}},
        Case{"a submodule that __init__ does not name",
             "from ..deep import er",
             "er.X == 3",
             {{{"pkg/deep/__init__.py", ""}, {"pkg/deep/er.py", "X = 3"}}}},
        Case{"what __init__ names before a submodule",
             "from ..deep import er",
             "er == 3",
             {{{"pkg/deep/__init__.py", constants("er = tl.constexpr(3)")},
               {"pkg/deep/er.py", "X = 3"}}}},
        Case{"of a package whose folders have no __init__.py",
             "from pkg.b import X",
             "X == 3",
             {{{"pkg/b.py", constants("X = tl.constexpr(3)")}}}},
        Case{"another name of a constant",
             "from . import a\nY = a.X\nZ = Y",
             "Z == 3",
             {{{"pkg/sub/__init__.py", ""}, {"pkg/sub/a.py", constants("X = tl.constexpr(3)")}}}},
        Case{"the value of a member of an enumeration",
             "from .a import Kind\nX = tl.constexpr(Kind.TWO.value)",
             "X == 2",
             {{{"pkg/sub/a.py", "from enum import Enum\nclass Kind(Enum):\n    TWO = 2"}}}},
        Case{"triton from a module of the project",
             "triton = tl = None\nfrom .common import tl, triton",
             "tl.constexpr(3) == 3",
             {{{"pkg/sub/common.py", head}}}}));

INSTANTIATE_TEST_SUITE_P(
    Stars, Imports,
    testing::Values(
        Case{"public names",
             "X = tl.constexpr(1)\n_Y = tl.constexpr(1)\nfrom .a import *",
             "X == 2 and _Y == 1",
             {{{"pkg/sub/a.py", constants("X = tl.constexpr(2)\n_Y = tl.constexpr(2)")}}}},
        Case{
            "names in __all__",
            "X = Z = tl.constexpr(1)\n_Y = tl.constexpr(1)\nfrom .a import *",
            "X == 1 and _Y == 2 and Z == 2",
            {{{"pkg/sub/a.py", constants("__all__ = ['_Y']\n__all__ += ['Z']\nX = tl.constexpr(2)\n"
                                         "_Y = tl.constexpr(2)\nZ = tl.constexpr(2)")}}}},
        Case{"what comes later counts",
             "from .a import *\nX = tl.constexpr(1)",
             "X == 1",
             {{{"pkg/sub/a.py", constants("X = tl.constexpr(2)")}}}},
        Case{"of modules that import each other",
             "from .a import *",
             "X == 2 and Y == 3",
             {{{"pkg/sub/a.py", constants("from .b import *\nX = tl.constexpr(2)")},
               {"pkg/sub/b.py", constants("from .a import *\nY = tl.constexpr(3)")}}}},
        Case{"of triton.language",
             "from triton.language import *",
             "constexpr(float32) == float32",
             {}}));

INSTANTIATE_TEST_SUITE_P(
    Choices, Imports,
    testing::Values(
        Case{"in the other module's names",
             "flag = True\nfrom .a import X",
             "X == 2",
             {{{"pkg/sub/a.py", constants("flag = False\nif flag:\n    X = tl.constexpr(1)\n"
                                          "else:\n    X = tl.constexpr(2)")}}}},
        Case{"a version that a module tells",
             "from .a import NEW\nif NEW:\n    X = tl.constexpr(1)\n"
             "else:\n    X = tl.constexpr(2)",
             "X == 1",
             {{{"pkg/sub/a.py", "import triton\nfrom packaging import version\n"
                                "NEW = version.parse(triton.__version__) >= "
                                "version.parse('3.2.0')"}}}},
        Case{"hasattr of a module",
             "from . import a\nX = tl.constexpr(hasattr(a, 'y'))\n"
             "Y = tl.constexpr(hasattr(a, 'z'))",
             "X and not Y",
             {{{"pkg/sub/__init__.py", ""}, {"pkg/sub/a.py", "y = 1"}}}},
        Case{"an import that succeeds",
             "try:\n    from .a import X\nexcept ImportError:\n    X = tl.constexpr(2)",
             "X == 1",
             {{{"pkg/sub/a.py", constants("X = tl.constexpr(1)")}}}},
        Case{"a name that is not there",
             "try:\n    from .a import X\nexcept ImportError:\n    X = tl.constexpr(2)",
             "X == 2",
             {{{"pkg/sub/a.py", constants("Y = tl.constexpr(1)")}}}},
        Case{"a module that is not there, of a package that is",
             "try:\n    from pkg.b import X\nexcept (ImportError, OSError):\n"
             "    X = tl.constexpr(2)",
             "X == 2",
             {{{"pkg/__init__.py", ""}, {"pkg/sub/__init__.py", ""}}}},
        Case{"an attribute that Triton has not",
             "try:\n    f = tl.no_such_thing\n    X = tl.constexpr(1)\nexcept AttributeError:\n"
             "    X = tl.constexpr(2)",
             "X == 2",
             {}},
        Case{"a function that runs, with imports of modules by their names",
             "import importlib, importlib.util, operator\nfrom packaging.version import Version\n"
             "def find(name):\n    if spec := importlib.util.find_spec('triton.language.math'):\n"
             "        module = importlib.util.module_from_spec(spec)\n"
             "        spec.loader.exec_module(module)\n        return getattr(module, name)\n"
             "def newer(module, compare, than):\n    try:\n"
             "        found = importlib.import_module(module)\n    except ImportError:\n"
             "        return False\n"
             "    return compare(Version(found.__version__), Version(than))\n"
             "exp = find('exp')\n"
             "if newer('triton', operator.ge, '3.0.0'):\n    X = tl.constexpr(1)\n"
             "else:\n    X = tl.constexpr(2)",
             "X == 1 and exp == tl.exp",
             {}},
        Case{"the device",
             "import torch\ntarget = triton.runtime.driver.active.get_current_target()\n"
             "is_one = target.backend == 'cuda' and target.arch >= 90\n"
             "if torch.version.hip is None and torch.cuda.is_available() and is_one:\n"
             "    X = tl.constexpr(torch.cuda.get_device_capability(0)[0])\n"
             "else:\n    X = tl.constexpr(0)\nL = tl.constexpr(torch.iinfo(torch.int32).max)",
             "X == 9 and L == 2147483647",
             {}},
        Case{"all devices, and those that PyTorch has no module of",
             "import torch\n"
             "caps = [torch.cuda.get_device_capability(i) for i in "
             "range(torch.cuda.device_count())]\n"
             "def is_npu():\n    if not hasattr(torch, 'npu'):\n        return False\n"
             "    return torch.npu.is_available()\n"
             "props = torch.cuda.get_device_properties(0)\n"
             "if all(c[0] >= 8 for c in caps) and not is_npu() and props.minor == 0:\n"
             "    X = tl.constexpr(len(caps))\n"
             "else:\n    X = tl.constexpr(0)",
             "X == 1",
             {}},
        Case{"a platform that a module finds when it is asked for",
             "from vllm.platforms import current_platform\n"
             "IS_OLD = current_platform.get_device_capability() == (7, 5)\n"
             "if current_platform.is_rocm() or current_platform.is_xpu() or IS_OLD:\n"
             "    X = tl.constexpr(1)\n"
             "elif current_platform.is_cuda_alike() and not current_platform.is_cpu():\n"
             "    X = tl.constexpr(2)\n"
             "import torch\n"
             "MAX: tl.constexpr = torch.finfo(current_platform.fp8_dtype()).max\n"
             "from vllm.triton_utils.importing import HAS_TRITON\n"
             "if HAS_TRITON:\n    from triton.language import math\n"
             "else:\n    math = tl",
             "X == 2 and MAX == 448.0 and math.exp == tl.exp",
             {{{"pkg/sub/vllm/__init__.py", ""},
               {"pkg/sub/vllm/triton_utils/__init__.py", ""},
               {"pkg/sub/vllm/triton_utils/importing.py",
                "from nowhere import drivers\nHAS_TRITON = True\n"
                "if len(drivers) != 1:\n    HAS_TRITON = False\n"},
               {"pkg/sub/vllm/platforms/__init__.py",
                "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    current_platform: int\n"
                "def __getattr__(name):\n    global _current\n    return _current\n"}}}},
        Case{"a constant that only a kernel needs declared",
             "from nowhere import ready\nVALUE = 5\n"
             "X = tl.constexpr(VALUE) if ready else VALUE\n"
             "Y = VALUE if not ready else tl.constexpr(VALUE)\n"
             "Z = tl.constexpr(1) if VALUE > 4 else tl.constexpr(2)",
             "X == 5 and Y == 5 and Z == 1",
             {}},
        Case{"functions that are called as methods of lists are",
             "from .a import m\ndef f(x):\n    y = tl.sort(x)\n    return m.insert(y)\n"
             "tl.remove(f)\nm.clear()\nf(m)",
             "m.cdiv(3, 2) == 2",
             {{{"pkg/sub/a.py", "import triton.language as m"}}}},
        Case{"a stub where there is no device",
             "from nowhere import ready\nif ready():\n    @triton.jit\n    def f():\n"
             "        return 1\nelse:\n    def f():\n        raise RuntimeError()",
             "isinstance(f(), tl.tensor)",
             {}},
        Case{"what stands in for Triton where there is none",
             "from nowhere import ready\nclass Nothing:\n    pass\n"
             "tl = triton.language if ready else Nothing()\nfrom .a import tl",
             "tl.constexpr(1) == 1",
             {{{"pkg/sub/a.py", "from nowhere import ready\nif ready:\n"
                                "    import triton.language as tl\nelse:\n    tl = None"}}}},
        Case{"a variable of the environment that is not set",
             "import os\nif os.environ.get('TILEWRIGHT_TEST_NO', '0') == '1':\n"
             "    X = tl.constexpr(1)\nelse:\n    X = tl.constexpr(2)",
             "X == 2",
             {}}));

TEST(ImportTest, BrokenModulesMatterWhereTheirNamesDo) {
  FileSet set{{{"k.py", kernel("from a import X\nfrom broken import y\nimport missing\n"
                               "from missing.too import z\nw = missing.f(z)",
                               "X == 1")},
               {"a.py", "from broken import *\n" + constants("X = tl.constexpr(1)")},
               {"broken.py", "this is no Python"},
               {"unused.py", ""}}};
  // Its names could come from the star only if they were not defined after it.
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32");
  EXPECT_TRUE(compiled.errors.empty()) << compiled.rendered();
  std::vector<std::string> read;
  for (const InputFile &input : compiled.inputs)
    if (input.sha256)
      read.push_back(input.path);
  // Modules that are imported may change each other's names.
  EXPECT_THAT(read, testing::ElementsAre("a.py", "broken.py"));
}

TEST(ImportTest, InputsAreWhatWasReadAndWhatWasLookedFor) {
  FileSet set{{{"k.py", kernel("from lib.a import X", "X == 1")},
               {"two/lib/a.py", constants("X = tl.constexpr(1)")}},
              {"one", "two"}};
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32");
  ASSERT_TRUE(compiled.errors.empty()) << compiled.rendered();
  std::vector<std::string> missing;
  for (const InputFile &input : compiled.inputs)
    if (!input.sha256)
      missing.push_back(input.path);
    else
      EXPECT_EQ(input.sha256->size(), 64u);
  EXPECT_THAT(missing,
              testing::IsSupersetOf({"lib/__init__.py", "lib.py", "lib/a.py", "lib/a/__init__.py",
                                     "one/lib/__init__.py", "one/lib.py", "one/lib/a.py"}));
  EXPECT_THAT(missing, testing::Not(testing::Contains("two/lib/a.py")));
}

TEST(ImportTest, VariablesOfTheEnvironmentAreInputs) {
  setenv("TILEWRIGHT_TEST_YES", "1", /*replace=*/1);
  FileSet set{{{"k.py", kernel("import os\nX = tl.constexpr(os.getenv('TILEWRIGHT_TEST_YES'))\n"
                               "Y = tl.constexpr(os.environ.get('TILEWRIGHT_TEST_NO'))",
                               "X == '1' and Y is None")}}};
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32");
  ASSERT_TRUE(compiled.errors.empty()) << compiled.rendered();
  EXPECT_THAT(compiled.variables,
              testing::ElementsAre(InputVariable{"TILEWRIGHT_TEST_NO", std::nullopt},
                                   InputVariable{"TILEWRIGHT_TEST_YES", "1"}));
}

TEST(ImportTest, ScriptsFindThePackageOfTheirProject) {
  const std::string script = "import triton\nimport triton.language as tl\n"
                             "from pack.values import X\nC = tl.constexpr(X)\n"
                             "@triton.jit\ndef k(p):\n"
                             "    tl.static_assert(C == 3)\n    tl.store(p, 1)\n";
  for (const char *folder : {"repo", "repo/src"}) {
    FileSet set{{{"repo/examples/script.py", script},
                 {std::string(folder) + "/pack/__init__.py", ""},
                 {std::string(folder) + "/pack/values.py", "X = 3\n"}}};
    // Without a project's file, the folder is any other.
    EXPECT_FALSE(compileFiles(set, "repo/examples/script.py", "*i32").errors.empty());
    set.files.push_back({"repo/pyproject.toml", ""});
    CompiledFiles compiled = compileFiles(set, "repo/examples/script.py", "*i32");
    EXPECT_TRUE(compiled.errors.empty()) << compiled.rendered();
  }
}

TEST(ImportTest, FunctionsOfOneNameAreDifferent) {
  FileSet set{{{"k.py", std::string(head) + "from a import f\nimport b\n@triton.jit\ndef k(p):\n"
                                            "    tl.store(p, f(tl.load(p)) + b.f(tl.load(p)))\n"},
               {"a.py", std::string(head) + "@triton.jit\ndef f(x):\n    return x + 2\n"},
               {"b.py", std::string(head) + "@triton.jit\ndef f(x):\n    return x * 3\n"}}};
  CompiledFiles compiled = compileFiles(set, "k.py", "*fp32");
  ASSERT_TRUE(compiled.errors.empty()) << compiled.rendered();
  EXPECT_TRUE(compiled.has("arith.addf") && compiled.has("arith.mulf")) << compiled.text;
}

//===--------------------------------------------------------------------------===//
// Errors
//===--------------------------------------------------------------------------===//

struct BadFiles {
  const char *name;
  std::string imports;
  std::string expression;
  FileSet set;
  /// file:line of the error, then of its notes.
  std::vector<std::string> places;
  const char *message;
};

void PrintTo(const BadFiles &one, std::ostream *os) { *os << one.name; }

class ImportErrors : public testing::TestWithParam<BadFiles> {};

TEST_P(ImportErrors, NameTheChain) {
  const BadFiles &one = GetParam();
  FileSet set = one.set;
  set.files.push_back({"k.py", kernel(one.imports, one.expression)});
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32");
  ASSERT_EQ(compiled.errors.size(), 1u) << compiled.rendered();
  const Diagnostic &error = compiled.errors.front();
  EXPECT_THAT(error.message, testing::HasSubstr(one.message));
  std::vector<std::string> places{error.where.file + ":" + std::to_string(error.where.line)};
  for (const Diagnostic &note : error.notes)
    places.push_back(note.where.file + ":" + std::to_string(note.where.line));
  EXPECT_EQ(places, one.places) << compiled.rendered();
}

INSTANTIATE_TEST_SUITE_P(
    Chains, ImportErrors,
    testing::Values(
        BadFiles{"no module",
                 "from a import x",
                 "x == 1",
                 {},
                 {"k.py:3", "k.py:6"},
                 "the module 'a' is not found"},
        BadFiles{"no module, two files on",
                 "from a import x",
                 "x == 1",
                 {{{"a.py", "\nfrom b import x"}, {"b.py", "from .c import x"}}},
                 {"b.py:1", "a.py:2", "k.py:3", "k.py:6"},
                 "the module '.c' is not found"},
        BadFiles{"no name",
                 "import a",
                 "a.value == 1",
                 {{{"a.py", "values = 1"}}},
                 {"k.py:6"},
                 "the module 'a' has no 'value'"},
        BadFiles{"a syntax error",
                 "from a import x",
                 "x == 1",
                 {{{"a.py", "x = = 1"}}},
                 {"a.py:1", "k.py:3", "k.py:6"},
                 ""},
        BadFiles{"a plain number",
                 "from a import x",
                 "x == 1",
                 {{{"a.py", "x = 1"}}},
                 {"k.py:6"},
                 "Cannot access global variable x from"},
        BadFiles{"a condition of the other file",
                 "from a import x",
                 "x == 1",
                 {{{"a.py", "import torch\nimport triton.language as tl\nif torch.cuda:\n"
                            "    x = tl.constexpr(1)\nelse:\n    x = tl.constexpr(2)"}}},
                 {"a.py:3", "a.py:3", "k.py:3", "k.py:6"},
                 "which definition of 'x' holds depends on this condition"},
        BadFiles{"why a condition of the other file is not known",
                 "from a import x",
                 "x == 1",
                 {{{"a.py", "import torch\nimport triton.language as tl\n"
                            "def ready():\n    return torch.ready() == 1\n"
                            "if ready():\n    x = tl.constexpr(1)\n"
                            "else:\n    x = tl.constexpr(2)"}}},
                 {"a.py:5", "a.py:4", "a.py:5", "k.py:3", "k.py:6"},
                 "which definition of 'x' holds depends on this condition"},
        BadFiles{"a star that could define the name",
                 "X = tl.constexpr(1)\nfrom missing import *",
                 "X == 1",
                 {},
                 {"k.py:4", "k.py:7"},
                 "from a module that is not found"},
        BadFiles{"values that need each other",
                 "from a import x",
                 "x == 1",
                 {{{"a.py", "from b import y\nx = y"}, {"b.py", "from a import x\ny = x"}}},
                 {"b.py:1", "b.py:2", "a.py:1", "a.py:2", "k.py:3", "k.py:6"},
                 "the module 'a' has no 'x' yet"}));

} // namespace
