//===- HostExpression.cpp - Python expressions beside kernels -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/HostExpression.h"
#include "tune/HostEvaluator.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::tune;
using namespace tilewright::frontend;

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
// Texts
//===--------------------------------------------------------------------------===//

namespace {

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
