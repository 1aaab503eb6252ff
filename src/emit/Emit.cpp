//===- Emit.cpp - LLVM dialect to machine code --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Emit.h"

#include "emit/Backend.h"
#include "emit/CodeGenerator.h"
#include "emit/Contraction.h"
#include "emit/Optimize.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>

using namespace tilewright;
using namespace tilewright::emit;

namespace {
/// Adds the time from its making to its end to a number of milliseconds.
class StepTimer {
public:
  explicit StepTimer(double &milliseconds) : milliseconds(milliseconds) {}
  ~StepTimer() {
    milliseconds +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

private:
  double &milliseconds;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};
} // namespace

static std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // The printer, which writes a few characters at a time and follows the column, takes over the
  // stream's buffer: without one it does both for each of these times.
  stream.SetBufferSize(1 << 16);
  module.print(stream, /*AAW=*/nullptr);
  stream.flush();
  return text;
}

/// Does one after the other and stops at the first that fails.
static std::optional<BackendFailure> emitSteps(OwnedModule &module, llvm::TargetMachine &machine,
                                               const Backend &backend, const EmitOptions &options,
                                               const StepLog &log, EmittedCode &result) {
  const StepInput input = {backend.getTarget(), machine, options};
  // Arguments have the names that loaders read. Passes would give each value that they make one
  // more, and the back end for SPIR-V one call to each name.
  module.context->setDiscardValueNames(true);
  {
    StepTimer timer(result.times.optimize);
    module.module->setTargetTriple(machine.getTargetTriple());
    module.module->setDataLayout(machine.createDataLayout());
    if (auto failure = runBackendStep(*module.context, [&] {
          settleContraction(*module.module, options.fuseMultiplyAdd);
          backend.prepare(*module.module, options);
          optimize(*module.module, machine, backend.driverOptimizes());
          if (log)
            log("optimize", *module.module);
        }))
      return failure;
  }
  {
    StepTimer timer(result.times.generate);
    if (auto failure = runBackendStep(*module.context, [&] {
          runSteps(backend.getLegalizingSteps(), *module.module, input, log);
          result.buildOptions = backend.getBuildOptions(*module.module);
        }))
      return failure;
  }
  {
    StepTimer timer(result.times.print);
    result.llir = printModule(*module.module);
  }
  StepTimer timer(result.times.generate);
  if (auto failure = runBackendStep(
          *module.context, [&] { runSteps(backend.getTargetSteps(), *module.module, input, log); }))
    return failure;
  std::string code;
  if (auto failure = generateCode(module, input, backend, code))
    return failure;
  return backend.finish(std::move(code), result);
}

Expected<EmittedCode> tilewright::emit::emitCode(OwnedModule module, const Backend &backend,
                                                 const EmitOptions &options, const StepLog &log) {
  std::shared_ptr<llvm::TargetMachine> machine = backend.createMachine(options);
  if (!machine)
    return makeError("this build of LLVM has no back end for " +
                     std::string(backend.getTarget().name));
  EmittedCode result;
  if (auto failure = emitSteps(module, *machine, backend, options, log, result)) {
    if (failure->isFatal) {
      // Left as they are for good: see BackendFailure::isFatal.
      (void)new std::shared_ptr<llvm::TargetMachine>(std::move(machine));
      (void)module.module.release();
      (void)module.context.release();
    }
    return failure->diagnostic;
  }
  return result;
}

Expected<EmittedCode> tilewright::emit::emitCode(mlir::ModuleOp module, const Backend &backend,
                                                 const EmitOptions &options, const StepLog &log) {
  double translateTime = 0;
  Expected<OwnedModule> translated = [&] {
    StepTimer timer(translateTime);
    return translateToLLVMIR(module);
  }();
  if (!translated)
    return translated.error();
  Expected<EmittedCode> result = emitCode(std::move(*translated), backend, options, log);
  if (result)
    result->times.translate = translateTime;
  return result;
}
