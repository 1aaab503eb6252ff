//===- HostExpression.cpp - Python expressions beside kernels -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/HostExpression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::tune;
using namespace tilewright::frontend;

namespace {

/// More is no list of configurations any more.
constexpr unsigned maxSteps = 100'000;
constexpr unsigned maxCalls = 50;

class Evaluator {
public:
  Evaluator(const ParsedModule &module, const HostNames &names)
      : module(module), scopes{{&names, {}}} {}

  /// The value, or nothing, and `error` is set.
  std::optional<HostValue> evaluate(const Expr &expression);
  /// The keyword arguments of a call, in order; those of `**dict` among them.
  std::optional<HostDict> evaluateKeywords(const CallExpr &call);

  Diagnostic error;

private:
  /// Names of a function or of a comprehension, in front of those around it.
  struct Scope {
    const HostNames *given;
    HostNames own;
    /// A function's names hide those of its caller.
    bool isFunction = false;
  };

  std::nullopt_t fail(const Expr &at, std::string message, std::string remedy = {}) {
    error = makeError(std::move(message), std::move(remedy));
    error.where = {module.fileName().str(), int(at.begin.line), int(at.begin.column),
                   at.end.line == at.begin.line ? int(at.end.column - at.begin.column) : 1};
    error.sourceLine = sourceLineOf(module.text(), error.where.line);
    return std::nullopt;
  }
  std::nullopt_t cannotFollow(const Expr &at, const std::string &what) {
    return fail(at, what + " is not evaluated without Python",
                "write the configurations out, or give them with --config");
  }
  std::nullopt_t wrongTypes(const Expr &at, std::string_view what, const HostValue &a,
                            const HostValue &b) {
    return fail(at, std::string(what) + " does not take " + std::string(a.typeName()) + " and " +
                        std::string(b.typeName()));
  }

  std::optional<HostList> evaluateAll(const Exprs &expressions);
  std::optional<HostValue> evaluateName(const NameExpr &name);
  std::optional<HostValue> evaluateConstant(const ConstantExpr &constant);
  std::optional<HostValue> evaluateBinary(const BinOpExpr &expr);
  std::optional<HostValue> evaluateIntegers(const BinOpExpr &expr, int64_t a, int64_t b);
  std::optional<HostValue> evaluateFloats(const BinOpExpr &expr, double x, double y);
  std::optional<HostValue> evaluateUnary(const UnaryOpExpr &expr);
  std::optional<HostValue> evaluateCompare(const CompareExpr &expr);
  std::optional<bool> compare(const Expr &at, CompareOperator op, const HostValue &a,
                              const HostValue &b);
  std::optional<HostValue> evaluateDict(const DictExpr &expr);
  std::optional<HostValue> evaluateSubscript(const SubscriptExpr &expr);
  std::optional<HostValue> evaluateCall(const CallExpr &call);
  std::optional<HostValue> callBuiltin(const CallExpr &call, llvm::StringRef name,
                                       const HostList &arguments);
  std::optional<HostValue> callFunction(const CallExpr &call, const FunctionDefStmt &function,
                                        HostList arguments, HostDict keywords);
  std::optional<HostValue> makeConfig(const CallExpr &call, const HostList &arguments,
                                      HostDict keywords);
  std::optional<HostValue> reduce(const CallExpr &call, llvm::StringRef name,
                                  const HostList &arguments);

  /// Runs the generators of a comprehension from `index` on, and calls `element` for each turn.
  template <typename Element>
  bool generate(const List<Comprehension> &generators, size_t index, Element element);
  bool assign(const Expr &target, const HostValue &value);

  const ParsedModule &module;
  std::vector<Scope> scopes;
  unsigned steps = 0;
  unsigned calls = 0;
};

std::optional<HostValue> Evaluator::evaluate(const Expr &expr) {
  if (++steps > maxSteps)
    return fail(expr, "more than " + std::to_string(maxSteps) + " steps are needed for this");
  switch (expr.kind) {
  case ExprKind::Name:
    return evaluateName(*expr.as<NameExpr>());
  case ExprKind::Constant:
    return evaluateConstant(*expr.as<ConstantExpr>());
  case ExprKind::BinOp:
    return evaluateBinary(*expr.as<BinOpExpr>());
  case ExprKind::UnaryOp:
    return evaluateUnary(*expr.as<UnaryOpExpr>());
  case ExprKind::Compare:
    return evaluateCompare(*expr.as<CompareExpr>());
  case ExprKind::Dict:
    return evaluateDict(*expr.as<DictExpr>());
  case ExprKind::Subscript:
    return evaluateSubscript(*expr.as<SubscriptExpr>());
  case ExprKind::Call:
    return evaluateCall(*expr.as<CallExpr>());
  case ExprKind::List:
    if (auto list = evaluateAll(expr.as<ListExpr>()->elements))
      return HostValue(std::move(*list));
    return std::nullopt;
  case ExprKind::Tuple:
    if (auto list = evaluateAll(expr.as<TupleExpr>()->elements))
      return HostValue(std::move(*list));
    return std::nullopt;
  case ExprKind::BoolOp: {
    auto *op = expr.as<BoolOpExpr>();
    std::optional<HostValue> value;
    for (const Expr *operand : op->values) {
      value = evaluate(*operand);
      if (!value || value->isTrue() == (op->op == BoolOperator::Or))
        break;
    }
    return value;
  }
  case ExprKind::IfExp: {
    auto *choice = expr.as<IfExpExpr>();
    auto test = evaluate(*choice->test);
    if (!test)
      return std::nullopt;
    return evaluate(test->isTrue() ? *choice->body : *choice->orElse);
  }
  case ExprKind::ListComp:
  case ExprKind::GeneratorExp: {
    bool isList = expr.kind == ExprKind::ListComp;
    const Expr &element =
        isList ? *expr.as<ListCompExpr>()->element : *expr.as<GeneratorExpExpr>()->element;
    HostList list;
    if (!generate(isList ? expr.as<ListCompExpr>()->generators
                         : expr.as<GeneratorExpExpr>()->generators,
                  0, [&] {
                    auto value = evaluate(element);
                    if (value)
                      list.push_back(std::move(*value));
                    return value.has_value();
                  }))
      return std::nullopt;
    return HostValue(std::move(list));
  }
  default:
    return cannotFollow(expr, "an expression of this kind");
  }
}

std::optional<HostList> Evaluator::evaluateAll(const Exprs &expressions) {
  HostList values;
  for (const Expr *expr : expressions) {
    auto *starred = expr->dynAs<StarredExpr>();
    auto value = evaluate(starred ? *starred->value : *expr);
    if (!value)
      return std::nullopt;
    if (!starred) {
      values.push_back(std::move(*value));
      continue;
    }
    auto *list = value->as<HostList>();
    if (!list)
      return fail(*expr, "* needs a list, got " + std::string(value->typeName()));
    values.insert(values.end(), list->begin(), list->end());
  }
  return values;
}

std::optional<HostValue> Evaluator::evaluateName(const NameExpr &name) {
  for (const Scope &scope : llvm::reverse(scopes)) {
    if (auto found = scope.own.find(name.id); found != scope.own.end())
      return found->second;
    if (scope.given)
      if (auto found = scope.given->find(name.id); found != scope.given->end())
        return found->second;
    if (scope.isFunction)
      break;
  }
  const Definition *definition = module.find(name.id);
  if (!definition) {
    std::string known;
    for (const auto &[each, value] : *scopes.front().given)
      known += (known.empty() ? "" : ", ") + each;
    return fail(name, "'" + std::string(name.id) + "' is not defined",
                known.empty() ? "" : "the names here are " + known);
  }
  if (!definition->value || definition->element || definition->earlier ||
      !definition->guards.empty())
    return cannotFollow(name, "'" + std::string(name.id) + "'");
  // A module-level value sees none of the names around here.
  if (calls >= maxCalls)
    return fail(name, "the definition of '" + std::string(name.id) + "' is nested too deeply");
  ++calls;
  scopes.push_back({nullptr, {}, /*isFunction=*/true});
  auto value = evaluate(*definition->value);
  scopes.pop_back();
  --calls;
  return value;
}

std::optional<HostValue> Evaluator::evaluateConstant(const ConstantExpr &constant) {
  switch (constant.constant) {
  case ConstantKind::None:
    return HostValue();
  case ConstantKind::True:
    return HostValue(true);
  case ConstantKind::False:
    return HostValue(false);
  case ConstantKind::Integer:
    if (constant.wide || constant.integer > uint64_t(INT64_MAX))
      return fail(constant, "the number has more than 64 bits");
    return HostValue(int64_t(constant.integer));
  case ConstantKind::Float:
    return HostValue(constant.number);
  case ConstantKind::String:
    return HostValue(std::string(constant.text));
  default:
    return cannotFollow(constant, "a literal of this kind");
  }
}

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

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
  // Python's remainder has the sign of the divisor, and its quotient is the one that goes with it.
  auto remainder = [&] {
    double r = std::fmod(x, y);
    return r == 0 ? std::copysign(0.0, y) : (r < 0) != (y < 0) ? r + y : r;
  };
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
      return HostValue(remainder());
    return HostValue(std::round((x - remainder()) / y));
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

//===--------------------------------------------------------------------------===//
// Lists and dicts
//===--------------------------------------------------------------------------===//

std::optional<HostValue> Evaluator::evaluateDict(const DictExpr &expr) {
  HostDict dict;
  auto insert = [&](const std::string &name, HostValue value) {
    auto found = llvm::find_if(dict, [&](auto &entry) { return entry.first == name; });
    if (found == dict.end())
      dict.push_back({name, std::move(value)});
    else
      found->second = std::move(value);
  };
  for (auto [key, value] : llvm::zip(expr.keys, expr.values)) {
    auto evaluated = evaluate(*value);
    if (!evaluated)
      return std::nullopt;
    if (!key) {
      auto *others = evaluated->as<HostDict>();
      if (!others)
        return fail(*value, "** needs a dict, got " + std::string(evaluated->typeName()));
      for (const auto &[name, each] : *others)
        insert(name, each);
      continue;
    }
    auto name = evaluate(*key);
    if (!name)
      return std::nullopt;
    if (!name->as<std::string>())
      return fail(*key, "a key is to be a string, got " + std::string(name->typeName()));
    insert(*name->as<std::string>(), std::move(*evaluated));
  }
  return HostValue(std::move(dict));
}

std::optional<HostValue> Evaluator::evaluateSubscript(const SubscriptExpr &expr) {
  auto container = evaluate(*expr.value);
  if (!container)
    return std::nullopt;
  auto index = evaluate(*expr.slice);
  if (!index)
    return std::nullopt;
  if (auto *list = container->as<HostList>(); list && index->isInteger()) {
    int64_t at = index->integer() + (index->integer() < 0 ? int64_t(list->size()) : 0);
    if (at < 0 || at >= int64_t(list->size()))
      return fail(expr, "the index " + index->text() + " is outside of " +
                            std::to_string(list->size()) + " elements");
    return (*list)[at];
  }
  if (auto *dict = container->as<HostDict>(); dict && index->as<std::string>()) {
    auto found =
        llvm::find_if(*dict, [&](auto &entry) { return entry.first == *index->as<std::string>(); });
    if (found == dict->end())
      return fail(expr, "there is no key " + index->text());
    return found->second;
  }
  return wrongTypes(expr, "an index", *container, *index);
}

bool Evaluator::assign(const Expr &target, const HostValue &value) {
  if (auto *name = target.dynAs<NameExpr>()) {
    scopes.back().own[std::string(name->id)] = value;
    return true;
  }
  const Exprs *targets = target.kind == ExprKind::Tuple  ? &target.as<TupleExpr>()->elements
                         : target.kind == ExprKind::List ? &target.as<ListExpr>()->elements
                                                         : nullptr;
  auto *list = value.as<HostList>();
  if (!targets || !list || list->size() != targets->size()) {
    fail(target, "the " + std::string(value.typeName()) + " " + value.text() +
                     " cannot be taken apart like this");
    return false;
  }
  return llvm::all_of(llvm::zip(*targets, *list), [&](const auto &pair) {
    return assign(*std::get<0>(pair), std::get<1>(pair));
  });
}

template <typename Element>
bool Evaluator::generate(const List<Comprehension> &generators, size_t index, Element element) {
  if (index == generators.size())
    return element();
  const Comprehension &generator = generators[index];
  auto values = evaluate(*generator.iterable);
  if (!values)
    return false;
  auto *list = values->as<HostList>();
  if (!list) {
    fail(*generator.iterable, "a list is needed here, got " + std::string(values->typeName()));
    return false;
  }
  scopes.push_back({nullptr, {}});
  bool fine = llvm::all_of(*list, [&](const HostValue &value) {
    if (!assign(*generator.target, value))
      return false;
    for (const Expr *condition : generator.conditions) {
      auto holds = evaluate(*condition);
      if (!holds)
        return false;
      if (!holds->isTrue())
        return true;
    }
    return generate(generators, index + 1, element);
  });
  scopes.pop_back();
  return fine;
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

std::optional<HostDict> Evaluator::evaluateKeywords(const CallExpr &call) {
  HostDict keywords;
  for (const Keyword &keyword : call.keywords) {
    auto value = evaluate(*keyword.value);
    if (!value)
      return std::nullopt;
    if (!keyword.name.empty()) {
      keywords.push_back({std::string(keyword.name), std::move(*value)});
      continue;
    }
    auto *dict = value->as<HostDict>();
    if (!dict)
      return fail(*keyword.value, "** needs a dict, got " + std::string(value->typeName()));
    keywords.insert(keywords.end(), dict->begin(), dict->end());
  }
  return keywords;
}

/// min and max of a list or of several numbers.
std::optional<HostValue> Evaluator::reduce(const CallExpr &call, llvm::StringRef name,
                                           const HostList &arguments) {
  const HostList *all = &arguments;
  if (arguments.size() == 1 && arguments.front().as<HostList>())
    all = arguments.front().as<HostList>();
  if (all->empty() || !llvm::all_of(*all, [](auto &each) { return each.isNumber(); }))
    return fail(call, name.str() + "() needs numbers");
  auto less = [](const HostValue &a, const HostValue &b) { return a.number() < b.number(); };
  return name == "min" ? *std::min_element(all->begin(), all->end(), less)
                       : *std::max_element(all->begin(), all->end(), less);
}

std::optional<HostValue> Evaluator::callBuiltin(const CallExpr &call, llvm::StringRef name,
                                                const HostList &arguments) {
  if (name == "min" || name == "max")
    return reduce(call, name, arguments);
  if (name == "len" && arguments.size() == 1) {
    if (auto *list = arguments[0].as<HostList>())
      return HostValue(int64_t(list->size()));
    return fail(call, "len() needs a list, got " + std::string(arguments[0].typeName()));
  }
  if ((name == "list" || name == "tuple") && arguments.size() == 1 && arguments[0].as<HostList>())
    return arguments[0];
  if (!llvm::all_of(arguments, [](auto &each) { return each.isNumber(); }) || arguments.empty())
    return fail(call, name.str() + "() needs numbers");
  if (name == "int" && arguments.size() == 1) {
    double number = arguments[0].number();
    if (!(std::abs(number) < 0x1p62))
      return fail(call, "the result has more than 64 bits");
    return HostValue(arguments[0].isInteger() ? arguments[0].integer() : int64_t(number));
  }
  if (!llvm::all_of(arguments, [](auto &each) { return each.isInteger(); }))
    return fail(call, name.str() + "() needs integers");
  if (name == "cdiv" && arguments.size() == 2) {
    int64_t a = arguments[0].integer(), b = arguments[1].integer();
    if (b == 0)
      return fail(call, "division by zero");
    return HostValue(llvm::divideCeilSigned(a, b));
  }
  if (name == "next_power_of_2" && arguments.size() == 1) {
    int64_t n = arguments[0].integer();
    if (n > (int64_t(1) << 62))
      return fail(call, "the result has more than 64 bits");
    return HostValue(n <= 1 ? int64_t(1) : int64_t(llvm::PowerOf2Ceil(n)));
  }
  if (name == "range" && arguments.size() <= 3) {
    int64_t begin = arguments.size() > 1 ? arguments[0].integer() : 0;
    int64_t end = arguments[arguments.size() > 1].integer();
    int64_t step = arguments.size() > 2 ? arguments[2].integer() : 1;
    if (step == 0)
      return fail(call, "range() with a step of 0");
    HostList list;
    for (int64_t i = begin; step > 0 ? i < end : i > end; i += step) {
      if (++steps > maxSteps)
        return fail(call, "more than " + std::to_string(maxSteps) + " steps are needed for this");
      list.push_back(HostValue(i));
    }
    return HostValue(std::move(list));
  }
  return fail(call, name.str() + "() does not take " + std::to_string(arguments.size()) +
                        " arguments here");
}

std::optional<HostValue> Evaluator::makeConfig(const CallExpr &call, const HostList &arguments,
                                               HostDict keywords) {
  // Parameters of triton.Config in its order; the first may be given by name too.
  static constexpr llvm::StringLiteral positional[] = {"kwargs", "num_warps", "num_stages",
                                                       "num_ctas", "maxnreg"};
  HostConfig config;
  if (arguments.size() > std::size(positional))
    return fail(call, "Config() has too many arguments");
  for (auto [name, value] : llvm::zip(positional, arguments))
    keywords.push_back({name.str(), value});
  for (auto &[name, value] : keywords) {
    if (name != "kwargs") {
      config.options.push_back({name, std::move(value)});
      continue;
    }
    auto *constants = value.as<HostDict>();
    if (!constants)
      return fail(call, "Config() needs a dict of constants, got " + std::string(value.typeName()));
    config.constants = *constants;
  }
  return HostValue(std::move(config));
}

std::optional<HostValue> Evaluator::callFunction(const CallExpr &call,
                                                 const FunctionDefStmt &function,
                                                 HostList arguments, HostDict keywords) {
  std::string name(function.name);
  const ReturnStmt *result = nullptr;
  for (const Stmt *statement : function.body) {
    if (auto *expression = statement->dynAs<ExprStmt>();
        expression && expression->value->kind == ExprKind::Constant && !result)
      continue;
    if (result || !(result = statement->dynAs<ReturnStmt>()) || !result->value)
      return cannotFollow(call, "the function '" + name + "'");
  }
  const Parameters &parameters = function.parameters;
  if (!result || !parameters.positionalOnly.empty() || !parameters.keywordOnly.empty() ||
      parameters.variadic || parameters.keywords || !function.decorators.empty())
    return cannotFollow(call, "the function '" + name + "'");
  if (calls >= maxCalls)
    return fail(call, "calls are nested too deeply");

  Scope scope{nullptr, {}, /*isFunction=*/true};
  size_t firstDefault = parameters.positional.size() - parameters.defaults.size();
  for (auto [index, parameter] : llvm::enumerate(parameters.positional)) {
    auto keyword = llvm::find_if(
        keywords, [&, name = parameter.name](auto &entry) { return entry.first == name; });
    if (index < arguments.size())
      scope.own[std::string(parameter.name)] = arguments[index];
    else if (keyword != keywords.end())
      scope.own[std::string(parameter.name)] = keyword->second;
    else if (index >= firstDefault) {
      auto value = evaluate(*parameters.defaults[index - firstDefault]);
      if (!value)
        return std::nullopt;
      scope.own[std::string(parameter.name)] = std::move(*value);
    } else
      return fail(call, "the argument '" + std::string(parameter.name) + "' is missing");
  }
  for (const auto &[given, value] : keywords)
    if (!scope.own.contains(given))
      return fail(call, "'" + name + "' has no parameter '" + given + "'");
  if (arguments.size() > parameters.positional.size())
    return fail(call, "too many arguments for '" + name + "'");
  ++calls;
  scopes.push_back(std::move(scope));
  auto value = evaluate(*result->value);
  scopes.pop_back();
  --calls;
  return value;
}

std::optional<HostValue> Evaluator::evaluateCall(const CallExpr &call) {
  auto arguments = evaluateAll(call.arguments);
  if (!arguments)
    return std::nullopt;
  auto keywords = evaluateKeywords(call);
  if (!keywords)
    return std::nullopt;
  auto *name = call.function->dynAs<NameExpr>();
  auto *attribute = call.function->dynAs<AttributeExpr>();
  if (!name && !attribute)
    return cannotFollow(call, "this call");
  llvm::StringRef callee = name ? name->id : attribute->attribute;
  if (name)
    if (const Definition *definition = module.find(callee))
      if (auto *function = definition->statement->dynAs<FunctionDefStmt>();
          function && !definition->earlier && definition->guards.empty())
        return callFunction(call, *function, std::move(*arguments), std::move(*keywords));
  if (callee == "Config")
    return makeConfig(call, *arguments, std::move(*keywords));
  if (callee == "dict" && arguments->empty())
    return HostValue(std::move(*keywords));
  static constexpr llvm::StringLiteral builtins[] = {
      "cdiv", "next_power_of_2", "min", "max", "range", "len", "int", "list", "tuple"};
  if (!llvm::is_contained(builtins, callee) || !keywords->empty())
    return cannotFollow(call, "'" + callee.str() + "'");
  return callBuiltin(call, callee, *arguments);
}

/// A text parsed as the only expression of a file.
struct ParsedText {
  std::unique_ptr<const ParsedModule> module;
  const Definition *definition = nullptr;
};

/// Parses `before` + text + `after`, an assignment to a name, so that errors count columns from
/// where the user's text begins.
Expected<ParsedText> parseText(const std::string &text, const std::string &what,
                               llvm::StringRef before, llvm::StringRef after) {
  std::string source = before.str() + text + after.str() + "\n";
  auto module = ParsedModule::parse(what, source);
  if (!module) {
    Diagnostic error = module.error();
    error.where.column = std::max(1, error.where.column - int(before.size()));
    error.sourceLine = text;
    return error;
  }
  ParsedText parsed{std::move(*module), nullptr};
  parsed.definition = parsed.module->find("value");
  if (!parsed.definition || !parsed.definition->value || parsed.definition->earlier ||
      parsed.module->definitions().size() != 1)
    return makeFileError(what, "'" + text + "' is no expression");
  return parsed;
}

constexpr llvm::StringLiteral expressionBefore = "value = (", callBefore = "value = dict(";

/// The error as seen from the user's text, which stands behind `before`.
Diagnostic relocated(Diagnostic error, const std::string &text, llvm::StringRef before) {
  error.where.column -= int(before.size());
  error.sourceLine = text;
  return error;
}

} // namespace

Expected<HostValue> tune::evaluate(const Expr &expression, const ParsedModule &module,
                                   const HostNames &names) {
  Evaluator evaluator(module, names);
  auto value = evaluator.evaluate(expression);
  if (!value)
    return evaluator.error;
  return std::move(*value);
}

Expected<HostValue> tune::evaluateText(const std::string &text, const std::string &what,
                                       const HostNames &names) {
  auto parsed = parseText(text, what, expressionBefore, ")");
  if (!parsed)
    return parsed.error();
  auto value = evaluate(*parsed->definition->value, *parsed->module, names);
  if (!value)
    return relocated(value.error(), text, expressionBefore);
  return value;
}

Expected<HostDict> tune::evaluateKeywords(const std::string &text, const std::string &what) {
  auto parsed = parseText(text, what, callBefore, ")");
  if (!parsed)
    return parsed.error();
  auto *call = parsed->definition->value->dynAs<CallExpr>();
  if (!call || !call->arguments.empty())
    return makeFileError(what, "'" + text + "' is no list of NAME=VALUE",
                         "write it like \"BLOCK=128, num_warps=4\"");
  const HostNames names;
  Evaluator evaluator(*parsed->module, names);
  auto keywords = evaluator.evaluateKeywords(*call);
  if (!keywords)
    return relocated(evaluator.error, text, callBefore);
  return std::move(*keywords);
}
