//===- Attributes.cpp - The attributes of ttg ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/EncodingVerification.h"
#include "ir/ttg/encoding/Inference.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#include "ir/ttg/Interfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttg/Attrs.cpp.inc"

void TritonGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ttg/Attrs.cpp.inc"
      >();
}
