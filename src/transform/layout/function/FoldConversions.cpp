//===- FoldConversions.cpp - Conversions that their neighbours make superfluous ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/function/FoldConversions.h"

#include "ir/ttg/query/Conversion.h"
#include "ir/ttng/Dialect.h"
#include "transform/layout/LayoutTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===--------------------------------------------------------------------------===//
// Waits
//===--------------------------------------------------------------------------===//

/// Whether `op` waits, and its results are its operands.
static bool isPassingWait(Operation *op) {
  auto user = dyn_cast<ttg::SharedMemoryUser>(op);
  return user && user.getAsyncRole().waits && op->getNumOperands() == op->getNumResults() &&
         llvm::equal(op->getOperandTypes(), op->getResultTypes());
}

void transform::moveConversionsBehindWaits(tt::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isPassingWait(op))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (auto [operand, result] : llvm::zip_equal(op->getOpOperands(), op->getResults())) {
      auto convert = operand.get().getDefiningOp<ttg::ConvertLayoutOp>();
      if (!convert)
        continue;
      Type type = result.getType();
      operand.set(convert.getSrc());
      result.setType(convert.getSrc().getType());
      auto after = ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(after, after);
      if (convert->use_empty())
        convert.erase();
    }
  });
}

//===--------------------------------------------------------------------------===//
// Gathers, reshapes, histograms, tensor memory
//===--------------------------------------------------------------------------===//

static bool goesThroughMemory(ttg::ConvertLayoutOp convert) {
  const Result<plan::ConversionPlan> &plan =
      ttg::planConversion(convert, ttg::getPlanCache(convert));
  return plan && plan->kind == plan::ConversionPlan::Kind::SharedMemory;
}

bool transform::canReorder(RankedTensorType a, RankedTensorType b) {
  const layout::LinearLayout x = ttg::toLinearLayout(a), y = ttg::toLinearLayout(b);
  return x.isInvertible() && y.isInvertible() &&
         x.inSize(layout::dims::Register) == y.inSize(layout::dims::Register);
}

/// Whether a store into tensor memory takes the elements of each thread as they are: a lane has a
/// row, and a warp the 32 rows that it reaches, by its number modulo four. Other shapes of the
/// instruction have further layouts; those are not asked for.
static bool goesToTensorMemory(ttg::ConvertLayoutOp convert, Value memory) {
  auto tiles = dyn_cast<ttng::TensorMemoryEncodingAttr>(
      cast<ttg::MemDescType>(memory.getType()).getEncoding());
  // In blocks of 64 rows the halves of a warp's lanes have rows that do not follow each other.
  if (!tiles || tiles.getBlockM() != 128)
    return false;
  const layout::LinearLayout map = ttg::toLinearLayout(typeOf(convert.getSrc()));
  const layout::Dim row = layout::Dim::tensor(0), column = layout::Dim::tensor(1);
  auto haveRows = [&](layout::Dim in, unsigned bits, unsigned first) {
    for (unsigned bit = 0; bit < bits; ++bit)
      if (map.basis(in, bit, row) != uint64_t(1) << (first + bit) || map.basis(in, bit, column))
        return false;
    return true;
  };
  constexpr unsigned laneBits = 5, warpBits = 2;
  return map.bases(layout::dims::Lane).size() == laneBits &&
         map.bases(layout::dims::Warp).size() >= warpBits &&
         haveRows(layout::dims::Lane, laneBits, 0) &&
         haveRows(layout::dims::Warp, warpBits, laneBits) && map.isInvertible();
}

/// Whether `use`, of the result of `convert`, may be of its operand.
static bool isFree(ttg::ConvertLayoutOp convert, OpOperand &use) {
  if (auto store = dyn_cast<ttng::TMEMStoreOp>(use.getOwner()))
    return goesToTensorMemory(convert, store.getDst());
  if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(use.getOwner()))
    return goesToTensorMemory(convert, alloc.getResult());
  if (auto gather = dyn_cast<tt::GatherOp>(use.getOwner()))
    return use.getOperandNumber() == 0 && !gather.getEfficientLayout() &&
           goesThroughMemory(convert);
  auto reshape = dyn_cast<tt::ReshapeOp>(use.getOwner());
  return reshape && reshape.getAllowReorder() &&
         transform::canReorder(typeOf(convert.getSrc()), reshape.getType());
}

/// A reshape that gives what is wanted of it.
static bool foldIntoReshape(ttg::ConvertLayoutOp convert) {
  auto reshape = convert.getSrc().getDefiningOp<tt::ReshapeOp>();
  if (!reshape || !reshape.getAllowReorder() || reshape.getEfficientLayout() ||
      !reshape->hasOneUse() || !transform::canReorder(typeOf(reshape.getSrc()), convert.getType()))
    return false;
  reshape.getResult().setType(convert.getType());
  convert.replaceAllUsesWith(reshape.getResult());
  convert.erase();
  return true;
}

/// A histogram, whose counts every thread reads from shared memory, in the layout that is wanted.
static bool foldIntoHistogram(ttg::ConvertLayoutOp convert) {
  auto histogram = convert.getSrc().getDefiningOp<tt::HistogramOp>();
  if (!histogram || !histogram->hasOneUse())
    return false;
  histogram.getResult().setType(convert.getType());
  convert.replaceAllUsesWith(histogram.getResult());
  convert.erase();
  return true;
}

//===--------------------------------------------------------------------------===//
// Loads from shared memory
//===--------------------------------------------------------------------------===//

static bool foldIntoLocalLoad(ttg::ConvertLayoutOp convert) {
  SmallVector<std::pair<Value, Attribute>> changes;
  Attribute layout = convert.getType().getEncoding();
  Value value = convert.getSrc();
  for (;; value = value.getDefiningOp()->getOperand(0)) {
    if (!layout || !value.hasOneUse())
      return false;
    changes.push_back({value, layout});
    auto trans = value.getDefiningOp<tt::TransOp>();
    if (!trans)
      break;
    layout = trans.inferOperandLayout(layout);
  }
  if (!value.getDefiningOp<ttg::LocalLoadOp>() || !goesThroughMemory(convert))
    return false;
  for (auto [changed, to] : changes)
    changed.setType(transform::withLayout(changed.getType(), to));
  convert.replaceAllUsesWith(convert.getSrc());
  convert.erase();
  return true;
}

void transform::foldConversions(tt::FuncOp function) {
  SmallVector<ttg::ConvertLayoutOp> conversions;
  function.walk([&](ttg::ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (ttg::ConvertLayoutOp convert : conversions) {
    for (OpOperand &use : llvm::make_early_inc_range(convert->getUses()))
      if (isFree(convert, use))
        use.set(convert.getSrc());
    if (convert->use_empty())
      convert.erase();
    else if (!foldIntoReshape(convert) && !foldIntoHistogram(convert))
      foldIntoLocalLoad(convert);
  }
}
