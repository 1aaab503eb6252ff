//===- OlderOps.cpp - Ops under the names that they once had ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/ops/OlderOps.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#define GET_OP_CLASSES
#include "ir/ttg/OlderOps.cpp.inc"

ParseResult LocalBarrierOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  state.name = OperationName(BarrierOp::getOperationName(), builder.getContext());
  state.addAttribute("addressSpaces", builder.getI32IntegerAttr(Local));
  return parser.parseOptionalAttrDict(state.attributes);
}

void LocalBarrierOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult LocalBarrierOp::verify() {
  // The generic form of the text keeps the name.
  auto error = emitOpError("is an older name");
  error.attachNote() << "write ttg.barrier local";
  return error;
}
