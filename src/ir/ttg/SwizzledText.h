//===- SwizzledText.h - Syntax of the swizzled_shared encodings -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_SWIZZLEDTEXT_H
#define TILEWRIGHT_IR_TTG_SWIZZLEDTEXT_H

#include "ir/EncodingText.h"
#include "ir/KeyReader.h"

namespace tilewright::ttg {

/// `<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>`, with `CGALayout` or without.
template <typename Encoding>
mlir::Attribute parseSwizzled(mlir::AsmParser &parser, llvm::StringRef encoding) {
  ir::KeyReader reader(parser, encoding);
  unsigned vec = 0, perPhase = 0, maxPhase = 0, rank = 0;
  llvm::SmallVector<unsigned> order, cga;
  if (failed(reader.open()) || failed(reader.integer("vec", vec)) ||
      failed(reader.integer("perPhase", perPhase)) ||
      failed(reader.integer("maxPhase", maxPhase)) || failed(reader.integers("order", order)) ||
      failed(reader.bases("CGALayout", cga, rank = order.size(), ir::Presence::Optional)) ||
      failed(reader.close()))
    return {};
  return parser.getChecked<Encoding>(parser.getContext(), vec, perPhase, maxPhase,
                                     llvm::ArrayRef(order), llvm::ArrayRef(cga));
}

template <typename Encoding> void printSwizzled(mlir::AsmPrinter &printer, Encoding encoding) {
  printer << "<{vec = " << encoding.getVec() << ", perPhase = " << encoding.getPerPhase()
          << ", maxPhase = " << encoding.getMaxPhase() << ", ";
  ir::printList(printer, "order", encoding.getOrder());
  ir::printCluster(printer, encoding.getCGALayout(), encoding.getRank());
  printer << "}>";
}

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_SWIZZLEDTEXT_H
