//===- KernelSearchTest.cpp - What is a kernel, and which one is meant --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {

/// A module with a project's own decorators.
constexpr const char *decorators = R"(import functools
import triton
def my_jit(fn=None, **options):
    def decorate(f):
        return triton.jit(f, **options)
    return decorate if fn is None else decorate(fn)
def through(fn):
    return my_jit(fn)
partly = functools.partial(triton.jit, do_not_specialize=["n"])
class Entry:
    def __init__(self, fn):
        self.fn = fn
def entry():
    def decorate(fn):
        return Entry(fn)
    return decorate
def guard(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args)
    return wrapper
class Jitted:
    def __init__(self, fn):
        self.fn = triton.jit(fn)
)";

struct Case {
  const char *name;
  std::string text;
  std::string kernel;
  /// The number that the kernel stores.
  const char *stores;
};

void PrintTo(const Case &one, std::ostream *os) { *os << one.name; }

class Kernels : public testing::TestWithParam<Case> {};

TEST_P(Kernels, AreFound) {
  const Case &one = GetParam();
  FileSet set{{{"k.py", "import triton\nimport triton.language as tl\n"
                        "from decorators import *\n" +
                            one.text},
               {"decorators.py", decorators}}};
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32", one.kernel);
  ASSERT_TRUE(compiled.errors.empty()) << compiled.rendered();
  EXPECT_TRUE(compiled.verified);
  EXPECT_THAT(compiled.text,
              testing::HasSubstr("arith.constant " + std::string(one.stores) + " : i32"));
}

const std::string body = "def k(p):\n    tl.store(p, 7)\n";

INSTANTIATE_TEST_SUITE_P(
    Decorated, Kernels,
    testing::Values(
        Case{"by jit with options", "@triton.jit(do_not_specialize=['p'])\n" + body, "k", "7"},
        Case{"by a project's own", "@my_jit\n" + body, "k", "7"},
        Case{"by a project's own with options", "@my_jit(debug=False)\n" + body, "k", "7"},
        Case{"by one that calls another one", "@through\n" + body, "", "7"},
        Case{"by a part of jit", "@partly\n" + body, "", "7"},
        Case{"by a class", "@Jitted\n" + body, "", "7"},
        Case{"under others",
             "@entry()\n@triton.autotune(configs=[lambda x: {1: 2}], key=[])\n"
             "@triton.heuristics({'B': lambda x: 1})\n@guard\n@triton.jit\n" +
                 body,
             "", "7"},
        Case{"under one that is not found",
             "from nowhere import deco\n@deco(1)\n@triton.jit\n" + body, "", "7"}));

INSTANTIATE_TEST_SUITE_P(
    Bound, Kernels,
    testing::Values(
        Case{"again by jit", body + "k = triton.jit(k)", "k", "7"},
        Case{"by another name", body + "fast = triton.jit(noinline=False)(k)", "fast", "7"},
        Case{"again by an autotuner",
             "@triton.jit\n" + body + "k = triton.autotune(configs=[], key=[])(k)", "k", "7"},
        Case{"again by a wrapper", "@triton.jit\n" + body + "k = entry()(k)\nk = guard(k)", "k",
             "7"},
        Case{"by a project's own", body + "k = my_jit(k)", "k", "7"},
        Case{"to a second name, as its own goes to a wrapper",
             "@triton.jit\n" + body + "k_kernel = k\ndef k(p):\n    k_kernel[(1,)](p)", "k", "7"},
        Case{"the same, by the second name",
             "@triton.jit\n" + body + "k_kernel = k\ndef k(p):\n    k_kernel[(1,)](p)", "k_kernel",
             "7"},
        Case{"the same, unnamed",
             "@triton.jit\n" + body + "k_kernel = k\ndef k(p):\n    k_kernel[(1,)](p)", "", "7"},
        Case{"by a factory",
             "def make(n, op):\n    m = n * 2\n    @triton.jit\n    def inner(p):\n"
             "        tl.store(p, op(m))\n    return inner\n"
             "@triton.jit\ndef more(x):\n    return x + 1\nkernel = make(3, more)",
             "kernel", "7"},
        Case{"by a choice",
             "@triton.jit\n" + body +
                 "@triton.jit\ndef other(p):\n    tl.store(p, 8)\n"
                 "chosen = k if hasattr(tl, 'dot') else other",
             "chosen", "7"}));

INSTANTIATE_TEST_SUITE_P(
    Inside, Kernels,
    testing::Values(
        Case{"a class",
             "class C:\n    @staticmethod\n    @triton.jit\n    def k(p):\n"
             "        tl.store(p, 7)\n",
             "C.k", "7"},
        Case{
            "a class, by its last name",
            "class C:\n    @staticmethod\n    @triton.jit\n    def k(p):\n        tl.store(p, 7)\n",
            "k", "7"},
        Case{"a class, with the module's names",
             "N = tl.constexpr(7)\nclass C:\n    N = tl.constexpr(8)\n    @staticmethod\n"
             "    @triton.jit\n    def k(p):\n        tl.store(p, N)\n",
             "", "7"},
        Case{"a function",
             "def launch(x):\n    N: tl.constexpr = 7\n    @triton.jit\n"
             "    def k(p):\n        tl.store(p, N)\n    k[(1,)](x)\n",
             "launch.k", "7"}));

TEST(KernelSearchTest, AmbiguousNamesAreListed) {
  const std::string method = "    @staticmethod\n    @triton.jit\n    def k(p):\n        pass\n";
  FileSet set{{{"k.py", "import triton\nclass A:\n" + method + "class B:\n" + method}}};
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32", "k");
  ASSERT_EQ(compiled.errors.size(), 1u);
  EXPECT_EQ(compiled.errors[0].message, "the file has several kernels named 'k'");
  EXPECT_EQ(compiled.errors[0].remedy, "say which: A.k, B.k");
}

/// Taking the argument of a factory for its result would be another kernel.
TEST(KernelSearchTest, FactoriesThatCannotBeFollowedAreErrors) {
  FileSet set{{{"k.py", "import triton\nimport triton.language as tl\n"
                        "@triton.jit\ndef f(p):\n    tl.store(p, 1)\n"
                        "def make(op):\n    with open('x') as file:\n        pass\n"
                        "    @triton.jit\n    def inner(p):\n        op(p)\n    return inner\n"
                        "k = make(f)\n"}}};
  CompiledFiles compiled = compileFiles(set, "k.py", "*i32", "k");
  ASSERT_FALSE(compiled.errors.empty());
  EXPECT_EQ(compiled.errors[0].where.line, 7);
}

} // namespace
