//===- Passes.h - Passes over NVIDIA's ops --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// createNvidiaAsyncDots() and so on, one a pass of Passes.td, and registerNvidiaPasses(), which
// makes them known by their flags.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES_H

#include "ir/ttng/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "tilewright/CompileOptions.h"

namespace tilewright::vendor::nvidia {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "vendor/nvidia/transform/Passes.h.inc"

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES_H
