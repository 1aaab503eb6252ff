//===- OffsetWidening.cpp - Offsets widened where they are used ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/memory/OffsetWidening.h"

#include "vendor/amd/emit/LaneRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace tilewright::emit;

static constexpr unsigned globalSpace = 1;

namespace {
class OffsetWidening : public FunctionPass {
public:
  static char id;
  OffsetWidening() : FunctionPass(id) {}

  StringRef getPassName() const override { return "Widen offsets where they are used"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesCFG(); }

  bool runOnFunction(Function &function) override {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *address = dyn_cast<GetElementPtrInst>(&instruction);
      if (!address || address->getPointerAddressSpace() != globalSpace)
        continue;
      changed |= addOffsetLast(*address);
      for (Use &index : address->indices()) {
        auto *widening = dyn_cast<ZExtInst>(index.get());
        if (!widening || widening->getParent() == address->getParent() ||
            !widening->getSrcTy()->isIntegerTy(32))
          continue;
        Instruction *own = widening->clone();
        own->insertBefore(address->getIterator());
        index.set(own);
        if (widening->use_empty())
          dead.push_back(widening);
        changed = true;
      }
    }
    for (Instruction *instruction : dead)
      instruction->eraseFromParent();
    dead.clear();
    return changed;
  }

private:
  /// (base + offset) + scalar, where the first sum is of another block, becomes (base + scalar) +
  /// offset.
  static bool addOffsetLast(GetElementPtrInst &address) {
    auto *sum = dyn_cast<GetElementPtrInst>(address.getPointerOperand());
    if (!sum || sum->getParent() == address.getParent() || !isInBytes(address) || !isInBytes(*sum))
      return false;
    Value *scalar = address.getOperand(1), *offset = sum->getOperand(1);
    auto *widening = dyn_cast<ZExtInst>(offset);
    if (isa<Constant>(scalar) || !widening || !widening->getSrcTy()->isIntegerTy(32) ||
        !isMadeOfScalars(scalar))
      return false;
    IRBuilder<> builder(&address);
    address.setOperand(0, builder.CreateGEP(builder.getInt8Ty(), sum->getPointerOperand(), scalar));
    address.setOperand(1, offset);
    address.setNoWrapFlags(GEPNoWrapFlags::none());
    return true;
  }

  static bool isInBytes(const GetElementPtrInst &address) {
    return address.getNumIndices() == 1 && address.getSourceElementType()->isIntegerTy(8);
  }

  SmallVector<Instruction *> dead;
};
} // namespace

char OffsetWidening::id = 0;

FunctionPass *tilewright::emit::createOffsetWideningPass() { return new OffsetWidening(); }
