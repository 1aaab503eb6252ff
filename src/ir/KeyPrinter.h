//===- KeyPrinter.h - Printer for the keys of an encoding -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The counterpart of KeyReader.h: `key = value, key = value` in the order of the calls.
//
//     printer << "<{";
//     KeyPrinter(printer).integer("vec", 8).integers("order", {1, 0});
//     printer << "}>";                                  // <{vec = 8, order = [1, 0]}>
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_KEYPRINTER_H
#define TILEWRIGHT_IR_KEYPRINTER_H

#include "layout/encoding/Encodings.h"
#include "mlir/IR/OpImplementation.h"

namespace tilewright::ir {

class KeyPrinter {
public:
  explicit KeyPrinter(mlir::AsmPrinter &printer) : printer(printer) {}

  KeyPrinter &integer(llvm::StringRef key, unsigned value);
  KeyPrinter &boolean(llvm::StringRef key, bool value);
  KeyPrinter &integers(llvm::StringRef key, llvm::ArrayRef<unsigned> values);
  /// `key = [[1, 0], [2, 0]]`.
  KeyPrinter &bases(llvm::StringRef key, const layout::LiteralBases &bases);

  /// Leaves the key out where the value is `omitted`.
  KeyPrinter &integerUnless(unsigned omitted, llvm::StringRef key, unsigned value) {
    return value == omitted ? *this : integer(key, value);
  }
  /// Leaves the key out where the value is false.
  KeyPrinter &flag(llvm::StringRef key, bool value) { return value ? boolean(key, value) : *this; }
  /// Leaves the key out where there are no bases.
  KeyPrinter &basesIfAny(llvm::StringRef key, const layout::LiteralBases &bases) {
    return bases.empty() ? *this : this->bases(key, bases);
  }

  /// `key = `, the value is the caller's.
  mlir::AsmPrinter &key(llvm::StringRef key);

private:
  mlir::AsmPrinter &printer;
  bool isFirst = true;
};

} // namespace tilewright::ir

#endif // TILEWRIGHT_IR_KEYPRINTER_H
