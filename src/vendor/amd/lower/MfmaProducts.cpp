//===- MfmaProducts.cpp - Products by CDNA's matrix instructions ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/MfmaProducts.h"

#include "lower/core/builder/Constants.h"
#include "vendor/amd/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using target::MmaAtom;
using target::MmaType;

bool amd::isMfma(const MmaAtom &atom) { return atom.name.starts_with("mfma."); }

/// Bits of A that a lane has.
static unsigned getLaneBits(const MmaAtom &atom) {
  return atom.aOperand.map.inSize(layout::dims::Register) * target::bitsOf(atom.a);
}

bool amd::namesTypesByOperands(const MmaAtom &atom) {
  return target::bitsOf(atom.a) == 8 && atom.accumulator == MmaType::F32 && getLaneBits(atom) > 64;
}

static std::string_view nameOf(MmaType type) {
  switch (type) {
  case MmaType::E4m3:
    return "fp8";
  case MmaType::E5m2:
    return "bf8";
  case MmaType::Tf32:
    return "xf32";
  case MmaType::S32:
    return "i32";
  case MmaType::S8:
    return "i8";
  default:
    return target::typeName(type);
  }
}

std::string amd::getMfmaIntrinsic(const MmaAtom &atom) {
  const std::string a(nameOf(atom.a));
  const std::string shape =
      std::to_string(atom.m) + "x" + std::to_string(atom.n) + "x" + std::to_string(atom.k);
  const std::string name = "." + std::string(nameOf(atom.accumulator)) + "." + shape;
  if (namesTypesByOperands(atom))
    return "mfma.scale" + name + ".f8f6f4";
  switch (atom.a) {
  case MmaType::F64:
  case MmaType::F32:
    return "mfma" + name + a;
  case MmaType::F16:
  case MmaType::Bf16:
  case MmaType::S8: {
    // Those of CDNA 1 and 2 have other names: of 32 and, of 16-bit types, of 64 bits a lane. The
    // first ones for bf16 took half of that.
    const unsigned oldBits = atom.a == MmaType::S8 ? 32 : 64;
    if (getLaneBits(atom) > oldBits)
      return "mfma" + name + "." + a;
    return "mfma" + name + a + (atom.a == MmaType::Bf16 ? ".1k" : "");
  }
  case MmaType::Tf32:
    return "mfma" + name + "." + a;
  default:
    return "mfma" + name + "." + a + "." + std::string(nameOf(atom.b));
  }
}

/// The type of operands A and B of the intrinsic.
static Type getOperandType(OpBuilder &builder, const MmaAtom &atom) {
  const unsigned bits = getLaneBits(atom);
  switch (atom.a) {
  case MmaType::F64:
    return builder.getF64Type();
  case MmaType::F32:
    return builder.getF32Type();
  case MmaType::Tf32:
    return VectorType::get(bits / 32, builder.getF32Type());
  case MmaType::F16:
    return VectorType::get(bits / 16, builder.getF16Type());
  case MmaType::Bf16:
    if (bits == 64)
      return VectorType::get(4, builder.getI16Type());
    return VectorType::get(bits / 16, builder.getBF16Type());
  default:
    if (bits <= 64)
      return builder.getIntegerType(bits);
    return VectorType::get(bits / 32, builder.getI32Type());
  }
}

Value amd::packMfmaFragment(OpBuilder &builder, Location loc, const MmaAtom &atom,
                            ProductOperand operand, ValueRange registers) {
  Value packed = registers.front();
  if (registers.size() > 1) {
    auto type = VectorType::get(registers.size(), packed.getType());
    packed = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [i, value] : llvm::enumerate(registers))
      packed = LLVM::InsertElementOp::create(builder, loc, packed, value,
                                             getI32(builder, loc, static_cast<uint32_t>(i)));
  }
  if (operand == ProductOperand::Accumulator)
    return packed;
  const Type type = getOperandType(builder, atom);
  return packed.getType() == type ? packed : LLVM::BitcastOp::create(builder, loc, type, packed);
}

SmallVector<Value> amd::unpackMfmaFragment(OpBuilder &builder, Location loc, Value fragment) {
  SmallVector<Value> registers;
  for (int64_t i = 0; i < cast<VectorType>(fragment.getType()).getNumElements(); ++i)
    registers.push_back(LLVM::ExtractElementOp::create(
        builder, loc, fragment, getI32(builder, loc, static_cast<uint32_t>(i))));
  return registers;
}

Value amd::emitMfma(OpBuilder &builder, Location loc, const MmaAtom &atom, Value a, Value b,
                    Value c) {
  const std::string name = getMfmaIntrinsic(atom);
  Value zero = getI32(builder, loc, 0);
  if (!namesTypesByOperands(atom))
    // Nothing is broadcast, and of f64 nothing is negated.
    return callIntrinsic(builder, loc, name, c.getType(), {a, b, c, zero, zero, zero});
  // The numbers of the types; LLVM takes two scales that are the constant 0 for none.
  auto numberOf = [&](MmaType type) { return getI32(builder, loc, type == MmaType::E5m2 ? 1 : 0); };
  return callIntrinsic(builder, loc, name, c.getType(),
                       {a, b, c, numberOf(atom.a), numberOf(atom.b), zero, zero, zero, zero});
}
