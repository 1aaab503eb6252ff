//===- MatrixRegisters.cpp - What a lane holds of a cooperative matrix --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/coopmatrix/MatrixRegisters.h"

#include "lower/core/builder/SourceLane.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::CooperativeMatrix;

//===----------------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------------===//

// I, S and the number of channels are powers of two: the row and the column of a lane are fields of
// the bits of its number, and those of a register do not overlap with them.
ThreadBases MatrixRegisters::getBases(int64_t CooperativeMatrix::Element::*coordinate) {
  ThreadBases bases(e.threadBits());
  for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
    bases[bit] = matrix.laneElement(int64_t(1) << bit).*coordinate;
  return bases;
}

Value MatrixRegisters::getRow(unsigned reg) {
  return e.getIndex(getBases(&CooperativeMatrix::Element::row), matrix.registerElement(reg).row);
}

Value MatrixRegisters::getColumn(unsigned reg) {
  return e.getIndex(getBases(&CooperativeMatrix::Element::column),
                    matrix.registerElement(reg).column);
}

Value MatrixRegisters::getLaneRow() {
  return e.getThreadValue(getBases(&CooperativeMatrix::Element::row));
}

Value MatrixRegisters::getLaneColumn() {
  return e.getThreadValue(getBases(&CooperativeMatrix::Element::column));
}

Value MatrixRegisters::isElement(unsigned reg) {
  if (matrix.isWhole(reg))
    return {};
  return e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ult, getColumn(reg),
                                e.getI32(matrix.columns()));
}

Value MatrixRegisters::withoutPadding(unsigned reg, Value value) {
  Value zero = e.getZero(value.getType());
  if (matrix.isPadding(reg) || value == zero)
    return zero;
  Value isOne = isElement(reg);
  return isOne ? Value(e.create<LLVM::SelectOp>(isOne, value, zero)) : value;
}

//===----------------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------------===//

Value ElementGather::get(llvm::function_ref<Element(int64_t lane)> elementOf) {
  SmallVector<unsigned> from;
  // The lanes that take their value from a register, by register.
  std::map<unsigned, uint64_t> takers;
  std::vector<int64_t> key;
  for (int64_t lane = 0; lane < int64_t(1) << e.context.laneBits; ++lane) {
    const Element element = elementOf(lane);
    const Register place = placeOf(element);
    from.push_back(static_cast<unsigned>(place.lane));
    const bool isPadding = element.row >= rows || element.column >= columns;
    key.push_back(place.lane);
    key.push_back(isPadding ? -1 : place.reg);
    if (!isPadding)
      takers[static_cast<unsigned>(place.reg)] |= uint64_t(1) << lane;
  }
  if (takers.empty())
    return registers[0];
  auto [entry, isNew] = gathered.try_emplace(std::move(key));
  if (!isNew)
    return entry->second;
  Value result;
  for (auto [reg, lanes] : takers) {
    Value value = shuffle(from, reg);
    result = result ? Value(e.create<LLVM::SelectOp>(isLaneIn(lanes), value, result)) : value;
  }
  return entry->second = result;
}

Value ElementGather::shuffle(ArrayRef<unsigned> from, unsigned reg) {
  if (llvm::equal(from, llvm::seq<unsigned>(0, from.size())) ||
      registers[reg].getDefiningOp<LLVM::ConstantOp>())
    return registers[reg];
  // Neighbours that fill a word go together: mostly they are wanted from the same lane.
  constexpr unsigned wordBits = 32;
  const Type type = registers[reg].getType();
  const bool isNarrow = type.isIntOrFloat() && type.getIntOrFloatBitWidth() < wordBits;
  unsigned inWord = isNarrow ? wordBits / type.getIntOrFloatBitWidth() : 1;
  const unsigned first = reg / inWord * inWord;
  if (first + inWord > registers.size())
    inWord = 1;
  const std::vector<unsigned> lanes(from.begin(), from.end());
  auto [entry, isNew] = shuffled.try_emplace({lanes, reg});
  if (!isNew)
    return entry->second;
  // A source lane is made of fields of a row and a column, and these of fields of the lane.
  ThreadBases bases(e.threadBits());
  for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
    bases[bit] = from[0] ^ from[size_t(1) << bit];
  SourceLane source(e, bases, from[0]);
  if (inWord == 1)
    return entry->second = source.shuffle(registers[reg]);
  Value vector = e.packVector(ArrayRef(registers).slice(first, inWord));
  Value word = source.shuffle(e.create<LLVM::BitcastOp>(e.builder.getI32Type(), vector));
  const SmallVector<Value> parts =
      e.unpackVector(e.create<LLVM::BitcastOp>(vector.getType(), word));
  for (auto [i, part] : llvm::enumerate(parts))
    shuffled[{lanes, first + i}] = part;
  return parts[reg - first];
}

Value ElementGather::isLaneIn(uint64_t set) {
  auto [entry, isNew] = tests.try_emplace(set);
  if (isNew) {
    ThreadBases bases(e.threadBits());
    for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
      bases[bit] = uint64_t(1) << bit;
    Value lane = e.getIndex(bases, 0), bits = e.getI32(static_cast<int32_t>(set));
    if (constexpr unsigned bitsOfWord = 5; e.context.laneBits > bitsOfWord) {
      const Type type = e.builder.getI64Type();
      bits =
          e.create<LLVM::ConstantOp>(type, e.builder.getI64IntegerAttr(static_cast<int64_t>(set)));
      lane = e.create<LLVM::ZExtOp>(type, lane);
    }
    Value shifted = e.create<LLVM::LShrOp>(bits, lane);
    entry->second = e.create<LLVM::TruncOp>(e.builder.getI1Type(), shifted);
  }
  return entry->second;
}
