//===- IndexMaps.cpp - Linear maps of indices, and addresses ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/IndexMaps.h"

#include "llvm/ADT/bit.h"
#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

// Bits that move by the same distance move together, as in LoweringBuilder::getThreadValue.
Value lower::emitLinearMap(LoweringBuilder &e, Value value, ArrayRef<uint64_t> columns) {
  std::map<int, uint32_t> masksOfShift;
  for (auto [from, column] : llvm::enumerate(columns))
    for (uint64_t rest = column; rest; rest &= rest - 1)
      masksOfShift[llvm::countr_zero(rest) - static_cast<int>(from)] |= uint32_t(1) << from;
  Value result;
  for (auto [shift, mask] : masksOfShift) {
    Value term = e.create<LLVM::AndOp>(value, e.getI32(mask));
    if (shift < 0)
      term = e.create<LLVM::LShrOp>(term, e.getI32(-shift));
    else if (shift > 0)
      term = e.create<LLVM::ShlOp>(term, e.getI32(shift));
    result = emitXor(e, result, term);
  }
  return result;
}

Value lower::emitIndex32(LoweringBuilder &e, Value index) {
  const Type i32 = e.builder.getI32Type();
  const unsigned width = index.getType().getIntOrFloatBitWidth();
  if (width == 32)
    return index;
  return width < 32 ? Value(e.create<LLVM::ZExtOp>(i32, index))
                    : Value(e.create<LLVM::TruncOp>(i32, index));
}

Value lower::emitXor(LoweringBuilder &e, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return e.create<LLVM::XOrOp>(a, b);
}

ThreadOffsets::ThreadOffsets(LoweringBuilder &e, const ThreadBases &bases, unsigned elementBytes,
                             uint64_t begin)
    : e(e), bases(bases), elementBytes(elementBytes), begin(begin) {
  for (uint64_t &basis : this->bases) {
    basis *= elementBytes;
    threadBits |= basis;
  }
}

Value ThreadOffsets::get(uint64_t offset) {
  const uint64_t bytes = offset * elementBytes, shared = bytes & threadBits;
  Value &base = baseOfXor[shared];
  if (!base) {
    base = e.getSharedBase();
    if (threadBits)
      base = e.addBytes(base, e.getIndex(bases, shared));
  }
  return e.addBytes(base, begin + (bytes ^ shared));
}
