//===- MemoryOps.cpp - Verifiers and canonicalization of shared-memory ops ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/EncodingRules.h"
#include "ir/ttg/Footprint.h"
#include "ir/ttg/Verification.h"
#include "ir/ttg/encoding/Syntax.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

LogicalResult ttg::verifySameTensor(Operation *op, Type registers, MemDescType memory) {
  auto tensor = cast<RankedTensorType>(registers);
  if (tensor.getShape() != memory.getShape() || tensor.getElementType() != memory.getElementType())
    return op->emitOpError() << "needs one shape and one type of elements, but has " << tensor
                             << " and " << memory;
  return success();
}

LogicalResult ttg::verifyMutable(Operation *op, MemDescType memory) {
  if (!memory.getMutableMemory())
    return op->emitOpError() << "writes memory that is not mutable: " << memory;
  return success();
}

/// A tensor in registers and one in shared memory that `op` copies between.
static LogicalResult verifyCopy(Operation *op, Type registers, MemDescType memory) {
  if (!memory.inSharedMemory())
    return op->emitOpError() << "is about shared memory, not " << memory;
  return verifySameTensor(op, registers, memory);
}

//===--------------------------------------------------------------------------===//
// LocalAllocOp
//===--------------------------------------------------------------------------===//

LogicalResult LocalAllocOp::verify() {
  MemDescType type = getType();
  if (!type.inSharedMemory())
    return emitOpError() << "gives shared memory, not " << type;
  if (type.getAllocShape() != type.getShape())
    return emitOpError() << "gives a whole piece of memory, not a part of one: " << type;
  if (!getSrc() && !type.getMutableMemory())
    return emitOpError("of memory that is not mutable needs the tensor that it holds");
  if (std::optional<uint32_t> alignment = getAlignment();
      alignment && !llvm::isPowerOf2_32(*alignment))
    return emitOpError() << "has `alignment` = " << *alignment << ", which must be a power of two";
  return getSrc() ? verifyCopy(*this, getSrc().getType(), type) : success();
}

void LocalAllocOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // Memory that holds one tensor throughout its life is a value, as long as it has no offset.
  if (!getType().getMutableMemory() && !(*this)->hasAttr(allocationOffsetAttrName))
    return;
  auto result = cast<OpResult>(getResult());
  effects.emplace_back(MemoryEffects::Allocate::get(), result, SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), result, SharedMemory::get());
}

namespace {

/// A tensor need not be converted before it is put into shared memory: any layout can be stored.
template <typename Op> struct StoreOfConvert : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto convert =
        op.getSrc() ? op.getSrc().template getDefiningOp<ConvertLayoutOp>() : ConvertLayoutOp();
    if (!convert)
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { op->replaceUsesOfWith(convert.getResult(), convert.getSrc()); });
    return success();
  }
};

/// A load from memory that only ever held one tensor is that tensor.
struct LoadOfConstantMemory : OpRewritePattern<LocalLoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LocalLoadOp op, PatternRewriter &rewriter) const override {
    auto alloc = op.getSrc().getDefiningOp<LocalAllocOp>();
    if (!alloc || !alloc.getSrc() || alloc.getType().getMutableMemory() || op.getToken())
      return failure();
    Value src = alloc.getSrc();
    if (src.getType() == op.getType()) {
      rewriter.replaceOp(op, src);
      return success();
    }
    if (!tt::getLayoutEncoding(src.getType()) || !tt::getLayoutEncoding(op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), src);
    return success();
  }
};

} // namespace

void LocalAllocOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<StoreOfConvert<LocalAllocOp>>(context);
}

//===--------------------------------------------------------------------------===//
// Loads and stores
//===--------------------------------------------------------------------------===//

LogicalResult LocalLoadOp::verify() { return verifyCopy(*this, getType(), getSrc().getType()); }

void LocalLoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(), SharedMemory::get());
}

void LocalLoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<LoadOfConstantMemory>(context);
}

LogicalResult LocalStoreOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  return verifyCopy(*this, getSrc().getType(), getDst().getType());
}

void LocalStoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<StoreOfConvert<LocalStoreOp>>(context);
}

/// The rules that gathers, scatters and atomic scatters share: `values` of the indices' shape and
/// layout, and of the memory's rank and elements; in dimensions other than `axis` they reach no
/// further than it.
static LogicalResult verifyIndexed(Operation *op, MemDescType memory, Type indexType,
                                   Type valueType, int64_t axis) {
  auto indices = cast<RankedTensorType>(indexType), values = cast<RankedTensorType>(valueType);
  if (!memory.inSharedMemory())
    return op->emitOpError() << "is about shared memory, not " << memory;
  if (values.getElementType() != memory.getElementType())
    return op->emitOpError() << "needs elements of one type, but has " << values << " and "
                             << memory;
  if (indices.getShape() != values.getShape() || indices.getEncoding() != values.getEncoding())
    return op->emitOpError() << "needs an index for each element, in the same layout, but has "
                             << indices << " for " << values;
  if (indices.getRank() != memory.getRank())
    return op->emitOpError() << "needs indices of the memory's rank, " << memory.getRank()
                             << ", got " << indices;
  if (axis < 0 || axis >= memory.getRank())
    return op->emitOpError() << "has axis " << axis << ", but the memory has dimensions 0 .. "
                             << memory.getRank() - 1;
  for (auto [dim, picked, whole] : llvm::enumerate(indices.getShape(), memory.getShape()))
    if (int64_t(dim) != axis && picked > whole)
      return op->emitOpError() << "reaches " << picked << " elements along dimension " << dim
                               << ", of which the memory has " << whole;
  return success();
}

LogicalResult LocalGatherOp::verify() {
  return verifyIndexed(*this, getSrc().getType(), getIndices().getType(), getType(),
                       getAxisAttr().getInt());
}

LogicalResult LocalScatterOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  return verifyIndexed(*this, getDst().getType(), getIndices().getType(), getValues().getType(),
                       getAxisAttr().getInt());
}

LogicalResult LocalAtomicScatterRMWOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  if (getResult() && getResult().getType() != getValues().getType())
    return emitOpError() << "gives what was in memory, of type " << getValues().getType()
                         << ", not " << getResult().getType();
  return verifyIndexed(*this, getDst().getType(), getIndices().getType(), getValues().getType(),
                       getAxisAttr().getInt());
}

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

/// A view stays in the operand's memory, as mutable as it is, and has its elements.
static LogicalResult verifyView(Operation *op, MemDescType src, MemDescType dst) {
  if (src.getMemorySpace() != dst.getMemorySpace())
    return op->emitOpError() << "stays in one memory, but has " << src << " and " << dst;
  if (src.getMutableMemory() != dst.getMutableMemory())
    return op->emitOpError() << "needs both mutable or neither, but has " << src << " and " << dst;
  if (src.getElementType() != dst.getElementType())
    return op->emitOpError() << "keeps the type of the elements, but has " << src << " and " << dst;
  return success();
}

/// Views that move elements' coordinates are about maps.
static LogicalResult verifyLinear(Operation *op, MemDescType type) {
  if (!type.getSharedEncoding().isLinear())
    return op->emitOpError() << "cannot take " << type << ", which no map describes";
  return success();
}

LogicalResult MemDescIndexOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  if (src.getRank() < 2 || dst.getShape() != src.getShape().drop_front())
    return emitOpError() << "takes one element of the first dimension: its result has the shape "
                            "of the operand without that, but has "
                         << src << " and " << dst;
  if (src.getBufferShape().empty())
    return emitOpError() << "picks a buffer, but the encoding of " << src
                         << " lays out its first dimension too";
  if (dst.getEncoding() != src.getEncoding())
    return emitOpError() << "keeps the encoding, but has " << src << " and " << dst;
  if (dst.getLayoutShape() != src.getLayoutShape())
    return emitOpError() << "keeps the shape of the buffers' memory, but has " << src << " and "
                         << dst;
  return success();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  if (dst.getRank() != src.getRank() || getOffsets().size() != src.getRank())
    return emitOpError() << "needs an offset for each dimension, and keeps their number, but has "
                         << getOffsets().size() << " offsets for " << src << " and " << dst;
  if (dst.getEncoding() != src.getEncoding())
    return emitOpError() << "keeps the encoding, but has " << src << " and " << dst;
  if (dst.getAllocShape() != src.getAllocShape())
    return emitOpError() << "keeps the alloc shape, which is that of the operand: "
                         << src.withShape(dst.getShape());
  size_t buffers = src.getBufferShape().size();
  for (auto [dim, offset, size, whole] :
       llvm::enumerate(getOffsets(), dst.getShape(), src.getShape())) {
    if (offset < 0 || offset + size > whole)
      return emitOpError() << "takes [" << offset << ", " << offset + size << ") of dimension "
                           << dim << ", which has " << whole << " elements";
    // Then coordinates are joined by OR, as the map of the encoding wants.
    if (dim >= buffers && offset % size != 0)
      return emitOpError() << "has offset " << offset << " along dimension " << dim
                           << ", which must be a multiple of the size there, " << size;
  }
  return success();
}

OpFoldResult MemDescSubsliceOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  auto inner = getSrc().getDefiningOp<MemDescSubsliceOp>();
  if (!inner)
    return {};
  SmallVector<int32_t> offsets(getOffsets());
  for (auto [offset, before] : llvm::zip_equal(offsets, inner.getOffsets()))
    offset += before;
  setOffsets(offsets);
  getSrcMutable().assign(inner.getSrc());
  return getResult();
}

ParseResult ttg::parseOffsets(OpAsmParser &parser, DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList([&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

void ttg::printOffsets(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr offsets) {
  llvm::interleaveComma(offsets.asArrayRef(), printer);
}

/// `order` in the terms of the encoding, which does not know the dimension of buffers, if there is
/// one; nothing where that does not stay the first.
static std::optional<SmallVector<int32_t>> layoutOrder(MemDescType type, ArrayRef<int32_t> order) {
  int32_t buffers = type.getRank() - type.getLayoutRank();
  SmallVector<int32_t> result;
  for (auto [dim, from] : llvm::enumerate(order)) {
    if (int32_t(dim) < buffers) {
      if (from != int32_t(dim))
        return std::nullopt;
      continue;
    }
    if (from < buffers)
      return std::nullopt;
    result.push_back(from - buffers);
  }
  return result;
}

template <typename Value>
static SmallVector<Value> permuted(ArrayRef<Value> values, ArrayRef<int32_t> order) {
  return llvm::map_to_vector(order, [&](int32_t dim) { return values[dim]; });
}

/// The alloc shape of a view of `type` whose dimensions are permuted; those of the alloc shape
/// that are not the type's stay.
static SmallVector<int64_t> permutedAllocShape(MemDescType type, ArrayRef<int32_t> order) {
  SmallVector<int64_t> shape(type.getAllocShape().drop_back(type.getRank()));
  llvm::append_range(shape, permuted(type.getAllocShape().take_back(type.getRank()), order));
  return shape;
}

void MemDescTransOp::build(OpBuilder &builder, OperationState &state, Value src,
                           ArrayRef<int32_t> order) {
  auto type = cast<MemDescType>(src.getType());
  Attribute encoding = type.getSharedEncoding().inferTrans(*layoutOrder(type, order));
  build(builder, state,
        MemDescType::get(permuted(type.getShape(), order), type.getElementType(), encoding,
                         type.getMemorySpace(), type.getMutableMemory(),
                         permutedAllocShape(type, order)),
        src, order);
}

/// The map of `type`, whose dimension i is renamed to the place that `order` gives it and put
/// there.
static layout::LinearLayout permutedLayout(MemDescType type, ArrayRef<int32_t> order) {
  auto dims = llvm::map_to_vector(order, [](int32_t dim) { return layout::Dim::tensor(dim); });
  layout::LinearLayout moved = type.toLinearLayout().transposeOuts(dims);
  SmallVector<layout::SizedDim> outs;
  for (auto [i, dim] : llvm::enumerate(moved.outs()))
    outs.push_back({layout::Dim::tensor(i), dim.bits});
  return moved.reshapeOuts(outs);
}

/// Whether the holes of two encodings are at the same offsets of memory of `count` elements: as
/// they come after powers of two, those alone are looked at.
static bool sameHoles(SharedLayoutEncoding a, SharedLayoutEncoding b, uint64_t count) {
  if (!a.hasPadding() && !b.hasPadding())
    return true;
  for (uint64_t offset = 1; offset < count; offset *= 2)
    if (a.paddedOffset(offset) != b.paddedOffset(offset))
      return false;
  return true;
}

LogicalResult MemDescTransOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int32_t>(0, src.getRank())))
    return emitOpError() << "has `order` = " << getOrder() << ", which is no permutation of 0 .. "
                         << src.getRank() - 1;
  if (dst.getShape() != ArrayRef(permuted(src.getShape(), getOrder())) ||
      dst.getAllocShape() != ArrayRef(permutedAllocShape(src, getOrder())))
    return emitOpError() << "of " << src
                         << " has its shape and alloc shape permuted by `order`, "
                            "not those of "
                         << dst;
  if (!src.inSharedMemory())
    return success();
  std::optional<SmallVector<int32_t>> order = layoutOrder(src, getOrder());
  if (!order || dst.getLayoutRank() != src.getLayoutRank())
    return emitOpError() << "leaves the number of buffers, which the encoding does not know, in "
                            "front, but has "
                         << src << " and " << dst;
  if (dst.getEncoding() == src.getSharedEncoding().inferTrans(*order))
    return success();
  if (failed(verifyLinear(*this, src)) || failed(verifyLinear(*this, dst)))
    return failure();
  layout::LinearLayout map = dst.toLinearLayout();
  if (!map.sameMapAs(permutedLayout(src, *order)) ||
      !sameHoles(src.getSharedEncoding(), dst.getSharedEncoding(),
                 map.inSize(layout::dims::Offset)))
    return emitOpError() << "moves no data: the result's encoding must be the operand's, permuted";
  return success();
}

OpFoldResult MemDescTransOp::fold(FoldAdaptor) {
  if (llvm::equal(getOrder(), llvm::seq<int32_t>(0, getOrder().size())) &&
      getSrc().getType() == getType())
    return getSrc();
  auto inner = getSrc().getDefiningOp<MemDescTransOp>();
  if (!inner)
    return {};
  setOrder(permuted(inner.getOrder(), getOrder()));
  getSrcMutable().assign(inner.getSrc());
  return getResult();
}

/// The map of `type` to the number of an element, counted row by row.
static layout::LinearLayout rowMajorLayout(MemDescType type) {
  // A reshape counts the first dimension fastest.
  layout::LinearLayout map = type.toLinearLayout();
  SmallVector<layout::Dim> dims;
  for (const layout::SizedDim &dim : llvm::reverse(map.outs()))
    dims.push_back(dim.dim);
  return map.transposeOuts(dims).flattenOuts(layout::Dim::tensor(0));
}

LogicalResult MemDescReshapeOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  if (src.getNumElements() != dst.getNumElements())
    return emitOpError() << "keeps the number of elements, but " << src << " has "
                         << src.getNumElements() << " and " << dst << " has "
                         << dst.getNumElements();
  if (src.getAllocShape().take_back(src.getRank()) != src.getShape() ||
      dst.getAllocShape().take_back(dst.getRank()) != dst.getShape())
    return emitOpError() << "takes whole memory, not a part of it, but has " << src << " and "
                         << dst;
  if (!src.inSharedMemory())
    return success();
  if (src.getBufferShape() != dst.getBufferShape())
    return emitOpError() << "keeps the number of buffers, but has " << src << " and " << dst;
  if (failed(verifyLinear(*this, src)) || failed(verifyLinear(*this, dst)))
    return failure();
  layout::LinearLayout from = rowMajorLayout(src);
  if (!from.sameMapAs(rowMajorLayout(dst)) ||
      !sameHoles(src.getSharedEncoding(), dst.getSharedEncoding(),
                 from.inSize(layout::dims::Offset)))
    return emitOpError() << "moves no data: the encodings must put the elements, counted row by "
                            "row, at the same places, but has "
                         << src << " and " << dst;
  return success();
}

OpFoldResult MemDescReshapeOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  auto inner = getSrc().getDefiningOp<MemDescReshapeOp>();
  if (!inner)
    return {};
  getSrcMutable().assign(inner.getSrc());
  return getResult();
}

/// `dst`, whole memory, takes no byte that is not `view`'s, or where this is one of several
/// buffers, theirs.
static LogicalResult verifyFootprint(Operation *op, Value view, MemDescType dst) {
  auto src = cast<MemDescType>(view.getType());
  Result<llvm::BitVector> owned = getFootprint(src);
  if (!owned)
    return op->emitOpError() << "cannot take " << src << " for " << dst << ": " << owned.error();
  llvm::BitVector taken = *getFootprint(dst);
  if (std::optional<EnclosingBuffers> all = findEnclosingBuffers(view);
      all && taken.size() > owned->size()) {
    if (const uint64_t begin = all->getKnownBegin(); begin + taken.size() > all->bytes)
      return op->emitOpError() << "takes " << taken.size() << " bytes from byte " << begin
                               << " on, but the buffers " << all->memory << " have " << all->bytes;
    return success();
  }
  if (taken.size() > owned->size())
    return op->emitOpError() << "takes " << taken.size() << " bytes, but " << src << " has "
                             << owned->size();
  if (taken.test(*owned)) // a byte of the first that is not in the second
    return op->emitOpError() << "takes bytes between the elements of " << src
                             << ", which are another view's";
  return success();
}

LogicalResult MemDescReinterpretOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (src.getMemorySpace() != dst.getMemorySpace())
    return emitOpError() << "stays in one memory, but has " << src << " and " << dst;
  if (src.getMutableMemory() != dst.getMutableMemory())
    return emitOpError() << "needs both mutable or neither, but has " << src << " and " << dst;
  if (!src.inSharedMemory()) {
    const auto *rules = tt::EncodingRules::of(src.getMemorySpace());
    return rules ? rules->verifyReinterpret(*this, src, dst) : success();
  }
  if (failed(verifyLinear(*this, src)) || failed(verifyLinear(*this, dst)))
    return failure();
  if (dst.getAllocShape() != dst.getShape())
    return emitOpError() << "gives whole memory, not a part of it: " << dst;
  return verifyFootprint(*this, getSrc(), dst);
}

OpFoldResult MemDescReinterpretOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  auto inner = getSrc().getDefiningOp<MemDescReinterpretOp>();
  if (!inner)
    return {};
  getSrcMutable().assign(inner.getSrc());
  return getResult();
}
