//===- Intrinsics.cpp - Calls of LLVM's intrinsics for NVPTX ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

Value lower::nvidia::callIntrinsic(LoweringBuilder &e, StringRef name, ValueRange operands,
                                   Type type) {
  StringAttr whole = e.builder.getStringAttr("llvm.nvvm." + name);
  if (type)
    return e.create<LLVM::CallIntrinsicOp>(type, whole, operands).getResult(0);
  e.create<LLVM::CallIntrinsicOp>(whole, operands);
  return {};
}
