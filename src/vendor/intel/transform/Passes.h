//===- Passes.h - Passes for Intel's GPUs ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// createIntelPrefetchBlocks() and so on, one a pass of Passes.td, and registerIntelPasses(), which
// makes them known by their flags.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PASSES_H
#define TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PASSES_H

#include "ir/ttig/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "tilewright/CompileOptions.h"

namespace tilewright::vendor::intel {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "vendor/intel/transform/Passes.h.inc"

} // namespace tilewright::vendor::intel

#endif // TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PASSES_H
