//===- ReshapeLocality.cpp - Reshapes of any order, before reductions ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/locality/ReshapeLocality.h"

#include "ir/ttg/Dialect.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/function/FoldConversions.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// The axis along which all users of `reshape` reduce it; nothing if there are others.
static std::optional<unsigned> findReducedAxis(tt::ReshapeOp reshape) {
  std::optional<unsigned> axis;
  for (Operation *user : reshape->getUsers()) {
    auto reduce = dyn_cast<tt::ReduceOp>(user);
    if (!reduce || reduce->getNumOperands() != 1 || (axis && *axis != reduce.getAxis()))
      return std::nullopt;
    axis = reduce.getAxis();
  }
  return axis;
}

/// How many threads the elements along `axis` are in, as bits of lane and warp numbers.
static unsigned countThreadBits(RankedTensorType type, unsigned axis) {
  const layout::LinearLayout map = ttg::toLinearLayout(type);
  unsigned count = 0;
  for (layout::Dim dim : {layout::dims::Lane, layout::dims::Warp})
    for (unsigned bit = 0; bit < map.inBits(dim); ++bit)
      count += map.basis(dim, bit, layout::Dim::tensor(axis)) != 0;
  return count;
}

/// A thread's elements, then lanes, then warps along `axis`, and what is left of each along the
/// other dimensions. Null where several threads have the same element.
static ttg::BlockedEncodingAttr getLayoutAlong(RankedTensorType type, unsigned axis) {
  const layout::LinearLayout map = ttg::toLinearLayout(type);
  if (!map.isInvertible() || map.inSize(layout::dims::Block) > 1)
    return {};
  const auto rank = static_cast<unsigned>(type.getRank());
  SmallVector<unsigned> order = {axis};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != axis)
      order.push_back(dim);
  SmallVector<int64_t> left(type.getShape());
  auto spread = [&](layout::Dim over) {
    SmallVector<unsigned> counts(rank, 1);
    auto number = static_cast<int64_t>(map.inSize(over));
    for (unsigned dim : order) {
      const int64_t taken = std::min(number, left[dim]);
      counts[dim] = static_cast<unsigned>(taken);
      left[dim] /= taken;
      number /= taken;
    }
    return counts;
  };
  const auto sizes = spread(layout::dims::Register), lanes = spread(layout::dims::Lane),
             warps = spread(layout::dims::Warp);
  return ttg::BlockedEncodingAttr::get(type.getContext(), sizes, lanes, warps, order);
}

static void place(tt::ReshapeOp reshape) {
  auto type = cast<RankedTensorType>(reshape.getType());
  const std::optional<unsigned> axis = findReducedAxis(reshape);
  if (!axis || !tt::getLayoutEncoding(type))
    return;
  const ttg::BlockedEncodingAttr layout = getLayoutAlong(type, *axis);
  if (!layout)
    return;
  const RankedTensorType placed = withLayout(type, layout);
  if (countThreadBits(placed, *axis) >= countThreadBits(type, *axis) ||
      !canReorder(cast<RankedTensorType>(reshape.getSrc().getType()), placed))
    return;
  reshape.getResult().setType(placed);
  reshape.setEfficientLayout(true);
  for (Operation *user : llvm::make_early_inc_range(reshape->getUsers())) {
    auto reduce = cast<tt::ReduceOp>(user);
    OpBuilder builder(reduce);
    auto again = tt::ReduceOp::create(builder, reduce.getLoc(), ValueRange(reshape.getResult()),
                                      static_cast<int>(*axis));
    IRMapping mapping;
    reduce.getCombineOp().cloneInto(&again.getCombineOp(), mapping);
    Value result = again->getResult(0);
    if (const Type wanted = reduce->getResult(0).getType(); wanted != result.getType())
      result = ttg::ConvertLayoutOp::create(builder, reduce.getLoc(), wanted, result);
    reduce->getResult(0).replaceAllUsesWith(result);
    reduce.erase();
  }
}

void transform::placeReducedReshapes(tt::FuncOp function) {
  SmallVector<tt::ReshapeOp> reshapes;
  function.walk([&](tt::ReshapeOp reshape) {
    if (reshape.getAllowReorder() && !reshape.getEfficientLayout())
      reshapes.push_back(reshape);
  });
  llvm::for_each(reshapes, place);
}
