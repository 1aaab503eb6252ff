//===- Dialect.h - The tw dialect: cooperative matrices -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_DIALECT_H
#define TILEWRIGHT_IR_TW_DIALECT_H

#include "ir/ttg/Dialect.h"
#include "layout/encoding/CooperativeMatrix.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"

#include "ir/tw/Dialect.h.inc"
#include "ir/tw/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/tw/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tw/Types.h.inc"
#define GET_OP_CLASSES
#include "ir/tw/Ops.h.inc"

#endif // TILEWRIGHT_IR_TW_DIALECT_H
