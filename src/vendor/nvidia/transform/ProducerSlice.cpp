//===- ProducerSlice.cpp - What a producer computes by itself -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/ProducerSlice.h"

#include "ir/tt/LayoutOp.h"
#include "ir/ttg/Attributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

Attribute vendor::nvidia::withWarps(Attribute encoding, unsigned warps) {
  if (auto slice = dyn_cast<ttg::SliceEncodingAttr>(encoding)) {
    auto parent = cast_or_null<tt::LayoutEncoding>(withWarps(slice.getParent(), warps));
    return parent ? ttg::SliceEncodingAttr::get(slice.getDim(), parent) : Attribute();
  }
  auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(encoding);
  if (!blocked || !blocked.getLayout().cluster.empty())
    return {};
  layout::Blocked layout = blocked.getLayout();
  unsigned present = 1;
  for (unsigned count : layout.warpsPerCTA)
    present *= count;
  for (; present > warps; present /= 2) {
    auto slowest = llvm::find_if(llvm::reverse(layout.order),
                                 [&](unsigned dim) { return layout.warpsPerCTA[dim] > 1; });
    layout.warpsPerCTA[*slowest] /= 2;
  }
  return present == warps ? ttg::BlockedEncodingAttr::get(encoding.getContext(), layout)
                          : ttg::BlockedEncodingAttr();
}

/// `type` with the producer's layout; null if there is none. Numbers stay as they are.
static Type convertType(Type type, unsigned warps) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  Attribute encoding = tensor.getEncoding() ? withWarps(tensor.getEncoding(), warps) : Attribute();
  return encoding ? tensor.cloneWithEncoding(encoding) : RankedTensorType();
}

/// Whether `op` is right in other layouts: those of its operands and results, with fewer warps.
static bool followsLayouts(Operation *op) {
  const tt::LayoutRule rule = tt::getLayoutRule(op);
  return rule == tt::LayoutRule::AnyResult || rule == tt::LayoutRule::SameLayout ||
         isa<tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op);
}

bool ProducerSlice::canClone(Operation *op) const {
  if (!isPure(op) || op->getNumRegions() != 0)
    return false;
  bool hasTensors = false;
  for (Type type : op->getResultTypes()) {
    if (isa<ttg::MemDescType, tt::TensorDescType>(type) || !convertType(type, warps))
      return false;
    hasTensors |= isa<RankedTensorType>(type);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && hasTensors)
    return isa<SplatElementsAttr>(constant.getValue());
  return !hasTensors || followsLayouts(op);
}

bool ProducerSlice::addOuter(Value value) {
  if (!isa<RankedTensorType>(value.getType())) {
    outside.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !canClone(op))
    return false;
  if (outer.contains(op))
    return true;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return addOuter(operand); }))
    return false;
  outer.insert(op);
  return true;
}

bool ProducerSlice::add(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return addOuter(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument == loop.getInductionVar() || addCarried(argument);
  Operation *op = value.getDefiningOp();
  // A descriptor that the loop makes stays there, too: the launch has no memory for the maps of a
  // partition.
  if (op->getBlock() != loop.getBody() || !canClone(op))
    return false;
  if (!ops.insert(op))
    return true;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return add(operand); });
}

bool ProducerSlice::addCarried(BlockArgument argument) {
  if (!convertType(argument.getType(), warps) || isa<ttg::MemDescType>(argument.getType()))
    return false;
  if (!carried.insert(argument))
    return true;
  return add(loop.getTiedLoopInit(argument)->get()) &&
         add(loop.getTiedLoopYieldedValue(argument)->get());
}

Operation *ProducerSlice::clone(OpBuilder &builder, Operation *op, IRMapping &mapping) const {
  Operation *copy = builder.clone(*op, mapping);
  copy->removeAttr(ttg::stageAttrName);
  copy->removeAttr(ttg::clusterAttrName);
  for (Value result : copy->getResults())
    result.setType(convertType(result.getType(), warps));
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      constant.setValueAttr(splat.resizeSplat(cast<ShapedType>(constant.getType())));
  return copy;
}

void ProducerSlice::cloneOuter(OpBuilder &builder, IRMapping &mapping) const {
  for (Operation *op : outer)
    clone(builder, op, mapping);
}
