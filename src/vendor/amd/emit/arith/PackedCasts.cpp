//===- PackedCasts.cpp - Two small integers at once as f16 --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/PackedCasts.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using tilewright::emit::SmallIntegerCast;

static constexpr unsigned wordBytes = 4;

std::optional<SmallIntegerCast> tilewright::emit::matchSmallIntegerCast(Value *value) {
  SmallIntegerCast cast;
  Value *integer;
  if (match(value, m_SIToFP(m_Value(integer))))
    cast.isSigned = true;
  else if (!match(value, m_UIToFP(m_Value(integer))))
    return std::nullopt;
  if (!value->getType()->isHalfTy() || !integer->getType()->isIntegerTy(8))
    return std::nullopt;
  Value *source;
  if (cast.isSigned ? match(integer, m_AShr(m_Value(source), m_SpecificInt(4)))
                    : match(integer, m_LShr(m_Value(source), m_SpecificInt(4)))) {
    cast.bits = 4;
    cast.firstBit = 4;
    integer = source;
    if (match(integer, m_Shl(m_Value(source), m_SpecificInt(4)))) {
      cast.firstBit = 0;
      integer = source;
    }
  } else if (!cast.isSigned && match(integer, m_And(m_Value(source), m_SpecificInt(15)))) {
    cast.bits = 4;
    integer = source;
  }
  uint64_t byte;
  if (!match(integer, m_ExtractElt(m_Value(cast.vector), m_ConstantInt(byte))))
    return std::nullopt;
  auto *type = dyn_cast<FixedVectorType>(cast.vector->getType());
  if (!type || type->getNumElements() % wordBytes != 0)
    return std::nullopt;
  cast.byte = byte;
  return cast;
}

bool tilewright::emit::canCastTogether(const SmallIntegerCast &low, const SmallIntegerCast &high) {
  return low.vector == high.vector && low.byte / wordBytes == high.byte / wordBytes &&
         low.bits == high.bits && low.isSigned == high.isSigned;
}

Value *tilewright::emit::createPackedCast(IRBuilderBase &builder, Value *word,
                                          const SmallIntegerCast &low,
                                          const SmallIntegerCast &high) {
  const bool isByte = low.bits == 8;
  if (low.isSigned)
    word = builder.CreateXor(word, isByte ? 0x80808080 : 0x88888888);
  // Bytes 4 to 7 are those of the first operand, 12 is zero (RDNA3 Instruction Set Architecture,
  // V_PERM_B32).
  const uint32_t between = isByte ? 4 : 12;
  const uint32_t selector =
      low.byte % wordBytes | between << 8 | (high.byte % wordBytes) << 16 | between << 24;
  Value *bytes = builder.CreateIntrinsic(
      Intrinsic::amdgcn_perm, {},
      {builder.getInt32(isByte ? 0x64646464 : 0), word, builder.getInt32(selector)});
  if (!isByte) {
    bytes = builder.CreateAnd(bytes, 15u << low.firstBit | 15u << (16 + high.firstBit));
    bytes = builder.CreateOr(bytes, 0x64006400);
  }
  auto *half = builder.getHalfTy();
  Value *numbers = builder.CreateBitCast(bytes, FixedVectorType::get(half, 2));
  SmallVector<Constant *, 2> factors, addends;
  for (const SmallIntegerCast &cast : {low, high}) {
    const double factor = cast.firstBit == 4 ? 1.0 / 16 : 1;
    factors.push_back(ConstantFP::get(half, factor));
    addends.push_back(
        ConstantFP::get(half, -1024 * factor - (cast.isSigned ? (isByte ? 128 : 8) : 0)));
  }
  Value *added = ConstantVector::get(addends);
  numbers = isByte ? builder.CreateFAdd(numbers, added)
                   : builder.CreateIntrinsic(Intrinsic::fma, {numbers->getType()},
                                             {numbers, ConstantVector::get(factors), added});
  return builder.CreateBitCast(numbers, builder.getInt32Ty());
}
