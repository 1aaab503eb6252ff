//===- Passes.h - Passes over matrix products -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// createTritonGPUOptimizeDotOperands() and so on, one a pass of Passes.td, and
// registerDotPasses(), which makes them known by their flags.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_PASSES_H
#define TILEWRIGHT_TRANSFORM_MATRIX_PASSES_H

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "transform/matrix/Passes.h.inc"

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_PASSES_H
