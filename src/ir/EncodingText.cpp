//===- EncodingText.cpp - Printing, parsing and verification common to encodings -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/EncodingText.h"

#include "layout/encoding/Encodings.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright;

void ir::printList(AsmPrinter &printer, StringRef key, ArrayRef<unsigned> list) {
  printer << key << " = [";
  llvm::interleaveComma(list, printer);
  printer << ']';
}

void ir::printBases(AsmPrinter &printer, StringRef key, ArrayRef<unsigned> bases, unsigned rank) {
  printer << key << " = [";
  for (size_t i = 0; i < bases.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(bases.slice(i, rank), printer);
    printer << ']';
  }
  printer << ']';
}

void ir::printCluster(AsmPrinter &printer, ArrayRef<unsigned> bases, unsigned rank) {
  if (bases.empty())
    return;
  printer << ", ";
  printBases(printer, "CGALayout", bases, rank);
}

std::vector<std::vector<unsigned>> ir::unflatten(ArrayRef<unsigned> flat, unsigned rank) {
  std::vector<std::vector<unsigned>> bases;
  for (size_t i = 0; i < flat.size(); i += rank)
    bases.emplace_back(flat.begin() + i, flat.begin() + i + rank);
  return bases;
}

SmallVector<unsigned> ir::flatten(const std::vector<std::vector<unsigned>> &bases) {
  SmallVector<unsigned> flat;
  for (const std::vector<unsigned> &basis : bases)
    flat.append(basis.begin(), basis.end());
  return flat;
}

LogicalResult ir::report(StringRef encoding, const std::string &complaint,
                         function_ref<InFlightDiagnostic()> emitError) {
  if (complaint.empty())
    return success();
  return emitError() << encoding << ": " << complaint;
}

LogicalResult ir::verifyRank(Attribute encoding, unsigned rank, ArrayRef<int64_t> shape,
                             function_ref<InFlightDiagnostic()> emitError) {
  if (shape.size() != rank)
    return emitError() << encoding << " describes tensors of rank " << rank << ", not of rank "
                       << shape.size();
  if (ShapedType::isDynamicShape(shape))
    return reportShape(encoding, shape, "all sizes must be known", emitError);
  return success();
}

LogicalResult ir::verifyShape(Attribute encoding, unsigned rank, ArrayRef<int64_t> shape,
                              function_ref<InFlightDiagnostic()> emitError) {
  if (failed(verifyRank(encoding, rank, shape, emitError)))
    return failure();
  return reportShape(encoding, shape, layout::verifyShape(shape), emitError);
}

LogicalResult ir::reportShape(Attribute encoding, ArrayRef<int64_t> shape,
                              const std::string &complaint,
                              function_ref<InFlightDiagnostic()> emitError) {
  if (complaint.empty())
    return success();
  InFlightDiagnostic error = emitError() << encoding << " cannot describe a tensor of shape ";
  llvm::interleave(
      shape,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          error << '?';
        else
          error << size;
      },
      [&] { error << 'x'; });
  return error << ": " << complaint;
}
