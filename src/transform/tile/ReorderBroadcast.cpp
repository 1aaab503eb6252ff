//===- ReorderBroadcast.cpp - Elementwise ops moved before broadcasts ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One walk in program order moves splats and broadcasts down past the ops that use
// them; an op sees its operands as they have become, so once is enough.
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONREORDERBROADCAST
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// What an operand of an elementwise op repeats.
struct Repeated {
  /// `scalar` or `constant` of every element; `tensor` by tt.broadcast; nothing at all.
  Value scalar;
  Attribute constant;
  Value tensor;

  bool isUniform() const { return scalar || constant; }
};

} // namespace

static Repeated getRepeated(Value operand) {
  if (!isa<RankedTensorType>(operand.getType()))
    return {.scalar = operand, .constant = {}, .tensor = {}};
  Operation *op = operand.getDefiningOp();
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(op))
    return {.scalar = splat.getSrc(), .constant = {}, .tensor = {}};
  if (auto broadcast = dyn_cast_or_null<tt::BroadcastOp>(op))
    return {.scalar = {}, .constant = {}, .tensor = broadcast.getSrc()};
  SplatElementsAttr value;
  if (op && matchPattern(operand, m_Constant(&value)))
    return {.scalar = {}, .constant = value.getSplatValue<Attribute>(), .tensor = {}};
  return {};
}

/// `op` on other operands, its results being of the types that `getType` makes of the old ones.
static Operation *rebuild(OpBuilder &builder, Operation *op, ValueRange operands,
                          function_ref<Type(Type)> getType) {
  Operation *copy = op->clone();
  copy->setOperands(operands);
  for (Value result : copy->getResults())
    result.setType(getType(result.getType()));
  return builder.insert(copy);
}

/// Removes `op`, all of whose uses are gone, and what only it needed.
static void eraseWithDeadOperands(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (size_t i = 0; i < operands.size(); ++i) {
    Operation *producer = operands[i].getDefiningOp();
    // The same value may occur twice; the first occurrence takes its producer away.
    if (!producer || !isOpTriviallyDead(producer))
      continue;
    for (size_t j = i + 1; j < operands.size();)
      if (operands[j].getDefiningOp() == producer)
        operands.erase(operands.begin() + j);
      else
        ++j;
    producer->erase();
  }
}

/// An op on scalars in place of `op`, whose operands are all uniform.
static void moveBeforeSplat(Operation *op, ArrayRef<Repeated> operands) {
  OpBuilder builder(op);
  SmallVector<Value> scalars;
  for (const Repeated &operand : operands)
    scalars.push_back(
        operand.scalar
            ? operand.scalar
            : arith::ConstantOp::create(builder, op->getLoc(), cast<TypedAttr>(operand.constant)));
  Operation *scalarOp =
      rebuild(builder, op, scalars, [](Type type) { return tt::getElementTypeOrSelf(type); });
  for (auto [before, after] : llvm::zip_equal(op->getResults(), scalarOp->getResults()))
    before.replaceAllUsesWith(
        tt::SplatOp::create(builder, op->getLoc(), before.getType(), after).getResult());
  eraseWithDeadOperands(op);
}

/// An op on smaller tensors in place of `op`, some of whose operands are broadcast, the others
/// uniform; nothing where no dimension is repeated in all of them.
static void moveBeforeBroadcast(Operation *op, ArrayRef<Repeated> operands) {
  auto wide = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(wide.getRank(), 1);
  for (const Repeated &operand : operands)
    if (operand.tensor)
      for (auto [size, operandSize] :
           llvm::zip_equal(shape, cast<RankedTensorType>(operand.tensor.getType()).getShape()))
        size = std::max(size, operandSize);
  if (ArrayRef(shape) == wide.getShape())
    return;

  OpBuilder builder(op);
  auto narrow = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return RankedTensorType::get(shape, tensor.getElementType(), tensor.getEncoding());
  };
  SmallVector<Value> narrowed;
  for (auto [value, operand] : llvm::zip_equal(op->getOperands(), operands)) {
    if (!isa<RankedTensorType>(value.getType())) {
      narrowed.push_back(value);
      continue;
    }
    RankedTensorType type = narrow(value.getType());
    if (operand.scalar)
      narrowed.push_back(tt::SplatOp::create(builder, op->getLoc(), type, operand.scalar));
    else if (operand.constant)
      narrowed.push_back(arith::ConstantOp::create(builder, op->getLoc(),
                                                   SplatElementsAttr::get(type, operand.constant)));
    else if (operand.tensor.getType() == type)
      narrowed.push_back(operand.tensor);
    else
      narrowed.push_back(tt::BroadcastOp::create(builder, op->getLoc(), type, operand.tensor));
  }
  Operation *narrowOp = rebuild(builder, op, narrowed, narrow);
  for (auto [before, after] : llvm::zip_equal(op->getResults(), narrowOp->getResults()))
    before.replaceAllUsesWith(
        tt::BroadcastOp::create(builder, op->getLoc(), before.getType(), after).getResult());
  eraseWithDeadOperands(op);
}

static void reorderElementwise(Operation *op) {
  auto operands = llvm::map_to_vector(op->getOperands(), getRepeated);
  if (llvm::any_of(operands, [](const Repeated &r) { return !r.isUniform() && !r.tensor; }))
    return;
  if (llvm::any_of(operands, [](const Repeated &r) { return bool(r.tensor); }))
    moveBeforeBroadcast(op, operands);
  else if (llvm::any_of(operands, [](const Repeated &r) { return bool(r.scalar); }))
    moveBeforeSplat(op, operands);
  // Constants alone are the folder's business.
}

/// A shape change of a splat is a splat, a broadcast of a broadcast is one.
static void reorderShapeChange(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  OpBuilder builder(op);
  if (auto splat = source.getDefiningOp<tt::SplatOp>())
    result.replaceAllUsesWith(
        tt::SplatOp::create(builder, op->getLoc(), result.getType(), splat.getSrc()));
  else if (auto inner = source.getDefiningOp<tt::BroadcastOp>(); inner && isa<tt::BroadcastOp>(op))
    result.replaceAllUsesWith(
        tt::BroadcastOp::create(builder, op->getLoc(), result.getType(), inner.getSrc()));
  else
    return;
  eraseWithDeadOperands(op);
}

namespace {

struct ReorderBroadcast : transform::impl::TritonReorderBroadcastBase<ReorderBroadcast> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp>(op))
        reorderShapeChange(op);
      else if (op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() != 0 &&
               op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
               llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
        reorderElementwise(op);
    });
  }
};

} // namespace
