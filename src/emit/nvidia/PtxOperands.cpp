//===- PtxOperands.cpp - Operands of PTX in inline assembly -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/nvidia/PtxOperands.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

using namespace llvm;

std::optional<StringRef> tilewright::emit::stateSpaceSuffix(unsigned addressSpace) {
  switch (addressSpace) {
  case 0:
    return StringRef();
  case 1:
    return StringRef(".global");
  case 3:
    return StringRef(".shared");
  default:
    return std::nullopt;
  }
}

StringRef tilewright::emit::registerConstraint(const Type *type) {
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  switch (type->getIntegerBitWidth()) {
  case 16:
    return "h";
  case 32:
    return "r";
  default:
    return "l";
  }
}

StringRef tilewright::emit::addressConstraint(const DataLayout &layout, Type *pointer) {
  return layout.getPointerTypeSizeInBits(pointer) == 32 ? "r" : "l";
}
