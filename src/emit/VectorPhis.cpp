//===- VectorPhis.cpp - Vectors that loops carry, in one piece ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/VectorPhis.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

using namespace llvm;

namespace {

/// An element of a vector, with a constant index.
struct Element {
  Value *vector = nullptr;
  uint64_t index = 0;
};

Element elementOf(Value *value) {
  auto *extract = dyn_cast<ExtractElementInst>(value);
  auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
  return index ? Element{extract->getVectorOperand(), index->getZExtValue()} : Element();
}

/// By predecessor the vector that a phi gets an element of; null where it gets something else.
using Vectors = SmallVector<Value *, 2>;

/// What `phi` gets from `predecessors`: elements with one index of vectors of one type, or other
/// values. None if it gets no element, or some with different indices.
Vectors getVectors(PHINode &phi, ArrayRef<BasicBlock *> predecessors, uint64_t &index) {
  Vectors vectors;
  Value *first = nullptr;
  for (BasicBlock *block : predecessors) {
    const Element element = elementOf(phi.getIncomingValueForBlock(block));
    vectors.push_back(element.vector);
    if (!element.vector)
      continue;
    if (first && (element.index != index || first->getType() != element.vector->getType()))
      return {};
    first = element.vector;
    index = element.index;
  }
  return first ? vectors : Vectors();
}

/// The phis of one vector in the order of its elements, all of them.
using Group = SmallVector<PHINode *>;

void join(BasicBlock &block, ArrayRef<BasicBlock *> predecessors, ArrayRef<Value *> vectors,
          const Group &phis) {
  auto *type = cast<FixedVectorType>(
      (*find_if(vectors, [](Value *value) { return value != nullptr; }))->getType());
  IRBuilder<> builder(phis.front());
  PHINode *joined = builder.CreatePHI(type, phis.front()->getNumIncomingValues());
  for (auto [from, vector] : zip_equal(predecessors, vectors)) {
    // Of two edges from one block both bring one value.
    const int known = joined->getBasicBlockIndex(from);
    Value *incoming = known < 0 ? vector : joined->getIncomingValue(known);
    if (!incoming) {
      builder.SetInsertPoint(from->getTerminator());
      incoming = PoisonValue::get(type);
      for (auto [i, phi] : enumerate(phis))
        incoming =
            builder.CreateInsertElement(incoming, phi->getIncomingValueForBlock(from), uint64_t(i));
    }
    joined->addIncoming(incoming, from);
  }
  builder.SetInsertPoint(&block, block.getFirstInsertionPt());
  for (auto [i, phi] : enumerate(phis)) {
    phi->replaceAllUsesWith(builder.CreateExtractElement(joined, uint64_t(i)));
    phi->eraseFromParent();
  }
}

/// Returns whether there were such.
bool joinPhis(BasicBlock &block) {
  if (block.phis().empty())
    return false;
  // Each phi may name them in an order of its own.
  const SmallVector<BasicBlock *> predecessors(block.phis().begin()->blocks());
  MapVector<Vectors, Group, std::map<Vectors, unsigned>> groups;
  for (PHINode &phi : block.phis()) {
    uint64_t index = 0;
    const Vectors vectors = getVectors(phi, predecessors, index);
    if (vectors.empty())
      continue;
    Value *vector = *find_if(vectors, [](Value *value) { return value != nullptr; });
    Group &group = groups[vectors];
    group.resize(cast<FixedVectorType>(vector->getType())->getNumElements());
    if (index < group.size() && !group[index])
      group[index] = &phi;
  }
  bool changed = false;
  for (auto &[vectors, group] : groups)
    if (group.size() > 1 && all_of(group, [](PHINode *phi) { return phi != nullptr; })) {
      join(block, predecessors, vectors, group);
      changed = true;
    }
  return changed;
}

/// The vector whose elements `insert`, the last of a chain, puts together as they were.
Value *getSource(InsertElementInst &insert) {
  auto *type = dyn_cast<FixedVectorType>(insert.getType());
  if (!type)
    return nullptr;
  SmallVector<bool> known(type->getNumElements());
  Value *source = nullptr;
  for (Value *at = &insert; auto *next = dyn_cast<InsertElementInst>(at);
       at = next->getOperand(0)) {
    auto *index = dyn_cast<ConstantInt>(next->getOperand(2));
    const Element element = elementOf(next->getOperand(1));
    if (!index || !element.vector || element.index != index->getZExtValue() ||
        element.vector->getType() != type || (source && element.vector != source))
      return nullptr;
    source = element.vector;
    known[element.index] = true;
  }
  return all_of(known, [](bool isKnown) { return isKnown; }) ? source : nullptr;
}

} // namespace

void tilewright::emit::joinVectorPhis(Function &function) {
  // Phis get elements of those that were joined.
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : function)
      changed |= joinPhis(block);
  }
  SmallVector<WeakTrackingVH> unused;
  for (Instruction &instruction : instructions(function)) {
    auto *insert = dyn_cast<InsertElementInst>(&instruction);
    // Only the last of a chain has all elements.
    if (!insert || (insert->hasOneUse() && isa<InsertElementInst>(insert->user_back())))
      continue;
    if (Value *source = getSource(*insert)) {
      insert->replaceAllUsesWith(source);
      unused.push_back(insert);
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
}
