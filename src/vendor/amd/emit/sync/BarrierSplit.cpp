//===- BarrierSplit.cpp - Products between the halves of barriers -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/sync/BarrierSplit.h"

#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;
using namespace tilewright::emit;

/// The barrier of all waves of the work-group.
static constexpr int ofWorkGroup = -1;

static bool isIntrinsic(const Instruction &instruction, Intrinsic::ID id) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == id;
}

/// Whether `fence` orders accesses of LDS, and no others.
static bool isOfSharedMemory(const FenceInst &fence) {
  const MMRAMetadata tags(fence);
  return tags.size() == 1 && tags.hasTag("amdgpu-synchronize-as", "local");
}

/// The first instruction that uses the last value loaded from LDS before `release`, if there are
/// products from there on, and nothing that may write memory, nor reads any that the barrier
/// orders; null otherwise.
static Instruction *findPlace(FenceInst *release) {
  const bool ordersAll = !isOfSharedMemory(*release);
  Instruction *place = nullptr;
  bool hasProducts = false;
  for (Instruction *at = release->getPrevNode(); at; at = at->getPrevNode()) {
    if (isSharedLoad(*at)) {
      for (Instruction *after = at->getNextNode(); after != release && !place;
           after = after->getNextNode())
        if (is_contained(after->operands(), at))
          place = after;
      break;
    }
    const bool isOrdered = at->mayWriteToMemory() || (ordersAll && at->mayReadFromMemory());
    const bool isHint = isIntrinsic(*at, Intrinsic::amdgcn_sched_barrier) ||
                        isIntrinsic(*at, Intrinsic::amdgcn_s_wait_dscnt);
    if ((isOrdered && !isHint) || isa<PHINode>(at))
      return nullptr;
  }
  for (Instruction *at = place; at && at != release; at = at->getNextNode())
    hasProducts |= isProduct(at);
  return hasProducts ? place : nullptr;
}

/// Keeps LLVM's scheduler from moving anything past the place: to it the halves are arithmetic.
static void keepAllInPlace(IRBuilder<> &builder) {
  builder.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {}, {builder.getInt32(0)});
}

void tilewright::emit::splitBarriers(Function &function) {
  for (Instruction &barrier : make_early_inc_range(instructions(function))) {
    if (!isIntrinsic(barrier, Intrinsic::amdgcn_s_barrier))
      continue;
    auto *release = dyn_cast_or_null<FenceInst>(barrier.getPrevNode());
    Instruction *place = release ? findPlace(release) : nullptr;
    if (!place)
      continue;
    release->moveBefore(place->getIterator());
    IRBuilder<> before(place);
    before.CreateIntrinsic(Intrinsic::amdgcn_s_barrier_signal, {}, {before.getInt32(ofWorkGroup)});
    keepAllInPlace(before);
    IRBuilder<> after(&barrier);
    keepAllInPlace(after);
    after.CreateIntrinsic(Intrinsic::amdgcn_s_barrier_wait, {}, {after.getInt16(ofWorkGroup)});
    barrier.eraseFromParent();
  }
}
