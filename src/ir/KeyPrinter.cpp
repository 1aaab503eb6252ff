//===- KeyPrinter.cpp - Printer for the keys of an encoding -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/KeyPrinter.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ir;

static void printList(AsmPrinter &printer, ArrayRef<unsigned> values) {
  printer << '[';
  llvm::interleaveComma(values, printer);
  printer << ']';
}

AsmPrinter &KeyPrinter::key(StringRef key) {
  if (!isFirst)
    printer << ", ";
  isFirst = false;
  return printer << key << " = ";
}

KeyPrinter &KeyPrinter::integer(StringRef key, unsigned value) {
  this->key(key) << value;
  return *this;
}

KeyPrinter &KeyPrinter::boolean(StringRef key, bool value) {
  this->key(key) << (value ? "true" : "false");
  return *this;
}

KeyPrinter &KeyPrinter::integers(StringRef key, ArrayRef<unsigned> values) {
  printList(this->key(key), values);
  return *this;
}

KeyPrinter &KeyPrinter::bases(StringRef key, const layout::LiteralBases &bases) {
  this->key(key) << '[';
  llvm::interleaveComma(bases, printer,
                        [&](const std::vector<unsigned> &basis) { printList(printer, basis); });
  printer << ']';
  return *this;
}
