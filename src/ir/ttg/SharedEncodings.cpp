//===- SharedEncodings.cpp - swizzled_shared, padded_shared, shared_linear ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/EncodingText.h"
#include "ir/KeyReader.h"
#include "ir/ttg/Inference.h"
#include "ir/ttg/SwizzledText.h"
#include "layout/encoding/SharedEncodings.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyReader;
using ir::Presence;

//===--------------------------------------------------------------------------===//
// SwizzledSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<SwizzledSharedEncodingAttr>(parser, "#ttg.swizzled_shared");
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const { printSwizzled(printer, *this); }

static layout::SwizzledShared describeSwizzled(unsigned vec, unsigned perPhase, unsigned maxPhase,
                                               ArrayRef<unsigned> order, ArrayRef<unsigned> cga) {
  return {vec, perPhase, maxPhase, order.vec(), ir::unflatten(cga, order.size())};
}

layout::SwizzledShared SwizzledSharedEncodingAttr::describe() const {
  return describeSwizzled(getVec(), getPerPhase(), getMaxPhase(), getOrder(), getCGALayout());
}

LogicalResult SwizzledSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                 unsigned vec, unsigned perPhase, unsigned maxPhase,
                                                 ArrayRef<unsigned> order, ArrayRef<unsigned> cga) {
  if (order.empty())
    return emitError() << "#ttg.swizzled_shared needs at least one dimension";
  return ir::report(
      "#ttg.swizzled_shared",
      layout::verify(describeSwizzled(vec, perPhase, maxPhase, order, cga), order.size()),
      emitError);
}

LogicalResult
SwizzledSharedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                           function_ref<InFlightDiagnostic()> emitError) const {
  return ir::verifyShape(*this, getRank(), shape, emitError);
}

unsigned SwizzledSharedEncodingAttr::getRank() const { return getOrder().size(); }

layout::LinearLayout SwizzledSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}

Attribute SwizzledSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  return get(getContext(), getVec(), getPerPhase(), getMaxPhase(), permuteOrder(getOrder(), order),
             permuteBases(getCGALayout(), order));
}

//===--------------------------------------------------------------------------===//
// PaddedSharedEncodingAttr
//===--------------------------------------------------------------------------===//

/// `[32:+4, 128:+8]`
static ParseResult parseHoles(AsmParser &parser, SmallVectorImpl<unsigned> &intervals,
                              SmallVectorImpl<unsigned> &paddings) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    return failure(
        ir::parseNumber(parser, "an interval of #ttg.padded_shared", intervals.emplace_back()) ||
        parser.parseColon() || parser.parsePlus() ||
        ir::parseNumber(parser, "a padding of #ttg.padded_shared", paddings.emplace_back()));
  });
}

/// The bases of elements of `shape` in the order of memory, dimension order[0] the fastest.
static SmallVector<unsigned> orderedBases(ArrayRef<unsigned> order, ArrayRef<int64_t> shape) {
  SmallVector<unsigned> bases;
  for (unsigned dim : order)
    for (int64_t value = 1; value < shape[dim]; value *= 2) {
      bases.append(shape.size(), 0);
      bases[bases.size() - shape.size() + dim] = value;
    }
  return bases;
}

/// What orderedBases makes those bases of, if anything does; dimensions of size 1 come last,
/// the last of them first.
static bool findOrder(ArrayRef<unsigned> bases, unsigned rank, SmallVectorImpl<unsigned> &order,
                      SmallVectorImpl<int64_t> &shape) {
  order.clear();
  shape.assign(rank, 1);
  for (size_t i = 0; i < bases.size(); i += rank)
    for (unsigned dim = 0; dim < rank; ++dim)
      if (bases[i + dim]) {
        shape[dim] *= 2;
        if (!llvm::is_contained(order, dim))
          order.push_back(dim);
      }
  for (unsigned dim = rank; dim-- > 0;)
    if (shape[dim] == 1)
      order.push_back(dim);
  return ArrayRef(orderedBases(order, shape)) == bases;
}

/// `{order = [1, 0], shape = [64, 64]}`
static LogicalResult readOrder(KeyReader &reader, unsigned &rank,
                               SmallVectorImpl<unsigned> &bases) {
  SmallVector<unsigned> order, sizes;
  if (failed(reader.integers("order", order)) || failed(reader.integers("shape", sizes)))
    return failure();
  rank = sizes.size();
  auto shape = llvm::to_vector_of<int64_t>(sizes);
  for (const std::string &complaint :
       {layout::verifyShape(shape), layout::verifyOrder(order, rank)})
    if (!complaint.empty())
      return reader.error() << ": " << complaint;
  bases = orderedBases(order, shape);
  return success();
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  KeyReader reader(parser, "#ttg.padded_shared");
  SmallVector<unsigned> intervals, paddings, offsets, blocks;
  unsigned rank = 0;
  if (parseHoles(parser, intervals, paddings) || failed(reader.openBraces()))
    return {};
  if (reader.has("order") || reader.has("shape")) {
    if (failed(readOrder(reader, rank, offsets)))
      return {};
  } else if (failed(reader.bases("offset", offsets, rank)) ||
             failed(reader.bases("block", blocks, rank, Presence::Optional))) {
    return {};
  }
  if (failed(reader.close()) || parser.parseGreater())
    return {};
  return parser.getChecked<PaddedSharedEncodingAttr>(parser.getContext(), ArrayRef(intervals),
                                                     ArrayRef(paddings), rank, ArrayRef(offsets),
                                                     ArrayRef(blocks));
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip_equal(getIntervals(), getPaddings()), printer, [&](auto hole) {
    printer << std::get<0>(hole) << ":+" << std::get<1>(hole);
  });
  printer << "] {";
  SmallVector<unsigned> order;
  SmallVector<int64_t> shape;
  if (getBlockBases().empty() && findOrder(getOffsetBases(), getRank(), order, shape)) {
    ir::printList(printer, "order", order);
    printer << ", ";
    ir::printList(printer, "shape", llvm::to_vector_of<unsigned>(shape));
  } else {
    ir::printBases(printer, "offset", getOffsetBases(), getRank());
    printer << ", ";
    ir::printBases(printer, "block", getBlockBases(), getRank());
  }
  printer << "}>";
}

static layout::PaddedShared describePadded(ArrayRef<unsigned> intervals,
                                           ArrayRef<unsigned> paddings, unsigned rank,
                                           ArrayRef<unsigned> offsets, ArrayRef<unsigned> blocks) {
  return {intervals.vec(), paddings.vec(), ir::unflatten(offsets, rank),
          ir::unflatten(blocks, rank)};
}

layout::PaddedShared PaddedSharedEncodingAttr::describe() const {
  return describePadded(getIntervals(), getPaddings(), getRank(), getOffsetBases(),
                        getBlockBases());
}

LogicalResult PaddedSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings, unsigned rank,
                                               ArrayRef<unsigned> offsets,
                                               ArrayRef<unsigned> blocks) {
  if (rank == 0)
    return emitError() << "#ttg.padded_shared needs at least one dimension";
  if (intervals.empty())
    return emitError() << "#ttg.padded_shared needs an interval and its padding, such as [32:+4]";
  return ir::report(
      "#ttg.padded_shared",
      layout::verify(describePadded(intervals, paddings, rank, offsets, blocks), rank), emitError);
}

LogicalResult
PaddedSharedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(ir::verifyShape(*this, getRank(), shape, emitError)))
    return failure();
  return ir::reportShape(*this, shape, layout::verifyShape(describe(), shape), emitError);
}

layout::LinearLayout PaddedSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}

bool PaddedSharedEncodingAttr::hasPadding() const { return true; }

uint64_t PaddedSharedEncodingAttr::paddedOffset(uint64_t offset) const {
  return layout::paddedOffset(describe(), offset);
}

Attribute PaddedSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  return get(getContext(), getIntervals(), getPaddings(), getRank(),
             permuteBases(getOffsetBases(), order), permuteBases(getBlockBases(), order));
}

//===--------------------------------------------------------------------------===//
// SharedLinearEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  KeyReader reader(parser, "#ttg.shared_linear");
  SmallVector<unsigned> offsets, blocks;
  unsigned rank = 0, alignment = 0;
  if (failed(reader.openBraces()) || failed(reader.bases("offset", offsets, rank)) ||
      failed(reader.bases("block", blocks, rank, Presence::Optional)) || failed(reader.close()) ||
      parser.parseComma() || parser.parseKeyword("alignment") || parser.parseEqual() ||
      ir::parseNumber(parser, "'alignment' of #ttg.shared_linear", alignment) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<SharedLinearEncodingAttr>(parser.getContext(), rank, ArrayRef(offsets),
                                                     ArrayRef(blocks), alignment);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  ir::printBases(printer, "offset", getOffsetBases(), getRank());
  if (!getBlockBases().empty()) {
    printer << ", ";
    ir::printBases(printer, "block", getBlockBases(), getRank());
  }
  printer << "}, alignment = " << getAlignment() << '>';
}

static layout::SharedLinear describeLinear(unsigned rank, ArrayRef<unsigned> offsets,
                                           ArrayRef<unsigned> blocks, unsigned alignment) {
  return {ir::unflatten(offsets, rank), ir::unflatten(blocks, rank), alignment};
}

layout::SharedLinear SharedLinearEncodingAttr::describe() const {
  return describeLinear(getRank(), getOffsetBases(), getBlockBases(), getAlignment());
}

LogicalResult SharedLinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               unsigned rank, ArrayRef<unsigned> offsets,
                                               ArrayRef<unsigned> blocks, unsigned alignment) {
  if (rank == 0)
    return emitError() << "#ttg.shared_linear needs a basis: a layout without any is not supported";
  return ir::report("#ttg.shared_linear",
                    layout::verify(describeLinear(rank, offsets, blocks, alignment), rank),
                    emitError);
}

LogicalResult
SharedLinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(ir::verifyShape(*this, getRank(), shape, emitError)))
    return failure();
  return ir::reportShape(*this, shape, layout::verifyShape(describe(), shape), emitError);
}

layout::LinearLayout SharedLinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}

Attribute SharedLinearEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  return get(getContext(), getRank(), permuteBases(getOffsetBases(), order),
             permuteBases(getBlockBases(), order), getAlignment());
}
