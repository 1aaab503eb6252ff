//===- MfmaProducts.h - Products by CDNA's matrix instructions ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// MFMA as LLVM's intrinsics llvm.amdgcn.mfma.*, which take a vector for each operand: of A and B
// the bytes as they lie in the registers, in whatever type the intrinsic has for them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_MFMAPRODUCTS_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_MFMAPRODUCTS_H

#include "lower/core/TargetLowering.h"

#include <string>

namespace tilewright::lower::amd {

/// Whether `atom` is one of MFMA.
bool isMfma(const target::MmaAtom &atom);

/// The intrinsic of `atom`, after "llvm.amdgcn.", without the types by which it is overloaded:
/// "mfma.f32.16x16x16f16".
std::string getMfmaIntrinsic(const target::MmaAtom &atom);

/// Whether it is "f8f6f4", which takes the types of A and B as operands.
bool namesTypesByOperands(const target::MmaAtom &atom);

// MatrixUnits::packFragment, unpackFragment and emitProduct.
mlir::Value packMfmaFragment(mlir::OpBuilder &builder, mlir::Location loc,
                             const target::MmaAtom &atom, ProductOperand operand,
                             mlir::ValueRange registers);
llvm::SmallVector<mlir::Value> unpackMfmaFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                                  mlir::Value fragment);
mlir::Value emitMfma(mlir::OpBuilder &builder, mlir::Location loc, const target::MmaAtom &atom,
                     mlir::Value a, mlir::Value b, mlir::Value c);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_MFMAPRODUCTS_H
