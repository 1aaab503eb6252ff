//===- HostCode.cpp - Evaluation of the code beside kernels -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/HostCode.h"

#include "frontend/interpret/Interpreter.h"
#include "frontend/names/objects/KernelSearch.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// The parts of a list of configurations, each with its constants and options. A tuple of a kernel
/// would go into its code.
static constexpr size_t maxHostParts = size_t(1) << 17;

struct HostCode::State {
  State(const ParsedModule &source, const CompileFacts &facts, Imports *imports)
      : context(mlir::MLIRContext::Threading::DISABLED),
        interpreter(context, source, errors, facts, imports) {
    interpreter.now.tb.maxTupleParts = maxHostParts;
  }

  mlir::MLIRContext context;
  std::vector<Diagnostic> errors;
  Interpreter interpreter;
};

HostCode::HostCode(const ParsedModule &source, const CompileFacts &facts, Imports *imports)
    : state(std::make_unique<State>(source, facts, imports)) {}

HostCode::~HostCode() = default;

const FunctionObject *HostCode::findKernel(llvm::StringRef name) {
  Interpreter &interpreter = state->interpreter;
  const FunctionObject *kernel = nullptr;
  interpreter.now.tryHere([&] { kernel = KernelSearch(interpreter.resolver).choose(name); });
  return kernel;
}

Expected<Value> HostCode::resultOf(Value value) {
  if (state->errors.empty())
    return value;
  Diagnostic error = std::move(state->errors.front());
  state->errors.clear();
  return error;
}

Expected<Value> HostCode::evaluateBefore(const FunctionObject &function, const Expr &expr) {
  Within within(state->interpreter.now, *function.home, function.order);
  return resultOf(state->interpreter.evaluate(&expr));
}

/// The names that expressions of the command line see besides their own.
static std::shared_ptr<Variables> triton() {
  auto names = std::make_shared<Variables>();
  for (llvm::StringRef name : {"cdiv", "next_power_of_2"})
    names->insert({name, Value::ofBuiltin(findTritonBuiltin(name))});
  names->insert({"triton", Value::ofModule("triton")});
  names->insert({"tl", Value::ofModule("triton.language")});
  names->insert({"math", Value::ofModule("math")});
  return names;
}

Expected<Value> HostCode::evaluateWith(const Variables &names, const Expr &expr) {
  Environments &environments = state->interpreter.resolver.environments;
  Environment &outer = environments.make(environments.source, triton());
  outer.enclosing = nullptr;
  const Environment &inner = environments.make(outer, std::make_shared<Variables>(names));
  Within within(state->interpreter.now, inner, nullptr);
  return resultOf(state->interpreter.evaluate(&expr));
}
