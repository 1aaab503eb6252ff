//===- MatrixProducts.cpp - Sub-groups' matrix products on Intel's GPUs -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/MatrixProducts.h"

#include "lower/core/builder/Constants.h"
#include "lower/core/types/VectorValues.h"
#include "vendor/intel/lower/Builtins.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using target::MmaAtom;
using target::MmaType;

namespace {

/// The values that an operand is passed as.
struct OperandType {
  /// Each operand's type as functions' names have it, and its bits.
  std::string_view letters;
  unsigned bits;
  /// How many a lane has.
  unsigned count;
};

OperandType withCount(std::string_view letters, unsigned bits, const target::AtomOperand &operand,
                      MmaType type) {
  const unsigned laneBits = operand.map.inSize(layout::dims::Register) * target::bitsOf(type);
  return {letters, bits, laneBits / bits};
}

OperandType typeOf(const MmaAtom &atom, ProductOperand operand) {
  switch (operand) {
  case ProductOperand::A:
    if (atom.a == MmaType::Tf32)
      return withCount("f", 32, atom.aOperand, atom.a);
    return withCount(atom.a == MmaType::U8 ? "t" : "s", 16, atom.aOperand, atom.a);
  case ProductOperand::B:
    if (atom.b == MmaType::Tf32)
      return withCount("f", 32, atom.bOperand, atom.b);
    return withCount(atom.b == MmaType::U8 ? "j" : "i", 32, atom.bOperand, atom.b);
  case ProductOperand::Accumulator: {
    const MmaType type = atom.accumulator;
    const std::string_view letters = type == MmaType::F32   ? "f"
                                     : type == MmaType::F16 ? "Dh"
                                     : type == MmaType::S32 ? "i"
                                                            : "s";
    return withCount(letters, target::bitsOf(type), atom.accumulatorOperand, type);
  }
  }
  llvm_unreachable("every operand is listed");
}

std::string_view nameOf(MmaType type) {
  return type == MmaType::S8 ? "i8" : target::typeName(type);
}

} // namespace

std::string intel::DpasFunction::mangled() const {
  return "_Z" + std::to_string(name.size()) + name + parameters;
}

// A type of vectors that was there before is S_, S0_, S1_ .. by which of the different ones it is.
intel::DpasFunction intel::getDpasFunction(const MmaAtom &atom) {
  DpasFunction function;
  function.name = "intel_sub_group_" + std::string(nameOf(atom.a)) + "_" +
                  std::string(nameOf(atom.b)) + "_matrix_mad_k" + std::to_string(atom.k);
  SmallVector<std::string> vectors;
  for (ProductOperand operand :
       {ProductOperand::A, ProductOperand::B, ProductOperand::Accumulator}) {
    const OperandType type = typeOf(atom, operand);
    std::string text(type.letters);
    if (type.count > 1) {
      text = "Dv" + std::to_string(type.count) + "_" + text;
      const auto *known = llvm::find(vectors, text);
      const auto index = known - vectors.begin();
      if (known == vectors.end())
        vectors.push_back(text);
      else
        text = index ? "S" + std::to_string(index - 1) + "_" : "S_";
    }
    function.parameters += text;
  }
  return function;
}

/// `registers`, of one type and no more than a vector of SPIR-V has, as a vector; a single one as
/// it is.
static Value packRegisters(OpBuilder &builder, Location loc, ValueRange registers) {
  if (registers.size() == 1)
    return registers.front();
  if (Value whole = findUnpacked(registers))
    return whole;
  if (std::optional<VectorShuffle> shuffle = findShuffle(registers))
    return LLVM::ShuffleVectorOp::create(builder, loc, shuffle->first, shuffle->second,
                                         shuffle->mask);
  Value packed = LLVM::PoisonOp::create(builder, loc,
                                        VectorType::get(registers.size(), registers[0].getType()));
  for (auto [i, value] : llvm::enumerate(registers))
    packed = LLVM::InsertElementOp::create(builder, loc, packed, value, getI32(builder, loc, i));
  return packed;
}

/// A value as `count` elements of `element`.
static Value castTo(OpBuilder &builder, Location loc, Value value, Type element, unsigned count) {
  Type type = count > 1 ? Type(VectorType::get(count, element)) : element;
  return value.getType() == type ? value : LLVM::BitcastOp::create(builder, loc, type, value);
}

Value intel::packDpasFragment(OpBuilder &builder, Location loc, const MmaAtom &atom,
                              ProductOperand operand, ValueRange registers) {
  constexpr unsigned maxElements = 16;
  if (operand == ProductOperand::Accumulator)
    return packRegisters(builder, loc, registers);
  const OperandType type = typeOf(atom, operand);
  Type element =
      type.letters == "f" ? Type(builder.getF32Type()) : builder.getIntegerType(type.bits);
  if (registers.size() <= maxElements)
    return castTo(builder, loc, packRegisters(builder, loc, registers), element, type.count);
  // The 32 bytes of B: as the halves that SPIR-V has vectors for.
  assert(registers.size() == 2 * maxElements && "no fragment has more");
  auto pack = [&](ValueRange half) {
    return castTo(builder, loc, packRegisters(builder, loc, half), element, type.count / 2);
  };
  Value low = pack(registers.take_front(maxElements)),
        high = pack(registers.drop_front(maxElements));
  return LLVM::ShuffleVectorOp::create(builder, loc, low, high,
                                       llvm::to_vector(llvm::seq<int32_t>(type.count)));
}

SmallVector<Value> intel::unpackDpasFragment(OpBuilder &builder, Location loc, Value fragment) {
  auto type = dyn_cast<VectorType>(fragment.getType());
  if (!type)
    return {fragment};
  SmallVector<Value> registers;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    registers.push_back(
        LLVM::ExtractElementOp::create(builder, loc, fragment, getI32(builder, loc, i)));
  return registers;
}

Value intel::emitDpas(OpBuilder &builder, Location loc, const MmaAtom &atom, Value a, Value b,
                      Value c) {
  const DpasFunction function = getDpasFunction(atom);
  return callBuiltin(builder, loc, function.name, function.parameters, c.getType(), {a, b, c},
                     Effect::Exchange)
      .getResult();
}
