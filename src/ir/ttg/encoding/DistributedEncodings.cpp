//===- DistributedEncodings.cpp - blocked, slice, linear, generic_linear, dot_op -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/EncodingVerification.h"
#include "ir/KeyPrinter.h"
#include "ir/KeyReader.h"
#include "ir/ttg/encoding/Inference.h"
#include "layout/encoding/Encodings.h"

#include <array>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyPrinter;
using ir::KeyReader;
using ir::Presence;

//===--------------------------------------------------------------------------===//
// BlockedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.blocked");
  layout::Blocked blocked;
  unsigned rank = 0;
  if (failed(reader.open()) || failed(reader.integers("sizePerThread", blocked.sizePerThread)) ||
      failed(reader.integers("threadsPerWarp", blocked.threadsPerWarp)) ||
      failed(reader.integers("warpsPerCTA", blocked.warpsPerCTA)) ||
      failed(reader.integers("order", blocked.order)) ||
      failed(
          reader.bases("CGALayout", blocked.cluster, rank = blocked.rank(), Presence::Optional)) ||
      failed(reader.close()))
    return {};
  return parser.getChecked<BlockedEncodingAttr>(parser.getContext(), blocked);
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  const layout::Blocked &blocked = getLayout();
  printer << "<{";
  KeyPrinter(printer)
      .integers("sizePerThread", blocked.sizePerThread)
      .integers("threadsPerWarp", blocked.threadsPerWarp)
      .integers("warpsPerCTA", blocked.warpsPerCTA)
      .integers("order", blocked.order)
      .basesIfAny("CGALayout", blocked.cluster);
  printer << "}>";
}

LogicalResult BlockedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          layout::Blocked blocked) {
  if (blocked.rank() == 0)
    return emitError() << "#ttg.blocked needs at least one dimension";
  return ir::report("#ttg.blocked", layout::verify(blocked, blocked.rank()), emitError);
}

unsigned BlockedEncodingAttr::getRank() const { return getLayout().rank(); }

// A slice names its parent, so only a slice knows what it looks like with the dimension back.
Attribute BlockedEncodingAttr::inferExpandDims(unsigned) const { return {}; }

Attribute BlockedEncodingAttr::inferTrans(ArrayRef<int64_t>, ArrayRef<int32_t> order) const {
  layout::Blocked blocked = getLayout();
  for (std::vector<unsigned> *list :
       {&blocked.sizePerThread, &blocked.threadsPerWarp, &blocked.warpsPerCTA})
    *list = permute(*list, order);
  blocked.order = permuteOrder(blocked.order, order);
  blocked.cluster = permuteBases(blocked.cluster, order);
  return get(getContext(), blocked);
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

/// The inputs of the map with their bases, in the order of the text.
template <typename Linear> static auto inputsOf(Linear &linear) {
  using Input = std::pair<StringRef, decltype(&linear.registers)>;
  return std::array{Input("register", &linear.registers), Input("lane", &linear.lanes),
                    Input("warp", &linear.warps), Input("block", &linear.blocks)};
}

template <typename Encoding> static Attribute parseLinear(AsmParser &parser, StringRef encoding) {
  KeyReader reader(parser, encoding);
  unsigned rank = 0;
  layout::Linear linear;
  if (failed(reader.open()))
    return {};
  for (auto [key, bases] : inputsOf(linear))
    if (failed(reader.bases(key, *bases, rank)))
      return {};
  if (failed(reader.close()))
    return {};
  return parser.getChecked<Encoding>(parser.getContext(), rank, linear);
}

static void printLinear(AsmPrinter &printer, const layout::Linear &linear) {
  printer << "<{";
  KeyPrinter keys(printer);
  for (auto [key, bases] : inputsOf(linear))
    keys.bases(key, *bases);
  printer << "}>";
}

static LogicalResult verifyLinear(StringRef name, function_ref<InFlightDiagnostic()> emitError,
                                  unsigned rank, const layout::Linear &linear, bool generic) {
  if (rank == 0)
    return emitError() << name << " needs a basis: a layout without any is not supported";
  return ir::report(name, layout::verify(linear, rank, generic), emitError);
}

template <typename Encoding> static Encoding expandLinear(Encoding encoding, unsigned axis) {
  layout::Linear linear = encoding.getLayout();
  for (auto [key, bases] : inputsOf(linear))
    for (std::vector<unsigned> &basis : *bases)
      basis.insert(basis.begin() + axis, 0);
  return Encoding::get(encoding.getContext(), encoding.getRank() + 1, linear);
}

template <typename Encoding>
static Encoding transposeLinear(Encoding encoding, ArrayRef<int32_t> order) {
  layout::Linear linear = encoding.getLayout();
  for (auto [key, bases] : inputsOf(linear))
    *bases = permuteBases(*bases, order);
  return Encoding::get(encoding.getContext(), encoding.getRank(), linear);
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  return parseLinear<LinearEncodingAttr>(parser, "#ttg.linear");
}

void LinearEncodingAttr::print(AsmPrinter &printer) const { printLinear(printer, getLayout()); }

LogicalResult LinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         unsigned rank, layout::Linear linear) {
  return verifyLinear("#ttg.linear", emitError, rank, linear, /*generic=*/false);
}

Attribute LinearEncodingAttr::inferExpandDims(unsigned axis) const {
  return expandLinear(*this, axis);
}

Attribute LinearEncodingAttr::inferTrans(ArrayRef<int64_t>, ArrayRef<int32_t> order) const {
  return transposeLinear(*this, order);
}

Attribute GenericLinearEncodingAttr::parse(AsmParser &parser, Type) {
  return parseLinear<GenericLinearEncodingAttr>(parser, "#ttg.generic_linear");
}

void GenericLinearEncodingAttr::print(AsmPrinter &printer) const {
  printLinear(printer, getLayout());
}

LogicalResult GenericLinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                unsigned rank, layout::Linear linear) {
  return verifyLinear("#ttg.generic_linear", emitError, rank, linear, /*generic=*/true);
}

Attribute GenericLinearEncodingAttr::inferExpandDims(unsigned axis) const {
  return expandLinear(*this, axis);
}

Attribute GenericLinearEncodingAttr::inferTrans(ArrayRef<int64_t>, ArrayRef<int32_t> order) const {
  return transposeLinear(*this, order);
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
