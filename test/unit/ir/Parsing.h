//===- Parsing.h - Encodings from their text ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_IR_PARSING_H
#define TILEWRIGHT_TEST_UNIT_IR_PARSING_H

#include "ir/Dialects.h"
#include "ir/tt/Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <stdexcept>
#include <string>

namespace tilewright::test {

/// The context of all tests of an executable.
inline mlir::MLIRContext &context() {
  static mlir::MLIRContext *context = [] {
    mlir::DialectRegistry registry;
    ir::registerDialects(registry);
    return new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

/// The attribute with that text, which must be one of this kind.
template <typename Kind = mlir::Attribute> Kind parse(const std::string &text) {
  auto kind = llvm::dyn_cast_or_null<Kind>(mlir::parseAttribute(text, &context()));
  if (!kind)
    throw std::invalid_argument("not such an attribute: " + text);
  return kind;
}

inline tt::LayoutEncoding parseLayout(const std::string &text) {
  return parse<tt::LayoutEncoding>(text);
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_IR_PARSING_H
