//===- SwizzledText.h - Syntax of the swizzled_shared encodings -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ENCODING_SWIZZLEDTEXT_H
#define TILEWRIGHT_IR_TTG_ENCODING_SWIZZLEDTEXT_H

#include "ir/KeyPrinter.h"
#include "ir/KeyReader.h"

namespace tilewright::ttg {

/// `<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>`, with `CGALayout` or without.
template <typename Encoding, typename Layout>
mlir::Attribute parseSwizzled(mlir::AsmParser &parser, llvm::StringRef encoding) {
  ir::KeyReader reader(parser, encoding);
  Layout shared;
  unsigned rank = 0;
  if (failed(reader.open()) || failed(reader.integer("vec", shared.vec)) ||
      failed(reader.integer("perPhase", shared.perPhase)) ||
      failed(reader.integer("maxPhase", shared.maxPhase)) ||
      failed(reader.integers("order", shared.order)) ||
      failed(reader.bases("CGALayout", shared.cluster, rank = shared.rank(),
                          ir::Presence::Optional)) ||
      failed(reader.close()))
    return {};
  return parser.getChecked<Encoding>(parser.getContext(), shared);
}

template <typename Layout> void printSwizzled(mlir::AsmPrinter &printer, const Layout &shared) {
  printer << "<{";
  ir::KeyPrinter(printer)
      .integer("vec", shared.vec)
      .integer("perPhase", shared.perPhase)
      .integer("maxPhase", shared.maxPhase)
      .integers("order", shared.order)
      .basesIfAny("CGALayout", shared.cluster);
  printer << "}>";
}

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_ENCODING_SWIZZLEDTEXT_H
