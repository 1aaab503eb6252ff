//===- Ops.td - The op of the gluon dialect -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_GLUON_OPS
#define TILEWRIGHT_IR_GLUON_OPS

include "ir/gluon/Dialect.td"
include "ir/ttg/OpBase.td"

def Gluon_SetAutoLayoutOp : Op<Gluon_Dialect, "set_auto_layout", [
    Pure, TTG_TileSizes, TT_LayoutOp, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "The layout that was still to be chosen";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_IR_GLUON_OPS
