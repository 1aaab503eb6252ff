//===- InstructionDescriptor.h - What tcgen05.mma is told of a product -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// 32 bits and a kind say the types and sizes of a product by tcgen05.mma (PTX ISA, "Instruction
// descriptor").
//
//     bits    of .kind::f16, tf32, f8f6f4 and i8
//     4-5     type of D: 0 f16, 1 f32, 2 s32
//     7-9     type of A, by kind; 10-12: type of B
//     15      A is contiguous along M; 16: B is contiguous along N
//     17-22   N / 8; 24-28: M / 16
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_INSTRUCTIONDESCRIPTOR_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_INSTRUCTIONDESCRIPTOR_H

#include "target/Atom.h"

#include <optional>
#include <span>

namespace tilewright::vendor::nvidia {

/// The kinds, as LLVM numbers them.
enum class ProductKind : uint8_t { F16, Tf32, F8f6f4, I8 };

ProductKind kindOf(const target::MmaAtom &atom);

/// The descriptor of a product by `atom`.
uint32_t encodeInstruction(const target::MmaAtom &atom, bool aAlongRows, bool bAlongRows);

/// The product that a kind and a descriptor name.
struct DescribedProduct {
  const target::MmaAtom *atom;
  bool aAlongRows, bAlongRows;
};

/// The atom of `products`, with A in shared or in tensor memory, that a kind and a descriptor name;
/// nothing if there is none, or a bit is set that none has.
std::optional<DescribedProduct> decodeInstruction(std::span<const target::MmaAtom> products,
                                                  ProductKind kind, uint32_t descriptor,
                                                  target::Space aSpace);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_INSTRUCTIONDESCRIPTOR_H
