//===- SplitAccessMasks.cpp - Masked accesses split so that each has one mask -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/SplitAccessMasks.h"

#include "emit/MaskedAccess.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// Lanes [first, first + count) of `vector`.
static Value *getLanes(Value *vector, unsigned first, unsigned count, IRBuilderBase &builder) {
  if (count == cast<FixedVectorType>(vector->getType())->getNumElements())
    return vector;
  SmallVector<int> lanes;
  for (unsigned lane = first; lane < first + count; ++lane)
    lanes.push_back(lane);
  return builder.CreateShuffleVector(vector, lanes);
}

/// The part of `access` in lanes [first, first + count), which share `mask`: a plain access, a
/// masked one or none. Gives what a load reads.
static Value *createPart(const MaskedAccess &access, unsigned first, unsigned count, Value *mask,
                         IRBuilderBase &builder) {
  Value *value = getLanes(access.value, first, count, builder);
  auto *known = dyn_cast<ConstantInt>(mask);
  if (known && known->isZero())
    return value;
  const uint64_t offset = first * builder.GetInsertBlock()->getDataLayout().getTypeStoreSize(
                                      value->getType()->getScalarType());
  Value *address =
      offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), access.address, offset)
             : access.address;
  const Align alignment = commonAlignment(access.alignment, offset);
  Value *masks = known ? nullptr : builder.CreateVectorSplat(count, mask);
  Instruction *part;
  if (access.isLoad && known)
    part = builder.CreateAlignedLoad(value->getType(), address, alignment);
  else if (access.isLoad)
    part = builder.CreateMaskedLoad(value->getType(), address, alignment, masks, value);
  else if (known)
    part = builder.CreateAlignedStore(value, address, alignment);
  else
    part = builder.CreateMaskedStore(value, address, alignment, masks);
  part->copyMetadata(*access.call);
  return part;
}

/// Replaces `access` by accesses with one mask each that is the splat of a bit; leaves it if it
/// is one. Returns whether it did.
static bool splitMasks(const MaskedAccess &access) {
  const Value *splat = getSplatValue(access.mask);
  if (splat && !isa<Constant>(splat))
    return false;
  IRBuilder<> builder(access.call);
  SmallVector<Value *> masks = getLaneMasks(access, builder);
  Value *result = access.value;
  for (unsigned first = 0, count; first < masks.size(); first += count) {
    count = 1;
    while (first + count < masks.size() && masks[first + count] == masks[first])
      ++count;
    Value *part = createPart(access, first, count, masks[first], builder);
    if (count == masks.size()) {
      result = part;
    } else if (access.isLoad) {
      // Lanes of the part to their places.
      for (unsigned lane = 0; lane < count; ++lane)
        result = builder.CreateInsertElement(result, builder.CreateExtractElement(part, lane),
                                             first + lane);
    }
  }
  if (access.isLoad)
    access.call->replaceAllUsesWith(result);
  access.call->eraseFromParent();
  return true;
}

bool tilewright::emit::splitAccessMasks(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (std::optional<MaskedAccess> access = matchMaskedAccess(instruction))
      changed |= splitMasks(*access);
  return changed;
}
