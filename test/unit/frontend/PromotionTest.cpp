//===- PromotionTest.cpp - The types of results, beside Triton's ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// test/data/promotion/triton-3.6.txt has the type that Triton 3.6 gives to each operator and each
// function of two operands, for every pair of element types and numbers. Where Triton gives a type,
// the result here has that type, or the operands are refused; the refusals are listed below.
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace tilewright;

namespace {

using Words = std::vector<std::string>;

/// The operands of one row or column.
const Words elementTypes = {"i1",  "i8",   "i16",  "i32",  "i64",  "u8",      "u16",   "u32",
                            "u64", "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5", "*fp32"};

/// One operator or function: `{0}` and `{1}` stand for its operands.
struct Table {
  std::string expression;
  Words columns;
  /// The left operand, and the type of the result for each column.
  std::vector<std::pair<std::string, Words>> rows;
};

std::vector<Table> readTables() {
  std::ifstream file(TILEWRIGHT_PROMOTION_TABLE);
  std::vector<Table> tables;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream stream(line);
    std::string head;
    stream >> head;
    Words words{std::istream_iterator<std::string>(stream), {}};
    if (head.find("{0}") != std::string::npos)
      tables.push_back({head, words, {}});
    else
      tables.back().rows.push_back({head, words});
  }
  return tables;
}

bool isTensor(const std::string &kind) { return llvm::is_contained(elementTypes, kind); }

bool isFloat8(const std::string &kind) { return llvm::StringRef(kind).starts_with("fp8"); }

/// The operand of the kind in the kernel: a number, or a tensor that is not the other operand.
std::string operand(const std::string &kind, bool isRight) {
  if (!isTensor(kind))
    return kind;
  return (kind == "*fp32" ? "pointers" : kind) + (isRight ? "_right" : "_left");
}

std::string replaced(std::string text, const std::string &left, const std::string &right) {
  for (const auto &[mark, with] : {std::pair("{0}", left), std::pair("{1}", right)})
    for (size_t at; (at = text.find(mark)) != std::string::npos;)
      text.replace(at, 3, with);
  return text;
}

/// A kernel that loads what `statements` read and runs them.
test::Compiled compile(const std::string &statements) {
  std::string signature, parameters, loads;
  for (const std::string &kind : elementTypes) {
    const bool isPointer = kind == "*fp32";
    const std::string name = isPointer ? "p_pointers" : "p_" + kind;
    signature += (isPointer ? std::string() : ", *") + (isPointer ? ", *fp32" : kind);
    parameters += ", " + name;
    for (bool isRight : {false, true}) {
      const std::string loaded = operand(kind, isRight), at = isRight ? " + o + 4" : " + o";
      if (statements.find(loaded) != std::string::npos)
        loads +=
            "    " + loaded + " = " + (isPointer ? name + at : "tl.load(" + name + at + ")") + "\n";
    }
  }
  return test::compile("import triton\nimport triton.language as tl\n@triton.jit\ndef k(" +
                           parameters.substr(2) + "):\n    o = tl.arange(0, 4)\n    c = o > 1\n" +
                           loads + statements,
                       signature.substr(2), "k");
}

/// The word of the table for a type of the language.
std::string shortName(llvm::StringRef name) {
  std::string text = name.str();
  if (name.starts_with("int") || name.starts_with("uint")) {
    const bool isUnsigned = name.starts_with("u");
    return (isUnsigned ? "u" : "i") + text.substr(isUnsigned ? 4 : 3);
  }
  if (name.starts_with("pointer<"))
    return "*" + shortName(name.drop_front(8).drop_back());
  return text;
}

/// The types that static_print says of each expression; nothing if one of them is refused.
std::optional<Words> typesOf(const std::vector<std::string> &expressions) {
  std::string statements;
  for (const std::string &expression : expressions)
    statements += "    tl.static_print((" + expression + ").dtype)\n";
  test::Compiled compiled = compile(statements);
  Words types;
  for (const Diagnostic &diagnostic : compiled.errors) {
    if (diagnostic.severity == Severity::Error)
      return std::nullopt;
    if (diagnostic.severity == Severity::Note)
      types.push_back(shortName(diagnostic.message));
  }
  EXPECT_EQ(types.size(), expressions.size());
  return types;
}

/// Whether an operator compares; its entries are the predicate and the type that it compares in.
bool isComparison(const Table &table) {
  return table.expression.find_first_of("<>=!") != std::string::npos &&
         table.expression.find("<<") == std::string::npos &&
         table.expression.find(">>") == std::string::npos;
}

/// How a comparison is computed: "slt:i32". Nothing if it is refused, empty if it was folded.
std::optional<std::string> comparisonOf(const std::string &expression) {
  test::Compiled compiled = compile("    tl.store(p_i8 + o, " + expression + ")\n");
  if (compiled.text.empty())
    return std::nullopt;
  llvm::StringRef text = compiled.text;
  // The first comparison is that of `c`.
  size_t at = text.rfind("arith.cmp");
  if (at == text.find("arith.cmp"))
    return "";
  llvm::StringRef line = text.substr(at).split('\n').first;
  llvm::StringRef type = line.rsplit(" : ").second;
  type.consume_front("tensor<4x");
  return (line.split(' ').second.split(',').first + ":" + type.rtrim('>')).str();
}

/// The comparison with its operands exchanged: MLIR moves constants of integers to the right.
std::string exchanged(const std::string &comparison) {
  std::string text = comparison;
  const size_t at = comparison.find_first_of("lg");
  if (at != std::string::npos && at < comparison.find(':'))
    text[at] = comparison[at] == 'l' ? 'g' : 'l';
  return text;
}

/// Whether this front end may refuse what Triton's takes: computing with 8-bit floats, which
/// Triton's later stages refuse, tl.div_rn of an fp32 by a number that fp32 does not hold, and
/// tl.umulhi of two truth values.
bool mayBeRefused(llvm::StringRef expression) {
  return expression.contains("fp8") || expression.starts_with("tl.div_rn") ||
         expression == "tl.umulhi(True,True)";
}

TEST(Promotion, TheTypesOfResultsAreTritons) {
  std::vector<Table> tables = readTables();
  ASSERT_GE(tables.size(), 20u);
  size_t compared = 0;
  for (const Table &table : tables) {
    for (const auto &[left, expected] : table.rows) {
      ASSERT_EQ(expected.size(), table.columns.size());
      std::vector<std::string> expressions;
      Words wanted;
      for (const auto &[right, type] : llvm::zip_equal(table.columns, expected)) {
        // Nothing is left of a comparison with True.
        const bool isFolded = type == "eq:i1" && (left == "True" || right == "True");
        if (type == "-" || type == "." || isFolded)
          continue;
        const std::string expression =
            replaced(table.expression, operand(left, false), operand(right, true));
        if (isComparison(table)) {
          std::optional<std::string> found = comparisonOf(expression);
          if (!found)
            EXPECT_TRUE(mayBeRefused(expression)) << expression << " is refused";
          else if (!found->empty())
            EXPECT_TRUE(*found == type || (!isTensor(left) && *found == exchanged(type)) ||
                        isFloat8(left) || isFloat8(right))
                << expression << ": " << *found << ", not " << type;
          ++compared;
          continue;
        }
        expressions.push_back(expression);
        wanted.push_back(type);
      }
      if (expressions.empty())
        continue;
      std::optional<Words> types = typesOf(expressions);
      for (size_t i = 0; i < expressions.size(); ++i) {
        std::optional<Words> one =
            types ? std::optional<Words>({(*types)[i]}) : typesOf({expressions[i]});
        ++compared;
        if (one)
          EXPECT_EQ(one->front(), wanted[i]) << expressions[i];
        else
          EXPECT_TRUE(mayBeRefused(expressions[i])) << expressions[i] << " is refused";
      }
    }
  }
  EXPECT_GT(compared, 10000u);
}

} // namespace
