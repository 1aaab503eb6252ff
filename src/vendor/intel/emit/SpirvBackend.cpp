//===- SpirvBackend.cpp - SPIR-V from LLVM IR ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/SpirvBackend.h"

#include "emit/MaskedBranches.h"
#include "emit/VectorPhis.h"
#include "vendor/intel/emit/SpirvMachine.h"
#include "vendor/intel/emit/legalize/ExpandOperations.h"
#include "vendor/intel/emit/legalize/ExtensionInstructions.h"
#include "vendor/intel/emit/legalize/FastMath.h"
#include "vendor/intel/emit/legalize/LegalizeIntegers.h"
#include "vendor/intel/emit/legalize/LegalizeParameters.h"
#include "vendor/intel/emit/legalize/LegalizeVectors.h"
#include "vendor/intel/emit/memory/BlockInstructions.h"
#include "vendor/intel/emit/memory/CacheControls.h"
#include "vendor/intel/emit/memory/MemoryOrder.h"
#include "vendor/intel/emit/memory/Prefetches.h"
#include "vendor/intel/emit/memory/SplitPointers.h"
#include "vendor/intel/emit/memory/UniqueBlockNumbers.h"
#include "vendor/intel/emit/memory/VolatileLoads.h"
#include "vendor/intel/emit/registers/RegisterFile.h"
#include "vendor/intel/emit/registers/SinkOperands.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/Sink.h"

using namespace tilewright;
using namespace tilewright::emit;

/// Products and sums are fused by the driver unless the module forbids it, which it does where
/// this is missing.
static constexpr llvm::StringLiteral contractionMetadata = "opencl.enable.FP_CONTRACT";

/// Passes of LLVM's code generator that think of a processor, which SPIR-V is not: the driver's
/// compiler does the same on what it knows. docs/emit.md has the figures.
static constexpr llvm::StringLiteral passesLeftOut[] = {
    // Copies addresses to their uses, and makes additions with a carry, which drivers do not take
    // as LLVM writes them.
    "codegenprepare",
    // A quarter of the time, for nothing that the driver does not do.
    "loop-reduce",
    "consthoist",
    // For loop strength reduction.
    "canon-freeze",
    "early-machinelicm",
    "machine-cse",
    "peephole-opt",
    "early-tailduplication",
    "tailduplication",
};

/// Moves what only one branch uses into it: of a tile's masked accesses, all addresses would be in
/// registers at once.
static void sink(llvm::Function &function) {
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::LoopAnalysis(); });
  analyses.registerPass([] { return llvm::TargetLibraryAnalysis(); });
  analyses.registerPass([] { return llvm::AAManager(); });
  llvm::SinkingPass().run(function, analyses);
}

namespace {
class SpirvBackend final : public Backend {
public:
  explicit SpirvBackend(const target::Target &target) : Backend(target) {}

  std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const override {
    return createSpirvMachine(options);
  }

  bool driverOptimizes() const override { return true; }

  void legalize(llvm::Module &module, llvm::TargetMachine &machine) const override {
    if (machine.Options.AllowFPOpFusion == llvm::FPOpFusion::Fast)
      module.getOrInsertNamedMetadata(contractionMetadata);
    legalizeParameters(module);
    for (llvm::Function &function : module) {
      expandOperations(function);
      dropLoneReassociation(function);
      expandMemoryOrdering(function);
      expandMaskedAccessesToBranches(function);
      legalizeVectors(function, machine);
      legalizeIntegers(function);
      joinVectorPhis(function);
      splitLoopPointers(function);
      // Where there are enough registers it is better to compute what branches share once.
      if (needsLargeRegisterFile(function, target)) {
        sink(function);
        sinkProductOperands(function);
      }
    }
  }

  std::string getBuildOptions(const llvm::Module &module) const override {
    const bool isLarge = llvm::any_of(module, [&](const llvm::Function &function) {
      return needsLargeRegisterFile(function, target);
    });
    return isLarge ? largeRegisterFileOption.str() : std::string();
  }

  // To a simulator without caches a volatile load is as good.
  void insertTargetCode(llvm::Module &module, llvm::TargetMachine &,
                        const EmitOptions &options) const override {
    if (options.useExtensions) {
      useExtensionInstructions(module);
      useBlockInstructions(module);
      for (llvm::Function &function : module)
        useCacheControls(function);
    }
    for (llvm::Function &function : module) {
      makeVolatileLoadsAtomic(function);
      usePrefetchFunction(function);
    }
  }

  llvm::CodeGenFileType getFileType() const override { return llvm::CodeGenFileType::ObjectFile; }

  std::unique_lock<std::mutex> lockGenerator() const override { return lockSpirvGenerator(); }

  llvm::ArrayRef<llvm::StringLiteral> getPassesLeftOut() const override { return passesLeftOut; }

  bool filterCodeGenPass(llvm::StringRef name, llvm::StringRef previous,
                         llvm::legacy::PassManagerBase &passes, llvm::Module &,
                         llvm::TargetMachine &) const override {
    if (name == "spirv-asm-printer")
      passes.add(createUniqueBlockNumbersPass());
    return true;
  }
};
} // namespace

std::unique_ptr<Backend> tilewright::emit::createSpirvBackend(const target::Target &target) {
  return std::make_unique<SpirvBackend>(target);
}
