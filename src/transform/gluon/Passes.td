//===- Passes.td - Passes over kernels of Gluon -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_GLUON_PASSES
#define TILEWRIGHT_TRANSFORM_GLUON_PASSES

include "mlir/Pass/PassBase.td"

def GluonInferCoalescedEncodings : Pass<"gluon-infer-coalesced-encodings", "::mlir::ModuleOp"> {
  let summary = "Each access of memory in #gluon.coalesced_encoding gets the layout that it wants";
  let description = [{
    The layout of a load or store is that of tritongpu-coalesce. Values that are tied to it have
    the layouts that follow. An access whose tensors have a layout already keeps it.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def GluonResolveAutoEncodings : Pass<"gluon-resolve-auto-encodings", "::mlir::ModuleOp"> {
  let summary = "Tensors in #gluon.auto_encoding get the layouts that follow from their uses";
  let description = [{
    `gluon.set_auto_layout` decides a layout; what its operand is computed from, and what is
    computed from that, follows. The op is gone then. A tensor that several layouts are decided for,
    or none, is an error.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

#endif // TILEWRIGHT_TRANSFORM_GLUON_PASSES
