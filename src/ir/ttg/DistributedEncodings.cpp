//===- DistributedEncodings.cpp - blocked, slice, linear, generic_linear, dot_op -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/EncodingText.h"
#include "ir/KeyReader.h"
#include "ir/ttg/Inference.h"
#include "layout/encoding/Encodings.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyReader;
using ir::Presence;

//===--------------------------------------------------------------------------===//
// BlockedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.blocked");
  SmallVector<unsigned> sizes, threads, warps, order, cga;
  unsigned rank = 0;
  if (failed(reader.open()) || failed(reader.integers("sizePerThread", sizes)) ||
      failed(reader.integers("threadsPerWarp", threads)) ||
      failed(reader.integers("warpsPerCTA", warps)) || failed(reader.integers("order", order)) ||
      failed(reader.bases("CGALayout", cga, rank = order.size(), Presence::Optional)) ||
      failed(reader.close()))
    return {};
  return parser.getChecked<BlockedEncodingAttr>(parser.getContext(), ArrayRef(sizes),
                                                ArrayRef(threads), ArrayRef(warps), ArrayRef(order),
                                                ArrayRef(cga));
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  ir::printList(printer, "sizePerThread", getSizePerThread());
  printer << ", ";
  ir::printList(printer, "threadsPerWarp", getThreadsPerWarp());
  printer << ", ";
  ir::printList(printer, "warpsPerCTA", getWarpsPerCTA());
  printer << ", ";
  ir::printList(printer, "order", getOrder());
  ir::printCluster(printer, getCGALayout(), getRank());
  printer << "}>";
}

static layout::Blocked describeBlocked(ArrayRef<unsigned> sizes, ArrayRef<unsigned> threads,
                                       ArrayRef<unsigned> warps, ArrayRef<unsigned> order,
                                       ArrayRef<unsigned> cga) {
  return {sizes.vec(), threads.vec(), warps.vec(), order.vec(), ir::unflatten(cga, order.size())};
}

layout::Blocked BlockedEncodingAttr::describe() const {
  return describeBlocked(getSizePerThread(), getThreadsPerWarp(), getWarpsPerCTA(), getOrder(),
                         getCGALayout());
}

LogicalResult BlockedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<unsigned> sizes, ArrayRef<unsigned> threads,
                                          ArrayRef<unsigned> warps, ArrayRef<unsigned> order,
                                          ArrayRef<unsigned> cga) {
  if (order.empty())
    return emitError() << "#ttg.blocked needs at least one dimension";
  return ir::report(
      "#ttg.blocked",
      layout::verify(describeBlocked(sizes, threads, warps, order, cga), order.size()), emitError);
}

LogicalResult
BlockedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                    function_ref<InFlightDiagnostic()> emitError) const {
  return ir::verifyShape(*this, getRank(), shape, emitError);
}

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

layout::LinearLayout BlockedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}

std::string BlockedEncodingAttr::verifyOperand(unsigned opIdx, unsigned kWidth) const {
  return layout::verifyOperand(describe(), opIdx, kWidth);
}

layout::LinearLayout BlockedEncodingAttr::operandLayout(unsigned opIdx, unsigned kWidth,
                                                        ArrayRef<int64_t> shape) const {
  return layout::operandLayout(describe(), opIdx, kWidth, shape);
}

Attribute BlockedEncodingAttr::inferReduce(unsigned axis) const { return sliceOf(*this, axis); }

// A slice names its parent, so only a slice knows what it looks like with the dimension back.
Attribute BlockedEncodingAttr::inferExpandDims(unsigned) const { return {}; }

Attribute BlockedEncodingAttr::inferTrans(ArrayRef<int64_t>, ArrayRef<int32_t> order) const {
  auto permuted = [&](ArrayRef<unsigned> list) {
    return llvm::map_to_vector(order, [&](int32_t dim) { return list[dim]; });
  };
  SmallVector<unsigned> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  auto newOrder = llvm::map_to_vector(getOrder(), [&](unsigned dim) { return inverse[dim]; });
  return get(getContext(), permuted(getSizePerThread()), permuted(getThreadsPerWarp()),
             permuted(getWarpsPerCTA()), newOrder, permuteBases(getCGALayout(), order));
}

BlockedEncodingAttr BlockedEncodingAttr::getCovering(MLIRContext *context, ArrayRef<int64_t> shape,
                                                     ArrayRef<unsigned> sizePerThread,
                                                     ArrayRef<unsigned> order, unsigned numWarps,
                                                     unsigned lanes) {
  // Deal lanes, then warps to the dimensions in order, each as many as it has work for; what is
  // left over replicates along the slowest dimension.
  SmallVector<unsigned> threads(order.size(), 1), warps(order.size(), 1);
  unsigned lanesLeft = lanes, warpsLeft = numWarps;
  for (unsigned dim : order) {
    uint64_t wanted = std::max<int64_t>(1, shape[dim] / sizePerThread[dim]);
    threads[dim] = std::min<uint64_t>(lanesLeft, wanted);
    warps[dim] = std::min<uint64_t>(warpsLeft, wanted / threads[dim]);
    lanesLeft /= threads[dim];
    warpsLeft /= warps[dim];
  }
  threads[order.back()] *= lanesLeft;
  warps[order.back()] *= warpsLeft;
  return get(context, sizePerThread, threads, warps, order);
}

//===--------------------------------------------------------------------------===//
// SliceEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.slice");
  unsigned dim = 0;
  Attribute parent;
  if (failed(reader.open()) || failed(reader.integer("dim", dim)) ||
      failed(reader.attribute("parent", parent)))
    return {};
  auto layout = dyn_cast<tt::LayoutEncoding>(parent);
  if (!layout) {
    reader.error("parent") << " must be a layout of tensors, got " << parent;
    return {};
  }
  if (failed(reader.close()))
    return {};
  return parser.getChecked<SliceEncodingAttr>(dim, layout);
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << getParent() << "}>";
}

LogicalResult SliceEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned dim,
                                        tt::LayoutEncoding parent) {
  if (parent.getRank() < 2)
    return emitError() << "#ttg.slice needs a parent of rank 2 or more";
  if (dim >= parent.getRank())
    return emitError() << "'dim' of #ttg.slice is " << dim
                       << ", but its parent has dimensions 0 .. " << parent.getRank() - 1;
  return success();
}

LogicalResult
SliceEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                  function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(ir::verifyShape(*this, getRank(), shape, emitError)))
    return failure();
  return cast<VerifiableTensorEncoding>(Attribute(getParent()))
      .verifyEncoding(layout::sliceParentShape(shape, getDim()), elementType, emitError);
}

unsigned SliceEncodingAttr::getRank() const { return getParent().getRank() - 1; }

bool SliceEncodingAttr::isLinear(ArrayRef<int64_t> shape) const {
  return getParent().isLinear(layout::sliceParentShape(shape, getDim()));
}

layout::LinearLayout SliceEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::slice(getParent().toLinearLayout(layout::sliceParentShape(shape, getDim())),
                       getDim());
}

layout::LinearLayout SliceEncodingAttr::toLinearLayoutOf(ArrayRef<int64_t> shape,
                                                         unsigned elementBits) const {
  std::vector<int64_t> parentShape = layout::sliceParentShape(shape, getDim());
  return layout::slice(getParent().toLinearLayoutOf(parentShape, elementBits), getDim());
}

Attribute SliceEncodingAttr::inferReduce(unsigned axis) const { return sliceOf(*this, axis); }

Attribute SliceEncodingAttr::inferExpandDims(unsigned axis) const {
  return axis == getDim() ? Attribute(getParent()) : Attribute();
}

Attribute SliceEncodingAttr::inferTrans(ArrayRef<int64_t> shape, ArrayRef<int32_t> order) const {
  // The parent is permuted alike, its left-out dimension staying where it is.
  SmallVector<int32_t> parentOrder;
  for (int32_t dim : order)
    parentOrder.push_back(dim >= static_cast<int32_t>(getDim()) ? dim + 1 : dim);
  parentOrder.insert(parentOrder.begin() + getDim(), getDim());
  Attribute parent = getParent().inferTrans(layout::sliceParentShape(shape, getDim()), parentOrder);
  return parent ? sliceOf(parent, getDim()) : Attribute();
}

//===--------------------------------------------------------------------------===//
// LinearEncodingAttr and GenericLinearEncodingAttr
//===--------------------------------------------------------------------------===//

template <typename Encoding> static Attribute parseLinear(AsmParser &parser, StringRef encoding) {
  KeyReader reader(parser, encoding);
  unsigned rank = 0;
  SmallVector<unsigned> registers, lanes, warps, blocks;
  if (failed(reader.open()) || failed(reader.bases("register", registers, rank)) ||
      failed(reader.bases("lane", lanes, rank)) || failed(reader.bases("warp", warps, rank)) ||
      failed(reader.bases("block", blocks, rank)) || failed(reader.close()))
    return {};
  return parser.getChecked<Encoding>(parser.getContext(), rank, ArrayRef(registers),
                                     ArrayRef(lanes), ArrayRef(warps), ArrayRef(blocks));
}

template <typename Encoding> static void printLinear(AsmPrinter &printer, Encoding encoding) {
  unsigned rank = encoding.getRank();
  printer << "<{";
  ir::printBases(printer, "register", encoding.getRegisterBases(), rank);
  printer << ", ";
  ir::printBases(printer, "lane", encoding.getLaneBases(), rank);
  printer << ", ";
  ir::printBases(printer, "warp", encoding.getWarpBases(), rank);
  printer << ", ";
  ir::printBases(printer, "block", encoding.getBlockBases(), rank);
  printer << "}>";
}

static layout::Linear describeLinear(unsigned rank, ArrayRef<unsigned> registers,
                                     ArrayRef<unsigned> lanes, ArrayRef<unsigned> warps,
                                     ArrayRef<unsigned> blocks) {
  return {ir::unflatten(registers, rank), ir::unflatten(lanes, rank), ir::unflatten(warps, rank),
          ir::unflatten(blocks, rank)};
}

template <typename Encoding> static layout::Linear describeLinear(Encoding encoding) {
  return describeLinear(encoding.getRank(), encoding.getRegisterBases(), encoding.getLaneBases(),
                        encoding.getWarpBases(), encoding.getBlockBases());
}

/// The encoding with each list of bases put through `change`.
template <typename Encoding>
static Encoding withBases(Encoding encoding, unsigned rank,
                          function_ref<SmallVector<unsigned>(ArrayRef<unsigned>)> change) {
  return Encoding::get(encoding.getContext(), rank, change(encoding.getRegisterBases()),
                       change(encoding.getLaneBases()), change(encoding.getWarpBases()),
                       change(encoding.getBlockBases()));
}

template <typename Encoding> static Encoding expandLinear(Encoding encoding, unsigned axis) {
  unsigned rank = encoding.getRank();
  return withBases(encoding, rank + 1, [&](ArrayRef<unsigned> flat) {
    SmallVector<unsigned> result;
    for (size_t i = 0; i < flat.size(); i += rank) {
      result.append(flat.begin() + i, flat.begin() + i + axis);
      result.push_back(0);
      result.append(flat.begin() + i + axis, flat.begin() + i + rank);
    }
    return result;
  });
}

static LogicalResult verifyLinear(StringRef name, function_ref<InFlightDiagnostic()> emitError,
                                  unsigned rank, const layout::Linear &bases, bool generic) {
  if (rank == 0)
    return emitError() << name << " needs a basis: a layout without any is not supported";
  return ir::report(name, layout::verify(bases, rank, generic), emitError);
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  return parseLinear<LinearEncodingAttr>(parser, "#ttg.linear");
}

void LinearEncodingAttr::print(AsmPrinter &printer) const { printLinear(printer, *this); }

layout::Linear LinearEncodingAttr::describe() const { return describeLinear(*this); }

LogicalResult LinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         unsigned rank, ArrayRef<unsigned> registers,
                                         ArrayRef<unsigned> lanes, ArrayRef<unsigned> warps,
                                         ArrayRef<unsigned> blocks) {
  return verifyLinear("#ttg.linear", emitError, rank,
                      describeLinear(rank, registers, lanes, warps, blocks), /*generic=*/false);
}

LogicalResult
LinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                   function_ref<InFlightDiagnostic()> emitError) const {
  return ir::verifyShape(*this, getRank(), shape, emitError);
}

layout::LinearLayout LinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}

Attribute LinearEncodingAttr::inferReduce(unsigned axis) const { return sliceOf(*this, axis); }

Attribute LinearEncodingAttr::inferExpandDims(unsigned axis) const {
  return expandLinear(*this, axis);
}

Attribute LinearEncodingAttr::inferTrans(ArrayRef<int64_t>, ArrayRef<int32_t> order) const {
  return withBases(*this, getRank(),
                   [&](ArrayRef<unsigned> flat) { return permuteBases(flat, order); });
}

Attribute GenericLinearEncodingAttr::parse(AsmParser &parser, Type) {
  return parseLinear<GenericLinearEncodingAttr>(parser, "#ttg.generic_linear");
}

void GenericLinearEncodingAttr::print(AsmPrinter &printer) const { printLinear(printer, *this); }

layout::Linear GenericLinearEncodingAttr::describe() const { return describeLinear(*this); }

LogicalResult GenericLinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                unsigned rank, ArrayRef<unsigned> registers,
                                                ArrayRef<unsigned> lanes, ArrayRef<unsigned> warps,
                                                ArrayRef<unsigned> blocks) {
  return verifyLinear("#ttg.generic_linear", emitError, rank,
                      describeLinear(rank, registers, lanes, warps, blocks), /*generic=*/true);
}

LogicalResult
GenericLinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  return ir::verifyShape(*this, getRank(), shape, emitError);
}

layout::LinearLayout GenericLinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}

Attribute GenericLinearEncodingAttr::inferReduce(unsigned axis) const {
  return sliceOf(*this, axis);
}

Attribute GenericLinearEncodingAttr::inferExpandDims(unsigned axis) const {
  return expandLinear(*this, axis);
}

Attribute GenericLinearEncodingAttr::inferTrans(ArrayRef<int64_t>, ArrayRef<int32_t> order) const {
  return withBases(*this, getRank(),
                   [&](ArrayRef<unsigned> flat) { return permuteBases(flat, order); });
}

//===--------------------------------------------------------------------------===//
// DotOperandEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute DotOperandEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.dot_op");
  unsigned opIdx = 0, kWidth = 0;
  Attribute parent;
  if (failed(reader.open()) || failed(reader.integer("opIdx", opIdx)) ||
      failed(reader.attribute("parent", parent)))
    return {};
  auto product = dyn_cast<DotOperandParent>(parent);
  if (!product) {
    reader.error("parent") << " must be a layout of the result of a matrix product, got " << parent;
    return {};
  }
  if (failed(reader.integer("kWidth", kWidth, Presence::Optional)) || failed(reader.close()))
    return {};
  return parser.getChecked<DotOperandEncodingAttr>(parser.getContext(), opIdx, product, kWidth);
}

void DotOperandEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{opIdx = " << getOpIdx() << ", parent = " << getParent();
  if (getKWidth() != 0)
    printer << ", kWidth = " << getKWidth();
  printer << "}>";
}

LogicalResult DotOperandEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                             unsigned opIdx, DotOperandParent parent,
                                             unsigned kWidth) {
  if (opIdx > 1)
    return emitError() << "'opIdx' of #ttg.dot_op is 0 or 1, not " << opIdx;
  return ir::report("#ttg.dot_op", parent.verifyOperand(opIdx, kWidth), emitError);
}

unsigned DotOperandEncodingAttr::getRank() const {
  return cast<tt::LayoutEncoding>(Attribute(getParent())).getRank();
}

layout::LinearLayout DotOperandEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return getParent().operandLayout(getOpIdx(), getKWidth(), shape);
}
