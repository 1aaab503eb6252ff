//===- InstructionDescriptor.cpp - What tcgen05.mma is told of a product ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/InstructionDescriptor.h"

using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using target::MmaAtom;
using target::MmaType;

namespace {

constexpr unsigned resultShift = 4, aTypeShift = 7, bTypeShift = 10, aAlongRowsShift = 15,
                   bAlongRowsShift = 16, columnsShift = 17, rowsShift = 24;
constexpr unsigned columnsUnit = 8, rowsUnit = 16;

/// The number of a type of A or B in its kind.
uint32_t operandNumber(MmaType type) {
  switch (type) {
  case MmaType::Bf16:
  case MmaType::E5m2:
  case MmaType::S8:
    return 1;
  case MmaType::Tf32:
    return 2;
  default:
    return 0;
  }
}

uint32_t resultNumber(MmaType type) {
  return type == MmaType::F16 ? 0 : type == MmaType::S32 ? 2 : 1;
}

} // namespace

ProductKind vendor::nvidia::kindOf(const MmaAtom &atom) {
  switch (atom.a) {
  case MmaType::Tf32:
    return ProductKind::Tf32;
  case MmaType::E4m3:
  case MmaType::E5m2:
    return ProductKind::F8f6f4;
  case MmaType::S8:
  case MmaType::U8:
    return ProductKind::I8;
  default:
    return ProductKind::F16;
  }
}

uint32_t vendor::nvidia::encodeInstruction(const MmaAtom &atom, bool aAlongRows, bool bAlongRows) {
  return resultNumber(atom.accumulator) << resultShift | operandNumber(atom.a) << aTypeShift |
         operandNumber(atom.b) << bTypeShift | uint32_t(aAlongRows) << aAlongRowsShift |
         uint32_t(bAlongRows) << bAlongRowsShift | atom.n / columnsUnit << columnsShift |
         atom.m / rowsUnit << rowsShift;
}

std::optional<DescribedProduct> vendor::nvidia::decodeInstruction(std::span<const MmaAtom> products,
                                                                  ProductKind kind,
                                                                  uint32_t descriptor,
                                                                  target::Space aSpace) {
  const bool aAlongRows = descriptor >> aAlongRowsShift & 1,
             bAlongRows = descriptor >> bAlongRowsShift & 1;
  for (const MmaAtom &atom : products)
    if (atom.issuer == target::Issuer::Block && atom.aOperand.space == aSpace &&
        kindOf(atom) == kind && encodeInstruction(atom, aAlongRows, bAlongRows) == descriptor)
      return DescribedProduct{&atom, aAlongRows, bAlongRows};
  return std::nullopt;
}
