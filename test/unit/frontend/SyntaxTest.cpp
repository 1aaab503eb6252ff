//===- SyntaxTest.cpp - Errors of the lexer and the parser --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/AstDump.h"
#include "frontend/syntax/Parser.h"

#include <gtest/gtest.h>

#include <string>

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

std::string dumpOf(const std::string &source) {
  Arena arena;
  SyntaxError error;
  const Module *module = parse(source, arena, error);
  return module ? dump(*module, false) : "error: " + error.message;
}

TEST(Syntax, DumpsAsPythonDoes) {
  EXPECT_EQ(dumpOf("x = 1"), "Module(body=[Assign(targets=[Name(id='x', ctx=Store())], "
                             "value=Constant(value=1))], type_ignores=[])");
  EXPECT_EQ(dumpOf(""), "Module(body=[], type_ignores=[])");
}

struct Bad {
  const char *source;
  uint32_t line;
  uint32_t column;
  const char *message;
};

class BadSyntax : public testing::TestWithParam<Bad> {};

TEST_P(BadSyntax, IsRefusedWithItsPlace) {
  Arena arena;
  SyntaxError error;
  EXPECT_EQ(parse(GetParam().source, arena, error), nullptr);
  EXPECT_NE(error.message.find(GetParam().message), std::string::npos) << error.message;
  EXPECT_EQ(error.where.line, GetParam().line) << error.message;
  EXPECT_EQ(error.where.column, GetParam().column) << error.message;
}

INSTANTIATE_TEST_SUITE_P(
    Lexer, BadSyntax,
    testing::Values(
        Bad{"x = (1, 2", 1, 5, "'(' is never closed"},
        Bad{"x = [1, 2)", 1, 10, "')' does not match the '['"},
        Bad{"x = (1,\n 2]", 2, 3, "']' does not match the '(' on line 1"},
        Bad{"x = 1)", 1, 6, "')' has no opening bracket"},
        Bad{"x = 'abc", 1, 5, "not closed on its line"},
        Bad{"x = 1\ny = '''abc\n", 2, 5, "triple quotes is never closed"},
        Bad{"if x:\n    y\n  z", 3, 3, "matches no block"},
        Bad{"if x:\n\ty\n        z", 3, 9, "tabs and spaces"},
        Bad{"x = 1 $ 2", 1, 7, "'$' has no meaning"}, Bad{"x = 1 ! 2", 1, 7, "'!' has no meaning"},
        Bad{"x = 0x", 1, 7, "not a valid hexadecimal number"},
        Bad{"x = 0b12", 1, 8, "cannot stand in a binary number"},
        Bad{"x = 1__0", 1, 7, "not a valid decimal number"},
        Bad{"x = 1abc", 1, 6, "not a valid decimal number"},
        Bad{"x = 012", 1, 5, "starts with a zero"}, Bad{"x = \\ 1", 1, 5, "follows the backslash"},
        Bad{"x = 1 + \\", 1, 9, "follows the backslash"},
        Bad{"x = '\xff'\ny = \xff", 2, 5, "not UTF-8"}, Bad{"x = 1\x01", 1, 6, "control character"},
        Bad{"x = '\\x1'", 1, 6, "two hexadecimal digits"},
        Bad{"x = 'ab\\N{DASH}'", 1, 8, "character name"},
        Bad{"x = b'\xc3\xa9'", 1, 7, "ASCII characters only"}));

INSTANTIATE_TEST_SUITE_P(
    Parser, BadSyntax,
    testing::Values(Bad{"x = ", 1, 5, "expected an expression, found the end of the line"},
                    Bad{"if x\n    y", 1, 5, "expected ':' after the condition of 'if'"},
                    Bad{"if x = 1:\n    y", 1, 6, "expected ':' after the condition of 'if'"},
                    Bad{"if x:\ny", 2, 1,
                        "an indented block is missing after the condition of 'if' on line 1"},
                    Bad{"def f():\n", 2, 1, "an indented block is missing"},
                    Bad{"  x = 1", 1, 3, "the line is indented"},
                    Bad{"x = 1\n    y = 2", 2, 5, "the line is indented"},
                    Bad{"else:\n    x", 1, 1, "'else' has no statement before it"},
                    Bad{"f() = 1", 1, 1, "the result of a call cannot be assigned to"},
                    Bad{"1 = x", 1, 1, "a literal cannot be assigned to"},
                    Bad{"a + b = c", 1, 1, "an expression cannot be assigned to"},
                    Bad{"(a, b) += 1", 1, 1, "augmented assignment needs one name"},
                    Bad{"a, b: int = 1", 1, 1, "several targets cannot share an annotation"},
                    Bad{"del f()", 1, 5, "the result of a call cannot be deleted"},
                    Bad{"x y", 1, 3, "expected the end of the statement, found 'y'"},
                    Bad{"print x", 1, 7, "expected the end of the statement"},
                    Bad{"f(a=1, b)", 1, 8, "a positional argument follows a keyword argument"},
                    Bad{"f(**a, *b)", 1, 8, "a `*` argument follows a `**` argument"},
                    Bad{"f(a.b=1)", 1, 6, "only a name can stand before '='"},
                    Bad{"f(a b)", 1, 5, "expected ',' or ')' in the call"},
                    Bad{"f(x for x in a, 1)", 1, 3, "needs parentheses"},
                    Bad{"def f(a, a=1, b): pass", 1, 15, "without a default follows"},
                    Bad{"def f(*): pass", 1, 8, "named parameters must follow a bare '*'"},
                    Bad{"def f(**k, a): pass", 1, 12, "follows the `**` parameter"},
                    Bad{"def f(/, a): pass", 1, 7, "'/' has no parameter before it"},
                    Bad{"def 1(): pass", 1, 5, "expected the name of the function"},
                    Bad{"a if b", 1, 7, "expected 'else' of the conditional expression"},
                    Bad{"a[]", 1, 3, "expected an index"},
                    Bad{"*a", 1, 1, "a starred expression stands alone"},
                    Bad{"x = (*a)", 1, 6, "a starred expression stands alone"},
                    Bad{"a.1", 1, 2, "expected the end of the statement"},
                    Bad{"a. = 1", 1, 4, "expected a name after '.'"},
                    Bad{"try:\n    x\ny", 3, 1, "expected 'except' or 'finally'"},
                    Bad{"import", 1, 7, "expected the name of a module"},
                    Bad{"from x import", 1, 14, "expected a name to import"},
                    Bad{"@a\nx = 1", 2, 1, "expected 'def' or 'class' after the decorator"},
                    Bad{"x := 1", 1, 3, "`:=` is no statement"},
                    Bad{"[x for y in z async x in y]", 1, 15, "expected ']'"},
                    Bad{"async while x: pass", 1, 7, "'def', 'for' or 'with' after 'async'"},
                    Bad{"match x:\n    pass", 2, 5, "expected 'case'"},
                    Bad{"match x:\n    case 1 + : pass", 2, 14, "expected an imaginary number"},
                    Bad{"match x:\n    case -y: pass", 2, 11, "expected a number"},
                    Bad{"match x:\n    case *y: pass", 2, 12, "',' after a pattern with '*'"},
                    Bad{"match x:\n    case [1: pass", 2, 10, "'[' is never closed"},
                    Bad{"match x:\n    case y as _: pass", 2, 15, "`_` binds nothing"},
                    Bad{"match x:\n    case A(b=1, 2): pass", 2, 17, "without a name follows"},
                    Bad{"match x:\n    case {y: 1}: pass\n    z", 3, 5, "expected 'case'"},
                    Bad{"match x:\n    case 1 if: pass", 2, 14, "expected an expression"},
                    Bad{"try:\n    x\nexcept*:\n    y", 3, 8, "expected an expression"},
                    Bad{"try:\n    x\nexcept A:\n    y\nexcept* B:\n    z", 5, 1,
                        "`except` and `except*` stand in one"},
                    Bad{"x = 'a' b'b'", 1, 9, "side by side"}, Bad{"f'{x'", 1, 3, "never closed"},
                    Bad{"f'{}'", 1, 3, "empty"}, Bad{"f'}'", 1, 3, "stands alone"},
                    Bad{"f'{a b}'", 1, 6, "expected the end of the f-string's field"},
                    Bad{"f'{a!x}'", 1, 6, "a conversion in an f-string"},
                    Bad{"f'{a\\n}'", 1, 5, "a backslash stands in the expression"}));

TEST(Syntax, DeepNestingIsAnError) {
  std::string brackets(5000, '(');
  EXPECT_NE(dumpOf("x = " + brackets).find("nested"), std::string::npos);
  EXPECT_NE(dumpOf("x = " + std::string(5000, '-') + "1").find("nested"), std::string::npos);
  std::string nots;
  for (int i = 0; i < 5000; ++i)
    nots += "not ";
  EXPECT_NE(dumpOf("x = " + nots + "1").find("nested"), std::string::npos);
  std::string sum = "x = 1";
  for (int i = 0; i < 5000; ++i)
    sum += " + 1";
  EXPECT_NE(dumpOf(sum).find("nested"), std::string::npos);
  std::string calls = "x = f";
  for (int i = 0; i < 5000; ++i)
    calls += "()";
  EXPECT_NE(dumpOf(calls).find("nested"), std::string::npos);
  std::string blocks, indentation;
  for (int i = 0; i < 300; ++i) {
    blocks += indentation + "if x:\n";
    indentation += " ";
  }
  EXPECT_NE(dumpOf(blocks + indentation + "y\n").find("nested"), std::string::npos);
  std::string elifs = "if a: x\n";
  for (int i = 0; i < 5000; ++i)
    elifs += "elif b: y\n";
  EXPECT_NE(dumpOf(elifs).find("nested"), std::string::npos);
  std::string lambdas = "x = ";
  for (int i = 0; i < 5000; ++i)
    lambdas += "lambda: ";
  EXPECT_NE(dumpOf(lambdas + "1").find("nested"), std::string::npos);
}

TEST(Syntax, OrdinaryNestingIsRead) {
  EXPECT_TRUE(
      dumpOf("x = " + std::string(60, '(') + "1" + std::string(60, ')')).starts_with("Module("));
  std::string sum = "x = 1";
  for (int i = 0; i < 300; ++i)
    sum += " + 1";
  EXPECT_TRUE(dumpOf(sum).starts_with("Module("));
}

TEST(Syntax, ErrorShowsTheLine) {
  std::string source = "x = 1\ny = (2\n";
  Arena arena;
  SyntaxError error;
  ASSERT_EQ(parse(source, arena, error), nullptr);
  EXPECT_EQ(render(toDiagnostic(error, "a.py", source)), "a.py:2:5: error: '(' is never closed\n"
                                                         "    y = (2\n"
                                                         "        ^\n"
                                                         "  add the closing bracket\n");
}

} // namespace
