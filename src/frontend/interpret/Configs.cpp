//===- Configs.cpp - Objects of triton.Config ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Modules list the configurations that autotuning chooses from, filter them by their attributes,
// and hand them to decorators. The class is that of triton/runtime/autotuner.py of Triton 3.6; its
// subclasses and older versions have further options, which are kept by their names.
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The parameters, in order. The first is the dict of constants.
static constexpr llvm::StringLiteral parameters[] = {
    "kwargs", "num_warps", "num_stages", "num_ctas", "maxnreg", "pre_hook", "ir_override"};

/// An attribute whose parameter is left out; nothing if there is no such parameter.
static std::optional<Value> defaultOption(StringRef name) {
  if (name == "num_warps" || name == "num_stages")
    return Value::ofInteger(name == "num_warps" ? 4 : 3);
  if (name == "num_ctas")
    return Value::ofInteger(1);
  return llvm::is_contained(parameters, name) ? std::optional(Value::none()) : std::nullopt;
}

Value Interpreter::makeConfig(const CallExpr *call) {
  llvm::SmallVector<GivenArgument> given;
  if (!evaluateArguments(call, given))
    return {};
  TritonBuilder::At span(tb, spanOf(call));
  Value constants = tb.makeDict({});
  std::vector<Value> options;
  size_t next = 0;
  for (const GivenArgument &argument : given) {
    if (argument.keyword.empty() && next == std::size(parameters))
      return tb.failAt(argument.span, "triton.Config takes no more than " +
                                          llvm::Twine(std::size(parameters)) + " arguments");
    const StringRef name =
        argument.keyword.empty() ? StringRef(parameters[next++]) : argument.keyword;
    if (name != "kwargs") {
      options.insert(options.end(), {Value::ofString(now.keep(name)), argument.value});
      continue;
    }
    if (!argument.value.isDict())
      return tb.failAt(argument.span,
                       "triton.Config takes a dict of constants, not " + argument.value.describe());
    constants = argument.value;
  }
  // What a statement sets is looked for where the configuration is made, since any part may be read
  // without asking for an attribute.
  for (StringRef name : parameters)
    if (!resolver.changes.areAssumedAbsent() && refuseChangedConfig(name))
      return {};
  return Value::config(std::move(constants), tb.makeDict(options));
}

bool Interpreter::refuseChangedConfig(StringRef name) {
  return resolver.changes.refuse(name,
                                 {[](const Value &base) { return base.kind == ValueKind::Config; }},
                                 [] { return true; });
}

Value Interpreter::configAttribute(const Value &config, StringRef name) {
  if (refuseChangedConfig(name))
    return {};
  if (name == "kwargs")
    return config.elements->front();
  if (const Value *given = config.elements->back().find(Value::ofString(name)))
    return *given;
  if (std::optional<Value> left = defaultOption(name))
    return *left;
  return tb.fail("a triton.Config has no attribute '" + name + "' that is known while compiling",
                 "it has kwargs, num_warps, num_stages, num_ctas and maxnreg");
}
