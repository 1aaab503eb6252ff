//===- AmdgpuBackend.cpp - HSACO from LLVM IR --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/AmdgpuBackend.h"

#include "emit/MaskedBranches.h"
#include "emit/SplitAccessMasks.h"
#include "emit/VectorPhis.h"
#include "vendor/amd/emit/AmdgpuMachine.h"
#include "vendor/amd/emit/DppUsers.h"
#include "vendor/amd/emit/KernelAttributes.h"
#include "vendor/amd/emit/address/GlobalAccess.h"
#include "vendor/amd/emit/address/LoadRuns.h"
#include "vendor/amd/emit/address/LoopOffsets.h"
#include "vendor/amd/emit/address/LoopSums.h"
#include "vendor/amd/emit/address/OffsetWidening.h"
#include "vendor/amd/emit/address/ScalarOrder.h"
#include "vendor/amd/emit/arith/DualOperands.h"
#include "vendor/amd/emit/arith/LaneReductions.h"
#include "vendor/amd/emit/arith/PackedHalves.h"
#include "vendor/amd/emit/arith/WordPermutes.h"
#include "vendor/amd/emit/machine/EvictionBudget.h"
#include "vendor/amd/emit/machine/PressureSpills.h"
#include "vendor/amd/emit/machine/SchedulerPieces.h"
#include "vendor/amd/emit/machine/SchedulerStrategy.h"
#include "vendor/amd/emit/machine/ZeroAccumulators.h"
#include "vendor/amd/emit/matrix/LateValues.h"
#include "vendor/amd/emit/matrix/ProductOrder.h"
#include "vendor/amd/emit/matrix/SumScales.h"
#include "vendor/amd/emit/object/Assemble.h"
#include "vendor/amd/emit/object/EncodedText.h"
#include "vendor/amd/emit/object/LinkCodeObject.h"
#include "vendor/amd/emit/sync/BarrierOrder.h"
#include "vendor/amd/emit/sync/BarrierSplit.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilewright;
using namespace tilewright::emit;

/// The version of the code object, times 100, as the back end reads it from a module.
static constexpr unsigned codeObjectVersion = 500;

/// What the kernel's descriptor in the assembly says of its arguments.
static unsigned readKernargBytes(llvm::StringRef assembly) {
  constexpr llvm::StringLiteral directive = ".amdhsa_kernarg_size ";
  unsigned bytes = 0;
  if (size_t at = assembly.find(directive); at != llvm::StringRef::npos) {
    llvm::StringRef number = assembly.drop_front(at + directive.size());
    (void)number.consumeInteger(10, bytes);
  }
  return bytes;
}

/// Passes that cost more time than they are worth here: docs/emit.md has the figures.
static constexpr llvm::StringLiteral passesLeftOut[] = {
    // Time quadratic in the number of similar addresses, of which unrolled tile code has hundreds.
    "slsr",
    "nary-reassociate",
    // Follows variables of the source through registers; modules have lines, no variables.
    "livedebugvalues",
    // Addresses have been split (AddressSplitter): it would add what a base moves on by to lanes'
    // offsets, in 64 bits.
    "loop-reduce",
};

namespace {
class AmdgpuBackend final : public Backend {
public:
  explicit AmdgpuBackend(const target::Target &target) : Backend(target) {}

  std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const override {
    return createAmdgpuMachine(target, options);
  }

  void prepare(llvm::Module &module, const EmitOptions &options) const override {
    module.setModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", codeObjectVersion);
    if (options.wavesPerSimd)
      limitWaves(module, static_cast<unsigned>(options.wavesPerSimd));
  }

  void legalize(llvm::Module &module, llvm::TargetMachine &machine) const override {
    addKernelAttributes(module, target);
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      joinVectorPhis(function);
      splitAccessMasks(function);
      legalizeGlobalAccesses(function, target, machine);
      expandMaskedAccessesToBranches(function, /*areLikelyOn=*/true);
    }
  }

  void insertTargetCode(llvm::Module &module, llvm::TargetMachine &machine,
                        const EmitOptions &options) const override {
    const bool isGfx11 = llvm::StringRef(target.processor).starts_with("gfx11");
    for (llvm::Function &function : module) {
      orderLaneReductions(function);
      if (options.fuseMultiplyAdd)
        fuseButSharedProducts(function);
      doubleSharedOperands(function, machine);
      permuteWords(function);
      if (!machine.getMCSubtargetInfo()->checkFeatures("+real-true16"))
        roundIntoUpperHalves(function);
      joinLoadRuns(function);
      computeLateValuesAgain(function, machine);
      computeOffsetsAgain(function, machine);
      addConstantsLast(function, machine);
      widenOffsetsInLoops(function, machine, target.execution.warpUnit.registers);
      orderProductLoads(function, machine, target.execution.maxRegistersPerThread,
                        /*hasOneCounter=*/isGfx11);
      if (!isGfx11)
        splitBarriers(function);
      keepLoadsBeforeBarriers(function);
      waitForStagedLoads(function, /*hasOneCounter=*/isGfx11);
      waitBeforeBarriers(function, /*hasOneCounter=*/isGfx11);
      sinkScalars(function, machine, target.execution.warpUnit.registers);
      skipScalesOfOne(function);
    }
  }

  llvm::ArrayRef<llvm::StringLiteral> getPassesLeftOut() const override { return passesLeftOut; }

  bool filterCodeGenPass(llvm::StringRef name, llvm::StringRef previous,
                         llvm::legacy::PassManagerBase &passes, llvm::Module &module,
                         llvm::TargetMachine &machine) const override {
    // The first pass for this target behind those that move invariants out of loops.
    if (name == "amdgpu-late-codegenprepare")
      passes.add(createOffsetWideningPass());
    else if (name == "early-machinelicm")
      passes.add(createZeroAccumulatorsPass());
    else if (name == "machine-scheduler")
      passes.add(createSchedulerStrategyPass());
    else if (name == "greedy") {
      // The last of three, for vector registers, behind those that spilled scalar ones are in.
      if (previous == "amdgpu-reserve-wwm-regs")
        passes.add(createPressureSpillsPass());
      passes.add(createEvictionBudgetPass());
    } else if (name == "postmisched")
      passes.add(createSchedulerPiecesPass());
    // The one before this pass, which is left out, has done it.
    if (name == "early-cse" && previous == "nary-reassociate")
      return false;
    return name != "gcn-dpp-combine" || mayCombineLaneMoves(module, machine, target);
  }

  bool addCodePrinter(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine,
                      llvm::raw_pwrite_stream &out, llvm::MCContext &context) const override {
    return addEncodingPrinter(passes, machine, out, context, encoded);
  }

  std::optional<BackendFailure> finish(std::string generated, EmittedCode &result) const override {
    Expected<std::string> object = assemble(generated, encoded, target);
    if (!object)
      return BackendFailure{object.error()};
    Expected<std::string> linked = linkCodeObject(*object);
    if (!linked)
      return BackendFailure{linked.error()};
    result.nativeCode = std::move(*linked);
    result.kernargBytes = readKernargBytes(generated);
    result.assembly = std::move(generated);
    return std::nullopt;
  }

private:
  /// Of the one emission that this is for: filled as the code is printed.
  mutable EncodedText encoded;
};
} // namespace

std::unique_ptr<Backend> tilewright::emit::createAmdgpuBackend(const target::Target &target) {
  return std::make_unique<AmdgpuBackend>(target);
}
