//===- ReplaceIndex.cpp - Integers of 64 bits for those of type index ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Ops that take `index` take i64 as well, so types are changed in place; only casts between
// `index` and other integers become other ops, and constants get attributes of their new type.
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Passes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_REPLACEINDEX
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// `type` with i64 in place of index: a number or a tensor of numbers.
Type replaced(Type type) {
  Type element = tt::getElementTypeOrSelf(type);
  return element.isIndex() ? tt::withElementType(type, IntegerType::get(type.getContext(), 64))
                           : type;
}

void replaceType(Value value) { value.setType(replaced(value.getType())); }

/// The value of a constant in its new type.
TypedAttr replaced(TypedAttr value) {
  Type type = replaced(value.getType());
  if (type == value.getType())
    return value;
  if (auto number = dyn_cast<IntegerAttr>(value))
    return IntegerAttr::get(type, number.getInt());
  auto elements = cast<DenseIntElementsAttr>(value);
  return elements.mapValues(IntegerType::get(type.getContext(), 64),
                            [](const APInt &number) { return number.sextOrTrunc(64); });
}

/// A cast between integers of two widths, one of which was index.
void replaceCast(Operation *op, bool isSigned) {
  OpBuilder builder(op);
  Value value = op->getOperand(0);
  Type type = op->getResult(0).getType();
  const unsigned from = tt::getElementBits(value.getType()), to = tt::getElementBits(type);
  if (from > to)
    value = arith::TruncIOp::create(builder, op->getLoc(), type, value);
  else if (from < to && isSigned)
    value = arith::ExtSIOp::create(builder, op->getLoc(), type, value);
  else if (from < to)
    value = arith::ExtUIOp::create(builder, op->getLoc(), type, value);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

struct ReplaceIndex : transform::impl::ReplaceIndexBase<ReplaceIndex> {
  void runOnOperation() override {
    SmallVector<Operation *> casts;
    getOperation().walk([&](Operation *op) {
      llvm::for_each(op->getResults(), replaceType);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), replaceType);
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        constant.setValueAttr(replaced(constant.getValue()));
      else if (auto function = dyn_cast<tt::FuncOp>(op))
        replaceTypes(function);
      else if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
        casts.push_back(op);
    });
    for (Operation *op : casts)
      replaceCast(op, isa<arith::IndexCastOp>(op));
  }

private:
  static void replaceTypes(tt::FuncOp function) {
    auto all = [](TypeRange types) {
      return llvm::map_to_vector(types, [](Type type) { return replaced(type); });
    };
    function.setFunctionType(FunctionType::get(
        function.getContext(), all(function.getArgumentTypes()), all(function.getResultTypes())));
  }
};

} // namespace
