//===- LoopCounter.cpp - The counter of a loop that has ended -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/LoopCounter.h"

using namespace tilewright;
using namespace tilewright::frontend;

Value frontend::lastOf(TritonBuilder &tb, const Value &counter) {
  const Value &lower = (*counter.elements)[0], &upper = (*counter.elements)[1],
              &step = (*counter.elements)[2];
  // The distances are unsigned, as wide as the counter.
  const DType distance{counter.type.bits() == 64 ? ScalarKind::UInt64 : ScalarKind::UInt32};
  Value past = tb.cast(tb.binary(BinaryOperator::Sub, upper, lower), distance);
  Value most = tb.binary(BinaryOperator::Sub, past, Value::ofInteger(1));
  Value steps = tb.binary(BinaryOperator::FloorDiv, most, tb.cast(step, distance));
  Value way = tb.binary(BinaryOperator::Mult, steps, tb.cast(step, distance));
  way = tb.cast(way, counter.type);
  return counter.integer ? tb.binary(BinaryOperator::Sub, upper, way)
                         : tb.binary(BinaryOperator::Add, lower, way);
}
