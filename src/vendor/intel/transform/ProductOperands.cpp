//===- ProductOperands.cpp - Operands that are computed from loads ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/transform/ProductOperands.h"

#include "ir/tt/LayoutOp.h"
#include "ir/ttig/Dialect.h"
#include "transform/layout/LayoutTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::intel;

namespace {

/// The values that an operand is computed from, each in one layout.
class OperandSlice {
public:
  explicit OperandSlice(ttg::ConvertLayoutOp convert) : convert(convert) {}

  /// Whether the operand can be computed in its own layout, from loads that nothing else uses.
  bool find() {
    if (!want(convert.getSrc(), transform::getLayout(convert.getType())))
      return false;
    return !loads.empty() && !steps.empty() && llvm::all_of(layouts, [&](const auto &entry) {
      Operation *op = entry.first.getDefiningOp();
      return isRepeatable(op) || llvm::all_of(op->getUsers(), [&](Operation *user) {
               return user == convert ||
                      (user->getNumResults() == 1 && layouts.contains(user->getResult(0)));
             });
    });
  }

  ArrayRef<tt::LoadOp> getLoads() const { return loads; }
  RankedTensorType getLoadType(tt::LoadOp load) const {
    return transform::withLayout(load.getType(), layouts.lookup(load.getResult()));
  }

  void rewrite() {
    IRMapping mapping;
    for (tt::LoadOp load : loads) {
      OpBuilder builder(load->getContext());
      builder.setInsertionPointAfter(load);
      mapping.map(load.getResult(),
                  ttg::ConvertLayoutOp::create(builder, load.getLoc(), getLoadType(load), load)
                      .getResult());
    }
    OpBuilder builder(convert);
    // An op follows those that it takes values of.
    for (Operation *op : steps) {
      Value result = op->getResult(0);
      if (isa<ttg::ConvertLayoutOp>(op)) {
        mapping.map(result, mapping.lookup(op->getOperand(0)));
        continue;
      }
      Operation *copy = builder.clone(*op, mapping);
      transform::setTypeInPlace(copy->getResult(0),
                                transform::withLayout(result.getType(), layouts.lookup(result)));
    }
    Value operand = mapping.lookup(convert.getSrc());
    convert.replaceAllUsesWith(operand);
    convert->erase();
    for (Operation *op : llvm::reverse(steps))
      if (op->use_empty())
        op->erase();
  }

private:
  /// Whether another one in another layout costs nothing.
  static bool isRepeatable(Operation *op) {
    return tt::getLayoutRule(op) == tt::LayoutRule::AnyResult;
  }

  /// Adds what `value` is computed from in layout `layout`; false if that does not work.
  bool want(Value value, Attribute layout) {
    auto [entry, isNew] = layouts.try_emplace(value, layout);
    if (!isNew)
      return entry->second == layout;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumResults() != 1)
      return false;
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      loads.push_back(load);
      return load->getBlock() == convert->getBlock();
    }
    const tt::LayoutRule rule = tt::getLayoutRule(op);
    if (rule != tt::LayoutRule::AnyResult) {
      if (!isPure(op) || op->getNumRegions() || op->getBlock() != convert->getBlock())
        return false;
      Attribute ofOperands;
      if (rule == tt::LayoutRule::SameLayout || rule == tt::LayoutRule::Conversion)
        ofOperands = layout;
      else if (auto layoutOp = dyn_cast<tt::LayoutOp>(op);
               layoutOp && rule == tt::LayoutRule::Inferred)
        ofOperands = layoutOp.inferOperandLayout(layout);
      if (!ofOperands)
        return false;
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()) && !want(operand, ofOperands))
          return false;
    }
    steps.push_back(op);
    return true;
  }

  ttg::ConvertLayoutOp convert;
  llvm::MapVector<Value, Attribute> layouts;
  SmallVector<tt::LoadOp> loads;
  /// All others, each after its operands.
  SmallVector<Operation *> steps;
};

} // namespace

llvm::DenseSet<Type>
vendor::intel::computeAsOperands(ModuleOp module,
                                 llvm::function_ref<bool(tt::LoadOp, RankedTensorType)> isServed) {
  SmallVector<ttg::ConvertLayoutOp> conversions;
  module.walk([&](ttg::ConvertLayoutOp convert) {
    auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(convert.getType().getEncoding());
    if (operand && isa<ttig::DpasEncodingAttr>(operand.getParent()))
      conversions.push_back(convert);
  });
  llvm::DenseSet<Type> types;
  for (ttg::ConvertLayoutOp convert : conversions) {
    OperandSlice slice(convert);
    if (!slice.find() || !llvm::all_of(slice.getLoads(), [&](tt::LoadOp load) {
          return isServed(load, slice.getLoadType(load));
        }))
      continue;
    for (tt::LoadOp load : slice.getLoads())
      types.insert(slice.getLoadType(load));
    slice.rewrite();
  }
  return types;
}
