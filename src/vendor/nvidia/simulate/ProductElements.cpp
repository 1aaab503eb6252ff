//===- ProductElements.cpp - Elements of the operands of products -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/ProductElements.h"

using namespace tilewright;
using namespace tilewright::simulate;
using target::MmaType;

bool nvidia::isInteger(MmaType type) {
  return type == MmaType::S32 || type == MmaType::S8 || type == MmaType::U8;
}

int64_t nvidia::decodeInteger(MmaType type, uint64_t bits) {
  if (type == MmaType::S32)
    return static_cast<int32_t>(bits);
  return type == MmaType::U8 ? static_cast<int64_t>(bits) : static_cast<int8_t>(bits);
}
