//===- Steps.cpp - NVIDIA's steps over LLVM IR and in the code generator ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/Steps.h"

#include "vendor/nvidia/emit/InitialConstants.h"
#include "vendor/nvidia/emit/LeastBlocks.h"
#include "vendor/nvidia/emit/PlainWidening.h"
#include "vendor/nvidia/emit/matrix/CarriedMatrixLoads.h"
#include "vendor/nvidia/emit/matrix/ExpandTensorMemory.h"
#include "vendor/nvidia/emit/matrix/ExpandWarpGroup.h"
#include "vendor/nvidia/emit/matrix/MatrixLoadOrder.h"
#include "vendor/nvidia/emit/memory/CopyMasks.h"
#include "vendor/nvidia/emit/memory/ExpandAtomics.h"
#include "vendor/nvidia/emit/memory/ExpandMaskedAccess.h"
#include "vendor/nvidia/emit/memory/Prefetches.h"
#include "vendor/nvidia/emit/memory/SharedBase.h"
#include "vendor/nvidia/emit/memory/TensorMapCalls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace tilewright;
using namespace tilewright::emit;

static void expandAtomicsOf(llvm::Function &function, const StepInput &input) {
  expandAtomics(function, input.target);
}

llvm::ArrayRef<Step> emit::nvidia::targetSteps() {
  static constexpr Step steps[] = {
      {"expandAtomics", inFunctions<expandAtomicsOf>, nullptr,
       "before the code generator makes compare-and-swap loops of them; it takes branches away"},
      {"joinCopyMasks", inFunctions<joinCopyMasks>, nullptr,
       "one comparison for the size of each asynchronous copy, as ptxas takes it"},
      {"orderMatrixLoads", inFunctions<orderMatrixLoads>, nullptr,
       "moves matrix loads towards their products, within blocks"},
      {"loadOneAtHead", inFunctions<loadOneAtHead>, nullptr,
       "after the order within blocks is made: it moves one load to the next iteration's head"},
      {"takeSharedBaseOnce", inFunctions<takeSharedBaseOnce>, nullptr,
       "while products of warp groups are calls, by which it finds their kernels"},
      {"expandPrefetches", inFunctions<expandPrefetches>, nullptr,
       "LLVM drops prefetches for most processors"},
      {"expandTensorMapCalls", inModule<expandTensorMapCalls>, nullptr,
       "LLVM has no intrinsic for them"},
      {"makeInitialConstantsOnce", inFunctions<makeInitialConstantsOnce>, nullptr,
       "what loops begin with, when no step adds loops or sums any more"},
      {"widenApartFromSums", inFunctions<widenApartFromSums>, joinsWideningWithSums,
       "after all steps that know conversions"},
      {"chooseLeastBlocks", inFunctions<chooseLeastBlocks>, nullptr,
       "after all that moves values, and while products are calls"},
      {"expandTensorMemoryCalls", inModule<expandTensorMemoryCalls>, nullptr,
       "a wait for loads of tensor memory names their registers"},
      {"expandWarpGroupCalls", inModule<expandWarpGroupCalls>, nullptr,
       "last: the steps above know products of warp groups by their functions' names"},
  };
  return steps;
}

/// Whether loads in a row may make a vector: one is aligned to more bytes than it takes, as those
/// of a loop that has been unrolled are.
static bool hasLoadsToJoin(llvm::Module &module, const StepInput &) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() &&
          load->getAlign().value() > layout.getTypeStoreSize(load->getType()))
        return true;
  return false;
}

static llvm::Pass *createMaskedAccessPass(const target::Target &target) {
  return createExpandMaskedAccessPass(target.global.maxAccessBits / 8);
}

llvm::ArrayRef<CodeGenRule> emit::nvidia::codeGenRules() {
  // docs/emit.md has the figures of what is left out.
  static constexpr CodeGenRule rules[] = {
      {"slsr", "", nullptr, never,
       "time quadratic in the number of similar addresses, of which unrolled tile code has "
       "hundreds; the multiplications that it saves are as fast as the additions"},
      {"nary-reassociate", "", nullptr, never, "as slsr"},
      {"machine-cse", "", nullptr, never, "the assembler does it again, on its own instructions"},
      {"early-machinelicm", "", nullptr, never, "as machine-cse"},
      {"machine-sink", "", nullptr, never, "as machine-cse"},
      {"load-store-vectorizer", "", nullptr, hasLoadsToJoin,
       "takes a third of the time, and lowering has made vectors of what layouts let it: it runs "
       "where it may find something"},
      {"scalarize-masked-mem-intrin", "", createMaskedAccessPass, nullptr,
       "masked accesses stay what they are until addresses are split into a common part and "
       "constants, and loops have their strides: both see through them. Here LLVM would make "
       "branches of them"},
  };
  return rules;
}
