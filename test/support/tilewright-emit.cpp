//===- tilewright-emit.cpp - src/emit as a program, for tests -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//   tilewright-emit FILE [--target=cuda:90] [--print=code|assembly|llir|legal|times] [--repeat=N]
//                   [-o OUT]
//
// FILE is a module in the LLVM dialect (.mlir) or LLVM IR (.ll). `times` prints the
// milliseconds of each step as JSON, the least of N runs in this process. `legal` does nothing with
// a .ll file but what the vendor's back end does to a module before LLVM's code generator.
//
//===--------------------------------------------------------------------------===//

#include "emit/Backend.h"
#include "emit/Emit.h"
#include "target/Target.h"
#include "vendor/Vendors.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>

using namespace tilewright;
namespace cl = llvm::cl;

enum class Output { Code, Assembly, LLVMIR, LegalIR, Times };

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("FILE"));
static cl::opt<std::string> targetName("target", cl::init("cuda:90"), cl::desc("e.g. cuda:90"));
static cl::opt<Output> output("print", cl::init(Output::Code), cl::desc("What to print"),
                              cl::values(clEnumValN(Output::Code, "code", "what a driver loads"),
                                         clEnumValN(Output::Assembly, "assembly", "its text"),
                                         clEnumValN(Output::LLVMIR, "llir", "optimised LLVM IR"),
                                         clEnumValN(Output::LegalIR, "legal", "legal LLVM IR"),
                                         clEnumValN(Output::Times, "times", "milliseconds")));
static cl::opt<std::string> outputFile("o", cl::init("-"), cl::desc("Where to print to"));
static cl::opt<unsigned> repeat("repeat", cl::init(1), cl::desc("Number of runs"));

static Expected<emit::EmittedCode> emitMlir(const emit::Backend &backend) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::DLTIDialect, mlir::LLVM::LLVMDialect>();
  emit::registerTranslation(registry);
  vendor::registerAll(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(input.getValue(), &context);
  if (!module)
    return makeFileError(input, "cannot be parsed");
  mlir::PassManager passes(&context);
  emit::addLineInfoPass(passes);
  if (mlir::failed(passes.run(*module)))
    return makeFileError(input, "has no usable locations");
  return emit::emitCode(*module, backend);
}

static Expected<emit::OwnedModule> readLLVMIR() {
  emit::OwnedModule module;
  module.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  module.module = llvm::parseIRFile(input, error, *module.context);
  if (!module.module)
    return makeFileError(input, error.getMessage().str());
  return module;
}

static Expected<emit::EmittedCode> emitLLVMIR(const emit::Backend &backend) {
  Expected<emit::OwnedModule> module = readLLVMIR();
  if (!module)
    return module.error();
  return emit::emitCode(std::move(*module), backend);
}

/// The module after Backend::getLegalizingSteps as `llir` of the result.
static Expected<emit::EmittedCode> legalizeOnly(const emit::Backend &backend) {
  Expected<emit::OwnedModule> module = readLLVMIR();
  if (!module)
    return module.error();
  std::shared_ptr<llvm::TargetMachine> machine = backend.createMachine({});
  if (!machine)
    return makeError("no back end for '" + targetName + "'");
  module->module->setTargetTriple(machine->getTargetTriple());
  module->module->setDataLayout(machine->createDataLayout());
  const emit::EmitOptions options;
  const emit::StepInput input = {backend.getTarget(), *machine, options};
  if (auto failure = emit::runBackendStep(*module->context, [&] {
        emit::runSteps(backend.getLegalizingSteps(), *module->module, input, {});
      }))
    return failure->diagnostic;
  emit::EmittedCode result;
  llvm::raw_string_ostream stream(result.llir);
  if (llvm::verifyModule(*module->module, &llvm::errs()))
    return makeError("what has been made legal is no valid LLVM IR");
  module->module->print(stream, /*AAW=*/nullptr);
  return result;
}

static Expected<emit::EmittedCode> emitOnce(const target::Target &target) {
  Expected<const vendor::Vendor *> vendor = vendor::get(target);
  if (!vendor)
    return vendor.error();
  std::unique_ptr<emit::Backend> backend = (*vendor)->createBackend(target);
  if (output == Output::LegalIR)
    return legalizeOnly(*backend);
  return llvm::StringRef(input).ends_with(".mlir") ? emitMlir(*backend) : emitLLVMIR(*backend);
}

static Expected<emit::EmittedCode> emitRepeatedly() {
  const target::Target *target = target::Target::find(targetName);
  if (!target)
    return makeError("unknown target '" + targetName + "'");
  Expected<emit::EmittedCode> best = emitOnce(*target);
  for (unsigned run = 1; best && run < repeat; ++run) {
    Expected<emit::EmittedCode> next = emitOnce(*target);
    if (!next)
      return next;
    for (double emit::EmitTimes::*step : {&emit::EmitTimes::translate, &emit::EmitTimes::optimize,
                                          &emit::EmitTimes::print, &emit::EmitTimes::generate})
      best->times.*step = std::min(best->times.*step, next->times.*step);
  }
  return best;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "src/emit alone\n");
  Expected<emit::EmittedCode> result = emitRepeatedly();
  if (!result) {
    llvm::errs() << render(result.error());
    return 1;
  }
  std::error_code error;
  llvm::raw_fd_ostream out(outputFile, error);
  if (error) {
    llvm::errs() << render(makeFileError(outputFile, error.message()));
    return 1;
  }
  switch (output) {
  case Output::Code:
    out << result->nativeCode;
    break;
  case Output::Assembly:
    out << result->assembly;
    break;
  case Output::LLVMIR:
  case Output::LegalIR:
    out << result->llir;
    break;
  case Output::Times:
    out << llvm::formatv("{{\"translate\": {0:F3}, \"optimize\": {1:F3}, \"print\": {2:F3}, "
                         "\"generate\": {3:F3}}\n",
                         result->times.translate, result->times.optimize, result->times.print,
                         result->times.generate);
    break;
  }
  return 0;
}
