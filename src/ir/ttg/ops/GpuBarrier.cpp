//===- GpuBarrier.cpp - The barrier of MLIR's dialect gpu ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/ops/GpuBarrier.h"

#include "ir/ttg/Dialect.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

namespace tilewright::ttg {
/// There are none of it: see the file's head.
class GpuBarrierOp
    : public Op<GpuBarrierOp, OpTrait::ZeroOperands, OpTrait::ZeroResults, OpTrait::ZeroRegions> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "gpu.barrier"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  static ParseResult parse(OpAsmParser &parser, OperationState &state) {
    Builder &builder = parser.getBuilder();
    state.name = OperationName(BarrierOp::getOperationName(), builder.getContext());
    state.addAttribute("addressSpaces", builder.getI32IntegerAttr(All));
    return parser.parseOptionalAttrDict(state.attributes);
  }

  void print(OpAsmPrinter &) {}

  LogicalResult verify() {
    // The generic form of the text keeps the name.
    auto error = emitOpError("is another dialect's");
    error.attachNote() << "write ttg.barrier all";
    return error;
  }
};
} // namespace tilewright::ttg

MLIR_DECLARE_EXPLICIT_TYPE_ID(tilewright::ttg::GpuBarrierOp)
MLIR_DEFINE_EXPLICIT_TYPE_ID(tilewright::ttg::GpuBarrierOp)
MLIR_DEFINE_EXPLICIT_TYPE_ID(tilewright::ttg::GpuBarrierDialect)

GpuBarrierDialect::GpuBarrierDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<GpuBarrierDialect>()) {
  context->loadDialect<TritonGPUDialect>();
  addOperations<GpuBarrierOp>();
}
