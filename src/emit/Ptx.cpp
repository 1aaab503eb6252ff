//===- Ptx.cpp - From LLVM IR to PTX ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Ptx.h"

#include "emit/BackendErrors.h"
#include "emit/ExpandAtomics.h"
#include "emit/ExpandMaskedAccess.h"
#include "emit/Optimize.h"
#include "target/Target.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

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

namespace {
/// Stands between the back end, which lists the passes of its code generator, and the
/// pass manager: leaves out some of the back end's passes and puts one in.
class PassFilter : public llvm::legacy::PassManagerBase {
public:
  PassFilter(llvm::legacy::PassManager &passes, const target::Target &target, bool joinLoads)
      : passes(passes), target(target), joinLoads(joinLoads) {}

  void add(llvm::Pass *pass) override {
    llvm::StringRef name = argumentOf(pass);
    if (isLeftOut(name) || (name == "load-store-vectorizer" && !joinLoads)) {
      delete pass;
      return;
    }
    // Masked accesses stay what they are until addresses have been split into a common
    // part and constants, and loops have got their strides: both see through them. This is
    // where LLVM would make branches of them.
    if (name == "scalarize-masked-mem-intrin")
      passes.add(createExpandMaskedAccessPass(target.maxGlobalAccessBits / 8));
    passes.add(pass);
  }

private:
  static llvm::StringRef argumentOf(const llvm::Pass *pass) {
    const llvm::PassInfo *info =
        llvm::PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
    return info ? info->getPassArgument() : llvm::StringRef();
  }

  /// Passes that cost more time than they are worth here: docs/emit.md has the figures.
  static bool isLeftOut(llvm::StringRef name) {
    return llvm::StringSwitch<bool>(name)
        // Time quadratic in the number of similar addresses, of which unrolled tile code
        // has hundreds; the multiplications that they save are as fast as the additions.
        .Case("slsr", true)
        .Case("nary-reassociate", true)
        // The assembler does these again, on its own instructions.
        .Cases({"machine-cse", "early-machinelicm", "machine-sink"}, true)
        .Default(false);
  }

  llvm::legacy::PassManager &passes;
  const target::Target &target;
  /// Whether the load and store vectoriser, which takes a third of the time, may find something:
  /// lowering has made vectors of what the layouts let it.
  bool joinLoads;
};
} // namespace

/// Whether loads in a row may make a vector: one is aligned to more bytes than it takes, as those
/// of a loop that has been unrolled are.
static bool hasLoadsToJoin(const llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() &&
          load->getAlign().value() > layout.getTypeStoreSize(load->getType()))
        return true;
  return false;
}

/// Fills `passes` with the code generator, which writes PTX to `out`. Returns false if
/// the machine cannot do so.
static bool addCodeGenerator(llvm::legacy::PassManager &passes, llvm::TargetMachine &machine,
                             const target::Target &target, bool joinLoads,
                             llvm::raw_pwrite_stream &out) {
  // This is what TargetMachine::addPassesToEmitFile does, which takes only LLVM's own
  // pass managers.
  PassFilter filter(passes, target, joinLoads);
  auto *config = static_cast<llvm::CodeGenTargetMachineImpl &>(machine).createPassConfig(filter);
  auto *machineModule = new llvm::MachineModuleInfoWrapperPass(&machine);
  config->setDisableVerify(true);
  filter.add(config);
  filter.add(machineModule);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  return !machine.addAsmPrinter(filter, out, /*DwoOut=*/nullptr,
                                llvm::CodeGenFileType::AssemblyFile,
                                machineModule->getMMI().getContext());
}

/// The PTX of `module`. The machine and the pass manager are not destroyed after a fatal
/// failure.
static std::optional<BackendFailure> generatePtx(OwnedModule &module,
                                                 std::unique_ptr<llvm::TargetMachine> &machine,
                                                 const target::Target &target, std::string &ptx) {
  auto text = std::make_unique<llvm::SmallString<0>>();
  auto out = std::make_unique<llvm::raw_svector_ostream>(*text);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  bool canEmit = true;
  auto failure = runBackendStep(*module.context, [&] {
    canEmit = addCodeGenerator(*passes, *machine, target, hasLoadsToJoin(*module.module), *out);
    if (canEmit)
      passes->run(*module.module);
  });
  if (failure && failure->isFatal) {
    (void)passes.release();
    (void)out.release();
    (void)text.release();
  }
  if (!failure && !canEmit)
    failure = BackendFailure{makeError("this build of LLVM cannot write PTX")};
  if (!failure)
    ptx = text->str();
  return failure;
}

static std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, /*AAW=*/nullptr);
  return text;
}

/// Runs the steps in order and stops at the first that fails.
static std::optional<BackendFailure> runSteps(OwnedModule &module,
                                              std::unique_ptr<llvm::TargetMachine> &machine,
                                              const target::Target &target, EmittedPtx &result) {
  {
    StepTimer timer(result.times.optimize);
    module.module->setTargetTriple(machine->getTargetTriple());
    module.module->setDataLayout(machine->createDataLayout());
    if (auto failure = runBackendStep(*module.context, [&] { optimize(*module.module, *machine); }))
      return failure;
  }
  {
    StepTimer timer(result.times.print);
    result.llir = printModule(*module.module);
  }
  StepTimer timer(result.times.generate);
  // Before the code generator makes compare-and-swap loops of them.
  for (llvm::Function &function : *module.module)
    expandAtomics(function, target);
  return generatePtx(module, machine, target, result.ptx);
}

Expected<EmittedPtx> tilewright::emit::emitPtx(OwnedModule module, const target::Target &target,
                                               const NvidiaOptions &options) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target, options);
  if (!machine)
    return makeError("this build of LLVM has no NVPTX back end");
  EmittedPtx result;
  if (auto failure = runSteps(module, machine, target, result)) {
    if (failure->isFatal) {
      // Left as they are for good: see BackendFailure::isFatal.
      (void)machine.release();
      (void)module.module.release();
      (void)module.context.release();
    }
    return failure->diagnostic;
  }
  return result;
}

Expected<EmittedPtx> tilewright::emit::emitPtx(mlir::ModuleOp module, const target::Target &target,
                                               const NvidiaOptions &options) {
  double translateTime = 0;
  Expected<OwnedModule> translated = [&] {
    StepTimer timer(translateTime);
    return translateToLLVMIR(module);
  }();
  if (!translated)
    return translated.error();
  Expected<EmittedPtx> result = emitPtx(std::move(*translated), target, options);
  if (result)
    result->times.translate = translateTime;
  return result;
}
