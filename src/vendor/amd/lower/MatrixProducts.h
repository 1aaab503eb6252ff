//===- MatrixProducts.h - Waves' matrix products on AMD's GPUs ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// WMMA: a fragment is one vector, and a product one of LLVM's intrinsics. Their operands are of the
// same types, by the elements, with
//
//     f16, f32         vectors of these
//     bf16             vectors of i16
//     8 and 4 bits     i32 for one word, or a vector of words
//
// gfx11 has an accumulator of 16 bits in one half of each of its registers, which op_sel names: two
// accumulators share a vector, whose even elements are the first's and whose odd ones the second's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_MATRIXPRODUCTS_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_MATRIXPRODUCTS_H

#include "lower/core/TargetLowering.h"

#include <string>

namespace tilewright::lower::amd {

/// LLVM's intrinsic for `atom`, without "llvm.amdgcn." and the types of operands:
/// "wmma.f32.16x16x16.f16".
std::string getWmmaIntrinsic(const target::MmaAtom &atom);

/// Whether an accumulator of `atom` is one half of each of its registers.
bool hasHalfAccumulators(const target::MmaAtom &atom);

// MatrixUnits (lower/core/TargetLowering.h) for these.
mlir::Value packWmmaFragment(mlir::OpBuilder &builder, mlir::Location loc,
                             const target::MmaAtom &atom, ProductOperand operand,
                             mlir::ValueRange registers);
llvm::SmallVector<mlir::Value> unpackWmmaFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                                  const target::MmaAtom &atom, mlir::Value fragment,
                                                  mlir::Type type);
mlir::Value emitWmma(mlir::OpBuilder &builder, mlir::Location loc, const target::MmaAtom &atom,
                     mlir::Value a, mlir::Value b, mlir::Value c, unsigned part);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_MATRIXPRODUCTS_H
