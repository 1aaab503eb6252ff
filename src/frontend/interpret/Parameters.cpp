//===- Parameters.cpp - Binding of arguments to parameters --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Parameters.h"

#include "frontend/interpret/Interpreter.h"
#include "llvm/ADT/StringSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

llvm::SmallVector<const Parameter *> frontend::parametersOf(const FunctionDefStmt *function) {
  llvm::SmallVector<const Parameter *> all;
  for (const auto *list : {&function->parameters.positionalOnly, &function->parameters.positional,
                           &function->parameters.keywordOnly})
    for (const Parameter &parameter : *list)
      all.push_back(&parameter);
  for (const Parameter *parameter : {function->parameters.variadic, function->parameters.keywords})
    if (parameter)
      all.push_back(parameter);
  return all;
}

std::string frontend::namesOf(llvm::ArrayRef<const Parameter *> parameters) {
  std::string names;
  for (const Parameter *parameter : parameters)
    names += (names.empty() ? "" : ", ") + std::string(parameter->name);
  return names;
}

bool Interpreter::checkDefinition(const FunctionObject *function) {
  const Parameters &parameters = function->definition->parameters;
  TritonBuilder::InFile file(tb, function->environment->file->fileName(),
                             function->environment->file->text());
  if (const Parameter *parameter = parameters.keywords;
      parameter && function->kind == FunctionKind::Jitted)
    return tb.rejectAt({parameter->begin, parameter->end},
                       "a jitted function cannot take any keyword",
                       "name each parameter, or take a tuple");
  if (function->definition->isAsync)
    return tb.rejectAt({function->definition->nameAt, function->definition->nameAt},
                       "an asynchronous function cannot be run while compiling",
                       "write a function without async");
  llvm::StringSet<> names;
  for (const Parameter *parameter : parametersOf(function->definition))
    if (!names.insert(parameter->name).second)
      return tb.rejectAt({parameter->begin, parameter->end},
                         "the parameter '" + StringRef(parameter->name) +
                             "' stands twice in the definition");
  return true;
}

/// The parameters that take one argument each.
static size_t namedCount(const FunctionDefStmt *function) {
  const Parameters &parameters = function->parameters;
  return parameters.positionalOnly.size() + parameters.positional.size() +
         parameters.keywordOnly.size();
}

std::optional<size_t> Interpreter::findParameter(const FunctionDefStmt *function,
                                                 const GivenArgument &argument) {
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function);
  for (size_t index = function->parameters.positionalOnly.size(); index < namedCount(function);
       ++index)
    if (StringRef(parameters[index]->name) == argument.keyword)
      return index;
  if (function->parameters.keywords)
    return parameters.size() - 1;
  llvm::SmallVector<StringRef> names;
  for (const Parameter *parameter : parameters)
    names.push_back(parameter->name);
  StringRef close = closestOf(argument.keyword, names);
  tb.failAt(argument.span,
            StringRef(function->name) + " has no parameter '" + argument.keyword + "'",
            close.empty() ? "its parameters are " + namesOf(parameters)
                          : "did you mean '" + close.str() + "'?");
  return std::nullopt;
}

bool Interpreter::bindParameters(const FunctionObject *object, llvm::ArrayRef<GivenArgument> given,
                                 llvm::SmallVectorImpl<Value> &values) {
  const FunctionDefStmt *function = object->definition;
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function);
  size_t positionalCount =
      function->parameters.positionalOnly.size() + function->parameters.positional.size();
  StringRef name(function->name);
  values.assign(parameters.size(), Value());
  llvm::SmallVector<bool> isGiven(parameters.size(), false);
  // `*rest` takes all further positional arguments, as a tuple, and `**rest` the others, as a dict.
  const bool isVariadic = function->parameters.variadic;
  const bool takesKeywords = function->parameters.keywords;
  const size_t named = namedCount(function);
  std::vector<Value> rest, keywords;
  size_t next = 0;
  for (const GivenArgument &argument : given) {
    size_t index = next;
    if (argument.keyword.empty()) {
      if (next >= positionalCount && isVariadic) {
        rest.push_back(argument.value);
        continue;
      }
      if (next >= positionalCount)
        return tb.rejectAt(argument.span,
                           name + " takes " + llvm::Twine(positionalCount) +
                               " positional argument" + (positionalCount == 1 ? "" : "s") +
                               ", and this is one more",
                           parameters.empty() ? "it has no parameters"
                                              : "its parameters are " + namesOf(parameters));
      ++next;
    } else if (std::optional<size_t> found = findParameter(function, argument)) {
      index = *found;
    } else {
      return false;
    }
    if (takesKeywords && index + 1 == parameters.size()) {
      keywords.insert(keywords.end(), {Value::ofString(argument.keyword), argument.value});
      continue;
    }
    if (isGiven[index])
      return tb.rejectAt(argument.span,
                         name + ": the argument '" + StringRef(parameters[index]->name) +
                             "' is given twice",
                         "give it once, by its place or by its name");
    // A parameter declared `: tl.constexpr` takes what the kernel computes as well, as in Triton:
    // constants stay constants either way.
    isGiven[index] = true;
    values[index] = argument.value;
  }
  if (isVariadic)
    if (!(values[named] = tb.makeTuple(std::move(rest))))
      return false;
  if (takesKeywords)
    if (!(values.back() = tb.makeDict(keywords)))
      return false;
  for (size_t i = 0; i < named; ++i) {
    if (isGiven[i])
      continue;
    const Expr *value = defaultOf(function, i);
    if (!value)
      return tb.reject(name + ": the argument '" + StringRef(parameters[i]->name) + "' is missing",
                       "give it, or give the parameter a default; the parameters are " +
                           namesOf(parameters));
    values[i] = evaluateDefault(object, value);
    if (!values[i])
      return false;
  }
  return true;
}

/// Defaults belong to the last positional parameters, and to keyword-only ones.
const Expr *frontend::defaultOf(const FunctionDefStmt *function, size_t index) {
  const Parameters &parameters = function->parameters;
  size_t positional = parameters.positionalOnly.size() + parameters.positional.size();
  if (index >= positional)
    return parameters.keywordDefaults[index - positional];
  size_t first = positional - parameters.defaults.size();
  return index < first ? nullptr : parameters.defaults[index - first];
}

Value Interpreter::evaluateDefault(const FunctionObject *function, const Expr *expr) {
  if (auto known = function->defaults.find(expr); known != function->defaults.end())
    return known->second;
  Within within(now, *function->home, function->order);
  Value value = evaluate(expr);
  const auto *name = expr->dynAs<NameExpr>();
  const Scope *scope = function->home->scope;
  if (!name || !scope || !value.isMutable())
    return value;
  for (const Definition *one = scope->find(name->id); one; one = one->earlier)
    if (one->order >= function->order && (one->mayChange || one->changedAt))
      return tb.failAt(spanOf(expr),
                       "what this default has when '" + function->name() +
                           "' is called is not known while compiling, as '" + StringRef(name->id) +
                           "' may be changed in between",
                       "make a tuple of it");
  return value;
}
