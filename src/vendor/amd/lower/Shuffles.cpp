//===- Shuffles.cpp - Lane permutations on AMD --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/Shuffles.h"

#include "lower/core/builder/Constants.h"
#include "vendor/amd/lower/Intrinsics.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::amd;
using tilewright::target::amd::RowShuffle;

namespace {

class ShuffleEmission {
public:
  ShuffleEmission(OpBuilder &builder, Location loc, Value word)
      : builder(builder), loc(loc), word(word), i32(builder.getI32Type()) {}

  Value emitRows(const LaneShuffle &plan) {
    Value result;
    if (plan.own)
      result = emitOwn(*plan.own);
    if (plan.second)
      result = emitDpp(result, plan.second->control, plan.secondRows, plan.secondBanks);
    if (!plan.otherLanes)
      return result;
    Value other = emitPermlane("permlanex16", plan.otherSelectors);
    if (!result)
      return other;
    Value takesOther = callIntrinsic(builder, loc, "inverse.ballot", builder.getI1Type(),
                                     getI32(builder, loc, plan.otherLanes));
    return LLVM::SelectOp::create(builder, loc, takesOther, other, result);
  }

private:
  Value emitOwn(const RowShuffle &shuffle) {
    switch (shuffle.kind) {
    case RowShuffle::Kind::Nothing:
      return word;
    case RowShuffle::Kind::Dpp:
      return emitDpp({}, shuffle.control, allRows, allBanks);
    case RowShuffle::Kind::Dpp8:
      return callIntrinsic(builder, loc, "mov.dpp8", i32,
                           {word, getI32(builder, loc, shuffle.control)});
    case RowShuffle::Kind::Permlane:
      return emitPermlane("permlane16", shuffle.selectors);
    }
    return {};
  }

  /// Rows that are not in `rows`, and columns of banks that are not in `banks`, keep `old`, which
  /// is null where there are none. With all written, LLVM may make the pattern a part of the
  /// instruction that takes the result.
  Value emitDpp(Value old, uint32_t control, unsigned rows, unsigned banks) {
    const bool writesAll = !old;
    if (writesAll)
      old = LLVM::PoisonOp::create(builder, loc, i32);
    return ROCDL::DPPUpdateOp::create(builder, loc, i32, old, word, control, rows, banks,
                                      /*boundCtrl=*/writesAll);
  }

  Value emitPermlane(StringRef name, uint64_t selectors) {
    Value old = LLVM::PoisonOp::create(builder, loc, i32), no = getBool(builder, loc, false);
    return callIntrinsic(builder, loc, name, i32,
                         {old, word, getI32(builder, loc, static_cast<uint32_t>(selectors)),
                          getI32(builder, loc, static_cast<uint32_t>(selectors >> 32)), no, no});
  }

  static constexpr unsigned allRows = 0xf, allBanks = 0xf;

  OpBuilder &builder;
  Location loc;
  Value word;
  Type i32;
};

} // namespace

Value amd::emitLaneShuffle(OpBuilder &builder, Location loc, Value word, const LaneShuffle &plan) {
  switch (plan.kind) {
  case LaneShuffle::Kind::Rows:
    return ShuffleEmission(builder, loc, word).emitRows(plan);
  case LaneShuffle::Kind::ReadLane:
    return ROCDL::ReadlaneOp::create(builder, loc, word.getType(), word,
                                     getI32(builder, loc, plan.lane));
  case LaneShuffle::Kind::Swizzle:
    return ROCDL::DsSwizzleOp::create(builder, loc, word.getType(), word,
                                      getI32(builder, loc, plan.offset));
  case LaneShuffle::Kind::Indexed:
    break;
  }
  llvm_unreachable("lanes in registers are emitIndexedShuffle's");
}

Value amd::emitIndexedShuffle(OpBuilder &builder, Location loc, Value word, Value lane) {
  // The instruction takes the lane's number times the bytes of a word.
  Value address = LLVM::ShlOp::create(builder, loc, lane, getI32(builder, loc, 2));
  return ROCDL::DsBpermuteOp::create(builder, loc, word.getType(), address, word);
}
