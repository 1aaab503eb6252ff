//===- Ops.td - The ops of the ttng dialect -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_OPS
#define TILEWRIGHT_IR_TTNG_OPS

include "ir/ttng/BarrierOps.td"
include "ir/ttng/DotOps.td"
include "ir/ttng/TensorCopyOps.td"
include "ir/ttng/TensorMemoryOps.td"

#endif // TILEWRIGHT_IR_TTNG_OPS
