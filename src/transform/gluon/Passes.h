//===- Passes.h - Passes over kernels of Gluon ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One create function for each pass, and registerGluonPasses(), which makes them known by their
// flags.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_GLUON_PASSES_H
#define TILEWRIGHT_TRANSFORM_GLUON_PASSES_H

#include "ir/gluon/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::transform {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "transform/gluon/Passes.h.inc"

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_GLUON_PASSES_H
