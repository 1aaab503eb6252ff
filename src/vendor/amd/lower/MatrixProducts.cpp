//===- MatrixProducts.cpp - Waves' matrix products on AMD's GPUs --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/MatrixProducts.h"

#include "lower/core/builder/Constants.h"
#include "vendor/amd/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using target::MmaAtom;
using target::MmaType;

/// The name of a type in the intrinsics.
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

bool amd::hasHalfAccumulators(const MmaAtom &atom) {
  return target::bitsOf(atom.accumulator) == 16 && hasCopiesOfOperands(atom);
}

/// The place of register `number` in a fragment's vector: accumulators that share registers lie
/// element by element beside each other.
static unsigned getPlace(const MmaAtom &atom, ProductOperand operand, unsigned number) {
  if (operand != ProductOperand::Accumulator || !amd::hasHalfAccumulators(atom))
    return number;
  const unsigned each = atom.accumulatorOperand.map.inSize(layout::dims::Register);
  return 2 * (number % each) + number / each;
}

Value amd::packWmmaFragment(OpBuilder &builder, Location loc, const MmaAtom &atom,
                            ProductOperand operand, ValueRange registers) {
  const bool isHalves = operand == ProductOperand::Accumulator && hasHalfAccumulators(atom);
  const unsigned size =
      isHalves ? 2 * atom.accumulatorOperand.map.inSize(layout::dims::Register) : registers.size();
  auto type = VectorType::get(size, registers.front().getType());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, value] : llvm::enumerate(registers))
    vector = LLVM::InsertElementOp::create(
        builder, loc, vector, value,
        getI32(builder, loc, getPlace(atom, operand, static_cast<unsigned>(i))));
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
  for (unsigned i = 0; i < count; ++i)
    registers.push_back(LLVM::ExtractElementOp::create(
        builder, loc, fragment,
        getI32(builder, loc, getPlace(atom, ProductOperand::Accumulator, i))));
  return registers;
}

Value amd::emitWmma(OpBuilder &builder, Location loc, const MmaAtom &atom, Value a, Value b,
                    Value c, unsigned part) {
  std::string name = getWmmaIntrinsic(atom);
  SmallVector<Value> operands = {a, b, c};
  // Products of integers are of signed ones, and wrap around.
  if (isInteger(atom.a)) {
    Value isSigned = getBool(builder, loc, true), clamps = getBool(builder, loc, false);
    operands = {isSigned, a, isSigned, b, c, clamps};
  } else if (target::bitsOf(atom.accumulator) == 16) {
    operands.push_back(getBool(builder, loc, part != 0));
    // The half that op_sel does not name stays only if the result is in the registers of C.
    if (hasHalfAccumulators(atom))
      name += ".tied";
  }
  return callIntrinsic(builder, loc, name, c.getType(), operands);
}
