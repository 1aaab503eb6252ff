//===- Dialect.cpp - Layouts that are still to be inferred --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/gluon/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::gluon;

#include "ir/gluon/Dialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/gluon/Attrs.cpp.inc"
#define GET_OP_CLASSES
#include "ir/gluon/Ops.cpp.inc"

void GluonDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/gluon/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/gluon/Ops.cpp.inc"
      >();
}

LogicalResult SetAutoLayoutOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto dst = cast<RankedTensorType>(getType());
  if (!isa_and_nonnull<AutoEncodingAttr>(src.getEncoding()))
    return emitOpError() << "decides a layout that is #gluon.auto_encoding, not that of " << src;
  // It may also say by which rule the layout is chosen later.
  if (!tt::getLayoutEncoding(dst) && !isa_and_nonnull<CoalescedEncodingAttr>(dst.getEncoding()))
    return emitOpError() << "gives a tensor with a layout, not " << dst;
  return success();
}
