//===- Encodings.cpp - dpas, subgroup_2d_block and warp -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttig/Dialect.h"

#include "ir/EncodingVerification.h"
#include "ir/KeyPrinter.h"
#include "ir/KeyReader.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttig;
using ir::KeyPrinter;
using ir::KeyReader;
using ir::Presence;
namespace intel = layout::intel;

//===--------------------------------------------------------------------------===//
// DpasEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute DpasEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttig.dpas");
  intel::Dpas dpas;
  if (failed(reader.open()) || failed(reader.integer("repeatCount", dpas.repeatCount)) ||
      failed(reader.integer("systolicDepth", dpas.systolicDepth)) ||
      failed(reader.integer("executionSize", dpas.executionSize)) ||
      failed(reader.integer("opsPerChan", dpas.opsPerChan)) ||
      failed(reader.integer("fp4KPack", dpas.fp4KPack, Presence::Optional)) ||
      failed(reader.integer("threadsPerWarp", dpas.threadsPerWarp)) ||
      failed(reader.integers("warpsPerCTA", dpas.warpsPerCTA)) ||
      failed(reader.integers("repCluster", dpas.repCluster)))
    return {};
  return parser.getChecked<DpasEncodingAttr>(parser.getContext(), dpas);
}

void DpasEncodingAttr::print(AsmPrinter &printer) const {
  const intel::Dpas &dpas = getLayout();
  // The shapes of A, B and C that a cluster of instructions covers.
  unsigned k = dpas.systolicDepth * dpas.opsPerChan;
  unsigned rows = dpas.repeatCount * dpas.repCluster[dpas.rank() - 2];
  unsigned columns = dpas.executionSize * dpas.repCluster[dpas.rank() - 1];
  printer << "<{";
  KeyPrinter(printer)
      .integer("repeatCount", dpas.repeatCount)
      .integer("systolicDepth", dpas.systolicDepth)
      .integer("executionSize", dpas.executionSize)
      .integer("opsPerChan", dpas.opsPerChan)
      .integerUnless(0, "fp4KPack", dpas.fp4KPack)
      .integer("threadsPerWarp", dpas.threadsPerWarp)
      .integers("warpsPerCTA", dpas.warpsPerCTA)
      .integers("repCluster", dpas.repCluster)
      .integers("A", {rows, k})
      .integers("B", {k, columns})
      .integers("C", {rows, columns});
  printer << "}>";
}

LogicalResult DpasEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       intel::Dpas dpas) {
  return ir::report("#ttig.dpas", intel::verify(dpas), emitError);
}

unsigned DpasEncodingAttr::getRank() const { return getLayout().rank(); }

//===--------------------------------------------------------------------------===//
// Subgroup2DBlockEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute Subgroup2DBlockEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttig.subgroup_2d_block");
  std::vector<unsigned> warps, ctas, ctaSplit, ctaOrder, instrShape, order;
  unsigned numBlocks = 0, kWidth = 0, threads = 0;
  if (failed(reader.open()) || failed(reader.integers("warpsPerCTA", warps)) ||
      failed(reader.integers("CTAsPerCGA", ctas, Presence::Optional)) ||
      failed(reader.integers("CTASplitNum", ctaSplit, Presence::Optional)) ||
      failed(reader.integers("CTAOrder", ctaOrder, Presence::Optional)) ||
      failed(reader.integers("instrShape", instrShape)) ||
      failed(reader.integer("numBlocks", numBlocks)) || failed(reader.integers("order", order)) ||
      failed(reader.integer("kWidth", kWidth)) ||
      failed(reader.integer("threadsPerWarp", threads)) || failed(reader.close()))
    return {};
  return parser.getChecked<Subgroup2DBlockEncodingAttr>(
      parser.getContext(), ArrayRef(warps), ArrayRef(ctas), ArrayRef(ctaSplit), ArrayRef(ctaOrder),
      ArrayRef(instrShape), numBlocks, ArrayRef(order), kWidth, threads);
}

void Subgroup2DBlockEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  KeyPrinter keys(printer);
  keys.integers("warpsPerCTA", getWarpsPerCTA());
  if (!getCTAsPerCGA().empty())
    keys.integers("CTAsPerCGA", getCTAsPerCGA())
        .integers("CTASplitNum", getCTASplitNum())
        .integers("CTAOrder", getCTAOrder());
  keys.integers("instrShape", getInstrShape());
  // Triton prints these keys without blanks.
  printer << ", numBlocks=" << getNumBlocks() << ", order=[";
  llvm::interleaveComma(getOrder(), printer);
  printer << "], kWidth=" << getKWidth() << ", threadsPerWarp=" << getThreadsPerWarp() << "}>";
}

/// The three lists about a cluster: all are empty, or they fit together.
static Result<void> verifyCluster(ArrayRef<unsigned> ctas, ArrayRef<unsigned> split,
                                  ArrayRef<unsigned> order, unsigned rank) {
  if (ctas.empty() && split.empty() && order.empty())
    return {};
  if (ctas.size() != rank || split.size() != rank)
    return Failure("CTAsPerCGA and CTASplitNum need one entry a dimension");
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (!llvm::isPowerOf2_32(ctas[dim]) || !llvm::isPowerOf2_32(split[dim]))
      return Failure("CTAsPerCGA and CTASplitNum hold powers of two");
    if (split[dim] > ctas[dim])
      return Failure("CTASplitNum is at most CTAsPerCGA in each dimension");
  }
  if (!layout::verifyOrder(order, rank))
    return Failure("CTAOrder is not a permutation of the dimensions");
  return {};
}

/// The bases of the block's number: along each dimension in order first those that split the
/// tensor, then those that do not.
static layout::ClusterBases clusterBases(ArrayRef<unsigned> ctas, ArrayRef<unsigned> split,
                                         ArrayRef<unsigned> order) {
  layout::ClusterBases bases;
  for (unsigned dim : order)
    for (unsigned block = 1; block < ctas[dim]; block *= 2) {
      std::vector<unsigned> &basis = bases.emplace_back(ctas.size(), 0);
      basis[dim] = block < split[dim] ? block : 0;
    }
  return bases;
}

// The three lists about a cluster are kept as they are written, for the text; the layout library
// has bases in their place. That is why this encoding does not hold the library's structure.
static intel::Subgroup2DBlock layoutOf(ArrayRef<unsigned> warps, ArrayRef<unsigned> ctas,
                                       ArrayRef<unsigned> ctaSplit, ArrayRef<unsigned> ctaOrder,
                                       ArrayRef<unsigned> instrShape, unsigned numBlocks,
                                       ArrayRef<unsigned> order, unsigned kWidth,
                                       unsigned threads) {
  return {warps.vec(),      clusterBases(ctas, ctaSplit, ctaOrder),
          instrShape.vec(), numBlocks,
          order.vec(),      kWidth,
          threads};
}

intel::Subgroup2DBlock Subgroup2DBlockEncodingAttr::getLayout() const {
  return layoutOf(getWarpsPerCTA(), getCTAsPerCGA(), getCTASplitNum(), getCTAOrder(),
                  getInstrShape(), getNumBlocks(), getOrder(), getKWidth(), getThreadsPerWarp());
}

LogicalResult Subgroup2DBlockEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<unsigned> warps, ArrayRef<unsigned> ctas,
    ArrayRef<unsigned> ctaSplit, ArrayRef<unsigned> ctaOrder, ArrayRef<unsigned> instrShape,
    unsigned numBlocks, ArrayRef<unsigned> order, unsigned kWidth, unsigned threads) {
  Result<void> valid = verifyCluster(ctas, ctaSplit, ctaOrder, warps.size());
  if (valid)
    valid = intel::verify(
        layoutOf(warps, ctas, ctaSplit, ctaOrder, instrShape, numBlocks, order, kWidth, threads));
  return ir::report("#ttig.subgroup_2d_block", valid, emitError);
}

unsigned Subgroup2DBlockEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

//===--------------------------------------------------------------------------===//
// WarpEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute WarpEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttig.warp");
  layout::Blocked warp;
  if (failed(reader.open()) || failed(reader.integers("sizePerThread", warp.sizePerThread)) ||
      failed(reader.integers("threadsPerWarp", warp.threadsPerWarp)) ||
      failed(reader.integers("order", warp.order)) || failed(reader.close()))
    return {};
  warp.warpsPerCTA.assign(warp.sizePerThread.size(), 1);
  return parser.getChecked<WarpEncodingAttr>(parser.getContext(), warp);
}

void WarpEncodingAttr::print(AsmPrinter &printer) const {
  const layout::Blocked &warp = getLayout();
  printer << "<{";
  KeyPrinter(printer)
      .integers("sizePerThread", warp.sizePerThread)
      .integers("threadsPerWarp", warp.threadsPerWarp)
      .integers("order", warp.order);
  printer << "}>";
}

LogicalResult WarpEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       layout::Blocked warp) {
  if (warp.sizePerThread.empty())
    return emitError() << "#ttig.warp needs at least one dimension";
  return ir::report("#ttig.warp", layout::verify(warp, warp.sizePerThread.size()), emitError);
}

unsigned WarpEncodingAttr::getRank() const { return getLayout().rank(); }
