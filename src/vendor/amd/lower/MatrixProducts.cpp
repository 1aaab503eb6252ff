//===- MatrixProducts.cpp - Waves' matrix products on AMD's GPUs --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/MatrixProducts.h"

#include "lower/core/Constants.h"
#include "vendor/amd/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using target::MmaAtom;
using target::MmaType;

/// What the intrinsics call a type.
static std::string_view nameOf(MmaType type) {
  switch (type) {
  case MmaType::E4m3:
    return "fp8";
  case MmaType::E5m2:
    return "bf8";
  case MmaType::S32:
    return "i32";
  default:
    return target::typeName(type);
  }
}

// The names say the type of D, and those of A and B: once, but for 8-bit floats.
std::string amd::getWmmaIntrinsic(const MmaAtom &atom) {
  std::string name = "wmma." + std::string(nameOf(atom.accumulator)) + "." +
                     std::to_string(atom.m) + "x" + std::to_string(atom.n) + "x" +
                     std::to_string(atom.k) + "." + std::string(nameOf(atom.a));
  if (atom.a == MmaType::E4m3 || atom.a == MmaType::E5m2)
    name += "." + std::string(nameOf(atom.b));
  return name;
}

static bool isInteger(MmaType type) { return type == MmaType::I8 || type == MmaType::I4; }

/// Lanes that have no K for themselves hold copies: gfx11.
static bool hasCopiesOfOperands(const MmaAtom &atom) {
  return llvm::is_contained(atom.aOperand.map.bases(layout::dims::Lane), uint64_t(0));
}

bool amd::hasSpreadAccumulators(const MmaAtom &atom) {
  return target::bitsOf(atom.accumulator) == 16 && hasCopiesOfOperands(atom);
}

/// The vector whose elements `step` apart, from the first, are `values`.
static Value createVector(OpBuilder &builder, Location loc, ValueRange values, unsigned step) {
  auto type = VectorType::get(values.size() * step, values.front().getType());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, value] : llvm::enumerate(values))
    vector =
        LLVM::InsertElementOp::create(builder, loc, vector, value, getI32(builder, loc, i * step));
  return vector;
}

Value amd::packWmmaFragment(OpBuilder &builder, Location loc, const MmaAtom &atom,
                            ProductOperand operand, ValueRange registers) {
  const bool isSum = operand == ProductOperand::Accumulator;
  Value vector =
      createVector(builder, loc, registers, isSum && hasSpreadAccumulators(atom) ? 2 : 1);
  auto type = cast<VectorType>(vector.getType());
  const unsigned bits = type.getElementTypeBitWidth(), count = type.getNumElements();
  if (bits == 32 || type.getElementType().isF16())
    return vector;
  Type wanted = VectorType::get(count, builder.getI16Type());
  if (bits < 16) {
    const unsigned words = bits * count / 32;
    wanted = words == 1 ? Type(builder.getI32Type()) : VectorType::get(words, builder.getI32Type());
  }
  return LLVM::BitcastOp::create(builder, loc, wanted, vector);
}

SmallVector<Value> amd::unpackWmmaFragment(OpBuilder &builder, Location loc, const MmaAtom &atom,
                                           Value fragment, Type type) {
  const unsigned count = cast<VectorType>(fragment.getType()).getNumElements();
  if (auto whole = VectorType::get(count, type); fragment.getType() != whole)
    fragment = LLVM::BitcastOp::create(builder, loc, whole, fragment);
  SmallVector<Value> registers;
  for (unsigned i = 0; i < count; i += hasSpreadAccumulators(atom) ? 2 : 1)
    registers.push_back(
        LLVM::ExtractElementOp::create(builder, loc, fragment, getI32(builder, loc, i)));
  return registers;
}

Value amd::emitWmma(OpBuilder &builder, Location loc, const MmaAtom &atom, Value a, Value b,
                    Value c) {
  SmallVector<Value> operands = {a, b, c};
  // Products of integers are of signed ones, and wrap around.
  if (isInteger(atom.a)) {
    Value isSigned = getBool(builder, loc, true), clamps = getBool(builder, loc, false);
    operands = {isSigned, a, isSigned, b, c, clamps};
  } else if (target::bitsOf(atom.accumulator) == 16) {
    operands.push_back(getBool(builder, loc, false));
  }
  return callIntrinsic(builder, loc, getWmmaIntrinsic(atom), c.getType(), operands);
}
