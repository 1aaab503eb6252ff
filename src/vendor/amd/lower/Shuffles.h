//===- Shuffles.h - Lane permutations on AMD ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_SHUFFLES_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_SHUFFLES_H

#include "target/AmdLaneShuffle.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower::amd {

using target::amd::LaneShuffle;

/// Moves `word` (i32) as planned; null if the plan needs the lanes' numbers in a register.
mlir::Value emitLaneShuffle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                            const LaneShuffle &plan);

/// `word` (i32) of lane `lane` (i32).
mlir::Value emitIndexedShuffle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                               mlir::Value lane);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_SHUFFLES_H
