//===- LaneOperations.cpp - NVIDIA's operations across a warp -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <optional>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

namespace {
namespace symbol {
/// After machine and site: i64 members, i32 ShuffleMode, i32 value, i32 b, i32 c -> i64: the value,
/// and the predicate in bit 32.
constexpr char shuffle[] = "tilewright.nvidia.shuffle";
} // namespace symbol

enum class ShuffleMode : uint32_t { Up, Down, Butterfly, Index };
} // namespace

/// The lane's segment is given by the mask in bits 8-12 of c; the clamp in bits 0-4 bounds the
/// source lane within it. A lane whose source is outside gets its own value.
static uint64_t shuffle(Machine *machine, uint32_t site, uint64_t members, uint32_t mode,
                        uint32_t value, uint32_t b, uint32_t c) {
  int32_t self = static_cast<int32_t>(machine->registers.lane);
  int32_t distance = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  int32_t bound = (self & segment) | (clamp & ~segment);
  int32_t source = 0;
  switch (static_cast<ShuffleMode>(mode)) {
  case ShuffleMode::Up:
    source = self - distance;
    break;
  case ShuffleMode::Down:
    source = self + distance;
    break;
  case ShuffleMode::Butterfly:
    source = self ^ distance;
    break;
  case ShuffleMode::Index:
    source = (self & segment) | (distance & ~segment);
    break;
  }
  bool inside =
      static_cast<ShuffleMode>(mode) == ShuffleMode::Up ? source >= bound : source <= bound;
  uint64_t shuffled = shuffleFrom(machine, site, members, value, inside ? source : self);
  return shuffled | uint64_t(inside) << 32;
}

std::span<const RuntimeSymbol> nvidia::laneOperationSymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::shuffle, addressOf(shuffle)}};
  return symbols;
}

static std::optional<ShuffleMode> shuffleModeOf(llvm::Intrinsic::ID id) {
  using namespace llvm::Intrinsic;
  switch (id) {
  case nvvm_shfl_sync_up_i32:
  case nvvm_shfl_sync_up_f32:
  case nvvm_shfl_sync_up_i32p:
  case nvvm_shfl_sync_up_f32p:
    return ShuffleMode::Up;
  case nvvm_shfl_sync_down_i32:
  case nvvm_shfl_sync_down_f32:
  case nvvm_shfl_sync_down_i32p:
  case nvvm_shfl_sync_down_f32p:
    return ShuffleMode::Down;
  case nvvm_shfl_sync_bfly_i32:
  case nvvm_shfl_sync_bfly_f32:
  case nvvm_shfl_sync_bfly_i32p:
  case nvvm_shfl_sync_bfly_f32p:
    return ShuffleMode::Butterfly;
  case nvvm_shfl_sync_idx_i32:
  case nvvm_shfl_sync_idx_f32:
  case nvvm_shfl_sync_idx_i32p:
  case nvvm_shfl_sync_idx_f32p:
    return ShuffleMode::Index;
  default:
    return std::nullopt;
  }
}

/// The forms that end in "p" give the value together with its predicate.
Value *Replacer::shuffled() {
  const std::optional<ShuffleMode> mode = shuffleModeOf(call.getIntrinsicID());
  if (!mode)
    return unknown;
  llvm::Type *i32 = builder.getInt32Ty();
  llvm::Type *type = operand(1)->getType();
  Value *packed =
      machineCall(symbol::shuffle, builder.getInt64Ty(),
                  {membersOf(operand(0)), builder.getInt32(static_cast<uint32_t>(*mode)),
                   builder.CreateBitCast(operand(1), i32), operand(2), operand(3)});
  Value *value = builder.CreateBitCast(builder.CreateTrunc(packed, i32), type);
  if (!call.getType()->isStructTy())
    return value;
  Value *inside = builder.CreateTrunc(builder.CreateLShr(packed, 32), builder.getInt1Ty());
  Value *pair = llvm::PoisonValue::get(call.getType());
  return builder.CreateInsertValue(builder.CreateInsertValue(pair, value, 0), inside, 1);
}

Value *Replacer::vote() {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  switch (id) {
  case llvm::Intrinsic::nvvm_vote_ballot_sync:
  case llvm::Intrinsic::nvvm_vote_all_sync:
  case llvm::Intrinsic::nvvm_vote_any_sync:
  case llvm::Intrinsic::nvvm_vote_uni_sync:
    break;
  default:
    return unknown;
  }
  Value *members = membersOf(operand(0)), *votes = ballot(members, operand(1));
  if (id == llvm::Intrinsic::nvvm_vote_ballot_sync)
    return builder.CreateTrunc(votes, call.getType());
  Value *none = builder.CreateICmpEQ(votes, builder.getInt64(0));
  Value *all = builder.CreateICmpEQ(votes, members);
  if (id == llvm::Intrinsic::nvvm_vote_all_sync)
    return all;
  return id == llvm::Intrinsic::nvvm_vote_any_sync ? builder.CreateNot(none)
                                                   : builder.CreateOr(all, none);
}

Value *Replacer::reduction() {
  using namespace llvm::Intrinsic;
  using Operation = LaneCombination::Operation;
  using Type = LaneCombination::Type;
  LaneCombination combination;
  switch (call.getIntrinsicID()) {
  case nvvm_redux_sync_add:
    combination = {.operation = Operation::Add, .type = Type::Signed};
    break;
  case nvvm_redux_sync_min:
    combination = {.operation = Operation::Min, .type = Type::Signed};
    break;
  case nvvm_redux_sync_max:
    combination = {.operation = Operation::Max, .type = Type::Signed};
    break;
  case nvvm_redux_sync_umin:
    combination = {.operation = Operation::Min, .type = Type::Unsigned};
    break;
  case nvvm_redux_sync_umax:
    combination = {.operation = Operation::Max, .type = Type::Unsigned};
    break;
  case nvvm_redux_sync_and:
    combination = {.operation = Operation::And, .type = Type::Signed};
    break;
  case nvvm_redux_sync_or:
    combination = {.operation = Operation::Or, .type = Type::Signed};
    break;
  case nvvm_redux_sync_xor:
    combination = {.operation = Operation::Xor, .type = Type::Signed};
    break;
  default:
    return unknown;
  }
  return combineLanes(membersOf(operand(1)), operand(0), combination);
}

/// Any lane may be elected as long as it is the same every time: the first member.
Value *Replacer::elected() {
  ballot(membersOf(operand(0)), builder.getTrue());
  Value *elected = builder.CreateIntrinsic(llvm::Intrinsic::cttz, {builder.getInt32Ty()},
                                           {operand(0), builder.getFalse()});
  Value *pair = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), elected, 0);
  return builder.CreateInsertValue(pair, builder.CreateICmpEQ(elected, lane()), 1);
}

Value *Replacer::laneOperation() {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_bar_warp_sync:
    return warpBarrier(membersOf(operand(0)));
  case llvm::Intrinsic::nvvm_elect_sync:
    return elected();
  default:
    break;
  }
  if (Value *value = shuffled())
    return value;
  if (Value *value = vote())
    return value;
  return reduction();
}
