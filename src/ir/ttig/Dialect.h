//===- Dialect.h - The ttig dialect: encodings of Intel's matrix units -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTIG_DIALECT_H
#define TILEWRIGHT_IR_TTIG_DIALECT_H

#include "ir/ttg/Dialect.h"
#include "layout/encoding/IntelDpas.h"

#include "ir/ttig/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttig/Attrs.h.inc"

namespace tilewright::ttig {

/// The dialect's older name, for files that use it: what it reads becomes attributes of ttig.
class OlderNameDialect : public mlir::Dialect {
public:
  explicit OlderNameDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return "triton_intel_gpu"; }
  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser, mlir::Type type) const override;
};

} // namespace tilewright::ttig

MLIR_DECLARE_EXPLICIT_TYPE_ID(tilewright::ttig::OlderNameDialect)

#endif // TILEWRIGHT_IR_TTIG_DIALECT_H
