//===- NvidiaEncodings.cpp - nvidia_mma and nvmma_shared ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/EncodingText.h"
#include "ir/KeyReader.h"
#include "ir/ttg/Inference.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyReader;
using ir::Presence;
namespace nvidia = layout::nvidia;

//===--------------------------------------------------------------------------===//
// NvidiaMmaEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.nvidia_mma");
  unsigned versionMajor = 0, versionMinor = 0, rank = 0;
  SmallVector<unsigned> warps, instrShape, cga;
  if (failed(reader.open()) || failed(reader.integer("versionMajor", versionMajor)) ||
      failed(reader.integer("versionMinor", versionMinor, Presence::Optional)) ||
      failed(reader.integers("warpsPerCTA", warps)) ||
      failed(reader.integers("instrShape", instrShape)) ||
      failed(reader.bases("CGALayout", cga, rank = warps.size(), Presence::Optional)))
    return {};
  return parser.getChecked<NvidiaMmaEncodingAttr>(parser.getContext(), versionMajor, versionMinor,
                                                  ArrayRef(warps), ArrayRef(cga),
                                                  ArrayRef(instrShape));
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{versionMajor = " << getVersionMajor() << ", versionMinor = " << getVersionMinor()
          << ", ";
  ir::printList(printer, "warpsPerCTA", getWarpsPerCTA());
  ir::printCluster(printer, getCGALayout(), getRank());
  printer << ", ";
  ir::printList(printer, "instrShape", getInstrShape());
  printer << "}>";
}

static nvidia::Mma describeMma(unsigned versionMajor, unsigned versionMinor,
                               ArrayRef<unsigned> warps, ArrayRef<unsigned> cga,
                               ArrayRef<unsigned> instrShape) {
  return {versionMajor, versionMinor, warps.vec(), instrShape.vec(),
          ir::unflatten(cga, warps.size())};
}

nvidia::Mma NvidiaMmaEncodingAttr::describe() const {
  return describeMma(getVersionMajor(), getVersionMinor(), getWarpsPerCTA(), getCGALayout(),
                     getInstrShape());
}

LogicalResult NvidiaMmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                            unsigned versionMajor, unsigned versionMinor,
                                            ArrayRef<unsigned> warps, ArrayRef<unsigned> cga,
                                            ArrayRef<unsigned> instrShape) {
  if (warps.empty())
    return emitError() << "#ttg.nvidia_mma needs at least one dimension";
  return ir::report("#ttg.nvidia_mma",
                    nvidia::verify(describeMma(versionMajor, versionMinor, warps, cga, instrShape)),
                    emitError);
}

unsigned NvidiaMmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

layout::LinearLayout NvidiaMmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return nvidia::toLinearLayout(describe(), shape);
}

std::string NvidiaMmaEncodingAttr::verifyOperand(unsigned opIdx, unsigned kWidth) const {
  return nvidia::verifyOperand(describe(), opIdx, kWidth);
}

layout::LinearLayout NvidiaMmaEncodingAttr::operandLayout(unsigned opIdx, unsigned kWidth,
                                                          ArrayRef<int64_t> shape) const {
  return nvidia::operandLayout(describe(), opIdx, kWidth, shape);
}

//===--------------------------------------------------------------------------===//
// NvmmaSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute NvmmaSharedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.nvmma_shared");
  unsigned swizzle = 0, elementBits = 0, rank = 0;
  bool transposed = false, fp4Padded = false;
  SmallVector<unsigned> cga;
  if (failed(reader.open()) || failed(reader.integer("swizzlingByteWidth", swizzle)) ||
      failed(reader.boolean("transposed", transposed)) ||
      failed(reader.integer("elementBitWidth", elementBits)) ||
      failed(reader.boolean("fp4Padded", fp4Padded, Presence::Optional)))
    return {};
  // The rank is given, or that of the bases, or 2; 0 given is no rank.
  bool ranked = reader.has("rank");
  if (failed(reader.integer("rank", rank, Presence::Optional)))
    return {};
  if (ranked && rank == 0) {
    reader.error("rank") << " must not be 0";
    return {};
  }
  if (failed(reader.bases("CGALayout", cga, rank, Presence::Optional)) || failed(reader.close()))
    return {};
  return parser.getChecked<NvmmaSharedEncodingAttr>(parser.getContext(), swizzle, transposed,
                                                    elementBits, fp4Padded, rank ? rank : 2,
                                                    ArrayRef(cga));
}

void NvmmaSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << (getTransposed() ? "true" : "false")
          << ", elementBitWidth = " << getElementBitWidth();
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  if (getCGALayout().empty() && getRank() != 2)
    printer << ", rank = " << getRank();
  ir::printCluster(printer, getCGALayout(), getRank());
  printer << "}>";
}

static nvidia::NvmmaShared describeShared(unsigned swizzle, bool transposed, unsigned elementBits,
                                          bool fp4Padded, unsigned rank, ArrayRef<unsigned> cga) {
  return {swizzle, transposed, elementBits, fp4Padded, rank, ir::unflatten(cga, rank)};
}

nvidia::NvmmaShared NvmmaSharedEncodingAttr::describe() const {
  return describeShared(getSwizzlingByteWidth(), getTransposed(), getElementBitWidth(),
                        getFp4Padded(), getRank(), getCGALayout());
}

LogicalResult NvmmaSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                              unsigned swizzle, bool transposed,
                                              unsigned elementBits, bool fp4Padded, unsigned rank,
                                              ArrayRef<unsigned> cga) {
  return ir::report(
      "#ttg.nvmma_shared",
      nvidia::verify(describeShared(swizzle, transposed, elementBits, fp4Padded, rank, cga)),
      emitError);
}

LogicalResult
NvmmaSharedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                        function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(ir::verifyShape(*this, getRank(), shape, emitError)))
    return failure();
  return ir::reportShape(*this, shape, nvidia::verifyShape(describe(), shape), emitError);
}

layout::LinearLayout NvmmaSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return nvidia::toLinearLayout(describe(), shape);
}

// A swizzle is a function of the address, so an atom of 8 rows begins where its bits are zero.
unsigned NvmmaSharedEncodingAttr::getAlignment() const {
  return getSwizzlingByteWidth() ? 8 * getSwizzlingByteWidth() : 128;
}

Attribute NvmmaSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  if (llvm::is_sorted(order))
    return *this;
  // With more dimensions than two it is not the same rows that are swizzled.
  if (getRank() != 2)
    return {};
  return get(getContext(), getSwizzlingByteWidth(), !getTransposed(), getElementBitWidth(),
             getFp4Padded(), getRank(), permuteBases(getCGALayout(), order));
}
