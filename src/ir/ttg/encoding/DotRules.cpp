//===- DotRules.cpp - Operands that go with a product's layout ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/DotRules.h"

#include "ir/ttg/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

static RankedTensorType tensorOf(Value value) { return cast<RankedTensorType>(value.getType()); }

LogicalResult ttg::verifyDotParents(tt::DotOp op) {
  Attribute result = tensorOf(op.getResult()).getEncoding();
  for (auto [name, value] : {std::pair<StringRef, Value>{"a", op.getA()}, {"b", op.getB()}}) {
    auto operand = dyn_cast_or_null<DotOperandEncodingAttr>(tensorOf(value).getEncoding());
    if (operand && operand.getParent() != result)
      return op.emitOpError() << "needs " << name << " in #ttg.dot_op of its result's layout, "
                              << result << ", but it has that of " << operand.getParent();
  }
  return success();
}

LogicalResult DotRules::verifyDot(tt::DotOp op) const {
  Attribute result = tensorOf(op.getResult()).getEncoding();
  if (!isa<NvidiaMmaEncodingAttr, AmdMfmaEncodingAttr, AmdWmmaEncodingAttr>(result))
    return success();
  if (failed(verifyDotParents(op)))
    return failure();
  if (!isa<NvidiaMmaEncodingAttr>(result))
    return success();
  auto a = dyn_cast<DotOperandEncodingAttr>(tensorOf(op.getA()).getEncoding());
  auto b = dyn_cast<DotOperandEncodingAttr>(tensorOf(op.getB()).getEncoding());
  if (a && b && a.getKWidth() != b.getKWidth())
    return op.emitOpError() << "needs one kWidth for a and b: with " << a.getKWidth() << " and "
                            << b.getKWidth()
                            << " a thread would multiply elements of different places along K";
  return success();
}
