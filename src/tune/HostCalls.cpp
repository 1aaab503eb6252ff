//===- HostCalls.cpp - Calls in host-side expressions -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/HostEvaluator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::tune;
using namespace tilewright::frontend;

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
