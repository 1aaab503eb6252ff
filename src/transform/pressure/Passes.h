//===- Passes.h - Values that registers do not hold ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// createSplitAccumulators() and so on, one a pass of Passes.td, and registerPressurePasses(), which
// makes them known by their flags.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PRESSURE_PASSES_H
#define TILEWRIGHT_TRANSFORM_PRESSURE_PASSES_H

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"
#include "target/Target.h"
#include "tilewright/CompileOptions.h"

namespace tilewright::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "transform/pressure/Passes.h.inc"

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PRESSURE_PASSES_H
