//===- Intrinsics.cpp - Calls of LLVM's AMDGPU intrinsics ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

Value amd::callIntrinsic(OpBuilder &builder, Location loc, StringRef name, Type type,
                         ValueRange operands) {
  auto fullName = builder.getStringAttr("llvm.amdgcn." + name);
  if (!type) {
    LLVM::CallIntrinsicOp::create(builder, loc, fullName, operands);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, loc, type, fullName, operands).getResult(0);
}
