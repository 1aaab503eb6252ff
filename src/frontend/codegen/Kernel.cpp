//===- Kernel.cpp - Compilation of a kernel -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelBuilder.h"

#include "frontend/names/objects/KernelSearch.h"
#include "ir/gluon/Dialect.h"
#include "ir/ttng/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

mlir::OwningOpRef<mlir::ModuleOp>
frontend::compileKernel(mlir::MLIRContext &context, const ParsedModule &source,
                        StringRef kernelName, StringRef signature,
                        std::vector<KernelArgument> &arguments, std::vector<Diagnostic> &errors,
                        const CompileFacts &facts, Imports *imports) {
  errors.clear();
  // Loads the dialects that its ops need as well.
  context.getOrLoadDialect<tt::TritonDialect>();
  KernelBuilder builder(context, source, errors, facts, imports);
  auto module = builder.run(kernelName, signature);
  arguments = builder.takeArguments();
  if (imports) {
    imports->inputs = builder.inputs();
    imports->variables = builder.inputVariables();
  }
  for (Diagnostic &note : builder.takeNotes())
    errors.push_back(std::move(note));
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp>
frontend::compileKernel(mlir::MLIRContext &context, StringRef fileName, StringRef sourceText,
                        StringRef kernelName, StringRef signature,
                        std::vector<KernelArgument> &arguments, std::vector<Diagnostic> &errors,
                        const CompileFacts &facts, Imports *imports) {
  auto source = ParsedModule::parse(fileName, sourceText);
  if (!source) {
    errors = {source.error()};
    return {};
  }
  return compileKernel(context, **source, kernelName, signature, arguments, errors, facts, imports);
}

std::vector<InputVariable> KernelBuilder::inputVariables() const {
  std::vector<InputVariable> variables;
  for (const auto &[name, value] : tb.variablesRead())
    variables.push_back({name, value});
  return variables;
}

mlir::OwningOpRef<mlir::ModuleOp> KernelBuilder::run(StringRef kernelName, StringRef signature) {
  const FunctionObject *kernel = KernelSearch(resolver).choose(kernelName);
  if (!kernel || !interpreter.checkDefinition(kernel))
    return {};
  const FunctionDefStmt *definition = kernel->definition;
  if (const Parameter *parameter = definition->parameters.variadic) {
    tb.failAt({parameter->begin, parameter->end},
              "a kernel cannot take a variable number of arguments",
              "name each parameter; functions that kernels call may have `*args`");
    return {};
  }
  if (kernel->hasAssertions)
    tb.facts.assertions = true;
  tb.isGluon = kernel->isGluon;
  Within within(now, *kernel->environment, nullptr);
  module = mlir::ModuleOp::create(tb.builder, tb.locationOf(definition->begin));
  if (kernel->isGluon)
    describeLaunch();
  if (!parameters.read(kernel, signature))
    return {};
  KernelFrame own;
  own.function = kernel;
  if (!generateBody(kernel, makeKernelFunction(kernel), own, /*isKernel=*/true) || tb.failed())
    return {};
  return std::move(module);
}

/// Writes into the module what the layouts of a kernel of Gluon are made for.
void KernelBuilder::describeLaunch() {
  tb.builder.getContext()
      ->loadDialect<ttg::TritonGPUDialect, ttng::TritonNvidiaGPUDialect, gluon::GluonDialect>();
  auto set = [&](StringRef name, unsigned number) {
    (*module)->setAttr(name, tb.builder.getI32IntegerAttr(static_cast<int32_t>(number)));
  };
  set(ttg::numCTAsAttrName, tb.facts.numCTAs);
  set(ttg::numWarpsAttrName, tb.facts.numWarps);
  set(ttg::threadsPerWarpAttrName, tb.facts.threadsPerWarp);
  (*module)->setAttr(ttg::targetAttrName, tb.builder.getStringAttr(tb.facts.target));
}

tt::FuncOp KernelBuilder::makeKernelFunction(const FunctionObject *kernel) {
  mlir::OpBuilder &builder = tb.builder;
  mlir::Location location = tb.locationOf(kernel->definition->begin);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = tt::FuncOp::create(
      builder, location, kernel->name(), builder.getFunctionType(parameters.types, {}),
      {builder.getNamedAttr("sym_visibility", builder.getStringAttr("public")),
       builder.getNamedAttr("noinline", builder.getBoolAttr(false))},
      parameters.attributes);
  symbols.insert(kernel->name());
  function.getBody().emplaceBlock().addArguments(parameters.types, parameters.locations);
  return function;
}
