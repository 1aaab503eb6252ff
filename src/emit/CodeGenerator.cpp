//===- CodeGenerator.cpp - LLVM's code generation pipeline --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/CodeGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilewright;
using namespace tilewright::emit;

namespace {
/// Stands between LLVM's back end, which lists the passes of its code generator, and the
/// pass manager: applies our rules to each.
class PassFilter : public llvm::legacy::PassManagerBase {
public:
  PassFilter(llvm::legacy::PassManager &passes, llvm::ArrayRef<CodeGenRule> rules,
             llvm::Module &module, const StepInput &input)
      : passes(passes), rules(rules), module(module), input(input) {}

  void add(llvm::Pass *pass) override {
    llvm::StringRef name = argumentOf(pass);
    if (applyRules(name))
      passes.add(pass);
    else
      delete pass;
    previous = name;
  }

private:
  static llvm::StringRef argumentOf(const llvm::Pass *pass) {
    const llvm::PassInfo *info =
        llvm::PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
    return info ? info->getPassArgument() : llvm::StringRef();
  }

  /// Adds what runs in front of the pass; says whether it runs itself.
  bool applyRules(llvm::StringRef name) {
    bool runs = true;
    for (const CodeGenRule &rule : rules) {
      if (!rule.isFor(name, previous))
        continue;
      if (llvm::Pass *before = rule.createBefore ? rule.createBefore(input.target) : nullptr)
        passes.add(before);
      runs &= !rule.runs || rule.runs(module, input);
    }
    return runs;
  }

  llvm::legacy::PassManager &passes;
  llvm::ArrayRef<CodeGenRule> rules;
  llvm::Module &module;
  const StepInput &input;
  llvm::StringRef previous;
};
} // namespace

/// Fills `passes` with the code generator, which writes to `out`. Returns false if
/// the machine cannot do so.
static bool addCodeGenerator(llvm::legacy::PassManager &passes, const StepInput &input,
                             const Backend &backend, llvm::Module &module,
                             llvm::raw_pwrite_stream &out) {
  llvm::TargetMachine &machine = input.machine;
  // This is what TargetMachine::addPassesToEmitFile does, which takes only LLVM's own
  // pass managers.
  PassFilter filter(passes, backend.getCodeGenRules(), module, input);
  auto *config = static_cast<llvm::CodeGenTargetMachineImpl &>(machine).createPassConfig(filter);
  auto *machineModule = new llvm::MachineModuleInfoWrapperPass(&machine);
  config->setDisableVerify(true);
  filter.add(config);
  filter.add(machineModule);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  return backend.addCodePrinter(filter, machine, out, machineModule->getMMI().getContext());
}

bool Backend::addCodePrinter(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine,
                             llvm::raw_pwrite_stream &out, llvm::MCContext &context) const {
  return !machine.addAsmPrinter(passes, out, /*DwoOut=*/nullptr, getFileType(), context);
}

std::optional<BackendFailure> tilewright::emit::generateCode(OwnedModule &module,
                                                             const StepInput &input,
                                                             const Backend &backend,
                                                             std::string &code) {
  auto text = std::make_unique<llvm::SmallString<0>>();
  auto out = std::make_unique<llvm::raw_svector_ostream>(*text);
  // The printer of assembly takes over the stream's buffer, as that of modules does (Emit.cpp).
  // Writers of objects go back in what they have written, which a buffer may still hold.
  if (backend.getFileType() == llvm::CodeGenFileType::AssemblyFile)
    out->SetBufferSize(1 << 16);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  bool canEmit = true;
  auto lock = backend.lockGenerator();
  auto failure = runBackendStep(*module.context, [&] {
    canEmit = addCodeGenerator(*passes, input, backend, *module.module, *out);
    if (canEmit)
      passes->run(*module.module);
  });
  if (failure)
    locateFailure(*failure, *module.module);
  if (failure && failure->isFatal) {
    (void)passes.release();
    (void)out.release();
    (void)text.release();
    return failure;
  }
  // The printer goes, and its buffer is written out.
  passes.reset();
  if (!failure && !canEmit)
    failure = BackendFailure{makeError("this build of LLVM cannot write code for " +
                                       input.machine.getTargetTriple().str())};
  if (!failure)
    code = text->str();
  return failure;
}
