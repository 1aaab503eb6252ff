//===- AmdEncodings.cpp - amd_wmma, amd_mfma and amd_rotating_shared ----------===//
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

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyReader;
using ir::Presence;
namespace amd = layout::amd;

//===--------------------------------------------------------------------------===//
// AmdWmmaEncodingAttr
//===--------------------------------------------------------------------------===//

namespace {

/// How the instruction tiles of a block lie.
struct Tiles {
  unsigned rank = 0;
  SmallVector<unsigned> registers, warps;
};

} // namespace

/// `ctaLayout = {register = [[..]], warp = [[..]]}`
static LogicalResult readTiles(KeyReader &reader, Tiles &tiles) {
  FailureOr<KeyReader> bases = reader.nested("ctaLayout", "'ctaLayout' of #ttg.amd_wmma");
  if (failed(bases) ||
      failed(bases->bases("register", tiles.registers, tiles.rank, Presence::Optional)) ||
      failed(bases->bases("warp", tiles.warps, tiles.rank)))
    return failure();
  return bases->close();
}

/// The older spelling: `warpsPerCTA = [2, 2]`, perhaps with `tilesPerWarp = [1, 2]`. Numbers
/// of tiles and of warps along each dimension, the last counted first.
static LogicalResult readCounts(KeyReader &reader, Tiles &tiles) {
  SmallVector<unsigned> warps, counts;
  if (failed(reader.integers("warpsPerCTA", warps)) ||
      failed(reader.integers("tilesPerWarp", counts, Presence::Optional)))
    return failure();
  if (counts.empty())
    counts.assign(warps.size(), 1);
  if (warps.empty() || counts.size() != warps.size() || (tiles.rank && tiles.rank != warps.size()))
    return reader.error("warpsPerCTA") << " must have one entry a dimension";
  for (ArrayRef<unsigned> list : {ArrayRef(warps), ArrayRef(counts)})
    if (!llvm::all_of(list, llvm::isPowerOf2_32))
      return reader.error("warpsPerCTA") << " must hold powers of two";
  tiles.rank = warps.size();
  std::vector<std::vector<unsigned>> registers = amd::tileBases(counts);
  tiles.registers = ir::flatten(registers);
  tiles.warps = ir::flatten(amd::tileBases(warps, registers));
  return success();
}

Attribute AmdWmmaEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.amd_wmma");
  unsigned version = 0;
  bool isTranspose = false;
  Tiles tiles;
  SmallVector<unsigned> cga, instrShape;
  if (failed(reader.open()) || failed(reader.integer("version", version)) ||
      failed(reader.boolean("isTranspose", isTranspose, Presence::Optional)) ||
      failed(reader.integer("rank", tiles.rank, Presence::Optional)) ||
      failed(reader.has("ctaLayout") || !reader.has("warpsPerCTA") ? readTiles(reader, tiles)
                                                                   : readCounts(reader, tiles)) ||
      failed(reader.bases("CGALayout", cga, tiles.rank, Presence::Optional)) ||
      failed(reader.integers("instrShape", instrShape, Presence::Optional)))
    return {};
  if (tiles.rank == 0)
    tiles.rank = 2;
  if (instrShape.empty())
    instrShape = {16, 16, 16};
  return parser.getChecked<AmdWmmaEncodingAttr>(
      parser.getContext(), version, isTranspose, tiles.rank, ArrayRef(tiles.registers),
      ArrayRef(tiles.warps), ArrayRef(cga), ArrayRef(instrShape));
}

void AmdWmmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion()
          << ", isTranspose = " << (getIsTranspose() ? "true" : "false") << ", ctaLayout = {";
  if (!getRegisterBases().empty()) {
    ir::printBases(printer, "register", getRegisterBases(), getRank());
    printer << ", ";
  }
  ir::printBases(printer, "warp", getWarpBases(), getRank());
  printer << '}';
  ir::printCluster(printer, getCGALayout(), getRank());
  if (getInstrShape() != ArrayRef<unsigned>({16, 16, 16})) {
    printer << ", ";
    ir::printList(printer, "instrShape", getInstrShape());
  }
  // Where no basis tells it.
  if (getRank() != 2 && getRegisterBases().empty() && getWarpBases().empty() &&
      getCGALayout().empty())
    printer << ", rank = " << getRank();
  printer << "}>";
}

static amd::Wmma describeWmma(unsigned version, bool isTranspose, unsigned rank,
                              ArrayRef<unsigned> registers, ArrayRef<unsigned> warps,
                              ArrayRef<unsigned> cga, ArrayRef<unsigned> instrShape) {
  return {version,
          isTranspose,
          ir::unflatten(registers, rank),
          ir::unflatten(warps, rank),
          ir::unflatten(cga, rank),
          instrShape.vec(),
          rank};
}

amd::Wmma AmdWmmaEncodingAttr::describe() const {
  return describeWmma(getVersion(), getIsTranspose(), getRank(), getRegisterBases(), getWarpBases(),
                      getCGALayout(), getInstrShape());
}

LogicalResult AmdWmmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          unsigned version, bool isTranspose, unsigned rank,
                                          ArrayRef<unsigned> registers, ArrayRef<unsigned> warps,
                                          ArrayRef<unsigned> cga, ArrayRef<unsigned> instrShape) {
  return ir::report(
      "#ttg.amd_wmma",
      amd::verify(describeWmma(version, isTranspose, rank, registers, warps, cga, instrShape)),
      emitError);
}

layout::LinearLayout AmdWmmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return amd::toLinearLayout(describe(), shape);
}

std::string AmdWmmaEncodingAttr::verifyOperand(unsigned opIdx, unsigned kWidth) const {
  return amd::verifyOperand(describe(), opIdx, kWidth);
}

layout::LinearLayout AmdWmmaEncodingAttr::operandLayout(unsigned opIdx, unsigned kWidth,
                                                        ArrayRef<int64_t> shape) const {
  return amd::operandLayout(describe(), opIdx, kWidth, shape);
}

//===--------------------------------------------------------------------------===//
// AmdMfmaEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute AmdMfmaEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.amd_mfma");
  unsigned version = 0, elementBits = 32, rank = 0;
  bool isTransposed = false;
  SmallVector<unsigned> warps, instrShape, cga, tiles;
  if (failed(reader.open()) || failed(reader.integer("version", version)) ||
      failed(reader.integers("warpsPerCTA", warps)) ||
      failed(reader.integers("instrShape", instrShape)) ||
      failed(reader.boolean("isTransposed", isTransposed)) ||
      failed(reader.bases("CGALayout", cga, rank = warps.size(), Presence::Optional)) ||
      failed(reader.integers("tilesPerWarp", tiles, Presence::Optional)) ||
      failed(reader.integer("elementBitWidth", elementBits, Presence::Optional)))
    return {};
  if (tiles.empty())
    tiles.assign(warps.size(), 1);
  return parser.getChecked<AmdMfmaEncodingAttr>(parser.getContext(), version, ArrayRef(warps),
                                                ArrayRef(instrShape), isTransposed, ArrayRef(cga),
                                                ArrayRef(tiles), elementBits);
}

void AmdMfmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion() << ", ";
  ir::printList(printer, "warpsPerCTA", getWarpsPerCTA());
  printer << ", ";
  ir::printList(printer, "instrShape", getInstrShape());
  printer << ", isTransposed = " << (getIsTransposed() ? "true" : "false");
  ir::printCluster(printer, getCGALayout(), getRank());
  if (!llvm::all_of(getTilesPerWarp(), [](unsigned count) { return count == 1; })) {
    printer << ", ";
    ir::printList(printer, "tilesPerWarp", getTilesPerWarp());
  }
  if (getElementBitWidth() != 32)
    printer << ", elementBitWidth = " << getElementBitWidth();
  printer << "}>";
}

static amd::Mfma describeMfma(unsigned version, ArrayRef<unsigned> warps,
                              ArrayRef<unsigned> instrShape, bool isTransposed,
                              ArrayRef<unsigned> cga, ArrayRef<unsigned> tiles,
                              unsigned elementBits) {
  return {
      version,     warps.vec(), instrShape.vec(), isTransposed, ir::unflatten(cga, warps.size()),
      tiles.vec(), elementBits};
}

amd::Mfma AmdMfmaEncodingAttr::describe() const {
  return describeMfma(getVersion(), getWarpsPerCTA(), getInstrShape(), getIsTransposed(),
                      getCGALayout(), getTilesPerWarp(), getElementBitWidth());
}

LogicalResult AmdMfmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          unsigned version, ArrayRef<unsigned> warps,
                                          ArrayRef<unsigned> instrShape, bool isTransposed,
                                          ArrayRef<unsigned> cga, ArrayRef<unsigned> tiles,
                                          unsigned elementBits) {
  return ir::report(
      "#ttg.amd_mfma",
      amd::verify(describeMfma(version, warps, instrShape, isTransposed, cga, tiles, elementBits)),
      emitError);
}

unsigned AmdMfmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

layout::LinearLayout AmdMfmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return amd::toLinearLayout(describe(), shape);
}

std::string AmdMfmaEncodingAttr::verifyOperand(unsigned opIdx, unsigned kWidth) const {
  return amd::verifyOperand(describe(), opIdx, kWidth);
}

layout::LinearLayout AmdMfmaEncodingAttr::operandLayout(unsigned opIdx, unsigned kWidth,
                                                        ArrayRef<int64_t> shape) const {
  return amd::operandLayout(describe(), opIdx, kWidth, shape);
}

//===--------------------------------------------------------------------------===//
// AmdRotatingSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute AmdRotatingSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<AmdRotatingSharedEncodingAttr>(parser, "#ttg.amd_rotating_shared");
}

void AmdRotatingSharedEncodingAttr::print(AsmPrinter &printer) const {
  printSwizzled(printer, *this);
}

static amd::RotatingShared describeRotating(unsigned vec, unsigned perPhase, unsigned maxPhase,
                                            ArrayRef<unsigned> order, ArrayRef<unsigned> cga) {
  return {vec, perPhase, maxPhase, order.vec(), ir::unflatten(cga, order.size())};
}

amd::RotatingShared AmdRotatingSharedEncodingAttr::describe() const {
  return describeRotating(getVec(), getPerPhase(), getMaxPhase(), getOrder(), getCGALayout());
}

LogicalResult AmdRotatingSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                    unsigned vec, unsigned perPhase,
                                                    unsigned maxPhase, ArrayRef<unsigned> order,
                                                    ArrayRef<unsigned> cga) {
  if (order.empty())
    return emitError() << "#ttg.amd_rotating_shared needs at least one dimension";
  return ir::report(
      "#ttg.amd_rotating_shared",
      amd::verify(describeRotating(vec, perPhase, maxPhase, order, cga), order.size()), emitError);
}

LogicalResult
AmdRotatingSharedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                              function_ref<InFlightDiagnostic()> emitError) const {
  return ir::verifyShape(*this, getRank(), shape, emitError);
}

unsigned AmdRotatingSharedEncodingAttr::getRank() const { return getOrder().size(); }

layout::LinearLayout AmdRotatingSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return amd::toLinearLayout(describe(), shape);
}

Attribute AmdRotatingSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  return get(getContext(), getVec(), getPerPhase(), getMaxPhase(), permuteOrder(getOrder(), order),
             permuteBases(getCGALayout(), order));
}
