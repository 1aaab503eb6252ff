//===- SplitPointers.cpp - Uniform loop pointers and per-lane offsets ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/SplitPointers.h"

#include "vendor/intel/emit/registers/UniformValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

namespace {
/// A pointer that is `start` at first, and then in each iteration `next` to what it was.
struct LoopPointer {
  PHINode *phi;
  /// By a lane's offset from a uniform pointer, and by a uniform step from `phi`.
  GetElementPtrInst *start, *next;
};
} // namespace

static std::optional<LoopPointer> matchLoopPointer(PHINode &phi, const UniformValues &uniform) {
  if (!phi.getType()->isPointerTy() || phi.getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned first : {0, 1}) {
    auto *start = dyn_cast<GetElementPtrInst>(phi.getIncomingValue(first));
    auto *next = dyn_cast<GetElementPtrInst>(phi.getIncomingValue(1 - first));
    if (start && next && next->getPointerOperand() == &phi &&
        all_of(next->indices(), [&](Use &index) { return uniform.contains(*index); }) &&
        start->getNumIndices() == 1 && uniform.contains(*start->getPointerOperand()) &&
        !uniform.contains(*start->idx_begin()->get()))
      return LoopPointer{&phi, start, next};
  }
  return std::nullopt;
}

/// The users of `whole`, but for the phi, get `base` moved by the lane's offset of `start`.
static void addLanePart(Instruction *whole, Value *base, const LoopPointer &pointer,
                        BasicBlock::iterator place) {
  if (all_of(whole->users(), [&](User *user) { return user == pointer.phi; }))
    return;
  IRBuilder<> builder(whole->getParent(), place);
  builder.SetCurrentDebugLocation(pointer.next->getDebugLoc());
  Value *moved = builder.CreateGEP(pointer.start->getSourceElementType(), base,
                                   pointer.start->idx_begin()->get());
  whole->replaceUsesWithIf(moved, [&](Use &use) { return use.getUser() != pointer.phi; });
}

static void split(const LoopPointer &pointer) {
  auto [phi, start, next] = pointer;
  IRBuilder<> builder(phi);
  PHINode *base = builder.CreatePHI(phi->getType(), 2);
  builder.SetInsertPoint(next);
  SmallVector<Value *> step(next->indices());
  Value *nextBase = builder.CreateGEP(next->getSourceElementType(), base, step);
  for (auto [value, block] : zip_equal(phi->incoming_values(), phi->blocks()))
    base->addIncoming(value == start ? start->getPointerOperand() : nextBase, block);

  addLanePart(next, nextBase, pointer, std::next(next->getIterator()));
  // The step is taken from the new pointer: nobody needs the old ones any more.
  next->setOperand(0, PoisonValue::get(phi->getType()));
  addLanePart(phi, base, pointer, phi->getParent()->getFirstInsertionPt());
  phi->eraseFromParent();
  next->eraseFromParent();
  if (start->use_empty())
    start->eraseFromParent();
}

bool tilewright::emit::splitLoopPointers(Function &function) {
  if (function.isDeclaration())
    return false;
  const UniformValues uniform(function);
  SmallVector<LoopPointer> pointers;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      if (std::optional<LoopPointer> pointer = matchLoopPointer(phi, uniform))
        pointers.push_back(*pointer);
  for (const LoopPointer &pointer : pointers)
    split(pointer);
  return !pointers.empty();
}
