//===- Passes.h - Passes over tiles without layouts -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// createTritonCombine() and so on, one a pass of Passes.td, and
// registerTilePasses(), which makes them known by their flags.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_PASSES_H
#define TILEWRIGHT_TRANSFORM_TILE_PASSES_H

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "transform/tile/Passes.h.inc"

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_PASSES_H
