//===- NarrowAtomics.cpp - Atomic operations narrower than a word -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/memory/NarrowAtomics.h"

#include "lower/elementwise/FloatCasts.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using LLVM::AtomicBinOp;
using LLVM::AtomicOrdering;

AtomicOrdering lower::getFailureOrdering(AtomicOrdering ordering) {
  if (ordering == AtomicOrdering::acquire || ordering == AtomicOrdering::acq_rel)
    return AtomicOrdering::acquire;
  return AtomicOrdering::monotonic;
}

Value lower::emitNarrowAtomic(LoweringBuilder &e, RewriterBase &rewriter, Value pointer,
                              unsigned bits, AtomicOrdering ordering, StringRef scope,
                              llvm::function_ref<Value(Value)> update) {
  Type i32 = e.builder.getI32Type(), i64 = e.builder.getI64Type();
  Type narrow = e.builder.getIntegerType(bits);
  Value place = e.create<LLVM::AndOp>(e.create<LLVM::PtrToIntOp>(i64, pointer), e.getInt(i64, 3));
  Value wordPointer = e.addBytes(pointer, e.create<LLVM::SubOp>(e.getInt(i64, 0), place));
  Value shift = e.create<LLVM::ShlOp>(e.create<LLVM::TruncOp>(i32, place), e.getI32(3));
  Value field = e.create<LLVM::ShlOp>(e.getI32((int64_t(1) << bits) - 1), shift);
  Value others = e.create<LLVM::XOrOp>(field, e.getI32(-1));
  // The first guess of what is there is as good as any: a wrong one gets the word.
  Value guess = e.getI32(0);

  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Block *loop = rewriter.createBlock(after, i32, e.loc);
  rewriter.setInsertionPointToEnd(before);
  e.create<LLVM::BrOp>(guess, loop);

  rewriter.setInsertionPointToEnd(loop);
  Value expected = loop->getArgument(0);
  Value old = e.create<LLVM::TruncOp>(narrow, e.create<LLVM::LShrOp>(expected, shift));
  Value updated = e.create<LLVM::ShlOp>(e.create<LLVM::ZExtOp>(i32, update(old)), shift);
  Value desired = e.create<LLVM::OrOp>(e.create<LLVM::AndOp>(expected, others), updated);
  Value pair = e.create<LLVM::AtomicCmpXchgOp>(wordPointer, expected, desired, ordering,
                                               getFailureOrdering(ordering), scope);
  Value found = e.create<LLVM::ExtractValueOp>(pair, 0);
  Value isDone = e.create<LLVM::ExtractValueOp>(pair, 1);
  e.create<LLVM::CondBrOp>(isDone, after, ValueRange(), loop, found);

  rewriter.setInsertionPointToStart(after);
  return old;
}

Value lower::emitOperation(LoweringBuilder &e, AtomicBinOp operation, Type type, Value old,
                           Value operand) {
  auto inSingle = [&](auto compute) -> Value {
    auto format = cast<FloatType>(type);
    FloatType f32 = e.builder.getF32Type();
    auto widen = [&](Value bits) {
      // The form in which casts have it: bits, or LLVM's type.
      if (!format.isBF16() || !e.target.storesBf16AsI16())
        bits = e.create<LLVM::BitcastOp>(format, bits);
      return castFloat(e, bits, format, f32, /*towardZero=*/false);
    };
    Value result = castFloat(e, compute(widen(old), widen(operand)), f32, format,
                             /*towardZero=*/false);
    return result.getType() == old.getType()
               ? result
               : Value(e.create<LLVM::BitcastOp>(old.getType(), result));
  };
  switch (operation) {
  case AtomicBinOp::xchg:
    return operand;
  case AtomicBinOp::add:
    return e.create<LLVM::AddOp>(old, operand);
  case AtomicBinOp::_and:
    return e.create<LLVM::AndOp>(old, operand);
  case AtomicBinOp::_or:
    return e.create<LLVM::OrOp>(old, operand);
  case AtomicBinOp::_xor:
    return e.create<LLVM::XOrOp>(old, operand);
  case AtomicBinOp::max:
    return e.create<LLVM::SMaxOp>(old, operand);
  case AtomicBinOp::min:
    return e.create<LLVM::SMinOp>(old, operand);
  case AtomicBinOp::umax:
    return e.create<LLVM::UMaxOp>(old, operand);
  case AtomicBinOp::umin:
    return e.create<LLVM::UMinOp>(old, operand);
  case AtomicBinOp::fadd:
    return inSingle([&](Value a, Value b) { return Value(e.create<LLVM::FAddOp>(a, b)); });
  case AtomicBinOp::fmax:
    return inSingle([&](Value a, Value b) { return Value(e.create<LLVM::MaxNumOp>(a, b)); });
  case AtomicBinOp::fmin:
    return inSingle([&](Value a, Value b) { return Value(e.create<LLVM::MinNumOp>(a, b)); });
  default:
    llvm_unreachable("tt has no such operation");
  }
}
