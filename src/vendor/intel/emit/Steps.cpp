//===- Steps.cpp - Intel's steps over LLVM IR and in the code generator -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/Steps.h"

#include "emit/MaskedBranches.h"
#include "emit/VectorPhis.h"
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
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/Sink.h"

using namespace tilewright;
using namespace tilewright::emit;

/// Products and sums are fused by the driver unless the module forbids it, which it does where
/// this is missing.
static constexpr llvm::StringLiteral contractionMetadata = "opencl.enable.FP_CONTRACT";

static bool fusesMultiplyAdd(const StepInput &input) {
  return input.machine.Options.AllowFPOpFusion == llvm::FPOpFusion::Fast;
}

static bool usesExtensions(const StepInput &input) { return input.options.useExtensions; }

static void allowContraction(llvm::Module &module) {
  module.getOrInsertNamedMetadata(contractionMetadata);
}

static void branchAroundAccesses(llvm::Function &function) {
  expandMaskedAccessesToBranches(function);
}

/// Moves what only one branch uses into it: of a tile's masked accesses, all addresses would be in
/// registers at once.
static void sinkIntoBranches(llvm::Function &function) {
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::LoopAnalysis(); });
  analyses.registerPass([] { return llvm::TargetLibraryAnalysis(); });
  analyses.registerPass([] { return llvm::AAManager(); });
  llvm::SinkingPass().run(function, analyses);
}

static void sinkWhereRegistersAreShort(llvm::Function &function, const StepInput &input) {
  if (!needsLargeRegisterFile(function, input.target))
    return;
  sinkIntoBranches(function);
  sinkProductOperands(function);
}

llvm::ArrayRef<Step> emit::intel::legalizingSteps() {
  static constexpr Step steps[] = {
      {"allowContraction", inModule<allowContraction>, fusesMultiplyAdd,
       "drivers fuse products and sums of a module that says so"},
      {"legalizeParameters", inModule<legalizeParameters>, nullptr,
       "no kernel of OpenCL takes booleans; it replaces the function, so it comes first"},
      {"expandOperations", inFunctions<expandOperations>, nullptr,
       "operations that SPIR-V lacks or promises less of, in terms of others"},
      {"dropLoneReassociation", inFunctions<dropLoneReassociation>, nullptr,
       "flags that LLVM's back end would write as a promise of no NaN"},
      {"expandMemoryOrdering", inFunctions<expandMemoryOrdering>, nullptr,
       "fences as calls, before masked accesses become branches around plain ones"},
      {"expandMaskedAccessesToBranches", inFunctions<branchAroundAccesses>, nullptr,
       "before vectors are made legal, which takes no masked accesses"},
      {"legalizeVectors", inFunctions<legalizeVectors>, nullptr,
       "vectors of the sizes that SPIR-V has; it leaves integers of odd sizes as scalars"},
      {"legalizeIntegers", inFunctions<legalizeIntegers>, nullptr,
       "integers of the sizes that SPIR-V has: scalars alone"},
      {"joinVectorPhis", inFunctions<joinVectorPhis>, nullptr,
       "after vectors have their sizes: a phi for each, where loops carried elements"},
      {"splitLoopPointers", inFunctions<splitLoopPointers>, nullptr,
       "the lanes' common part of pointers that loops move on"},
      {"sinkWhereRegistersAreShort", inFunctions<sinkWhereRegistersAreShort>, nullptr,
       "last: it estimates registers of what drivers will get. Where there are enough, it is "
       "better "
       "to compute once what branches share"},
  };
  return steps;
}

llvm::ArrayRef<Step> emit::intel::targetSteps() {
  static constexpr Step steps[] = {
      {"useExtensionInstructions", inModule<useExtensionInstructions>, usesExtensions,
       "matrix products as instructions rather than functions"},
      {"useBlockInstructions", inModule<useBlockInstructions>, usesExtensions,
       "the same for 2D block messages"},
      {"useCacheControls", inFunctions<useCacheControls>, usesExtensions,
       "after block messages are instructions: they are decorated, too"},
      {"makeVolatileLoadsAtomic", inFunctions<makeVolatileLoadsAtomic>, nullptr,
       "to a simulator without caches a volatile load is as good"},
      {"usePrefetchFunction", inFunctions<usePrefetchFunction>, nullptr,
       "LLVM's back end drops prefetches"},
  };
  return steps;
}

static llvm::Pass *createBlockNumbersPass(const target::Target &) {
  return createUniqueBlockNumbersPass();
}

llvm::ArrayRef<CodeGenRule> emit::intel::codeGenRules() {
  // Passes that think of a processor, which SPIR-V is not: the driver's compiler does the same on
  // what it knows. docs/emit.md has the figures.
  static constexpr CodeGenRule rules[] = {
      {"codegenprepare", "", nullptr, never,
       "copies addresses to their uses, and makes additions with a carry, which drivers do not "
       "take "
       "as LLVM writes them"},
      {"loop-reduce", "", nullptr, never,
       "a quarter of the time, for nothing that the driver does not do"},
      {"consthoist", "", nullptr, never, "as loop-reduce"},
      {"canon-freeze", "", nullptr, never, "for loop-reduce, which is left out"},
      {"early-machinelicm", "", nullptr, never, "the driver does it"},
      {"machine-cse", "", nullptr, never, "the driver does it"},
      {"peephole-opt", "", nullptr, never, "the driver does it"},
      {"early-tailduplication", "", nullptr, never, "the driver does it"},
      {"tailduplication", "", nullptr, never, "the driver does it"},
      {"spirv-asm-printer", "", createBlockNumbersPass, nullptr,
       "blocks of one module get no numbers of another's: directly before the printer"},
  };
  return rules;
}
