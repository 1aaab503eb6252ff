//===- MatrixProducts.h - Warps' matrix products on NVIDIA's GPUs ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// mma.sync: fragments as the registers that PTX names, and the intrinsics of LLVM. These are called
// by name, since the dialect's op does not know 8-bit floats.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_MATRIXPRODUCTS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_MATRIXPRODUCTS_H

#include "lower/core/TargetLowering.h"

#include <string>

namespace tilewright::lower::nvidia {

/// LLVM's intrinsic for `atom`, a product of a warp: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32".
std::string getMmaIntrinsic(const target::MmaAtom &atom);

// MatrixUnits (lower/core/TargetLowering.h) for these.
llvm::SmallVector<mlir::Value> packMmaFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                               target::MmaType type, mlir::ValueRange registers);
llvm::SmallVector<mlir::Value> unpackMmaFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                                 mlir::ValueRange fragment, mlir::Type type);
llvm::SmallVector<mlir::Value> emitMma(mlir::OpBuilder &builder, mlir::Location loc,
                                       const target::MmaAtom &atom, mlir::ValueRange a,
                                       mlir::ValueRange b, mlir::ValueRange c);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_MATRIXPRODUCTS_H
