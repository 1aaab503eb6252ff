//===- Passes.td - Passes over NVIDIA's ops -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES

include "mlir/Pass/PassBase.td"

def NvidiaAsyncDots : Pass<"tilewright-nvidia-async-dots", "::mlir::ModuleOp"> {
  let summary = "Products of warp groups in loops run on while the next iteration begins";
  let description = [{
    Each `ttng.warp_group_dot` in a loop becomes asynchronous. One that only the same product of
    the next iteration adds to, and whose operands stay in memory so long, is waited for one
    iteration later; any other right behind it. What becomes readable at a wait passes through it.
    After the loop all are waited for.
  }];
  let dependentDialects = ["::tilewright::ttng::TritonNvidiaGPUDialect"];
}

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES
