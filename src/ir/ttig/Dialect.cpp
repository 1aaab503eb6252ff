//===- Dialect.cpp - The ttig dialect: what Intel's GPUs add -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttig/Ops.h"

#include "ir/EncodingVerification.h"
#include "ir/ttg/encoding/DotRules.h"
#include "ir/ttg/encoding/Inference.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttig;

#include "ir/ttig/Dialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttig/Attrs.cpp.inc"

namespace {

/// Names layouts in the text: #mma, #block2d, #warp.
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<DpasEncodingAttr>(attr))
      os << "mma";
    else if (isa<Subgroup2DBlockEncodingAttr>(attr))
      os << "block2d";
    else if (isa<WarpEncodingAttr>(attr))
      os << "warp";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};

/// Operands of DPAS.
struct DpasRules final : tt::EncodingRules {
  using EncodingRules::EncodingRules;

  LogicalResult verifyDot(tt::DotOp op) const override {
    if (failed(ttg::verifyDotParents(op)))
      return failure();
    auto result = cast<RankedTensorType>(op.getType());
    auto dpas = dyn_cast<DpasEncodingAttr>(result.getEncoding());
    Type element = cast<RankedTensorType>(op.getA().getType()).getElementType();
    const unsigned bits = tt::getElementBits(element);
    // A channel has words of 32 bits, each of as many elements as one step multiplies.
    if (!dpas || bits * dpas.getLayout().opsPerChan == 32)
      return success();
    return op.emitOpError() << "has opsPerChan = " << dpas.getLayout().opsPerChan
                            << ", but a word of 32 bits has " << 32 / bits << " elements of "
                            << element;
  }
};

} // namespace

void TritonIntelGPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ttig/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ttig/Ops.cpp.inc"
      >();
  addInterfaces<AliasInterface, DpasRules>();
}

OlderNameDialect::OlderNameDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<OlderNameDialect>()) {
  context->getOrLoadDialect<TritonIntelGPUDialect>();
}

Attribute OlderNameDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  const Dialect *dialect = getContext()->getLoadedDialect<TritonIntelGPUDialect>();
  return dialect->parseAttribute(parser, type);
}

MLIR_DEFINE_EXPLICIT_TYPE_ID(tilewright::ttig::OlderNameDialect)
