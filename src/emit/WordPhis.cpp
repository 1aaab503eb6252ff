//===- WordPhis.cpp - Narrow values that loops carry, as words ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/WordPhis.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <map>

using namespace llvm;
using namespace tilewright;

static constexpr unsigned wordBits = 32;

/// The vectors of one word that `phi` gets the same element of, from each of the blocks `from`;
/// none if it gets anything else.
static SmallVector<Value *> getVectors(PHINode &phi, ArrayRef<BasicBlock *> from, uint64_t &index) {
  SmallVector<Value *> vectors;
  for (BasicBlock *block : from) {
    auto *extract = dyn_cast<ExtractElementInst>(phi.getIncomingValueForBlock(block));
    auto *at = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    if (!at || (!vectors.empty() && at->getZExtValue() != index))
      return {};
    index = at->getZExtValue();
    Type *type = extract->getVectorOperandType();
    if (!isa<FixedVectorType>(type) || type->getPrimitiveSizeInBits() != wordBits ||
        type->getScalarSizeInBits() == wordBits ||
        (!vectors.empty() && vectors.front()->getType() != type))
      return {};
    vectors.push_back(extract->getVectorOperand());
  }
  return vectors;
}

/// Whether vectors are made of `phi`, and nothing else.
static bool isOnlyInserted(const PHINode &phi) {
  return all_of(phi.users(), [&](const User *user) {
    auto *insert = dyn_cast<InsertElementInst>(user);
    return insert && insert->getOperand(1) == &phi;
  });
}

static bool joinPhis(BasicBlock &block) {
  if (block.phis().empty())
    return false;
  // Each phi may name them in an order of its own.
  const SmallVector<BasicBlock *> predecessors(block.phis().begin()->blocks());
  // Those with the same vectors.
  struct Element {
    PHINode *phi;
    uint64_t index;
  };
  MapVector<SmallVector<Value *>, SmallVector<Element>, std::map<SmallVector<Value *>, unsigned>>
      elementsOf;
  for (PHINode &phi : block.phis()) {
    uint64_t index = 0;
    if (SmallVector<Value *> vectors = getVectors(phi, predecessors, index);
        !vectors.empty() && isOnlyInserted(phi))
      elementsOf[vectors].push_back({&phi, index});
  }
  bool changed = false;
  for (auto &[vectors, elements] : elementsOf) {
    if (elements.size() < 2)
      continue;
    changed = true;
    PHINode *first = elements.front().phi;
    IRBuilder<> builder(first);
    Type *word = builder.getIntNTy(wordBits);
    PHINode *joined = builder.CreatePHI(word, first->getNumIncomingValues());
    for (auto [from, vector] : zip_equal(predecessors, vectors)) {
      // Of two edges from one block both bring one value.
      const int known = joined->getBasicBlockIndex(from);
      builder.SetInsertPoint(from->getTerminator());
      joined->addIncoming(
          known < 0 ? builder.CreateBitCast(vector, word) : joined->getIncomingValue(known), from);
    }
    builder.SetInsertPoint(&block, block.getFirstInsertionPt());
    Value *vector = builder.CreateBitCast(joined, vectors.front()->getType());
    for (Element &element : elements) {
      element.phi->replaceAllUsesWith(builder.CreateExtractElement(vector, element.index));
      element.phi->eraseFromParent();
    }
  }
  return changed;
}

PreservedAnalyses emit::WordPhisPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= joinPhis(block);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
