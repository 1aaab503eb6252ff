//===- TensorMemoryRules.h - Views of tensor memory -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_TENSORMEMORYRULES_H
#define TILEWRIGHT_IR_TTNG_TENSORMEMORYRULES_H

#include "ir/tt/EncodingRules.h"

namespace tilewright::ttng {

struct TensorMemoryRules final : tt::EncodingRules {
  using EncodingRules::EncodingRules;
  /// A view takes no bit that is not the memory's that it is made of.
  mlir::LogicalResult verifyReinterpret(mlir::Operation *op, mlir::Type from,
                                        mlir::Type to) const override;
};

} // namespace tilewright::ttng

#endif // TILEWRIGHT_IR_TTNG_TENSORMEMORYRULES_H
