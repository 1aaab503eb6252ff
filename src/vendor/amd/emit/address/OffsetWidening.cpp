//===- OffsetWidening.cpp - Offsets widened where they are used ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/OffsetWidening.h"

#include "vendor/amd/emit/LaneRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace llvm::PatternMatch;
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
      if (Use *offset = getBufferOffset(instruction)) {
        changed |= addConstantHere(*offset);
        continue;
      }
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

  /// The operand that is the lane's offset, if `instruction` is a buffer access.
  static Use *getBufferOffset(Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
      return nullptr;
    switch (call->getIntrinsicID()) {
    case Intrinsic::amdgcn_raw_ptr_buffer_load:
      return &call->getArgOperandUse(1);
    case Intrinsic::amdgcn_raw_ptr_buffer_store:
      return &call->getArgOperandUse(2);
    default:
      return nullptr;
    }
  }

  /// A constant that another block adds is added in that of the access, as part of the instruction.
  bool addConstantHere(Use &offset) {
    auto *access = cast<Instruction>(offset.getUser());
    auto *sum = dyn_cast<Instruction>(offset);
    if (!sum || sum->getParent() == access->getParent() ||
        !match(sum, m_AddLike(m_Value(), m_ConstantInt())))
      return false;
    Instruction *own = sum->clone();
    own->insertBefore(access->getIterator());
    offset.set(own);
    if (sum->use_empty())
      dead.push_back(sum);
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
