//===- BytePairLoads.cpp - Two-byte loads combined into one -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/BytePairLoads.h"

#include "emit/CachePolicy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

PreservedAnalyses tilewright::emit::BytePairLoadsPass::run(Function &function,
                                                           FunctionAnalysisManager &) {
  auto *pair = FixedVectorType::get(Type::getInt8Ty(function.getContext()), 2);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || load->getType() != pair || load->isAtomic())
      continue;
    IRBuilder<> builder(load);
    LoadInst *whole = builder.CreateAlignedLoad(builder.getInt16Ty(), load->getPointerOperand(),
                                                load->getAlign(), load->isVolatile());
    const unsigned cachePolicy = function.getContext().getMDKindID(cachePolicyMetadata);
    whole->copyMetadata(*load, {LLVMContext::MD_dbg, LLVMContext::MD_nontemporal,
                                LLVMContext::MD_invariant_load, cachePolicy});
    load->replaceAllUsesWith(builder.CreateBitCast(whole, pair));
    load->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
