//===- NvptxBackend.cpp - PTX from LLVM IR ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/NvptxBackend.h"

#include "vendor/nvidia/emit/InitialConstants.h"
#include "vendor/nvidia/emit/NvptxMachine.h"
#include "vendor/nvidia/emit/matrix/CarriedMatrixLoads.h"
#include "vendor/nvidia/emit/matrix/ExpandWarpGroup.h"
#include "vendor/nvidia/emit/matrix/MatrixLoadOrder.h"
#include "vendor/nvidia/emit/memory/CopyMasks.h"
#include "vendor/nvidia/emit/memory/ExpandAtomics.h"
#include "vendor/nvidia/emit/memory/ExpandMaskedAccess.h"
#include "vendor/nvidia/emit/memory/Prefetches.h"
#include "vendor/nvidia/emit/memory/SharedBase.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilewright;
using namespace tilewright::emit;

/// Passes that cost more time than they are worth here: docs/emit.md has the figures.
static constexpr llvm::StringLiteral passesLeftOut[] = {
    // Time quadratic in the number of similar addresses, of which unrolled tile code has hundreds;
    // the multiplications that they save are as fast as the additions.
    "slsr",
    "nary-reassociate",
    // The assembler does these again, on its own instructions.
    "machine-cse",
    "early-machinelicm",
    "machine-sink",
};

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

namespace {
class NvptxBackend final : public Backend {
public:
  explicit NvptxBackend(const target::Target &target) : Backend(target) {}

  std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const override {
    return createNvptxMachine(target, options);
  }

  void prepare(llvm::Module &module, const EmitOptions &options) const override {
    if (options.maxRegisters)
      for (llvm::Function &function : module)
        if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
          function.addFnAttr("nvvm.maxnreg", std::to_string(options.maxRegisters));
  }

  void insertTargetCode(llvm::Module &module, llvm::TargetMachine &,
                        const EmitOptions &) const override {
    // Before the code generator makes compare-and-swap loops of them.
    for (llvm::Function &function : module) {
      expandAtomics(function, target);
      joinCopyMasks(function);
      orderMatrixLoads(function);
      loadOneAtHead(function);
      takeSharedBaseOnce(function);
      expandPrefetches(function);
      makeInitialConstantsOnce(function);
    }
    expandWarpGroupCalls(module);
  }

  llvm::ArrayRef<llvm::StringLiteral> getPassesLeftOut() const override { return passesLeftOut; }

  bool filterCodeGenPass(llvm::StringRef name, llvm::StringRef previous,
                         llvm::legacy::PassManagerBase &passes, llvm::Module &module,
                         llvm::TargetMachine &) const override {
    // The load and store vectoriser takes a third of the time, and lowering has made vectors of
    // what the layouts let it: it runs where it may find something.
    if (name == "load-store-vectorizer" && !hasLoadsToJoin(module))
      return false;
    // Masked accesses stay what they are until addresses have been split into a common
    // part and constants, and loops have got their strides: both see through them. This is
    // where LLVM would make branches of them.
    if (name == "scalarize-masked-mem-intrin")
      passes.add(createExpandMaskedAccessPass(target.global.maxAccessBits / 8));
    return true;
  }
};
} // namespace

std::unique_ptr<Backend> tilewright::emit::createNvptxBackend(const target::Target &target) {
  return std::make_unique<NvptxBackend>(target);
}
