//===- LoadRuns.cpp - Runs of loads in flight together ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/LoadRuns.h"

#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace tilewright::emit;

/// More loads under way would hardly be faster, and their registers cost other waves their place.
static constexpr uint64_t maxRegisters = 64;

static constexpr unsigned globalSpace = 1;

bool tilewright::emit::isGlobalLoad(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && load->getPointerAddressSpace() == globalSpace;
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && is_contained(
                     {Intrinsic::amdgcn_raw_ptr_buffer_load, Intrinsic::amdgcn_global_load_tr_b128},
                     call->getIntrinsicID());
}

namespace {
/// Walks through the instructions of a block and joins the runs of loads.
class RunJoiner {
public:
  void visit(Instruction &instruction) {
    const bool isDependent =
        any_of(instruction.operands(), [&](const Use &use) { return dependents.contains(use); });
    if (isGlobalLoad(instruction))
      return visitLoad(instruction, isDependent);
    if (loads.empty())
      return;
    // Loads do not pass what may write memory, nor barriers.
    const bool isMemory =
        instruction.mayHaveSideEffects() || (isDependent && instruction.mayReadFromMemory());
    if (instruction.isTerminator() || (isMemory && !isa<AssumeInst>(instruction)))
      return finish();
    if (isDependent) {
      dependents.insert(&instruction);
      pending.push_back(&instruction);
    }
  }

  /// Ends the run.
  void finish() {
    if (!between.empty()) {
      IRBuilder<> builder(loads.back()->getNextNode());
      builder.SetCurrentDebugLocation(loads.back()->getDebugLoc());
      Instruction *last =
          createSchedulerBarrier(builder, may_pass::ScalarArithmetic | may_pass::SharedMemory);
      for (Instruction *instruction : between) {
        instruction->moveAfter(last);
        last = instruction;
      }
    }
    loads.clear();
    dependents.clear();
    pending.clear();
    between.clear();
    registers = 0;
  }

private:
  void visitLoad(Instruction &load, bool isDependent) {
    const uint64_t size =
        divideCeil(load.getDataLayout().getTypeSizeInBits(load.getType()).getFixedValue(), 32);
    if (isDependent || registers + size > maxRegisters)
      finish();
    loads.push_back(&load);
    dependents.insert(&load);
    registers += size;
    between.append(pending);
    pending.clear();
  }

  SmallVector<Instruction *> loads;
  /// The loads and what depends on them.
  SmallPtrSet<const Value *, 32> dependents;
  /// Dependents before the last load, and after it; in order.
  SmallVector<Instruction *> between, pending;
  /// That the loads fill.
  uint64_t registers = 0;
};
} // namespace

void tilewright::emit::joinLoadRuns(Function &function) {
  RunJoiner joiner;
  for (BasicBlock &block : function) {
    for (Instruction &instruction : make_early_inc_range(block))
      joiner.visit(instruction);
    joiner.finish();
  }
}
