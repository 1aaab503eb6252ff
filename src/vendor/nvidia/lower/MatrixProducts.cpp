//===- MatrixProducts.cpp - Warps' matrix products on NVIDIA's GPUs -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/MatrixProducts.h"

#include "lower/core/builder/Constants.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using target::MmaAtom;
using target::MmaType;

// The names of LLVM's intrinsics say of f16 the types of D and C, of 8-bit floats those of D, A, B
// and C, and otherwise those of A and B, once if they are the same. Sums of integers stop at the
// ends of i32 instead of wrapping around, as in Triton, whose products of warps have .satfinite
// (PTX that Triton 3.6 writes for cuda:80 and cuda:90; its wgmma wraps around).
std::string nvidia::getMmaIntrinsic(const MmaAtom &atom) {
  std::string name = "llvm.nvvm.mma.m" + std::to_string(atom.m) + "n" + std::to_string(atom.n) +
                     "k" + std::to_string(atom.k) + ".row.col";
  if (atom.accumulator == MmaType::S32)
    name += ".satfinite";
  auto add = [&](MmaType type) {
    name += '.';
    name += target::typeName(type);
  };
  const bool isFloat8 = atom.a == MmaType::E4m3 || atom.a == MmaType::E5m2;
  if (atom.a == MmaType::F16 || isFloat8)
    add(atom.accumulator);
  if (atom.a != MmaType::F16)
    add(atom.a);
  if (isFloat8 || atom.b != atom.a)
    add(atom.b);
  if (atom.a == MmaType::F16 || isFloat8)
    add(atom.accumulator);
  return name;
}

namespace {

/// How many elements of the type a register of the instruction has, and what it is to LLVM.
struct RegisterType {
  unsigned elements;
  Type type;
};

RegisterType registerTypeOf(MmaType type, OpBuilder &builder) {
  switch (type) {
  case MmaType::F64:
    return {1, builder.getF64Type()};
  case MmaType::F32:
    return {1, builder.getF32Type()};
  case MmaType::F16:
    return {2, VectorType::get(2, builder.getF16Type())};
  default:
    return {32 / target::bitsOf(type), builder.getI32Type()};
  }
}

} // namespace

SmallVector<Value> nvidia::packMmaFragment(OpBuilder &builder, Location loc, MmaType type,
                                           ValueRange registers) {
  const RegisterType to = registerTypeOf(type, builder);
  SmallVector<Value> fragment;
  for (size_t first = 0; first < registers.size(); first += to.elements) {
    Value packed = registers[first];
    if (to.elements > 1) {
      auto vector = VectorType::get(to.elements, packed.getType());
      packed = LLVM::PoisonOp::create(builder, loc, vector);
      for (unsigned i = 0; i < to.elements; ++i)
        packed = LLVM::InsertElementOp::create(builder, loc, packed, registers[first + i],
                                               getI32(builder, loc, i));
    }
    if (packed.getType() != to.type)
      packed = LLVM::BitcastOp::create(builder, loc, to.type, packed);
    fragment.push_back(packed);
  }
  return fragment;
}

SmallVector<Value> nvidia::unpackMmaFragment(OpBuilder &builder, Location loc, ValueRange fragment,
                                             Type type) {
  SmallVector<Value> registers;
  for (Value packed : fragment) {
    auto vector = dyn_cast<VectorType>(packed.getType());
    if (!vector) {
      registers.push_back(packed);
      continue;
    }
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      registers.push_back(
          LLVM::ExtractElementOp::create(builder, loc, packed, getI32(builder, loc, i)));
  }
  assert(llvm::all_of(registers, [&](Value value) { return value.getType() == type; }) &&
         "an accumulator has the type of the result");
  return registers;
}

SmallVector<Value> nvidia::emitMma(OpBuilder &builder, Location loc, const MmaAtom &atom,
                                   ValueRange a, ValueRange b, ValueRange c) {
  SmallVector<Value> operands(a);
  llvm::append_range(operands, b);
  llvm::append_range(operands, c);
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), llvm::to_vector(c.getTypes()));
  Value result = LLVM::CallIntrinsicOp::create(
                     builder, loc, type, builder.getStringAttr(getMmaIntrinsic(atom)), operands)
                     .getResult(0);
  SmallVector<Value> fragment;
  for (size_t i = 0; i < c.size(); ++i)
    fragment.push_back(LLVM::ExtractValueOp::create(builder, loc, result, i));
  return fragment;
}
