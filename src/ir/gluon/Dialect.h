//===- Dialect.h - Layouts that are still to be inferred ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_GLUON_DIALECT_H
#define TILEWRIGHT_IR_GLUON_DIALECT_H

#include "ir/ttg/Dialect.h"

#include "ir/gluon/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/gluon/Attrs.h.inc"
#define GET_OP_CLASSES
#include "ir/gluon/Ops.h.inc"

#endif // TILEWRIGHT_IR_GLUON_DIALECT_H
