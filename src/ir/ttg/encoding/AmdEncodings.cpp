//===- AmdEncodings.cpp - amd_wmma, amd_mfma and amd_rotating_shared ----------===//
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

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyPrinter;
using ir::KeyReader;
using ir::Presence;
namespace amd = layout::amd;

//===--------------------------------------------------------------------------===//
// AmdWmmaEncodingAttr
//===--------------------------------------------------------------------------===//

/// `ctaLayout = {register = [[..]], warp = [[..]]}`
static LogicalResult readTiles(KeyReader &reader, amd::Wmma &wmma) {
  FailureOr<KeyReader> bases = reader.nested("ctaLayout", "'ctaLayout' of #ttg.amd_wmma");
  if (failed(bases) ||
      failed(bases->bases("register", wmma.registers, wmma.rank, Presence::Optional)) ||
      failed(bases->bases("warp", wmma.warps, wmma.rank)))
    return failure();
  return bases->close();
}

/// The older spelling: `warpsPerCTA = [2, 2]`, perhaps with `tilesPerWarp = [1, 2]`. Numbers
/// of tiles and of warps along each dimension, the last counted first.
static LogicalResult readCounts(KeyReader &reader, amd::Wmma &wmma) {
  std::vector<unsigned> warps, counts;
  if (failed(reader.integers("warpsPerCTA", warps)) ||
      failed(reader.integers("tilesPerWarp", counts, Presence::Optional)))
    return failure();
  if (counts.empty())
    counts.assign(warps.size(), 1);
  if (warps.empty() || counts.size() != warps.size() || (wmma.rank && wmma.rank != warps.size()))
    return reader.error("warpsPerCTA") << " must have one entry a dimension";
  for (ArrayRef<unsigned> list : {ArrayRef(warps), ArrayRef(counts)})
    if (!llvm::all_of(list, llvm::isPowerOf2_32))
      return reader.error("warpsPerCTA") << " must hold powers of two";
  wmma.rank = warps.size();
  wmma.registers = amd::tileBases(counts);
  wmma.warps = amd::tileBases(warps, wmma.registers);
  return success();
}

Attribute AmdWmmaEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.amd_wmma");
  amd::Wmma wmma;
  // Unknown until it is read or the first basis tells it.
  wmma.rank = 0;
  std::vector<unsigned> instrShape;
  if (failed(reader.open()) || failed(reader.integer("version", wmma.version)) ||
      failed(reader.boolean("isTranspose", wmma.isTranspose, Presence::Optional)) ||
      failed(reader.integer("rank", wmma.rank, Presence::Optional)) ||
      failed(reader.has("ctaLayout") || !reader.has("warpsPerCTA") ? readTiles(reader, wmma)
                                                                   : readCounts(reader, wmma)) ||
      failed(reader.bases("CGALayout", wmma.cluster, wmma.rank, Presence::Optional)) ||
      failed(reader.integers("instrShape", instrShape, Presence::Optional)))
    return {};
  if (wmma.rank == 0)
    wmma.rank = 2;
  if (!instrShape.empty())
    wmma.instrShape = instrShape;
  return parser.getChecked<AmdWmmaEncodingAttr>(parser.getContext(), wmma);
}

void AmdWmmaEncodingAttr::print(AsmPrinter &printer) const {
  const amd::Wmma &wmma = getLayout();
  printer << "<{";
  KeyPrinter keys(printer);
  keys.integer("version", wmma.version).boolean("isTranspose", wmma.isTranspose).key("ctaLayout")
      << '{';
  KeyPrinter(printer).basesIfAny("register", wmma.registers).bases("warp", wmma.warps);
  printer << '}';
  keys.basesIfAny("CGALayout", wmma.cluster);
  if (wmma.instrShape != amd::Wmma().instrShape)
    keys.integers("instrShape", wmma.instrShape);
  // The rank, where no basis tells it.
  if (wmma.registers.empty() && wmma.warps.empty() && wmma.cluster.empty())
    keys.integerUnless(2, "rank", wmma.rank);
  printer << "}>";
}

LogicalResult AmdWmmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          amd::Wmma wmma) {
  return ir::report("#ttg.amd_wmma", amd::verify(wmma), emitError);
}

unsigned AmdWmmaEncodingAttr::getRank() const { return getLayout().rank; }

//===--------------------------------------------------------------------------===//
// AmdMfmaEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute AmdMfmaEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.amd_mfma");
  amd::Mfma mfma;
  unsigned rank = 0;
  if (failed(reader.open()) || failed(reader.integer("version", mfma.version)) ||
      failed(reader.integers("warpsPerCTA", mfma.warpsPerCTA)) ||
      failed(reader.integers("instrShape", mfma.instrShape)) ||
      failed(reader.boolean("isTransposed", mfma.isTransposed)) ||
      failed(reader.bases("CGALayout", mfma.cluster, rank = mfma.rank(), Presence::Optional)) ||
      failed(reader.integers("tilesPerWarp", mfma.tilesPerWarp, Presence::Optional)) ||
      failed(reader.integer("elementBitWidth", mfma.elementBitWidth, Presence::Optional)))
    return {};
  if (mfma.tilesPerWarp.empty())
    mfma.tilesPerWarp.assign(mfma.rank(), 1);
  return parser.getChecked<AmdMfmaEncodingAttr>(parser.getContext(), mfma);
}

void AmdMfmaEncodingAttr::print(AsmPrinter &printer) const {
  const amd::Mfma &mfma = getLayout();
  printer << "<{";
  KeyPrinter keys(printer);
  keys.integer("version", mfma.version)
      .integers("warpsPerCTA", mfma.warpsPerCTA)
      .integers("instrShape", mfma.instrShape)
      .boolean("isTransposed", mfma.isTransposed)
      .basesIfAny("CGALayout", mfma.cluster);
  if (!llvm::all_of(mfma.tilesPerWarp, [](unsigned count) { return count == 1; }))
    keys.integers("tilesPerWarp", mfma.tilesPerWarp);
  keys.integerUnless(32, "elementBitWidth", mfma.elementBitWidth);
  printer << "}>";
}

LogicalResult AmdMfmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          amd::Mfma mfma) {
  return ir::report("#ttg.amd_mfma", amd::verify(mfma), emitError);
}

unsigned AmdMfmaEncodingAttr::getRank() const { return getLayout().rank(); }

//===--------------------------------------------------------------------------===//
// AmdRotatingSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute AmdRotatingSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<AmdRotatingSharedEncodingAttr, amd::RotatingShared>(
      parser, "#ttg.amd_rotating_shared");
}

void AmdRotatingSharedEncodingAttr::print(AsmPrinter &printer) const {
  printSwizzled(printer, getLayout());
}

LogicalResult AmdRotatingSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                    amd::RotatingShared shared) {
  if (shared.rank() == 0)
    return emitError() << "#ttg.amd_rotating_shared needs at least one dimension";
  return ir::report("#ttg.amd_rotating_shared", amd::verify(shared, shared.rank()), emitError);
}

unsigned AmdRotatingSharedEncodingAttr::getRank() const { return getLayout().rank(); }

Attribute AmdRotatingSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  amd::RotatingShared shared = getLayout();
  shared.order = permuteOrder(shared.order, order);
  shared.cluster = permuteBases(shared.cluster, order);
  return get(getContext(), shared);
}
