//===- SharedEncodings.cpp - swizzled_shared, padded_shared, shared_linear ----===//
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
#include "ir/ttg/encoding/SwizzledText.h"
#include "layout/encoding/SharedEncodings.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyPrinter;
using ir::KeyReader;
using ir::Presence;

//===--------------------------------------------------------------------------===//
// SwizzledSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<SwizzledSharedEncodingAttr, layout::SwizzledShared>(parser,
                                                                           "#ttg.swizzled_shared");
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printSwizzled(printer, getLayout());
}

LogicalResult SwizzledSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                 layout::SwizzledShared shared) {
  if (shared.rank() == 0)
    return emitError() << "#ttg.swizzled_shared needs at least one dimension";
  return ir::report("#ttg.swizzled_shared", layout::verify(shared, shared.rank()), emitError);
}

unsigned SwizzledSharedEncodingAttr::getRank() const { return getLayout().rank(); }

Attribute SwizzledSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  layout::SwizzledShared shared = getLayout();
  shared.order = permuteOrder(shared.order, order);
  shared.cluster = permuteBases(shared.cluster, order);
  return get(getContext(), shared);
}

//===--------------------------------------------------------------------------===//
// PaddedSharedEncodingAttr
//===--------------------------------------------------------------------------===//

/// `[32:+4, 128:+8]`
static ParseResult parseHoles(AsmParser &parser, layout::PaddedShared &padded) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    return failure(
        ir::parseNumber(parser, "an interval of #ttg.padded_shared",
                        padded.intervals.emplace_back()) ||
        parser.parseColon() || parser.parsePlus() ||
        ir::parseNumber(parser, "a padding of #ttg.padded_shared", padded.paddings.emplace_back()));
  });
}

/// The bases of elements of `shape` in the order of memory, dimension order[0] the fastest.
static layout::LiteralBases orderedBases(ArrayRef<unsigned> order, ArrayRef<int64_t> shape) {
  layout::LiteralBases bases;
  for (unsigned dim : order)
    for (int64_t value = 1; value < shape[dim]; value *= 2)
      bases.emplace_back(shape.size(), 0)[dim] = value;
  return bases;
}

/// Whether orderedBases makes these bases of some order and shape, and of which. Dimensions of
/// size 1 come last, the last of them first.
static bool findOrder(const layout::LiteralBases &bases, unsigned rank,
                      SmallVectorImpl<unsigned> &order, SmallVectorImpl<int64_t> &shape) {
  order.clear();
  shape.assign(rank, 1);
  for (const std::vector<unsigned> &basis : bases)
    for (unsigned dim = 0; dim < rank; ++dim)
      if (basis[dim]) {
        shape[dim] *= 2;
        if (!llvm::is_contained(order, dim))
          order.push_back(dim);
      }
  for (unsigned dim = rank; dim-- > 0;)
    if (shape[dim] == 1)
      order.push_back(dim);
  return orderedBases(order, shape) == bases;
}

/// `{order = [1, 0], shape = [64, 64]}`
static LogicalResult readOrder(KeyReader &reader, unsigned &rank, layout::LiteralBases &bases) {
  std::vector<unsigned> order, sizes;
  if (failed(reader.integers("order", order)) || failed(reader.integers("shape", sizes)))
    return failure();
  rank = sizes.size();
  auto shape = llvm::to_vector_of<int64_t>(sizes);
  for (const Result<void> &valid : {layout::verifyShape(shape), layout::verifyOrder(order, rank)})
    if (!valid)
      return reader.error() << ": " << valid.error();
  bases = orderedBases(order, shape);
  return success();
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  KeyReader reader(parser, "#ttg.padded_shared");
  layout::PaddedShared padded;
  unsigned rank = 0;
  if (parseHoles(parser, padded) || failed(reader.openBraces()))
    return {};
  if (reader.has("order") || reader.has("shape")) {
    if (failed(readOrder(reader, rank, padded.offsets)))
      return {};
  } else if (failed(reader.bases("offset", padded.offsets, rank)) ||
             failed(reader.bases("block", padded.blocks, rank))) {
    return {};
  }
  if (failed(reader.close()) || parser.parseGreater())
    return {};
  return parser.getChecked<PaddedSharedEncodingAttr>(parser.getContext(), rank, padded);
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  const layout::PaddedShared &padded = getLayout();
  printer << "<[";
  llvm::interleaveComma(
      llvm::zip_equal(padded.intervals, padded.paddings), printer,
      [&](auto hole) { printer << std::get<0>(hole) << ":+" << std::get<1>(hole); });
  printer << "] {";
  SmallVector<unsigned> order;
  SmallVector<int64_t> shape;
  if (padded.blocks.empty() && findOrder(padded.offsets, getRank(), order, shape))
    KeyPrinter(printer)
        .integers("order", order)
        .integers("shape", llvm::to_vector_of<unsigned>(shape));
  else
    KeyPrinter(printer).bases("offset", padded.offsets).bases("block", padded.blocks);
  printer << "}>";
}

LogicalResult PaddedSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               unsigned rank, layout::PaddedShared padded) {
  if (rank == 0)
    return emitError() << "#ttg.padded_shared needs at least one dimension";
  if (padded.intervals.empty())
    return emitError() << "#ttg.padded_shared needs an interval and its padding, such as [32:+4]";
  return ir::report("#ttg.padded_shared", layout::verify(padded, rank), emitError);
}

bool PaddedSharedEncodingAttr::hasPadding() const { return true; }

uint64_t PaddedSharedEncodingAttr::paddedOffset(uint64_t offset) const {
  return layout::paddedOffset(getLayout(), offset);
}

Attribute PaddedSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  layout::PaddedShared padded = getLayout();
  padded.offsets = permuteBases(padded.offsets, order);
  padded.blocks = permuteBases(padded.blocks, order);
  return get(getContext(), getRank(), padded);
}

//===--------------------------------------------------------------------------===//
// SharedLinearEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  KeyReader reader(parser, "#ttg.shared_linear");
  layout::SharedLinear shared;
  unsigned rank = 0;
  if (failed(reader.openBraces()) || failed(reader.bases("offset", shared.offsets, rank)) ||
      failed(reader.bases("block", shared.blocks, rank, Presence::Optional)) ||
      failed(reader.close()) || parser.parseComma() || parser.parseKeyword("alignment") ||
      parser.parseEqual() ||
      ir::parseNumber(parser, "'alignment' of #ttg.shared_linear", shared.alignment) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<SharedLinearEncodingAttr>(parser.getContext(), rank, shared);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  const layout::SharedLinear &shared = getLayout();
  printer << "<{";
  KeyPrinter(printer).bases("offset", shared.offsets).basesIfAny("block", shared.blocks);
  printer << "}, alignment = " << shared.alignment << '>';
}

LogicalResult SharedLinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               unsigned rank, layout::SharedLinear shared) {
  if (rank == 0)
    return emitError() << "#ttg.shared_linear needs a basis: a layout without any is not supported";
  return ir::report("#ttg.shared_linear", layout::verify(shared, rank), emitError);
}

unsigned SharedLinearEncodingAttr::getAlignment() const { return getLayout().alignment; }

Attribute SharedLinearEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  layout::SharedLinear shared = getLayout();
  shared.offsets = permuteBases(shared.offsets, order);
  shared.blocks = permuteBases(shared.blocks, order);
  return get(getContext(), getRank(), shared);
}
