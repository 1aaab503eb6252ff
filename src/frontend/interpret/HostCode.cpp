//===- HostCode.cpp - Evaluation of the code beside kernels -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/HostCode.h"

#include "frontend/codegen/CodeGen.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// The parts of all lists of configurations and the like together. One of a kernel would go into
/// its code.
static constexpr size_t maxHostParts = size_t(1) << 17;

struct HostCode::State {
  State(const ParsedModule &source, const CompileFacts &facts, Imports *imports)
      : context(mlir::MLIRContext::Threading::DISABLED),
        codeGen(context, source, errors, facts, imports) {
    codeGen.setMaxTupleParts(maxHostParts);
  }

  mlir::MLIRContext context;
  std::vector<Diagnostic> errors;
  CodeGen codeGen;
};

HostCode::HostCode(const ParsedModule &source, const CompileFacts &facts, Imports *imports)
    : state(std::make_unique<State>(source, facts, imports)) {}

HostCode::~HostCode() = default;

const FunctionObject *HostCode::findKernel(llvm::StringRef name) {
  const FunctionObject *kernel = state->codeGen.findKernel(name);
  state->errors.clear();
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
  return resultOf(state->codeGen.evaluateBefore(function, &expr));
}

Expected<Value> HostCode::evaluateWith(const Variables &names, const Expr &expr) {
  return resultOf(state->codeGen.evaluateWith(names, &expr));
}

//===--------------------------------------------------------------------------===//
// With the code generator
//===--------------------------------------------------------------------------===//

const FunctionObject *CodeGen::findKernel(llvm::StringRef name) {
  const FunctionObject *kernel = nullptr;
  tryHere([&] { kernel = chooseKernel(name); });
  return kernel;
}

Value CodeGen::evaluateBefore(const FunctionObject &function, const Expr *expr) {
  Within within(*this, *function.home, function.order);
  return evaluate(expr);
}

Value CodeGen::evaluateWith(const Variables &names, const Expr *expr) {
  auto known = std::make_shared<Variables>();
  for (llvm::StringRef name : {"cdiv", "next_power_of_2"})
    known->insert({name, Value::ofBuiltin(findTritonBuiltin(name))});
  known->insert({"triton", Value::ofModule("triton")});
  known->insert({"tl", Value::ofModule("triton.language")});
  known->insert({"math", Value::ofModule("math")});
  Environment &outer = environments.emplace_back();
  outer.file = source.file;
  outer.module = source.module;
  outer.variables = known;
  Environment &inner = environments.emplace_back(outer);
  inner.variables = std::make_shared<Variables>(names);
  inner.enclosing = &outer;
  Within within(*this, inner, nullptr);
  return evaluate(expr);
}
