//===- SharedDescriptors.cpp - One buffer for neighbouring addresses ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/SharedDescriptors.h"

#include "target/AmdProcessor.h"
#include "target/Target.h"
#include "vendor/amd/emit/address/CommonBase.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

#include <set>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// Descriptors that accesses may share in one function: each takes four of some hundred scalar
/// registers for long.
static constexpr size_t maxShared = 12;

/// Fewer that are saved are not worth another order of a kernel's instructions.
static constexpr size_t leastSaved = 8;

/// The limit of an offset and the bytes of its access; no access is wider.
static constexpr uint64_t offsetLimit = uint64_t(1) << 31, maxBytes = 16;

namespace {
/// A load or store of a buffer, base + offset + constant.
struct BufferAccess {
  IntrinsicInst *call;
  /// The operand that is the descriptor; the offset and the scalar offset follow.
  unsigned descriptor;
  /// Without its constants; of lanes that are off it is `offsetLimit`.
  Value *offset;
  uint64_t constant;
  /// The largest in lanes that are on, without constants.
  uint64_t maxOffset;
};
} // namespace

static uint64_t maxOf(Value *offset, const DataLayout &layout) {
  Value *on;
  if (PatternMatch::match(offset,
                          PatternMatch::m_Select(PatternMatch::m_Value(), PatternMatch::m_Value(on),
                                                 PatternMatch::m_SpecificInt(offsetLimit))))
    offset = on;
  const APInt most = computeConstantRange(offset, /*ForSigned=*/false).getUnsignedMax();
  return APIntOps::umin(most, computeKnownBits(offset, layout).getMaxValue()).getZExtValue();
}

/// The access by which `user` has a descriptor; nothing for other uses.
static std::optional<BufferAccess> matchAccess(User *user, const DataLayout &layout) {
  auto *call = dyn_cast<IntrinsicInst>(user);
  if (!call)
    return std::nullopt;
  unsigned descriptor;
  if (call->getIntrinsicID() == Intrinsic::amdgcn_raw_ptr_buffer_load)
    descriptor = 0;
  else if (call->getIntrinsicID() == Intrinsic::amdgcn_raw_ptr_buffer_store)
    descriptor = 1;
  else
    return std::nullopt;
  auto *scalar = dyn_cast<ConstantInt>(call->getArgOperand(descriptor + 2));
  if (!scalar)
    return std::nullopt;
  BufferAccess access{call, descriptor, call->getArgOperand(descriptor + 1), scalar->getZExtValue(),
                      0};
  const APInt *constant;
  Value *rest;
  if (PatternMatch::match(access.offset, PatternMatch::m_NUWAdd(PatternMatch::m_Value(rest),
                                                                PatternMatch::m_APInt(constant)))) {
    access.offset = rest;
    access.constant += constant->getZExtValue();
  }
  access.maxOffset = maxOf(access.offset, layout);
  return access;
}

namespace {
/// Descriptors whose bases differ in constants.
struct Group {
  IntrinsicInst *first;
  std::set<int64_t> constants;
  std::vector<std::pair<BufferAccess, int64_t>> accesses;
};
} // namespace

/// Gives the group one descriptor, right after its base.
static void share(Value *base, const Group &group, const target::amd::Processor &processor) {
  IRBuilder<> builder(base->getContext());
  if (auto *instruction = dyn_cast<Instruction>(base))
    builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(&*group.first->getFunction()->getEntryBlock().getFirstInsertionPt());
  SmallVector<Value *, 4> operands(group.first->args());
  operands[0] = base;
  Value *descriptor = builder.CreateIntrinsic(Intrinsic::amdgcn_make_buffer_rsrc,
                                              {group.first->getType(), base->getType()}, operands);
  for (auto [access, distance] : group.accesses) {
    const uint64_t constant = access.constant + uint64_t(distance);
    const uint32_t immediate = uint32_t(constant) & processor.maxBufferOffset;
    builder.SetInsertPoint(access.call);
    Value *offset = access.offset;
    if (immediate)
      offset = builder.CreateAdd(offset, builder.getInt32(immediate), "", /*HasNUW=*/true);
    access.call->setArgOperand(access.descriptor, descriptor);
    access.call->setArgOperand(access.descriptor + 1, offset);
    access.call->setArgOperand(access.descriptor + 2,
                               builder.getInt32(uint32_t(constant) - immediate));
  }
}

/// Says of values of one lane in which range they lie: LLVM knows that of the operand, not of the
/// result. Returns those of which it was not said.
static SmallVector<IntrinsicInst *> boundLaneReads(Function &function) {
  SmallVector<IntrinsicInst *> bounded;
  for (Instruction &instruction : instructions(function)) {
    auto *read = dyn_cast<IntrinsicInst>(&instruction);
    if (!read || read->getIntrinsicID() != Intrinsic::amdgcn_readfirstlane ||
        !read->getType()->isIntegerTy() || read->hasRetAttr(Attribute::Range))
      continue;
    const ConstantRange range = computeConstantRange(read->getArgOperand(0), /*ForSigned=*/false);
    if (range.isFullSet() || range.isEmptySet())
      continue;
    read->addRetAttr(Attribute::get(read->getContext(), Attribute::Range, range));
    bounded.push_back(read);
  }
  return bounded;
}

void tilewright::emit::shareDescriptors(Function &function, const target::Target &target) {
  SmallVector<IntrinsicInst *> descriptors;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::amdgcn_make_buffer_rsrc &&
        PatternMatch::match(call->getArgOperand(2), PatternMatch::m_SpecificInt(offsetLimit)))
      descriptors.push_back(call);
  if (descriptors.size() <= leastSaved)
    return;

  const SmallVector<IntrinsicInst *> bounded = boundLaneReads(function);
  CommonBase bases(function);
  MapVector<Value *, Group> groups;
  for (IntrinsicInst *descriptor : descriptors) {
    const BaseAndConstant parts = bases.split(descriptor->getArgOperand(0));
    if (!parts.base || parts.constant < 0 || uint64_t(parts.constant) >= offsetLimit)
      continue;
    Group &group = groups.try_emplace(parts.base, Group{descriptor, {}, {}}).first->second;
    if (group.first->getArgOperand(3) != descriptor->getArgOperand(3))
      continue;
    group.constants.insert(parts.constant);
    for (User *user : descriptor->users())
      if (std::optional<BufferAccess> access = matchAccess(user, function.getDataLayout());
          access &&
          access->maxOffset + access->constant + uint64_t(parts.constant) + maxBytes <= offsetLimit)
        group.accesses.push_back({*access, parts.constant});
  }
  groups.remove_if([](const auto &entry) { return entry.second.constants.size() < 2; });
  size_t saved = 0;
  for (const auto &[base, group] : groups)
    saved += group.constants.size() - 1;
  if (saved >= leastSaved && groups.size() <= maxShared)
    for (const auto &[base, group] : groups)
      share(base, group, target::amd::processorOf(target));
  else
    for (IntrinsicInst *read : bounded)
      read->removeRetAttr(Attribute::Range);

  SmallVector<WeakTrackingVH> dead;
  for (Instruction &instruction : instructions(function))
    if (isInstructionTriviallyDead(&instruction))
      dead.push_back(&instruction);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}
