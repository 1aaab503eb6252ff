//===- EncodingRules.h - What encodings ask of ops that have them ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Rules that only the dialect of an encoding or of a memory knows, while ops of another dialect
// have them: a product's operands, views of memory.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_ENCODINGRULES_H
#define TILEWRIGHT_IR_TT_ENCODINGRULES_H

#include "ir/tt/Dialect.h"

#include "mlir/IR/DialectInterface.h"

namespace tilewright::tt {

class EncodingRules : public mlir::DialectInterface::Base<EncodingRules> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EncodingRules)
  explicit EncodingRules(mlir::Dialect *dialect) : Base(dialect) {}

  /// Whether the operands of `op`, whose result has an encoding of this dialect, are in layouts
  /// that go with it. Emits an error if not.
  virtual mlir::LogicalResult verifyDot(DotOp) const { return mlir::success(); }

  /// Whether memory of type `from`, in a memory of this dialect, may be taken for one of type `to`.
  virtual mlir::LogicalResult verifyReinterpret(mlir::Operation *, mlir::Type /*from*/,
                                                mlir::Type /*to*/) const {
    return mlir::success();
  }

  /// The rules of the dialect of `attr`; null where it has none.
  static const EncodingRules *of(mlir::Attribute attr) {
    return attr ? attr.getDialect().getRegisteredInterface<EncodingRules>() : nullptr;
  }
};

} // namespace tilewright::tt

#endif // TILEWRIGHT_IR_TT_ENCODINGRULES_H
