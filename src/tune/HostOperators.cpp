//===- HostOperators.cpp - Operators of host-side expressions -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/HostEvaluator.h"

#include "frontend/value/PythonFloats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::tune;
using namespace tilewright::frontend;

std::optional<HostValue> Evaluator::evaluateIntegers(const BinOpExpr &expr, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflows = false;
  switch (expr.op) {
  case BinaryOperator::Add:
    overflows = llvm::AddOverflow(a, b, result);
    break;
  case BinaryOperator::Sub:
    overflows = llvm::SubOverflow(a, b, result);
    break;
  case BinaryOperator::Mult:
    overflows = llvm::MulOverflow(a, b, result);
    break;
  case BinaryOperator::FloorDiv:
  case BinaryOperator::Mod:
    if (b == 0)
      return fail(expr, "division by zero");
    if (b == -1 && expr.op == BinaryOperator::FloorDiv) {
      overflows = llvm::SubOverflow(int64_t(0), a, result);
      break;
    }
    result = expr.op == BinaryOperator::FloorDiv ? llvm::divideFloorSigned(a, b)
             : b == -1                           ? 0
                                                 : a - llvm::divideFloorSigned(a, b) * b;
    break;
  case BinaryOperator::Pow:
    if (b < 0)
      return evaluateFloats(expr, double(a), double(b));
    result = 1;
    // 1, 0 and -1 have powers of any height.
    if (a >= -1 && a <= 1) {
      result = b == 0 || a == 1 ? 1 : a == 0 ? 0 : b % 2 ? -1 : 1;
      break;
    }
    for (int64_t i = 0; i < b && !overflows; ++i)
      overflows = llvm::MulOverflow(result, a, result);
    break;
  case BinaryOperator::LShift:
    if (b < 0)
      return fail(expr, "a shift by a negative number");
    overflows = b > 62 ? a != 0 : llvm::MulOverflow(a, int64_t(1) << b, result);
    break;
  case BinaryOperator::RShift:
    if (b < 0)
      return fail(expr, "a shift by a negative number");
    result = a >> std::min<int64_t>(b, 63);
    break;
  case BinaryOperator::BitAnd:
    result = a & b;
    break;
  case BinaryOperator::BitOr:
    result = a | b;
    break;
  case BinaryOperator::BitXor:
    result = a ^ b;
    break;
  default:
    return cannotFollow(expr, "this operator");
  }
  if (overflows)
    return fail(expr, "the result has more than 64 bits");
  return HostValue(result);
}

std::optional<HostValue> Evaluator::evaluateFloats(const BinOpExpr &expr, double x, double y) {
  switch (expr.op) {
  case BinaryOperator::Add:
    return HostValue(x + y);
  case BinaryOperator::Sub:
    return HostValue(x - y);
  case BinaryOperator::Mult:
    return HostValue(x * y);
  case BinaryOperator::Div:
  case BinaryOperator::FloorDiv:
  case BinaryOperator::Mod:
    if (y == 0)
      return fail(expr, "division by zero");
    if (expr.op == BinaryOperator::Div)
      return HostValue(x / y);
    if (expr.op == BinaryOperator::Mod)
      return HostValue(floorRemainder(x, y));
    return HostValue(floorQuotient(x, y));
  case BinaryOperator::Pow: {
    if (x == 0 && y < 0)
      return fail(expr, "0 to a negative power");
    double power = std::pow(x, y);
    if (!std::isfinite(power) && std::isfinite(x) && std::isfinite(y))
      return fail(expr, "the result is no number");
    return HostValue(power);
  }
  default:
    return fail(expr, "this operator does not take float");
  }
}

std::optional<HostValue> Evaluator::evaluateBinary(const BinOpExpr &expr) {
  auto a = evaluate(*expr.left);
  if (!a)
    return std::nullopt;
  auto b = evaluate(*expr.right);
  if (!b)
    return std::nullopt;
  if (expr.op == BinaryOperator::Add) {
    if (auto *left = a->as<HostList>())
      if (auto *right = b->as<HostList>()) {
        HostList joined = *left;
        joined.insert(joined.end(), right->begin(), right->end());
        return HostValue(std::move(joined));
      }
    if (auto *left = a->as<std::string>())
      if (auto *right = b->as<std::string>())
        return HostValue(*left + *right);
  }
  if (!a->isNumber() || !b->isNumber())
    return wrongTypes(expr, "this operator", *a, *b);
  if (a->as<bool>() && b->as<bool>()) {
    bool x = *a->as<bool>(), y = *b->as<bool>();
    if (expr.op == BinaryOperator::BitAnd || expr.op == BinaryOperator::BitOr ||
        expr.op == BinaryOperator::BitXor)
      return HostValue(expr.op == BinaryOperator::BitAnd  ? x && y
                       : expr.op == BinaryOperator::BitOr ? x || y
                                                          : x != y);
  }
  if (a->isInteger() && b->isInteger() && expr.op != BinaryOperator::Div)
    return evaluateIntegers(expr, a->integer(), b->integer());
  return evaluateFloats(expr, a->number(), b->number());
}

std::optional<HostValue> Evaluator::evaluateUnary(const UnaryOpExpr &expr) {
  auto value = evaluate(*expr.operand);
  if (!value)
    return std::nullopt;
  if (expr.op == UnaryOperator::Not)
    return HostValue(!value->isTrue());
  if (!value->isNumber() || (expr.op == UnaryOperator::Invert && !value->isInteger()))
    return fail(expr, "this operator does not take " + std::string(value->typeName()));
  if (expr.op == UnaryOperator::Invert)
    return HostValue(~value->integer());
  if (expr.op == UnaryOperator::UAdd)
    return value->isInteger() ? HostValue(value->integer()) : *value;
  return value->isInteger() ? HostValue(-value->integer()) : HostValue(-value->number());
}

std::optional<bool> Evaluator::compare(const Expr &at, CompareOperator op, const HostValue &a,
                                       const HostValue &b) {
  switch (op) {
  case CompareOperator::Eq:
  case CompareOperator::Is:
    return areEqual(a, b);
  case CompareOperator::NotEq:
  case CompareOperator::IsNot:
    return !areEqual(a, b);
  case CompareOperator::In:
  case CompareOperator::NotIn: {
    auto *list = b.as<HostList>();
    if (!list)
      return wrongTypes(at, "`in`", a, b), std::nullopt;
    bool found = llvm::any_of(*list, [&](const HostValue &each) { return areEqual(a, each); });
    return found == (op == CompareOperator::In);
  }
  default:
    break;
  }
  if (!a.isNumber() || !b.isNumber())
    return wrongTypes(at, "this comparison", a, b), std::nullopt;
  double x = a.number(), y = b.number();
  switch (op) {
  case CompareOperator::Lt:
    return x < y;
  case CompareOperator::LtE:
    return x <= y;
  case CompareOperator::Gt:
    return x > y;
  default:
    return x >= y;
  }
}

std::optional<HostValue> Evaluator::evaluateCompare(const CompareExpr &expr) {
  auto left = evaluate(*expr.left);
  for (size_t i = 0; left && i < expr.ops.size(); ++i) {
    auto right = evaluate(*expr.comparators[i]);
    if (!right)
      return std::nullopt;
    auto holds = compare(expr, expr.ops[i], *left, *right);
    if (!holds)
      return std::nullopt;
    if (!*holds)
      return HostValue(false);
    left = right;
  }
  return left ? std::optional(HostValue(true)) : std::nullopt;
}
