//===- OlderOps.h - Ops under the names that they once had ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// There are no such ops: their text is read as the op that has taken their place.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OPS_OLDEROPS_H
#define TILEWRIGHT_IR_TTG_OPS_OLDEROPS_H

#include "ir/ttg/Dialect.h"

#define GET_OP_CLASSES
#include "ir/ttg/OlderOps.h.inc"

#endif // TILEWRIGHT_IR_TTG_OPS_OLDEROPS_H
