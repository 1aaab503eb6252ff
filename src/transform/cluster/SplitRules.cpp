//===- SplitRules.cpp - Which parts of operands give which of results ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/cluster/SplitRules.h"

#include "ir/ttg/query/Blocks.h"
#include "ir/ttng/Dialect.h"
#include "ir/tw/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

bool transform::isTile(Type type) { return isa<RankedTensorType, ttg::MemDescType>(type); }

bool transform::hasTiles(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTile) || llvm::any_of(op->getResultTypes(), isTile);
}

ArrayRef<int64_t> transform::getTileShape(Type type) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return memory.getShape();
  return cast<RankedTensorType>(type).getShape();
}

bool transform::canDivide(ArrayRef<int64_t> shape, const ClusterSplit &split) {
  SmallVector<int64_t> left(shape);
  for (int32_t dim : split.getDims()) {
    if (dim == ClusterSplit::Nothing)
      continue;
    if (dim >= static_cast<int32_t>(shape.size()) || left[dim] < 2)
      return false;
    left[dim] /= 2;
  }
  return true;
}

//===----------------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------------===//

std::optional<ClusterSplit> transform::getLayoutSplit(Type tile, unsigned bits) {
  layout::LinearLayout map;
  unsigned firstDim = 0;
  if (auto memory = dyn_cast<ttg::MemDescType>(tile)) {
    if (!memory.inSharedMemory() || !memory.getSharedEncoding().isLinear())
      return std::nullopt;
    map = memory.toLinearLayout();
    firstDim = memory.getRank() - memory.getLayoutRank();
  } else {
    auto tensor = cast<RankedTensorType>(tile);
    if (!tt::getLayoutEncoding(tensor))
      return std::nullopt;
    map = ttg::toLinearLayout(tensor);
    // Its other bases may move in what blocks divide, too.
    if (isa<ttg::GenericLinearEncodingAttr>(tensor.getEncoding()) &&
        map.inBits(layout::dims::Block))
      return std::nullopt;
  }
  SmallVector<int32_t> dims(bits, ClusterSplit::Nothing);
  if (map.inBits(layout::dims::Block) > bits)
    return std::nullopt;
  // From the last on: the last bit along a dimension is the dimension's highest.
  llvm::SmallDenseMap<unsigned, unsigned> taken;
  for (unsigned bit = map.inBits(layout::dims::Block); bit-- > 0;) {
    const uint64_t basis = map.bases(layout::dims::Block)[bit];
    for (auto [d, out] : llvm::enumerate(map.outs())) {
      const uint64_t along = (basis & map.outMask(out.dim)) >> map.outShift(out.dim);
      if (!along)
        continue;
      if (dims[bit] != ClusterSplit::Nothing || along << ++taken[d] != out.size())
        return std::nullopt;
      dims[bit] = static_cast<int32_t>(firstDim + d);
    }
  }
  return ClusterSplit(dims);
}

Type transform::getPartType(Type tile, const ClusterSplit &split) {
  if (auto memory = dyn_cast<ttg::MemDescType>(tile)) {
    // What is a part of a piece of memory divides both.
    const unsigned before = memory.getAllocShape().size() - memory.getRank();
    SmallVector<int64_t> alloc(memory.getAllocShape());
    for (int32_t dim : split.getDims())
      if (dim != ClusterSplit::Nothing)
        alloc[before + dim] /= 2;
    return ttg::MemDescType::get(split.shapePerBlock(memory.getShape()), memory.getElementType(),
                                 ttg::withoutBlocks(memory.getEncoding()), memory.getMemorySpace(),
                                 memory.getMutableMemory(), alloc);
  }
  auto tensor = cast<RankedTensorType>(tile);
  Attribute encoding = tensor.getEncoding();
  return RankedTensorType::get(split.shapePerBlock(tensor.getShape()), tensor.getElementType(),
                               encoding ? ttg::withoutBlocks(encoding) : encoding);
}

void transform::setPartTypes(Operation *op, const ClusterSplit &results) {
  for (Value result : op->getResults())
    if (isTile(result.getType()))
      result.setType(getPartType(result.getType(), results));
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    constant.setValueAttr(dense.resizeSplat(cast<ShapedType>(constant.getType())));
  } else if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    range.setEnd(range.getStart() + range.getType().getDimSize(0));
  }
}

//===----------------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------------===//

using Splits = SmallVector<ClusterSplit>;

/// The split of the operand of a reshape: the bits of the elements' numbers, in row-major order,
/// that blocks divide have to be the highest of dimensions there, too.
static std::optional<ClusterSplit> throughReshape(const ClusterSplit &result,
                                                  ArrayRef<int64_t> resultShape,
                                                  ArrayRef<int64_t> operandShape) {
  auto firstBits = [](ArrayRef<int64_t> shape) {
    SmallVector<unsigned> first(shape.size() + 1, 0);
    for (size_t d = shape.size(); d-- > 0;)
      first[d] = first[d + 1] + llvm::Log2_64(shape[d]);
    return first;
  };
  const SmallVector<unsigned> ends = firstBits(resultShape), operandEnds = firstBits(operandShape);
  SmallVector<int32_t> dims(result.numBits(), ClusterSplit::Nothing);
  SmallVector<unsigned> free(ends), operandFree(operandEnds);
  for (unsigned bit = result.numBits(); bit-- > 0;) {
    if (result[bit] == ClusterSplit::Nothing)
      continue;
    const unsigned number = --free[result[bit]];
    std::optional<size_t> dim;
    for (size_t d = 0; d < operandShape.size(); ++d)
      if (operandFree[d] == number + 1 && operandFree[d] > operandEnds[d + 1])
        dim = d;
    if (!dim)
      return std::nullopt;
    --operandFree[*dim];
    dims[bit] = static_cast<int32_t>(*dim);
  }
  return ClusterSplit(dims);
}

/// The split of each operand of a product: along M and batches with A, along N and batches with B.
static Splits operandsOfProduct(const ClusterSplit &result, unsigned rank) {
  const int32_t m = static_cast<int32_t>(rank) - 2, n = m + 1;
  auto ofA = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(rank))), ofB = ofA;
  ofA[n] = ClusterSplit::Nothing;
  ofB[m] = ClusterSplit::Nothing;
  return {result.renamed(ofA), result.renamed(ofB), result};
}

/// Ops that work on each element by itself.
static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::MapElementwiseOp,
             tt::AssertOp, tt::PrintOp, ttg::ConvertLayoutOp>(op);
}

/// Ops of TTGIR whose tiles all have the parts that their layouts say.
static bool hasOwnSplits(Operation *op) {
  return isa<ttg::LocalAllocOp, ttg::LocalLoadOp, ttg::LocalStoreOp, ttg::LocalDeallocOp,
             ttg::MemDescIndexOp, ttg::MemDescTransOp, ttg::AsyncCopyGlobalToLocalOp,
             ttng::WarpGroupDotOp, ttng::WarpGroupDotWaitOp>(op);
}

bool transform::canDistribute(Operation *op) {
  return isElementwise(op) || hasOwnSplits(op) ||
         isa<tt::MakeRangeOp, tt::SplatOp, arith::ConstantOp, tt::UnsplatOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::CatOp,
             tt::GatherOp, tt::HistogramOp, tt::ReduceOp, tt::ScanOp, tt::DotOp>(op);
}

std::optional<Splits> transform::getOperandSplits(Operation *op, const ClusterSplit &result) {
  auto all = [&](const ClusterSplit &split) { return Splits(op->getNumOperands(), split); };
  if (hasOwnSplits(op)) {
    Splits splits;
    for (Type type : op->getOperandTypes()) {
      std::optional<ClusterSplit> own(ClusterSplit::replicated(result.numBits()));
      if (isTile(type))
        own = getLayoutSplit(type, result.numBits());
      if (!own)
        return std::nullopt;
      splits.push_back(*own);
    }
    return splits;
  }
  if (isElementwise(op) || isa<tt::MakeRangeOp, tt::SplatOp, arith::ConstantOp, tt::ReduceOp>(op))
    return all(result);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return all(result.withoutDim(static_cast<int32_t>(expand.getAxis())));
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    SmallVector<int32_t> dims;
    for (auto [d, size] : llvm::enumerate(broadcast.getSrc().getType().getShape()))
      dims.push_back(size == 1 ? ClusterSplit::Nothing : static_cast<int32_t>(d));
    return all(result.renamed(dims));
  }
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return all(result.renamed(SmallVector<int32_t>(trans.getOrder())));
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op)) {
    std::optional<ClusterSplit> split =
        throughReshape(result, reshape.getType().getShape(), reshape.getSrc().getType().getShape());
    return split ? std::optional(all(*split)) : std::nullopt;
  }
  // The two halves of a join, and of what is split, are one block's.
  if (auto join = dyn_cast<tt::JoinOp>(op)) {
    const auto last = static_cast<int32_t>(join.getType().getRank()) - 1;
    return result.divides(last) ? std::nullopt : std::optional(all(result.withoutDim(last)));
  }
  if (isa<tt::SplitOp>(op))
    return all(result);
  if (isa<tt::CatOp>(op))
    return result.divides(0) ? std::nullopt : std::optional(all(result));
  if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    auto dims = llvm::to_vector(llvm::seq<int32_t>(0, gather.getType().getRank()));
    dims[gather.getAxis()] = ClusterSplit::Nothing;
    return Splits{result.renamed(dims), result};
  }
  if (auto scan = dyn_cast<tt::ScanOp>(op))
    return result.divides(static_cast<int32_t>(scan.getAxis())) ? std::nullopt
                                                                : std::optional(all(result));
  if (isa<tt::HistogramOp, tt::UnsplatOp>(op)) {
    const ClusterSplit whole = ClusterSplit::replicated(result.numBits());
    return result == whole ? std::optional(all(whole)) : std::nullopt;
  }
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return operandsOfProduct(result, dot.getType().getRank());
  return std::nullopt;
}
