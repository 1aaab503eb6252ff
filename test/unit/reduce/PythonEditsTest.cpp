//===- PythonEditsTest.cpp - Edits of Python source ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/PythonTree.h"
#include "reduce/Reducer.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <filesystem>

using namespace tilewright::reduce;

namespace {

/// What each edit of this kind alone makes of a source.
std::vector<std::string> alone(llvm::StringRef kind, const Program &program,
                               const std::string &kernel = "") {
  std::vector<std::string> results;
  for (const EditKind &each : pythonEdits(kernel))
    if (each.name == kind)
      if (std::unique_ptr<Edits> edits = each.find(program))
        for (unsigned number = 0; number < edits->count(); ++number)
          results.push_back(edits->apply({number})->text);
  return results;
}

using Texts = std::vector<std::string>;

Program reduced(const std::string &text, std::vector<std::string> signature,
                const std::function<bool(const Program &)> &test) {
  Reducer reducer(test, std::chrono::steady_clock::now() + std::chrono::minutes(1));
  return reducer.reduce({text, std::move(signature)}, pythonEdits("k"));
}

} // namespace

TEST(PythonEdits, StatementsGoWithTheirLines) {
  EXPECT_EQ(alone("statements", {"import a\n@jit\ndef k():\n    x = 1 # one\n    y = 2\n", {}}),
            (Texts{"@jit\ndef k():\n    x = 1 # one\n    y = 2\n", "import a\n",
                   "import a\n@jit\ndef k():\n    y = 2\n",
                   "import a\n@jit\ndef k():\n    x = 1 # one\n"}));
}

TEST(PythonEdits, AnEmptyBlockPasses) {
  EXPECT_EQ(alone("statements", {"if a:\n    b\nelif c:\n    d\n", {}}),
            (Texts{"", "if a:\n    pass\nelif c:\n    d\n", "if a:\n    b\n",
                   "if a:\n    b\nelif c:\n    pass\n"}));
  EXPECT_EQ(alone("statements", {"a; b\n", {}}), (Texts{"pass; b\n", "a; pass\n"}));
  EXPECT_EQ(alone("statements", {"if a: b\n", {}}), (Texts{"", "if a: pass\n"}));
}

TEST(PythonEdits, BlocksTakeTheirOwnersPlace) {
  const Program program{"for i in r:\n    if a:\n        b\n        c\n    else:\n        d\n", {}};
  EXPECT_EQ(alone("blocks", program),
            (Texts{"i = 0\nif a:\n    b\n    c\nelse:\n    d\n", "for i in r:\n    b\n    c\n"}));
  EXPECT_EQ(alone("else blocks", program), (Texts{"for i in r:\n    d\n"}));
  EXPECT_EQ(alone("else", program), (Texts{"for i in r:\n    if a:\n        b\n        c\n"}));
}

TEST(PythonEdits, ExpressionsBecomeTheirParts) {
  EXPECT_EQ(alone("first parts", {"x = f(a + b)[0]\n", {}}),
            (Texts{"x = f(a + b)\n", "x = (a + b)[0]\n", "x = f(a)[0]\n"}));
  EXPECT_EQ(alone("second parts", {"x = a if b else c[0].d(e)\n", {}}),
            (Texts{"x = c[0].d(e)\n", "x = a if b else c[0]\n"}));
  EXPECT_EQ(alone("zeros", {"x = c[0].d(e)\n", {}}),
            (Texts{"x = 0\n", "x = c[0].d(0)\n", "x = (0).d(e)\n", "x = 0[0].d(e)\n"}));
  EXPECT_EQ(alone("arguments", {"f(a, b, c=1)\n", {}}), (Texts{"f(a, c=1)\n", "f(a, b)\n"}));
  EXPECT_EQ(alone("parentheses", {"x = (a) + f(b)\n", {}}), (Texts{"x = a + f(b)\n"}));
}

TEST(PythonEdits, ParametersGoWithTheirEntries) {
  const Program program{"@jit\ndef k(a, b: tl.constexpr = 4):\n    a\n", {"*fp32", "8"}};
  for (const EditKind &kind : pythonEdits("k"))
    if (llvm::StringRef(kind.name) == "parameters") {
      std::unique_ptr<Edits> edits = kind.find(program);
      ASSERT_EQ(edits->count(), 2u);
      EXPECT_EQ(edits->apply({0}), (Program{"@jit\ndef k(b: tl.constexpr = 4):\n    a\n", {"8"}}));
      EXPECT_EQ(edits->apply({1}), (Program{"@jit\ndef k(a, ):\n    a\n", {"*fp32"}}));
    }
}

TEST(PythonEdits, TheRestGoes) {
  const std::string text =
      "import x\n\nN = 64  # tiles\n\ndef helper(a):\n    return a * 2\n\n"
      "@jit\ndef k(p, n, B: tl.constexpr):\n    # load\n    for i in range(n):\n"
      "        if i > 3:\n            v = load(p + i * B, mask=i < n)\n"
      "            store(p, helper(v))\n    return\n";
  const Program least = reduced(text, {"*fp32", "i32", "128"}, [](const Program &program) {
    return program.text.find("load(") != std::string::npos &&
           program.text.find("def k(") != std::string::npos;
  });
  EXPECT_EQ(least.text, "def k():\n    v = load(0)\n");
  EXPECT_TRUE(least.signature.empty());
}

// Whatever is edited, in any of the example kernels, a text results, and most are Python.
TEST(PythonEdits, OfAllExamples) {
  unsigned count = 0, parsed = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TILEWRIGHT_EXAMPLES)) {
    if (entry.path().extension() != ".py")
      continue;
    const Program program{(*llvm::MemoryBuffer::getFile(entry.path().string()))->getBuffer().str(),
                          {}};
    for (const EditKind &kind : pythonEdits("")) {
      std::unique_ptr<Edits> edits = kind.find(program);
      for (unsigned number = 0; edits && number < edits->count(); ++number) {
        ++count;
        parsed += PythonTree::parse(edits->apply({number})->text).has_value();
      }
    }
  }
  EXPECT_GT(count, 1000u);
  EXPECT_GT(parsed, count * 95 / 100);
}
