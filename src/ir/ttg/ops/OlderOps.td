//===- OlderOps.td - Ops under the names that they once had -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OLDEROPS
#define TILEWRIGHT_IR_TTG_OLDEROPS

include "ir/ttg/OpBase.td"

def TTG_LocalBarrierOp : TTG_Op<"local_barrier"> {
  let summary = "Triton 3.6's name of `ttg.barrier local`, which is what its text is read as";
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_IR_TTG_OLDEROPS
