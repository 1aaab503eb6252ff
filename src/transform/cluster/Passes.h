//===- Passes.h - Passes over programs of clusters of blocks --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// createDistributeTiles() and registerClusterPasses(), which makes it known by its flag.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_CLUSTER_PASSES_H
#define TILEWRIGHT_TRANSFORM_CLUSTER_PASSES_H

#include "ir/tw/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "transform/cluster/Passes.h.inc"

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_CLUSTER_PASSES_H
