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

#include "ir/tw/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/tw/Attrs.h.inc"

#endif // TILEWRIGHT_IR_TW_DIALECT_H
