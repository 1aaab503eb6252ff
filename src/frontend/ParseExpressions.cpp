//===- ParseExpressions.cpp - The grammar of expressions ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/ParserImpl.h"

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

/// Ends a list in brackets or at the end of an unparenthesized tuple.
bool endsList(TokenKind kind) {
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

} // namespace

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
  GatherExprs elements(*this);
  elements.add(first);
  while (accept(TokenKind::Comma) && !endsList(kind())) {
    Expr *element = starExpression();
    if (!element)
      return nullptr;
    elements.add(element);
  }
  auto *tuple = arena.make<TupleExpr>();
  tuple->elements = elements.take();
  return finish(tuple, begin, elements.height);
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
  Position begin = token().begin;
  Expr *first = conjunction();
  if (!first || !at(TokenKind::KwOr))
    return first;
  GatherExprs values(*this);
  values.add(first);
  while (accept(TokenKind::KwOr)) {
    Expr *value = conjunction();
    if (!value)
      return nullptr;
    values.add(value);
  }
  auto *node = arena.make<BoolOpExpr>();
  node->op = BoolOperator::Or;
  node->values = values.take();
  return finish(node, begin, values.height);
}

Expr *Parser::conjunction() {
  Position begin = token().begin;
  Expr *first = inversion();
  if (!first || !at(TokenKind::KwAnd))
    return first;
  GatherExprs values(*this);
  values.add(first);
  while (accept(TokenKind::KwAnd)) {
    Expr *value = inversion();
    if (!value)
      return nullptr;
    values.add(value);
  }
  auto *node = arena.make<BoolOpExpr>();
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
  if (at(TokenKind::KwAwait))
    return failAt(token(), "`await` is outside the Python that is read here",
                  "move asynchronous code into another file");
  Expr *base = primary();
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
// Calls, subscripts, attributes
//===--------------------------------------------------------------------------===//

Expr *Parser::primary() {
  Position begin = token().begin;
  Expr *value = atom();
  while (value) {
    switch (kind()) {
    case TokenKind::Dot: {
      advance();
      if (!at(TokenKind::Name))
        return unexpected("a name after '.'");
      auto *node = arena.make<AttributeExpr>();
      node->value = value;
      node->attribute = textOf(token());
      node->nameAt = token().begin;
      advance();
      value = finish(node, begin, heightOf(value));
      break;
    }
    case TokenKind::LeftParen:
      value = call(value, begin);
      break;
    case TokenKind::LeftBracket:
      value = subscript(value, begin);
      break;
    default:
      return value;
    }
  }
  return nullptr;
}

Expr *Parser::call(Expr *function, Position begin) {
  advance();
  auto *node = arena.make<CallExpr>();
  node->function = function;
  unsigned height = heightOf(function);
  GatherExprs arguments(*this);
  Gather<Keyword> keywords(*this, keywordStack);
  if (!callArguments(arguments, keywords, height))
    return nullptr;
  node->arguments = arguments.take();
  node->keywords = keywords.take();
  return finish(node, begin, std::max(height, arguments.height));
}

/// Reads up to and with the closing parenthesis; the opening one has been taken.
bool Parser::callArguments(GatherExprs &arguments, Gather<Keyword> &keywords, unsigned &height) {
  Position open = tokens[index - 1].begin;
  bool unpacked = false;
  while (!at(TokenKind::RightParen)) {
    Position begin = token().begin;
    if (accept(TokenKind::StarStar)) {
      Expr *value = expression();
      if (!value)
        return false;
      height = std::max(height, heightOf(value));
      keywords.add({{}, value, begin, lastEnd});
      unpacked = true;
    } else if (at(TokenKind::Name) && kind(1) == TokenKind::Equal) {
      std::string_view name = textOf(token());
      advance();
      advance();
      Expr *value = expression();
      if (!value)
        return false;
      height = std::max(height, heightOf(value));
      keywords.add({name, value, begin, lastEnd});
    } else if (accept(TokenKind::Star)) {
      if (unpacked)
        return fail(begin, 1, "a `*` argument follows a `**` argument", "put it before"), false;
      auto *starred = arena.make<StarredExpr>();
      starred->value = expression();
      if (!starred->value || !finish(starred, begin, heightOf(starred->value)))
        return false;
      arguments.add(starred);
    } else {
      Expr *value = namedExpression();
      if (!value)
        return false;
      if (keywords.size() > 0)
        return failAt(value, "a positional argument follows a keyword argument",
                      "put positional arguments first, or name this one"),
               false;
      if (at(TokenKind::KwFor)) {
        auto *generator = arena.make<GeneratorExpExpr>();
        generator->element = value;
        unsigned below = heightOf(value);
        if (!comprehensions(generator->generators, below))
          return false;
        bool alone = arguments.size() == 0;
        if (!alone || !at(TokenKind::RightParen))
          return failAt(value, "a generator expression beside other arguments needs parentheses",
                        "put parentheses around it"),
                 false;
        advance();
        if (!finish(generator, open, below))
          return false;
        arguments.add(generator);
        return true;
      }
      arguments.add(value);
    }
    if (at(TokenKind::Equal))
      return failAt(token(), "only a name can stand before '=' in a call", "write `==` to compare"),
             false;
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightParen))
      return unexpected("',' or ')' in the call"), false;
  }
  advance();
  return true;
}

Expr *Parser::subscript(Expr *value, Position begin) {
  advance();
  auto *node = arena.make<SubscriptExpr>();
  node->value = value;
  Position sliceBegin = token().begin;
  if (at(TokenKind::RightBracket))
    return unexpected("an index");
  node->slice = slice();
  if (!node->slice)
    return nullptr;
  if (at(TokenKind::Comma) || node->slice->kind == ExprKind::Starred) {
    GatherExprs elements(*this);
    elements.add(node->slice);
    while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket)) {
      Expr *element = slice();
      if (!element)
        return nullptr;
      elements.add(element);
    }
    auto *tuple = arena.make<TupleExpr>();
    tuple->elements = elements.take();
    node->slice = finish(tuple, sliceBegin, elements.height);
    if (!node->slice)
      return nullptr;
  }
  if (!expect(TokenKind::RightBracket, "',' or ']' in the subscript"))
    return nullptr;
  return finish(node, begin, std::max(heightOf(value), heightOf(node->slice)));
}

Expr *Parser::slice() {
  Position begin = token().begin;
  if (at(TokenKind::Star))
    return starExpression();
  Expr *lower = nullptr;
  if (!at(TokenKind::Colon)) {
    lower = namedExpression();
    if (!lower || !at(TokenKind::Colon))
      return lower;
  }
  advance();
  auto ends = [&] {
    return at(TokenKind::Colon) || at(TokenKind::Comma) || at(TokenKind::RightBracket);
  };
  auto *node = arena.make<SliceExpr>();
  node->lower = lower;
  if (!ends() && !(node->upper = expression()))
    return nullptr;
  if (accept(TokenKind::Colon) && !ends() && !(node->step = expression()))
    return nullptr;
  return finish(node, begin,
                std::max({heightOf(lower), heightOf(node->upper), heightOf(node->step)}));
}

//===--------------------------------------------------------------------------===//
// Atoms
//===--------------------------------------------------------------------------===//

Expr *Parser::atom() {
  Position begin = token().begin;
  auto constant = [&](ConstantKind kind) {
    advance();
    auto *node = simple<ConstantExpr>(begin);
    node->constant = kind;
    return node;
  };
  switch (kind()) {
  case TokenKind::Name: {
    auto *node = arena.make<NameExpr>();
    node->id = textOf(token());
    advance();
    return finish(node, begin, 0);
  }
  case TokenKind::Number:
    return number();
  case TokenKind::String:
    return strings();
  case TokenKind::KwNone:
    return constant(ConstantKind::None);
  case TokenKind::KwTrue:
    return constant(ConstantKind::True);
  case TokenKind::KwFalse:
    return constant(ConstantKind::False);
  case TokenKind::Ellipsis:
    return constant(ConstantKind::Ellipsis);
  case TokenKind::LeftParen:
    return parenthesized();
  case TokenKind::LeftBracket:
    return bracketed();
  case TokenKind::LeftBrace:
    return braced();
  case TokenKind::EqualEqual:
  case TokenKind::Equal:
    return unexpected("an expression", "remove the extra '='");
  default:
    return unexpected("an expression");
  }
}

Expr *Parser::parenthesized() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  if (accept(TokenKind::RightParen))
    return simple<TupleExpr>(begin);
  if (at(TokenKind::KwYield)) {
    Expr *node = yield();
    return node && expect(TokenKind::RightParen, "')'") ? node : nullptr;
  }
  Expr *first = at(TokenKind::Star) ? starExpression() : namedExpression();
  if (!first)
    return nullptr;
  if (at(TokenKind::KwFor)) {
    auto *node = arena.make<GeneratorExpExpr>();
    node->element = first;
    unsigned height = heightOf(first);
    if (!comprehensions(node->generators, height) || !expect(TokenKind::RightParen, "')'"))
      return nullptr;
    return finish(node, begin, height);
  }
  if (!at(TokenKind::Comma)) {
    if (first->kind == ExprKind::Starred && !at(TokenKind::Error))
      return failAt(first, "a starred expression stands alone in parentheses",
                    "add a comma to make it a tuple");
    return expect(TokenKind::RightParen, "')' or ','") ? first : nullptr;
  }
  GatherExprs elements(*this);
  elements.add(first);
  while (accept(TokenKind::Comma) && !at(TokenKind::RightParen)) {
    Expr *element = at(TokenKind::Star) ? starExpression() : namedExpression();
    if (!element)
      return nullptr;
    elements.add(element);
  }
  if (!expect(TokenKind::RightParen, "')' or ','"))
    return nullptr;
  auto *node = arena.make<TupleExpr>();
  node->elements = elements.take();
  return finish(node, begin, elements.height);
}

Expr *Parser::bracketed() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  GatherExprs elements(*this);
  while (!at(TokenKind::RightBracket)) {
    Expr *element = at(TokenKind::Star) ? starExpression() : namedExpression();
    if (!element)
      return nullptr;
    if (at(TokenKind::KwFor) && elements.size() == 0) {
      auto *node = arena.make<ListCompExpr>();
      node->element = element;
      unsigned height = heightOf(element);
      if (!comprehensions(node->generators, height) || !expect(TokenKind::RightBracket, "']'"))
        return nullptr;
      return finish(node, begin, height);
    }
    elements.add(element);
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightBracket))
      return unexpected("',' or ']' in the list");
  }
  advance();
  auto *node = arena.make<ListExpr>();
  node->elements = elements.take();
  return finish(node, begin, elements.height);
}

/// A dict, a set, or a comprehension of either.
Expr *Parser::braced() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  bool isDict = at(TokenKind::RightBrace) || at(TokenKind::StarStar);
  // A dict's keys and values are gathered alternately, then taken apart.
  GatherExprs elements(*this);
  while (!at(TokenKind::RightBrace)) {
    Expr *value;
    if (isDict && accept(TokenKind::StarStar)) {
      value = binary(1);
      if (!value)
        return nullptr;
      elements.add(nullptr);
    } else {
      bool first = elements.size() == 0;
      Expr *element = at(TokenKind::Star) && !isDict ? starExpression() : namedExpression();
      if (!element)
        return nullptr;
      if (first && at(TokenKind::Colon))
        isDict = true;
      value = element;
      if (isDict) {
        if (!expect(TokenKind::Colon, "':' after the key"))
          return nullptr;
        value = expression();
        if (!value)
          return nullptr;
      }
      if (first && at(TokenKind::KwFor)) {
        List<Comprehension> generators;
        unsigned height = std::max(heightOf(element), heightOf(value));
        if (!comprehensions(generators, height) || !expect(TokenKind::RightBrace, "'}'"))
          return nullptr;
        if (isDict) {
          auto *node = arena.make<DictCompExpr>();
          node->key = element;
          node->value = value;
          node->generators = generators;
          return finish(node, begin, height);
        }
        auto *node = arena.make<SetCompExpr>();
        node->element = element;
        node->generators = generators;
        return finish(node, begin, height);
      }
      if (isDict)
        elements.add(element);
    }
    elements.add(value);
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightBrace))
      return unexpected(isDict ? "',' or '}' in the dict" : "',' or '}' in the set");
  }
  advance();
  if (!isDict) {
    auto *node = arena.make<SetExpr>();
    node->elements = elements.take();
    return finish(node, begin, elements.height);
  }
  auto *node = arena.make<DictExpr>();
  Exprs all = elements.take();
  std::vector<Expr *> keys, values;
  for (size_t i = 0; i < all.size(); i += 2) {
    keys.push_back(all[i]);
    values.push_back(all[i + 1]);
  }
  node->keys = arena.copy(keys.data(), keys.size());
  node->values = arena.copy(values.data(), values.size());
  return finish(node, begin, elements.height);
}

Expr *Parser::lambda() {
  Position begin = token().begin;
  advance();
  auto *node = arena.make<LambdaExpr>();
  unsigned height = 0;
  if (!parameters(TokenKind::Colon, /*annotated=*/false, node->parameters, height) ||
      !expect(TokenKind::Colon, "':' after the parameters of the lambda"))
    return nullptr;
  node->body = expression();
  return node->body ? finish(node, begin, std::max(height, heightOf(node->body))) : nullptr;
}

Expr *Parser::yield() {
  Position begin = token().begin;
  advance();
  if (accept(TokenKind::KwFrom)) {
    auto *node = arena.make<YieldFromExpr>();
    node->value = expression();
    return node->value ? finish(node, begin, heightOf(node->value)) : nullptr;
  }
  auto *node = arena.make<YieldExpr>();
  if (!endsList(kind())) {
    node->value = starExpressions();
    if (!node->value)
      return nullptr;
  }
  return finish(node, begin, heightOf(node->value));
}

Expr *Parser::yieldOrStarExpressions() {
  return at(TokenKind::KwYield) ? yield() : starExpressions();
}

bool Parser::comprehensions(List<Comprehension> &generators, unsigned &height) {
  Gather<Comprehension> all(*this, comprehensionStack);
  while (accept(TokenKind::KwFor)) {
    Comprehension one;
    one.target = targetList();
    if (!one.target || !expect(TokenKind::KwIn, "'in' of the comprehension"))
      return false;
    one.iterable = disjunction();
    if (!one.iterable)
      return false;
    GatherExprs conditions(*this);
    while (accept(TokenKind::KwIf)) {
      Expr *condition = disjunction();
      if (!condition)
        return false;
      conditions.add(condition);
    }
    one.conditions = conditions.take();
    height = std::max({height, heightOf(one.target), heightOf(one.iterable), conditions.height});
    all.add(one);
  }
  if (at(TokenKind::KwAsync))
    return failAt(token(), "`async` is outside the Python that is read here",
                  "move asynchronous code into another file"),
           false;
  generators = all.take();
  return true;
}

//===--------------------------------------------------------------------------===//
// Targets
//===--------------------------------------------------------------------------===//

/// star_targets: what stands before `in`.
Expr *Parser::targetList() {
  Position begin = token().begin;
  auto one = [&] { return at(TokenKind::Star) ? starExpression() : binary(1); };
  Expr *first = one();
  if (!first)
    return nullptr;
  if (at(TokenKind::Comma)) {
    GatherExprs elements(*this);
    elements.add(first);
    while (accept(TokenKind::Comma) && !endsList(kind())) {
      Expr *element = one();
      if (!element)
        return nullptr;
      elements.add(element);
    }
    auto *tuple = arena.make<TupleExpr>();
    tuple->elements = elements.take();
    first = finish(tuple, begin, elements.height);
    if (!first)
      return nullptr;
  }
  return setContext(first, Context::Store) ? first : nullptr;
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
