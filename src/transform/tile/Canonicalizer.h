//===- Canonicalizer.h - MLIR's canonicalizer without the broken patterns -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_CANONICALIZER_H
#define TILEWRIGHT_TRANSFORM_TILE_CANONICALIZER_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tilewright::transform {

/// MLIR's canonicalizer without the pattern that moves an scf.if from the end of an scf.while's
/// condition into its body: in MLIR 22 the body then uses what the branch yields even where
/// that is a value of the condition's region, which the body does not see.
std::unique_ptr<mlir::Pass> createCanonicalizer();

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_CANONICALIZER_H
