//===- NvidiaEncodings.cpp - nvidia_mma and nvmma_shared ----------------------===//
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

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyPrinter;
using ir::KeyReader;
using ir::Presence;
namespace nvidia = layout::nvidia;

//===--------------------------------------------------------------------------===//
// NvidiaMmaEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.nvidia_mma");
  nvidia::Mma mma;
  unsigned rank = 0;
  if (failed(reader.open()) || failed(reader.integer("versionMajor", mma.versionMajor)) ||
      failed(reader.integer("versionMinor", mma.versionMinor, Presence::Optional)) ||
      failed(reader.integers("warpsPerCTA", mma.warpsPerCTA)) ||
      failed(reader.integers("instrShape", mma.instrShape)) ||
      failed(reader.bases("CGALayout", mma.cluster, rank = mma.rank(), Presence::Optional)))
    return {};
  return parser.getChecked<NvidiaMmaEncodingAttr>(parser.getContext(), mma);
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  const nvidia::Mma &mma = getLayout();
  printer << "<{";
  KeyPrinter(printer)
      .integer("versionMajor", mma.versionMajor)
      .integer("versionMinor", mma.versionMinor)
      .integers("warpsPerCTA", mma.warpsPerCTA)
      .basesIfAny("CGALayout", mma.cluster)
      .integers("instrShape", mma.instrShape);
  printer << "}>";
}

LogicalResult NvidiaMmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                            nvidia::Mma mma) {
  if (mma.rank() == 0)
    return emitError() << "#ttg.nvidia_mma needs at least one dimension";
  return ir::report("#ttg.nvidia_mma", nvidia::verify(mma), emitError);
}

unsigned NvidiaMmaEncodingAttr::getRank() const { return getLayout().rank(); }

//===--------------------------------------------------------------------------===//
// NvmmaSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute NvmmaSharedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.nvmma_shared");
  nvidia::NvmmaShared shared;
  if (failed(reader.open()) ||
      failed(reader.integer("swizzlingByteWidth", shared.swizzlingByteWidth)) ||
      failed(reader.boolean("transposed", shared.transposed)) ||
      failed(reader.integer("elementBitWidth", shared.elementBitWidth)) ||
      failed(reader.boolean("fp4Padded", shared.fp4Padded, Presence::Optional)))
    return {};
  // The rank is given, or that of the bases, or 2; 0 given is no rank.
  bool ranked = reader.has("rank");
  unsigned rank = 0;
  if (failed(reader.integer("rank", rank, Presence::Optional)))
    return {};
  if (ranked && rank == 0) {
    reader.error("rank") << " must not be 0";
    return {};
  }
  if (failed(reader.bases("CGALayout", shared.cluster, rank, Presence::Optional)) ||
      failed(reader.close()))
    return {};
  shared.rank = rank ? rank : 2;
  return parser.getChecked<NvmmaSharedEncodingAttr>(parser.getContext(), shared);
}

void NvmmaSharedEncodingAttr::print(AsmPrinter &printer) const {
  const nvidia::NvmmaShared &shared = getLayout();
  printer << "<{";
  KeyPrinter keys(printer);
  keys.integer("swizzlingByteWidth", shared.swizzlingByteWidth)
      .boolean("transposed", shared.transposed)
      .integer("elementBitWidth", shared.elementBitWidth)
      .flag("fp4Padded", shared.fp4Padded);
  if (shared.cluster.empty())
    keys.integerUnless(2, "rank", shared.rank);
  keys.basesIfAny("CGALayout", shared.cluster);
  printer << "}>";
}

LogicalResult NvmmaSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                              nvidia::NvmmaShared shared) {
  return ir::report("#ttg.nvmma_shared", nvidia::verify(shared), emitError);
}

unsigned NvmmaSharedEncodingAttr::getRank() const { return getLayout().rank; }

// A swizzle is a function of the address, so an atom of 8 rows begins where its bits are zero.
unsigned NvmmaSharedEncodingAttr::getAlignment() const {
  unsigned width = getLayout().swizzlingByteWidth;
  return width ? 8 * width : 128;
}

Attribute NvmmaSharedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  if (llvm::is_sorted(order))
    return *this;
  // With more dimensions than two it is not the same rows that are swizzled.
  if (getRank() != 2)
    return {};
  nvidia::NvmmaShared shared = getLayout();
  shared.transposed = !shared.transposed;
  shared.cluster = permuteBases(shared.cluster, order);
  return get(getContext(), shared);
}
