//===- LaneOperations.cpp - AMD's operations across the lanes of a wave -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A row is 16 lanes, a bank 4 of them. Every operation but ds_permute has each lane read from one
// lane, which depends on its own number and operands.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {
namespace symbol {
/// After machine and site: i32 value, i32 lane -> i32
constexpr char permute[] = "tilewright.amd.ds_permute";
/// i32 lane, i32 control, i32 row mask, i32 bank mask -> i32: a lane, or a DppOutcome.
constexpr char dppSource[] = "tilewright.amd.dpp_source";
} // namespace symbol

/// Where a DPP operation gives a lane no other lane's value.
enum DppOutcome : int32_t {
  /// The lane is not written.
  Masked = -1,
  /// There is no lane to read from.
  Outside = -2,
};

constexpr uint32_t rowLanes = 16;
constexpr uint32_t bankLanes = 4;
} // namespace

//===--------------------------------------------------------------------------===//
// The machine's part
//===--------------------------------------------------------------------------===//

/// Lanes send to lanes. Where several send to one, the last of them prevails; a lane that nothing
/// is sent to gets zero.
static uint32_t permute(Machine *machine, uint32_t site, uint32_t value, uint32_t target) {
  return meet(machine, site, machine->allLanes(), {value, target, 0, 0},
              [](WarpExchange &exchange) {
                for (WarpExchange::Lane &lane : exchange.lane)
                  lane.result = 0;
                for (const WarpExchange::Lane &lane : exchange.lane)
                  exchange.lane[lane.operands[1]].result = lane.operands[0];
              });
}

/// The lane that a lane reads from by a DPP16 control. Shifts to the left move values to lanes
/// with lower numbers.
static int32_t dppSource(uint32_t lane, uint32_t control, uint32_t rowMask, uint32_t bankMask) {
  uint32_t row = lane / rowLanes, within = lane % rowLanes, begin = row * rowLanes;
  if (!(rowMask >> row & 1) || !(bankMask >> within / bankLanes & 1))
    return Masked;
  uint32_t amount = control & 15;
  auto inRow = [&](uint32_t source) {
    return source < rowLanes ? static_cast<int32_t>(begin + source) : Outside;
  };
  if (control < 0x100) // quad_perm
    return static_cast<int32_t>((lane & ~3u) + (control >> 2 * (lane & 3) & 3));
  switch (control >> 4) {
  case 0x10: // row_shl
    return inRow(within + amount);
  case 0x11: // row_shr
    return inRow(within - amount);
  case 0x12: // row_ror
    return inRow((within - amount) % rowLanes);
  case 0x14: // row_mirror, row_half_mirror
    return inRow(within ^ (amount == 0 ? 15 : 7));
  case 0x15: // row_share
    return inRow(amount);
  default: // row_xmask
    return inRow(within ^ amount);
  }
}

static bool isDppControl(uint64_t control) {
  uint64_t kind = control >> 4, amount = control & 15;
  return control < 0x100 || (kind >= 0x10 && kind <= 0x12 && amount > 0) ||
         (kind == 0x14 && amount < 2) || kind == 0x15 || kind == 0x16;
}

std::span<const RuntimeSymbol> amd::laneOperationSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::permute, addressOf(permute)},
      {symbol::dppSource, addressOf(dppSource)},
  };
  return symbols;
}

//===--------------------------------------------------------------------------===//
// The code in a call's place
//===--------------------------------------------------------------------------===//

/// Operands from `firstOperand`: control, row mask, bank mask, and whether lanes without a source
/// get zero ("bound_ctrl"); `old` is what lanes keep that are not written.
Value *Replacer::dpp(Value *value, Value *old, unsigned firstOperand) {
  if (!isDppControl(*constantOperand(firstOperand)))
    return unknown;
  bool zeroOutside = *constantOperand(firstOperand + 3);
  Value *source = hostCall(
      symbol::dppSource, builder.getInt32Ty(),
      {lane(), operand(firstOperand), operand(firstOperand + 1), operand(firstOperand + 2)});
  Value *has = builder.CreateICmpSGE(source, builder.getInt32(0));
  Value *moved = fromLane(value, builder.CreateSelect(has, source, lane()));
  Value *otherwise = old;
  if (zeroOutside)
    otherwise = builder.CreateSelect(builder.CreateICmpEQ(source, builder.getInt32(Outside)),
                                     llvm::Constant::getNullValue(value->getType()), old);
  return builder.CreateSelect(has, moved, otherwise);
}

/// ds_swizzle in its modes for groups of 4 and of 32 lanes.
Value *Replacer::swizzle() {
  uint64_t mode = *constantOperand(1);
  constexpr uint64_t quadMode = 0x8000, lastQuadMode = 0x80ff;
  Value *source;
  if (mode & quadMode) {
    if (mode > lastQuadMode)
      return unknown;
    Value *place = builder.CreateAnd(lane(), 3);
    Value *select = builder.CreateLShr(builder.getInt32(mode & 0xff), builder.CreateShl(place, 1));
    source = builder.CreateOr(builder.CreateAnd(lane(), ~3u), builder.CreateAnd(select, 3));
  } else {
    // Five bits each of and, or and xor, for the low bits of the lane's number.
    uint32_t keep = (mode & 31) | ~31u, set = mode >> 5 & 31, flip = mode >> 10 & 31;
    source = builder.CreateXor(builder.CreateOr(builder.CreateAnd(lane(), keep), set), flip);
  }
  return fromLane(operand(0), source);
}

Value *Replacer::rowBegin(bool crossesRows) {
  Value *begin = builder.CreateAnd(lane(), ~(rowLanes - 1));
  return crossesRows ? builder.CreateXor(begin, rowLanes) : begin;
}

/// Of the wave's two words with a place in the row for each of the row's lanes, this lane's.
Value *Replacer::rowSelector() {
  Value *place = builder.CreateAnd(lane(), 7);
  Value *low = builder.CreateICmpEQ(builder.CreateAnd(lane(), 8), builder.getInt32(0));
  Value *lowWord = uniform(allLanes(), operand(2)), *highWord = uniform(allLanes(), operand(3));
  return builder.CreateLShr(builder.CreateSelect(low, lowWord, highWord),
                            builder.CreateShl(place, 2));
}

Value *Replacer::permuteRow(bool crossesRows, Value *select) {
  return fromLane(operand(1),
                  builder.CreateOr(rowBegin(crossesRows), builder.CreateAnd(select, rowLanes - 1)));
}

Value *Replacer::laneOperation(Intrinsic::ID id) {
  uint32_t lanes = instrumenter.machine.lanesPerWarp();
  // The lane that a byte address names, one for each word.
  auto addressed = [&](Value *address) {
    return builder.CreateAnd(builder.CreateLShr(address, 2), lanes - 1);
  };
  switch (id) {
  case Intrinsic::amdgcn_update_dpp:
    return dpp(operand(1), operand(0), 2);
  case Intrinsic::amdgcn_mov_dpp:
    // Values that lanes keep are undefined here: all ones is not a number, and seldom right.
    return dpp(operand(0), llvm::Constant::getAllOnesValue(call.getType()), 1);
  case Intrinsic::amdgcn_mov_dpp8: {
    Value *place = builder.CreateAnd(lane(), 7);
    Value *select = builder.CreateLShr(operand(1), builder.CreateMul(place, builder.getInt32(3)));
    return fromLane(operand(0),
                    builder.CreateOr(builder.CreateAnd(lane(), ~7u), builder.CreateAnd(select, 7)));
  }
  case Intrinsic::amdgcn_ds_swizzle:
    return swizzle();
  case Intrinsic::amdgcn_ds_bpermute:
    return fromLane(operand(1), addressed(operand(0)));
  case Intrinsic::amdgcn_ds_permute:
    return machineCall(symbol::permute, builder.getInt32Ty(), {operand(1), addressed(operand(0))});
  case Intrinsic::amdgcn_permlane16:
    return permuteRow(false, rowSelector());
  case Intrinsic::amdgcn_permlanex16:
    return permuteRow(true, rowSelector());
  case Intrinsic::amdgcn_permlane16_var:
    return permuteRow(false, operand(2));
  case Intrinsic::amdgcn_permlanex16_var:
    return permuteRow(true, operand(2));
  case Intrinsic::amdgcn_permlane64:
    return fromLane(operand(0), builder.CreateXor(lane(), 32 & (lanes - 1)));
  case Intrinsic::amdgcn_readlane:
    return fromLane(operand(0), builder.CreateAnd(uniform(allLanes(), operand(1)), lanes - 1));
  case Intrinsic::amdgcn_readfirstlane:
    return fromLane(operand(0), builder.getInt32(0));
  case Intrinsic::amdgcn_writelane:
    return builder.CreateSelect(
        builder.CreateICmpEQ(lane(), builder.CreateAnd(uniform(allLanes(), operand(1)), lanes - 1)),
        operand(0), operand(2));
  case Intrinsic::amdgcn_ballot:
    return builder.CreateTrunc(ballot(allLanes(), operand(0)), call.getType());
  case Intrinsic::amdgcn_inverse_ballot:
    return builder.CreateTrunc(
        builder.CreateLShr(operand(0), builder.CreateZExtOrTrunc(lane(), operand(0)->getType())),
        builder.getInt1Ty());
  case Intrinsic::amdgcn_mbcnt_lo:
  case Intrinsic::amdgcn_mbcnt_hi: {
    // The bits of the mask below this lane's own, of the lanes from 0 or from 32.
    Value *below = builder.CreateSub(
        builder.CreateShl(builder.getInt64(1), builder.CreateZExt(lane(), builder.getInt64Ty())),
        builder.getInt64(1));
    unsigned shift = id == Intrinsic::amdgcn_mbcnt_hi ? 32 : 0;
    Value *mine = builder.CreateTrunc(builder.CreateLShr(below, shift), builder.getInt32Ty());
    return builder.CreateAdd(intrinsic(Intrinsic::ctpop, {builder.CreateAnd(operand(0), mine)}),
                             operand(1));
  }
  // No lane is inactive.
  case Intrinsic::amdgcn_set_inactive:
  case Intrinsic::amdgcn_strict_wwm:
  case Intrinsic::amdgcn_wwm:
    return operand(0);
  default:
    return unknown;
  }
}

Value *Replacer::reduction(Intrinsic::ID id) {
  using Operation = LaneCombination::Operation;
  using Type = LaneCombination::Type;
  auto combined = [&](Operation operation, Type type) {
    return combineLanes(allLanes(), operand(0), {.operation = operation, .type = type});
  };
  Type floats = call.getType()->isDoubleTy() ? Type::Double : Type::Float;
  switch (id) {
  case Intrinsic::amdgcn_wave_reduce_add:
    return combined(Operation::Add, Type::Signed);
  case Intrinsic::amdgcn_wave_reduce_min:
    return combined(Operation::Min, Type::Signed);
  case Intrinsic::amdgcn_wave_reduce_max:
    return combined(Operation::Max, Type::Signed);
  case Intrinsic::amdgcn_wave_reduce_umin:
    return combined(Operation::Min, Type::Unsigned);
  case Intrinsic::amdgcn_wave_reduce_umax:
    return combined(Operation::Max, Type::Unsigned);
  case Intrinsic::amdgcn_wave_reduce_and:
    return combined(Operation::And, Type::Unsigned);
  case Intrinsic::amdgcn_wave_reduce_or:
    return combined(Operation::Or, Type::Unsigned);
  case Intrinsic::amdgcn_wave_reduce_xor:
    return combined(Operation::Xor, Type::Unsigned);
  case Intrinsic::amdgcn_wave_reduce_fadd:
    return combined(Operation::Add, floats);
  case Intrinsic::amdgcn_wave_reduce_fmin:
    return combined(Operation::Min, floats);
  case Intrinsic::amdgcn_wave_reduce_fmax:
    return combined(Operation::Max, floats);
  default:
    return unknown;
  }
}
