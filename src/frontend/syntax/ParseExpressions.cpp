//===- ParseExpressions.cpp - Grammar of expressions --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/ParserImpl.h"

#include <optional>

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

struct BinaryOperatorInfo {
  BinaryOperator op;
  int precedence;
};

/// The operators that bind tighter than comparisons and are left-associative.
std::optional<BinaryOperatorInfo> binaryOperatorOf(TokenKind kind) {
  switch (kind) {
  case TokenKind::Bar:
    return {{BinaryOperator::BitOr, 1}};
  case TokenKind::Caret:
    return {{BinaryOperator::BitXor, 2}};
  case TokenKind::Amper:
    return {{BinaryOperator::BitAnd, 3}};
  case TokenKind::LessLess:
    return {{BinaryOperator::LShift, 4}};
  case TokenKind::GreaterGreater:
    return {{BinaryOperator::RShift, 4}};
  case TokenKind::Plus:
    return {{BinaryOperator::Add, 5}};
  case TokenKind::Minus:
    return {{BinaryOperator::Sub, 5}};
  case TokenKind::Star:
    return {{BinaryOperator::Mult, 6}};
  case TokenKind::At:
    return {{BinaryOperator::MatMult, 6}};
  case TokenKind::Slash:
    return {{BinaryOperator::Div, 6}};
  case TokenKind::SlashSlash:
    return {{BinaryOperator::FloorDiv, 6}};
  case TokenKind::Percent:
    return {{BinaryOperator::Mod, 6}};
  default:
    return std::nullopt;
  }
}

/// What the user calls an expression that cannot be assigned to.
const char *nounOf(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Call:
    return "the result of a call";
  case ExprKind::Constant:
  case ExprKind::JoinedStr:
    return "a literal";
  case ExprKind::Compare:
    return "a comparison";
  case ExprKind::Lambda:
    return "a lambda";
  case ExprKind::IfExp:
    return "a conditional expression";
  case ExprKind::Dict:
  case ExprKind::Set:
    return "a dict or set";
  case ExprKind::NamedExpr:
    return "a `:=` expression";
  default:
    return "an expression";
  }
}

} // namespace

bool frontend::endsList(TokenKind kind) {
  switch (kind) {
  case TokenKind::Newline:
  case TokenKind::EndOfFile:
  case TokenKind::RightParen:
  case TokenKind::RightBracket:
  case TokenKind::RightBrace:
  case TokenKind::Equal:
  case TokenKind::Colon:
  case TokenKind::Semicolon:
  case TokenKind::KwIn:
  case TokenKind::KwFor:
    return true;
  default:
    return kind >= TokenKind::PlusEqual;
  }
}

//===--------------------------------------------------------------------------===//
// Tuples, conditions and operators
//===--------------------------------------------------------------------------===//

/// star_expressions: one or more, separated by commas; a tuple if there is a comma.
Expr *Parser::starExpressions() {
  Position begin = token().begin;
  Expr *first = starExpression();
  if (!first)
    return nullptr;
  if (!at(TokenKind::Comma)) {
    if (first->kind == ExprKind::Starred)
      return failAt(first, "a starred expression stands alone",
                    "put it in a list or tuple, or add a comma");
    return first;
  }
  return tupleFrom(first, begin, [&] { return starExpression(); });
}

Expr *Parser::starExpression() {
  if (!at(TokenKind::Star))
    return expression();
  Position begin = token().begin;
  advance();
  auto *starred = arena.make<StarredExpr>();
  starred->value = binary(1);
  return starred->value ? finish(starred, begin, heightOf(starred->value)) : nullptr;
}

Expr *Parser::namedExpression() {
  if (!at(TokenKind::Name) || kind(1) != TokenKind::ColonEqual)
    return expression();
  Position begin = token().begin;
  Expr *target = atom();
  if (!target)
    return nullptr;
  target->context = Context::Store;
  advance();
  auto *named = arena.make<NamedExprExpr>();
  named->target = target;
  named->value = expression();
  return named->value ? finish(named, begin, heightOf(named->value)) : nullptr;
}

Expr *Parser::expression() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  if (at(TokenKind::KwLambda))
    return lambda();
  Position begin = token().begin;
  Expr *body = disjunction();
  if (!body || !at(TokenKind::KwIf))
    return body;
  advance();
  auto *condition = arena.make<IfExpExpr>();
  condition->body = body;
  condition->test = disjunction();
  if (!condition->test)
    return nullptr;
  if (!at(TokenKind::KwElse))
    return unexpected("'else' of the conditional expression", "write `a if condition else b`");
  advance();
  condition->orElse = expression();
  if (!condition->orElse)
    return nullptr;
  return finish(condition, begin,
                std::max({heightOf(body), heightOf(condition->test), heightOf(condition->orElse)}));
}

Expr *Parser::disjunction() {
  return chain(TokenKind::KwOr, BoolOperator::Or, &Parser::conjunction);
}

Expr *Parser::conjunction() {
  return chain(TokenKind::KwAnd, BoolOperator::And, &Parser::inversion);
}

/// One operand, or several with the same operator between them, which then are one node.
Expr *Parser::chain(TokenKind separator, BoolOperator op, Expr *(Parser::*operand)()) {
  Position begin = token().begin;
  Expr *first = (this->*operand)();
  if (!first || !at(separator))
    return first;
  GatherExprs values(*this);
  values.add(first);
  while (accept(separator)) {
    Expr *value = (this->*operand)();
    if (!value)
      return nullptr;
    values.add(value);
  }
  auto *node = arena.make<BoolOpExpr>();
  node->op = op;
  node->values = values.take();
  return finish(node, begin, values.height);
}

Expr *Parser::inversion() {
  if (!at(TokenKind::KwNot))
    return comparison();
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  auto *node = arena.make<UnaryOpExpr>();
  node->operand = inversion();
  return node->operand ? finish(node, begin, heightOf(node->operand)) : nullptr;
}

Expr *Parser::comparison() {
  Position begin = token().begin;
  Expr *left = binary(1);
  if (!left)
    return nullptr;
  auto operatorHere = [&]() -> std::optional<CompareOperator> {
    switch (kind()) {
    case TokenKind::EqualEqual:
      return CompareOperator::Eq;
    case TokenKind::NotEqual:
      return CompareOperator::NotEq;
    case TokenKind::Less:
      return CompareOperator::Lt;
    case TokenKind::LessEqual:
      return CompareOperator::LtE;
    case TokenKind::Greater:
      return CompareOperator::Gt;
    case TokenKind::GreaterEqual:
      return CompareOperator::GtE;
    case TokenKind::KwIn:
      return CompareOperator::In;
    case TokenKind::KwIs:
      return kind(1) == TokenKind::KwNot ? CompareOperator::IsNot : CompareOperator::Is;
    case TokenKind::KwNot:
      if (kind(1) == TokenKind::KwIn)
        return CompareOperator::NotIn;
      return std::nullopt;
    default:
      return std::nullopt;
    }
  };
  std::optional<CompareOperator> op = operatorHere();
  if (!op)
    return left;
  Gather<CompareOperator> ops(*this, compareStack);
  GatherExprs comparators(*this);
  for (; op; op = operatorHere()) {
    advance();
    if (*op == CompareOperator::IsNot || *op == CompareOperator::NotIn)
      advance();
    Expr *right = binary(1);
    if (!right)
      return nullptr;
    ops.add(*op);
    comparators.add(right);
  }
  auto *node = arena.make<CompareExpr>();
  node->left = left;
  node->ops = ops.take();
  node->comparators = comparators.take();
  return finish(node, begin, std::max(heightOf(left), comparators.height));
}

Expr *Parser::binary(int leastPrecedence) {
  Position begin = token().begin;
  Expr *left = unary();
  while (left) {
    std::optional<BinaryOperatorInfo> info = binaryOperatorOf(kind());
    if (!info || info->precedence < leastPrecedence)
      break;
    auto *node = arena.make<BinOpExpr>();
    node->op = info->op;
    node->operatorAt = token().begin;
    advance();
    node->left = left;
    node->right = binary(info->precedence + 1);
    if (!node->right)
      return nullptr;
    left = finish(node, begin, std::max(heightOf(left), heightOf(node->right)));
  }
  return left;
}

Expr *Parser::unary() {
  UnaryOperator op;
  switch (kind()) {
  case TokenKind::Plus:
    op = UnaryOperator::UAdd;
    break;
  case TokenKind::Minus:
    op = UnaryOperator::USub;
    break;
  case TokenKind::Tilde:
    op = UnaryOperator::Invert;
    break;
  default:
    return power();
  }
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  auto *node = arena.make<UnaryOpExpr>();
  node->op = op;
  node->operand = unary();
  return node->operand ? finish(node, begin, heightOf(node->operand)) : nullptr;
}

Expr *Parser::power() {
  Position begin = token().begin;
  const bool awaits = accept(TokenKind::KwAwait);
  Expr *base = primary();
  if (base && awaits) {
    auto *node = arena.make<AwaitExpr>();
    node->value = base;
    base = finish(node, begin, heightOf(base));
  }
  if (!base || !at(TokenKind::StarStar))
    return base;
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  auto *node = arena.make<BinOpExpr>();
  node->op = BinaryOperator::Pow;
  node->operatorAt = token().begin;
  advance();
  node->left = base;
  node->right = unary();
  return node->right ? finish(node, begin, std::max(heightOf(base), heightOf(node->right)))
                     : nullptr;
}

//===--------------------------------------------------------------------------===//
// Targets
//===--------------------------------------------------------------------------===//

/// star_targets: what stands before `in`.
Expr *Parser::targetList() {
  Position begin = token().begin;
  auto one = [&] { return at(TokenKind::Star) ? starExpression() : binary(1); };
  Expr *target = one();
  if (target && at(TokenKind::Comma))
    target = tupleFrom(target, begin, one);
  return target && setContext(target, Context::Store) ? target : nullptr;
}

bool Parser::setContext(Expr *target, Context context) {
  switch (target->kind) {
  case ExprKind::Name:
  case ExprKind::Attribute:
  case ExprKind::Subscript:
    break;
  case ExprKind::Starred:
    if (context == Context::Del)
      return failAt(target, "a starred expression cannot be deleted"), false;
    if (!setContext(target->as<StarredExpr>()->value, context))
      return false;
    break;
  case ExprKind::Tuple:
    for (Expr *element : target->as<TupleExpr>()->elements)
      if (!setContext(element, context))
        return false;
    break;
  case ExprKind::List:
    for (Expr *element : target->as<ListExpr>()->elements)
      if (!setContext(element, context))
        return false;
    break;
  default:
    failAt(target,
           std::string(nounOf(target)) +
               (context == Context::Del ? " cannot be deleted" : " cannot be assigned to"),
           context == Context::Store && target->kind == ExprKind::Compare
               ? ""
               : "a name, an attribute or a subscript can stand here");
    return false;
  }
  target->context = context;
  return true;
}
