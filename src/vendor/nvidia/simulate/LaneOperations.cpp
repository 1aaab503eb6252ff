//===- LaneOperations.cpp - What the lanes of NVIDIA's warps do together ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/ADT/StringSwitch.h>

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

Value *Replacer::shuffled(llvm::StringRef name) {
  // "bfly.i32", or "bfly.i32p" for a value together with its predicate. The float forms
  // have lost their suffix with the name's element type, except for "f32p".
  auto [modeName, typeName] = name.split('.');
  auto mode = llvm::StringSwitch<std::optional<ShuffleMode>>(modeName)
                  .Case("up", ShuffleMode::Up)
                  .Case("down", ShuffleMode::Down)
                  .Case("bfly", ShuffleMode::Butterfly)
                  .Case("idx", ShuffleMode::Index)
                  .Default(std::nullopt);
  if (!mode || (!typeName.empty() && typeName != "i32" && typeName != "i32p" && typeName != "f32p"))
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

Value *Replacer::vote(llvm::StringRef name) {
  Value *members = membersOf(operand(0)), *votes = ballot(members, operand(1));
  Value *none = builder.CreateICmpEQ(votes, builder.getInt64(0));
  Value *all = builder.CreateICmpEQ(votes, members);
  if (name == "ballot.sync")
    return builder.CreateTrunc(votes, call.getType());
  if (name == "all.sync")
    return all;
  if (name == "any.sync")
    return builder.CreateNot(none);
  if (name == "uni.sync")
    return builder.CreateOr(all, none);
  return unknown;
}

Value *Replacer::reduction(llvm::StringRef name) {
  using Operation = LaneCombination::Operation;
  bool isUnsigned = name.consume_front("u");
  auto operation = llvm::StringSwitch<std::optional<Operation>>(name)
                       .Case("add", Operation::Add)
                       .Case("min", Operation::Min)
                       .Case("max", Operation::Max)
                       .Case("and", Operation::And)
                       .Case("or", Operation::Or)
                       .Case("xor", Operation::Xor)
                       .Default(std::nullopt);
  if (!operation)
    return unknown;
  return combineLanes(
      membersOf(operand(1)), operand(0),
      {.operation = *operation,
       .type = isUnsigned ? LaneCombination::Type::Unsigned : LaneCombination::Type::Signed});
}

/// Any lane may be elected as long as it is the same every time: the first member.
Value *Replacer::elected() {
  ballot(membersOf(operand(0)), builder.getTrue());
  Value *elected = builder.CreateIntrinsic(llvm::Intrinsic::cttz, {builder.getInt32Ty()},
                                           {operand(0), builder.getFalse()});
  Value *pair = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), elected, 0);
  return builder.CreateInsertValue(pair, builder.CreateICmpEQ(elected, lane()), 1);
}

Value *Replacer::laneOperation(llvm::StringRef name) {
  if (name == "bar.warp.sync")
    return warpBarrier(membersOf(operand(0)));
  if (name.consume_front("shfl.sync."))
    return shuffled(name);
  if (name.consume_front("redux.sync."))
    return reduction(name);
  if (name.consume_front("vote."))
    return vote(name);
  if (name == "elect.sync")
    return elected();
  return unknown;
}
