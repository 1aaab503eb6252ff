//===- SubGroups.cpp - Intel's operations across a sub-group ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SPIR-V's functions have the scope as their first operand, which must be the sub-group.
//
// Reading from a lane that there is not is an error by index and by exclusive or, where it is a
// mistake. Shuffles up and down always have such lanes, whose values are not defined: they are all
// ones here, which is not a number and seldom a right one.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/simulate/Replacer.h"

#include <llvm/ADT/StringSwitch.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::intel;
using llvm::Value;

Value *Replacer::shuffled() {
  enum class Kind { None, Index, One, Xor, Up, Down, PairUp, PairDown };
  Kind kind =
      llvm::StringSwitch<Kind>(function.name)
          .Cases({"sub_group_shuffle", "intel_sub_group_shuffle", "__spirv_SubgroupShuffleINTEL",
                  "__spirv_GroupNonUniformShuffle"},
                 Kind::Index)
          .Cases({"sub_group_broadcast", "sub_group_non_uniform_broadcast",
                  "__spirv_GroupBroadcast", "__spirv_GroupNonUniformBroadcast"},
                 Kind::One)
          .Cases({"sub_group_shuffle_xor", "intel_sub_group_shuffle_xor",
                  "__spirv_SubgroupShuffleXorINTEL", "__spirv_GroupNonUniformShuffleXor"},
                 Kind::Xor)
          .Cases({"sub_group_shuffle_up", "__spirv_GroupNonUniformShuffleUp"}, Kind::Up)
          .Cases({"sub_group_shuffle_down", "__spirv_GroupNonUniformShuffleDown"}, Kind::Down)
          .Cases({"intel_sub_group_shuffle_up", "__spirv_SubgroupShuffleUpINTEL"}, Kind::PairUp)
          .Cases({"intel_sub_group_shuffle_down", "__spirv_SubgroupShuffleDownINTEL"},
                 Kind::PairDown)
          .Default(Kind::None);
  if (kind == Kind::None)
    return unknown;
  unsigned first = 0;
  if (function.name.starts_with("__spirv_Group")) {
    if (!isSubGroupScope(0))
      return unknown;
    first = 1;
  }
  Value *value = operand(first);
  bool ofPair = kind == Kind::PairUp || kind == Kind::PairDown;
  Value *amount =
      builder.CreateZExtOrTrunc(operand(first + (ofPair ? 2 : 1)), builder.getInt32Ty());
  Value *lanes = builder.getInt32(instrumenter.machine.lanesPerWarp());
  // Whether the lane is in the sub-group, and what it has there.
  auto inside = [&](Value *source) { return builder.CreateICmpULT(source, lanes); };
  auto ofSource = [&](Value *from, Value *source) {
    return fromLane(from, builder.CreateSelect(inside(source), source, lane()));
  };
  switch (kind) {
  case Kind::None:
    return unknown;
  case Kind::Index:
    return fromLane(value, amount);
  case Kind::One:
    return fromLane(value, uniform(allLanes(), amount));
  case Kind::Xor:
    return fromLane(value, builder.CreateXor(lane(), amount));
  case Kind::Up:
  case Kind::Down: {
    Value *source =
        kind == Kind::Up ? builder.CreateSub(lane(), amount) : builder.CreateAdd(lane(), amount);
    Value *undefined = llvm::Constant::getAllOnesValue(value->getType());
    return builder.CreateSelect(inside(source), ofSource(value, source), undefined);
  }
  case Kind::PairUp: {
    // The lanes of (previous, current), moved up: the lane's place counts from the second.
    Value *source = builder.CreateSub(lane(), amount);
    Value *current = ofSource(operand(first + 1), source);
    Value *previous = ofSource(value, builder.CreateAdd(source, lanes));
    return builder.CreateSelect(inside(source), current, previous);
  }
  case Kind::PairDown: {
    Value *source = builder.CreateAdd(lane(), amount);
    Value *current = ofSource(value, source);
    Value *next = ofSource(operand(first + 1), builder.CreateSub(source, lanes));
    return builder.CreateSelect(inside(source), current, next);
  }
  }
  return unknown;
}

Value *Replacer::rotated() {
  if (function.name != "sub_group_rotate")
    return unknown;
  Value *lanes = builder.getInt32(instrumenter.machine.lanesPerWarp());
  Value *distance = uniform(allLanes(), operand(1));
  return fromLane(operand(0), builder.CreateAnd(builder.CreateAdd(lane(), distance),
                                                builder.CreateSub(lanes, builder.getInt32(1))));
}

Value *Replacer::vote() {
  enum class Kind { None, All, Any, Ballot, Elect };
  Kind kind = llvm::StringSwitch<Kind>(function.name)
                  .Cases({"sub_group_all", "sub_group_non_uniform_all", "__spirv_GroupAll",
                          "__spirv_GroupNonUniformAll"},
                         Kind::All)
                  .Cases({"sub_group_any", "sub_group_non_uniform_any", "__spirv_GroupAny",
                          "__spirv_GroupNonUniformAny"},
                         Kind::Any)
                  .Cases({"sub_group_ballot", "__spirv_GroupNonUniformBallot"}, Kind::Ballot)
                  .Cases({"sub_group_elect", "__spirv_GroupNonUniformElect"}, Kind::Elect)
                  .Default(Kind::None);
  bool ofSpirv = function.name.starts_with("__spirv_");
  if (kind == Kind::None || (ofSpirv && !isSubGroupScope(0)))
    return unknown;
  llvm::Type *type = call.getType();
  if (kind == Kind::Elect)
    return builder.CreateZExt(builder.CreateICmpEQ(lane(), builder.getInt32(0)), type);
  Value *condition = operand(ofSpirv ? 1 : 0);
  Value *votes = ballot(
      allLanes(), builder.CreateICmpNE(condition, llvm::ConstantInt::get(condition->getType(), 0)));
  switch (kind) {
  case Kind::All:
    return builder.CreateZExt(builder.CreateICmpEQ(votes, allLanes()), type);
  case Kind::Any:
    return builder.CreateZExt(builder.CreateICmpNE(votes, builder.getInt64(0)), type);
  default: {
    Value *wide = builder.CreateZExt(votes, builder.getInt128Ty());
    return builder.CreateBitCast(wide, type);
  }
  }
}

/// The operation and type in a function's name: "add" of the first parameter's type, "SMax".
static std::optional<LaneCombination> combinationOf(llvm::StringRef name) {
  using Operation = LaneCombination::Operation;
  using Type = LaneCombination::Type;
  auto of = [](Operation operation, Type type = Type::Signed) {
    return std::optional(LaneCombination{.operation = operation, .type = type});
  };
  return llvm::StringSwitch<std::optional<LaneCombination>>(name)
      .Cases({"add", "IAdd", "FAdd"}, of(Operation::Add))
      .Cases({"mul", "IMul", "IMulKHR", "FMul", "FMulKHR"}, of(Operation::Multiply))
      .Cases({"min", "SMin", "FMin"}, of(Operation::Min))
      .Cases({"max", "SMax", "FMax"}, of(Operation::Max))
      .Case("UMin", of(Operation::Min, Type::Unsigned))
      .Case("UMax", of(Operation::Max, Type::Unsigned))
      .Cases({"and", "logical_and", "BitwiseAnd", "LogicalAnd", "BitwiseAndKHR", "LogicalAndKHR"},
             of(Operation::And, Type::Unsigned))
      .Cases({"or", "logical_or", "BitwiseOr", "LogicalOr", "BitwiseOrKHR", "LogicalOrKHR"},
             of(Operation::Or, Type::Unsigned))
      .Cases({"xor", "logical_xor", "BitwiseXor", "LogicalXor", "BitwiseXorKHR", "LogicalXorKHR"},
             of(Operation::Xor, Type::Unsigned))
      .Default(std::nullopt);
}

Value *Replacer::reduction() {
  using Extent = LaneCombination::Extent;
  using Type = LaneCombination::Type;
  llvm::StringRef name = function.name;
  Extent extent;
  unsigned index = 0;
  bool isUnsigned = false;
  if (name.consume_front("sub_group_")) {
    name.consume_front("non_uniform_");
    if (name.consume_front("reduce_"))
      extent = Extent::All;
    else if (name.consume_front("scan_inclusive_"))
      extent = Extent::Inclusive;
    else if (name.consume_front("scan_exclusive_"))
      extent = Extent::Exclusive;
    else
      return unknown;
    isUnsigned = function.firstIsUnsigned();
  } else if (name.consume_front("__spirv_Group")) {
    name.consume_front("NonUniform");
    // SPIR-V's numbers of group operations are in the order of the extents.
    index = 2;
    if (call.arg_size() != 3 || !isSubGroupScope(0) || constantOperand(1).value_or(3) > 2)
      return unknown;
    extent = static_cast<Extent>(*constantOperand(1));
  } else {
    return unknown;
  }
  std::optional<LaneCombination> combination = combinationOf(name);
  if (!combination)
    return unknown;
  combination->extent = extent;
  Value *value = operand(index);
  llvm::Type *type = value->getType();
  bool isLogical = function.name.contains_insensitive("logical");
  if (type->isHalfTy())
    combination->type = Type::Half;
  else if (type->isFloatTy())
    combination->type = Type::Float;
  else if (type->isDoubleTy())
    combination->type = Type::Double;
  else if (!type->isIntegerTy())
    return unknown;
  else if (isUnsigned)
    combination->type = Type::Unsigned;
  if (isLogical)
    value = builder.CreateZExt(builder.CreateICmpNE(value, llvm::ConstantInt::get(type, 0)), type);
  return combineLanes(allLanes(), value, *combination);
}
