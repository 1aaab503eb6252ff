//===- TripCount.cpp - Trip counts of loops -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// ceil((max(lower, upper) - lower) / step): the difference is less than two to the number's
// bits, so it is exact as an unsigned number.
//
//===--------------------------------------------------------------------------===//

#include "analysis/TripCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

/// The quotient of unsigned numbers, rounded up, without a sum that could overflow.
static Value createCeilDiv(OpBuilder &builder, Location loc, Value a, Value b) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(a.getType(), value));
  };
  Value zero = constant(0);
  Value quotient = builder.createOrFold<arith::DivUIOp>(loc, a, b);
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, a, b);
  Value isExact = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, rest, zero);
  Value increment = builder.createOrFold<arith::SelectOp>(loc, isExact, zero, constant(1));
  return builder.createOrFold<arith::AddIOp>(loc, quotient, increment);
}

Value transform::createTripCount(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value last = loop.getUnsignedCmp() ? builder.createOrFold<arith::MaxUIOp>(loc, upper, lower)
                                     : builder.createOrFold<arith::MaxSIOp>(loc, upper, lower);
  Value length = builder.createOrFold<arith::SubIOp>(loc, last, lower);
  return createCeilDiv(builder, loc, length, loop.getStep());
}

std::optional<bool> transform::isKnownToRun(scf::ForOp loop) {
  APInt lower, upper;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    return std::nullopt;
  return loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper);
}

Value transform::createIfRuns(OpBuilder &builder, scf::ForOp loop) {
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(builder, loop.getLoc(), predicate, loop.getLowerBound(),
                               loop.getUpperBound());
}
