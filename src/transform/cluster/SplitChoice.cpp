//===- SplitChoice.cpp - How a program's tiles are best divided ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/cluster/SplitChoice.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// What blocks are to keep of a product: as many rows as two instructions of a warpgroup have, and
/// no fewer columns, or in need rows, than one.
static constexpr int64_t wantedRows = 128, leastColumns = 64, leastRows = 64;

/// The split with so many bits along each dimension; the bits of the fastest dimension come first,
/// as in Triton.
static ClusterSplit fromCounts(ArrayRef<unsigned> counts, unsigned bits) {
  SmallVector<int32_t> dims;
  for (size_t d = counts.size(); d-- > 0;)
    dims.append(counts[d], static_cast<int32_t>(d));
  dims.resize(bits, ClusterSplit::Nothing);
  return ClusterSplit(dims);
}

ClusterSplit SplitChoice::ofShape(ArrayRef<int64_t> shape, int64_t last) const {
  SmallVector<unsigned> counts(shape.size(), 0);
  unsigned left = bits;
  auto take = [&](size_t d) {
    for (int64_t size = shape[d]; left > 0 && size > 1; size /= 2, --left)
      ++counts[d];
  };
  for (size_t d = 0; d < shape.size(); ++d)
    if (static_cast<int64_t>(d) != last)
      take(d);
  if (last >= 0)
    take(last);
  return fromCounts(counts, bits);
}

/// Whether rows of the product are wanted whole: they are reduced, or rows of another product.
static bool needsWholeRows(tt::DotOp dot) {
  const ArrayRef<int64_t> shape = dot.getType().getShape();
  llvm::DenseSet<Value> seen;
  SmallVector<Value> values = {dot.getD()};
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto reduce = dyn_cast<tt::ReduceOp>(user)) {
        if (reduce.getAxis() + 1 == shape.size())
          return true;
      } else if (auto other = dyn_cast<tt::DotOp>(user)) {
        if (use.getOperandNumber() == 0)
          return true;
      } else {
        for (Value result : user->getResults())
          if (auto type = dyn_cast<RankedTensorType>(result.getType());
              type && type.getShape() == shape)
            values.push_back(result);
      }
    }
  }
  return false;
}

ClusterSplit SplitChoice::ofProduct(tt::DotOp dot) const {
  if (std::optional<ClusterSplit> own = getLayoutSplit(dot.getType(), bits))
    return *own;
  SmallVector<int64_t> shape(dot.getType().getShape());
  const size_t m = shape.size() - 2, n = m + 1;
  const bool wholeRows = needsWholeRows(dot);
  SmallVector<unsigned> counts(shape.size(), 0);
  for (unsigned bit = 0; bit < bits; ++bit) {
    size_t dim = m;
    if (m > 0 && shape[0] > 1)
      dim = 0;
    else if (!wholeRows && shape[m] <= wantedRows &&
             (shape[n] >= 2 * leastColumns || (shape[m] < 2 * leastRows && shape[n] > 1)))
      dim = n;
    if (shape[dim] < 2)
      break;
    shape[dim] /= 2;
    ++counts[dim];
  }
  return fromCounts(counts, bits);
}

std::optional<ClusterSplit> SplitChoice::findProduct(Value tile, DenseSet<Value> &seen) const {
  if (std::optional<ClusterSplit> own = getLayoutSplit(tile.getType(), bits))
    return own;
  if (!seen.insert(tile).second)
    return std::nullopt;
  if (auto arg = dyn_cast<BlockArgument>(tile)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (!loop || arg.getArgNumber() == 0)
      return std::nullopt;
    return findProduct(loop.getYieldedValues()[arg.getArgNumber() - 1], seen);
  }
  Operation *op = tile.getDefiningOp();
  const unsigned index = cast<OpResult>(tile).getResultNumber();
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return ofProduct(dot);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return findProduct(loop.getYieldedValues()[index], seen);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      if (auto found = findProduct(yield.getOperand(index), seen))
        return found;
    return std::nullopt;
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    std::optional<ClusterSplit> src = findProduct(trans.getSrc(), seen);
    if (!src)
      return std::nullopt;
    SmallVector<int32_t> dims(trans.getOrder().size());
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      dims[from] = static_cast<int32_t>(to);
    return src->renamed(dims);
  }
  if (!op->hasTrait<OpTrait::Elementwise>())
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (isTile(operand.getType()))
      if (auto found = findProduct(operand, seen))
        return found;
  return std::nullopt;
}

ClusterSplit SplitChoice::ofValue(Value tile) const {
  DenseSet<Value> seen;
  if (std::optional<ClusterSplit> found = findProduct(tile, seen))
    return *found;
  return ofShape(getTileShape(tile.getType()));
}

ClusterSplit SplitChoice::ofReduced(tt::ReduceOp reduce) const {
  DenseSet<Value> seen;
  for (Value src : reduce.getSrcs())
    if (std::optional<ClusterSplit> found = findProduct(src, seen))
      return *found;
  return ofShape(getTileShape(reduce.getSrcs()[0].getType()), reduce.getAxis());
}
