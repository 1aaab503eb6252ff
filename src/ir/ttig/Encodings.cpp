//===- Encodings.cpp - dpas, subgroup_2d_block and warp -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttig/Dialect.h"

#include "ir/EncodingText.h"
#include "ir/KeyReader.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttig;
using ir::KeyReader;
using ir::Presence;
namespace intel = layout::intel;

//===--------------------------------------------------------------------------===//
// DpasEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute DpasEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttig.dpas");
  unsigned repeatCount = 0, systolicDepth = 0, executionSize = 0, opsPerChan = 0, fp4KPack = 0,
           threads = 0;
  SmallVector<unsigned> warps, cluster;
  if (failed(reader.open()) || failed(reader.integer("repeatCount", repeatCount)) ||
      failed(reader.integer("systolicDepth", systolicDepth)) ||
      failed(reader.integer("executionSize", executionSize)) ||
      failed(reader.integer("opsPerChan", opsPerChan)) ||
      failed(reader.integer("fp4KPack", fp4KPack, Presence::Optional)) ||
      failed(reader.integer("threadsPerWarp", threads)) ||
      failed(reader.integers("warpsPerCTA", warps)) ||
      failed(reader.integers("repCluster", cluster)))
    return {};
  return parser.getChecked<DpasEncodingAttr>(parser.getContext(), repeatCount, systolicDepth,
                                             executionSize, opsPerChan, fp4KPack, threads,
                                             ArrayRef(warps), ArrayRef(cluster));
}

void DpasEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{repeatCount = " << getRepeatCount() << ", systolicDepth = " << getSystolicDepth()
          << ", executionSize = " << getExecutionSize() << ", opsPerChan = " << getOpsPerChan();
  if (getFp4KPack())
    printer << ", fp4KPack = " << getFp4KPack();
  printer << ", threadsPerWarp = " << getThreadsPerWarp() << ", ";
  ir::printList(printer, "warpsPerCTA", getWarpsPerCTA());
  printer << ", ";
  ir::printList(printer, "repCluster", getRepCluster());
  // The shapes of A, B and C that a cluster of instructions covers.
  unsigned k = getSystolicDepth() * getOpsPerChan();
  unsigned rows = getRepeatCount() * getRepCluster().drop_back().back();
  unsigned columns = getExecutionSize() * getRepCluster().back();
  printer << ", ";
  ir::printList(printer, "A", {rows, k});
  printer << ", ";
  ir::printList(printer, "B", {k, columns});
  printer << ", ";
  ir::printList(printer, "C", {rows, columns});
  printer << "}>";
}

static intel::Dpas describeDpas(unsigned repeatCount, unsigned systolicDepth,
                                unsigned executionSize, unsigned opsPerChan, unsigned fp4KPack,
                                unsigned threads, ArrayRef<unsigned> warps,
                                ArrayRef<unsigned> cluster) {
  intel::Dpas dpas;
  dpas.repeatCount = repeatCount;
  dpas.systolicDepth = systolicDepth;
  dpas.executionSize = executionSize;
  dpas.opsPerChan = opsPerChan;
  dpas.fp4KPack = fp4KPack;
  dpas.threadsPerWarp = threads;
  dpas.warpsPerCTA = warps.vec();
  dpas.repCluster = cluster.vec();
  return dpas;
}

intel::Dpas DpasEncodingAttr::describe() const {
  return describeDpas(getRepeatCount(), getSystolicDepth(), getExecutionSize(), getOpsPerChan(),
                      getFp4KPack(), getThreadsPerWarp(), getWarpsPerCTA(), getRepCluster());
}

LogicalResult DpasEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       unsigned repeatCount, unsigned systolicDepth,
                                       unsigned executionSize, unsigned opsPerChan,
                                       unsigned fp4KPack, unsigned threads,
                                       ArrayRef<unsigned> warps, ArrayRef<unsigned> cluster) {
  return ir::report("#ttig.dpas",
                    intel::verify(describeDpas(repeatCount, systolicDepth, executionSize,
                                               opsPerChan, fp4KPack, threads, warps, cluster)),
                    emitError);
}

unsigned DpasEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

layout::LinearLayout DpasEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return intel::toLinearLayout(describe(), shape);
}

std::string DpasEncodingAttr::verifyOperand(unsigned opIdx, unsigned kWidth) const {
  return intel::verifyOperand(describe(), opIdx, kWidth);
}

layout::LinearLayout DpasEncodingAttr::operandLayout(unsigned opIdx, unsigned kWidth,
                                                     ArrayRef<int64_t> shape) const {
  return intel::operandLayout(describe(), opIdx, kWidth, shape);
}

//===--------------------------------------------------------------------------===//
// Subgroup2DBlockEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute Subgroup2DBlockEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttig.subgroup_2d_block");
  SmallVector<unsigned> warps, ctas, ctaSplit, ctaOrder, instrShape, order;
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
  ir::printList(printer, "warpsPerCTA", getWarpsPerCTA());
  if (!getCTAsPerCGA().empty()) {
    printer << ", ";
    ir::printList(printer, "CTAsPerCGA", getCTAsPerCGA());
    printer << ", ";
    ir::printList(printer, "CTASplitNum", getCTASplitNum());
    printer << ", ";
    ir::printList(printer, "CTAOrder", getCTAOrder());
  }
  printer << ", ";
  ir::printList(printer, "instrShape", getInstrShape());
  // Triton prints these keys without blanks.
  printer << ", numBlocks=" << getNumBlocks() << ", order=[";
  llvm::interleaveComma(getOrder(), printer);
  printer << "], kWidth=" << getKWidth() << ", threadsPerWarp=" << getThreadsPerWarp() << "}>";
}

/// What is wrong with the three lists about a cluster; "" if nothing is, or all are empty.
static std::string verifyCluster(ArrayRef<unsigned> ctas, ArrayRef<unsigned> split,
                                 ArrayRef<unsigned> order, unsigned rank) {
  if (ctas.empty() && split.empty() && order.empty())
    return "";
  if (ctas.size() != rank || split.size() != rank)
    return "CTAsPerCGA and CTASplitNum need one entry a dimension";
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (!llvm::isPowerOf2_32(ctas[dim]) || !llvm::isPowerOf2_32(split[dim]))
      return "CTAsPerCGA and CTASplitNum hold powers of two";
    if (split[dim] > ctas[dim])
      return "CTASplitNum is at most CTAsPerCGA in each dimension";
  }
  return layout::verifyOrder(order, rank).empty()
             ? ""
             : "CTAOrder is not a permutation of the dimensions";
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

static intel::Subgroup2DBlock
describeBlock(ArrayRef<unsigned> warps, ArrayRef<unsigned> ctas, ArrayRef<unsigned> ctaSplit,
              ArrayRef<unsigned> ctaOrder, ArrayRef<unsigned> instrShape, unsigned numBlocks,
              ArrayRef<unsigned> order, unsigned kWidth, unsigned threads) {
  return {warps.vec(),      clusterBases(ctas, ctaSplit, ctaOrder),
          instrShape.vec(), numBlocks,
          order.vec(),      kWidth,
          threads};
}

intel::Subgroup2DBlock Subgroup2DBlockEncodingAttr::describe() const {
  return describeBlock(getWarpsPerCTA(), getCTAsPerCGA(), getCTASplitNum(), getCTAOrder(),
                       getInstrShape(), getNumBlocks(), getOrder(), getKWidth(),
                       getThreadsPerWarp());
}

LogicalResult Subgroup2DBlockEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<unsigned> warps, ArrayRef<unsigned> ctas,
    ArrayRef<unsigned> ctaSplit, ArrayRef<unsigned> ctaOrder, ArrayRef<unsigned> instrShape,
    unsigned numBlocks, ArrayRef<unsigned> order, unsigned kWidth, unsigned threads) {
  constexpr StringRef name = "#ttig.subgroup_2d_block";
  std::string complaint = verifyCluster(ctas, ctaSplit, ctaOrder, warps.size());
  if (complaint.empty())
    complaint = intel::verify(describeBlock(warps, ctas, ctaSplit, ctaOrder, instrShape, numBlocks,
                                            order, kWidth, threads));
  return ir::report(name, complaint, emitError);
}

unsigned Subgroup2DBlockEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

layout::LinearLayout Subgroup2DBlockEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return intel::toLinearLayout(describe(), shape);
}

//===--------------------------------------------------------------------------===//
// WarpEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute WarpEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttig.warp");
  SmallVector<unsigned> sizes, threads, order;
  if (failed(reader.open()) || failed(reader.integers("sizePerThread", sizes)) ||
      failed(reader.integers("threadsPerWarp", threads)) ||
      failed(reader.integers("order", order)) || failed(reader.close()))
    return {};
  return parser.getChecked<WarpEncodingAttr>(parser.getContext(), ArrayRef(sizes),
                                             ArrayRef(threads), ArrayRef(order));
}

void WarpEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  ir::printList(printer, "sizePerThread", getSizePerThread());
  printer << ", ";
  ir::printList(printer, "threadsPerWarp", getThreadsPerWarp());
  printer << ", ";
  ir::printList(printer, "order", getOrder());
  printer << "}>";
}

static layout::Blocked describeWarp(ArrayRef<unsigned> sizes, ArrayRef<unsigned> threads,
                                    ArrayRef<unsigned> order) {
  return {sizes.vec(), threads.vec(), std::vector<unsigned>(sizes.size(), 1), order.vec()};
}

layout::Blocked WarpEncodingAttr::describe() const {
  return describeWarp(getSizePerThread(), getThreadsPerWarp(), getOrder());
}

LogicalResult WarpEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<unsigned> sizes, ArrayRef<unsigned> threads,
                                       ArrayRef<unsigned> order) {
  if (sizes.empty())
    return emitError() << "#ttig.warp needs at least one dimension";
  return ir::report("#ttig.warp", layout::verify(describeWarp(sizes, threads, order), sizes.size()),
                    emitError);
}

unsigned WarpEncodingAttr::getRank() const { return getOrder().size(); }

layout::LinearLayout WarpEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describe(), shape);
}
