//===- Ops.h - The ops of the ttig dialect --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTIG_OPS_H
#define TILEWRIGHT_IR_TTIG_OPS_H

#include "ir/ttig/Dialect.h"

#define GET_OP_CLASSES
#include "ir/ttig/Ops.h.inc"

#endif // TILEWRIGHT_IR_TTIG_OPS_H
