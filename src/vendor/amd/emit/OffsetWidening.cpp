//===- OffsetWidening.cpp - Offsets widened where they are used ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/OffsetWidening.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;

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
    for (Instruction &instruction : instructions(function)) {
      auto *address = dyn_cast<GetElementPtrInst>(&instruction);
      if (!address || address->getPointerAddressSpace() != globalSpace)
        continue;
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
  SmallVector<Instruction *> dead;
};
} // namespace

char OffsetWidening::id = 0;

FunctionPass *tilewright::emit::createOffsetWideningPass() { return new OffsetWidening(); }
