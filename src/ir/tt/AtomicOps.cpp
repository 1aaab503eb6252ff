//===- AtomicOps.cpp - Verifiers of atomic operations -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

/// No memory has atomic operations on less than 16 bits.
static LogicalResult verifyWidth(Operation *op, Type element) {
  if (getElementBits(element) < 16)
    return op->emitOpError() << "needs elements of 16, 32 or 64 bits, got " << element;
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  Type element = tt::getElementTypeOrSelf(getVal().getType());
  StringRef name = stringifyRMWOp(getAtomicRmwOp());
  bool isFloat = isa<FloatType>(element);
  switch (getAtomicRmwOp()) {
  case RMWOp::FADD:
    if (!isFloat)
      return emitOpError() << name << " adds floating-point numbers, not " << element
                           << "; use add";
    break;
  case RMWOp::ADD:
    if (isFloat)
      return emitOpError() << name << " adds integers, not " << element << "; use fadd";
    break;
  case RMWOp::AND:
  case RMWOp::OR:
  case RMWOp::XOR:
  case RMWOp::UMAX:
  case RMWOp::UMIN:
    if (isFloat)
      return emitOpError() << name << " is about integers, not " << element;
    break;
  case RMWOp::MAX:
  case RMWOp::MIN:
  case RMWOp::XCHG:
    break;
  }
  return verifyWidth(*this, element);
}

LogicalResult AtomicCASOp::verify() {
  return verifyWidth(*this, tt::getElementTypeOrSelf(getVal().getType()));
}

LogicalResult AtomicPollOp::verify() {
  Type pointee = tt::getPointeeType(getPtr().getType());
  if (getExpected().getType() != pointee)
    return emitOpError() << "waits for a " << getExpected().getType() << " at a pointer to "
                         << pointee;
  return success();
}
