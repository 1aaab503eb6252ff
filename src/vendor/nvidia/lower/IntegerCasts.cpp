//===- IntegerCasts.cpp - Bytes to half precision -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Conversions from integers have a fourth of the rate of arithmetic (sixteen a cycle and
// multiprocessor). But f16 has ten bits of a mantissa, and the number 1024 has them zero: an
// integer u of n <= 10 bits put there makes 1024 + u, from which 1024 is subtracted exactly. Of a
// signed integer of n bits u is what it is with its sign bit inverted, x + 2^(n - 1):
//
//     x = ((bits of x ^ 2^(n - 1)) as the mantissa of 1024) - (1024 + 2^(n - 1))
//
// Two values at a time, in the halves of a register: one logical operation, one subtraction. Where
// x is a field of a byte that shifts have extended with its sign, as of two integers of 4 bits in a
// byte, its bits are taken from the byte.
//
//===--------------------------------------------------------------------------===//

#include "lower/core/Patterns.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

constexpr unsigned byteBits = 8;

/// An integer as its bits, without those that repeat its sign.
struct Field {
  /// A byte whose upper bits are zero.
  Value bits;
  unsigned width = byteBits;
};

std::optional<unsigned> getShift(Value amount) {
  APInt shift;
  if (!matchPattern(amount, m_ConstantInt(&shift)) || shift.uge(byteBits))
    return std::nullopt;
  return shift.getZExtValue();
}

/// `value`, a byte with a sign.
Field getField(LoweringBuilder &e, Value value) {
  auto right = value.getDefiningOp<LLVM::AShrOp>();
  const std::optional<unsigned> shift = right ? getShift(right.getRhs()) : std::nullopt;
  if (!shift)
    return {value};
  Type i8 = value.getType();
  auto left = right.getLhs().getDefiningOp<LLVM::ShlOp>();
  if (left && getShift(left.getRhs()) == shift)
    return {e.create<LLVM::AndOp>(left.getLhs(), e.getInt(i8, (1 << (byteBits - *shift)) - 1)),
            byteBits - *shift};
  return {e.create<LLVM::LShrOp>(right.getLhs(), e.getInt(i8, *shift)), byteBits - *shift};
}

template <typename Op> struct ByteToHalfPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op, typename LoweringPattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto elementOf = [](Value value) { return tt::getElementTypeOrSelf(value.getType()); };
    if (!isa<RankedTensorType>(op.getType()) || !elementOf(op.getIn()).isInteger(byteBits) ||
        !elementOf(op.getResult()).isF16())
      return failure();
    if (adaptor.getIn().size() % 2 != 0)
      return failure();
    LoweringBuilder e(this->context, rewriter, op.getLoc());
    SmallVector<Field> fields;
    for (Value value : adaptor.getIn())
      fields.push_back(isSigned ? getField(e, value) : Field{value});
    SmallVector<Value> results;
    for (size_t i = 0; i < fields.size(); i += 2)
      llvm::append_range(results, convert(e, fields[i], fields[i + 1]));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

private:
  static constexpr bool isSigned = std::is_same_v<Op, arith::SIToFPOp>;

  /// The number to be subtracted from `field` as a mantissa of 1024, in front of that.
  static uint32_t offsetOf(const Field &field) { return isSigned ? 1u << (field.width - 1) : 0; }

  static SmallVector<Value> convert(LoweringBuilder &e, const Field &low, const Field &high) {
    constexpr uint32_t bitsOf1024 = 0x6400;
    Type i32 = e.builder.getI32Type(), f16 = e.builder.getF16Type();
    auto pairType = VectorType::get(2, f16);
    Value word = e.create<LLVM::OrOp>(
        e.create<LLVM::ZExtOp>(i32, low.bits),
        e.create<LLVM::ShlOp>(e.create<LLVM::ZExtOp>(i32, high.bits), e.getI32(16)));
    word = e.create<LLVM::XOrOp>(
        word, e.getI32((bitsOf1024 ^ offsetOf(low)) | (bitsOf1024 ^ offsetOf(high)) << 16));
    Value pair = e.create<LLVM::BitcastOp>(pairType, word);
    Value excess = e.packVector(
        {e.getFloat(f16, 1024 + offsetOf(low)), e.getFloat(f16, 1024 + offsetOf(high))});
    return e.unpackVector(e.create<LLVM::FSubOp>(pair, excess));
  }
};

} // namespace

void nvidia::addIntegerCastPatterns(RewritePatternSet &patterns, const PatternServices &services) {
  constexpr unsigned beforeCommon = 2;
  patterns.add<ByteToHalfPattern<arith::SIToFPOp>, ByteToHalfPattern<arith::UIToFPOp>>(
      services.converter, services.context, patterns.getContext(), beforeCommon);
}
