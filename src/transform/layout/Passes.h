//===- Passes.h - The passes that choose layouts --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each pass is described in Passes.td and made by createNAME(), or createNAME(options).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PASSES_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_PASSES_H

#include "ir/ttg/Dialect.h"
#include "mlir/Pass/Pass.h"
#include "target/Target.h"
#include "tilewright/CompileOptions.h"

#include <memory>

namespace tilewright::transform {

#define GEN_PASS_DECL
#include "transform/layout/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transform/layout/Passes.h.inc"

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PASSES_H
