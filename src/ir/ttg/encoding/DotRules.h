//===- DotRules.h - Operands that go with a product's layout --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ENCODING_DOTRULES_H
#define TILEWRIGHT_IR_TTG_ENCODING_DOTRULES_H

#include "ir/tt/EncodingRules.h"

namespace tilewright::ttg {

/// Whether the operands of `op` that have #ttg.dot_op have it of the layout of its result. Emits an
/// error if not.
mlir::LogicalResult verifyDotParents(tt::DotOp op);

/// The rules of this dialect's fragments: those of matrix units of NVIDIA and AMD.
struct DotRules final : tt::EncodingRules {
  using EncodingRules::EncodingRules;
  mlir::LogicalResult verifyDot(tt::DotOp op) const override;
};

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_ENCODING_DOTRULES_H
