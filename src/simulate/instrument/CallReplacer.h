//===- CallReplacer.h - Replacement of a vendor's function call -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Building blocks of the code that replaces a vendor's call. A vendor derives from it and
// computes a value, which `finish` then puts in the call's place.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_INSTRUMENT_CALLREPLACER_H
#define TILEWRIGHT_SIMULATE_INSTRUMENT_CALLREPLACER_H

#include "simulate/instrument/Instrument.h"
#include "simulate/machine/WarpOperations.h"

namespace tilewright::simulate {

class CallReplacer {
public:
  /// `name` is what messages call the operation.
  CallReplacer(Instrumenter &instrumenter, llvm::CallInst &call, std::string name)
      : instrumenter(instrumenter), call(call), builder(&call), operation(std::move(name)) {}

  /// No value: the operation is not known.
  static constexpr llvm::Value *unknown = nullptr;

  /// Puts the value in the call's place and erases the call; false, and nothing done, if the
  /// operation is not known.
  bool finish(llvm::Value *value);

protected:
  llvm::Value *operand(unsigned index) { return call.getArgOperand(index); }
  /// The operand if it is a constant integer.
  std::optional<uint64_t> constantOperand(unsigned index);
  /// The value of a call that returns nothing.
  llvm::Value *done() { return llvm::PoisonValue::get(builder.getInt1Ty()); }

  /// LLVM's function of values of the first one's type.
  llvm::Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> values) {
    return builder.CreateIntrinsic(id, {values.front()->getType()}, values);
  }
  /// A function of the vendor's that gets the machine and a site besides `values`, or only them.
  llvm::Value *machineCall(const char *symbol, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> values = {});
  llvm::Value *hostCall(llvm::StringRef symbol, llvm::Type *result,
                        llvm::ArrayRef<llvm::Value *> values);

  llvm::Value *lane() { return readRegister(instrumenter.machine.registers.lane); }
  llvm::Value *readRegister(const uint32_t &field) {
    return instrumenter.readRegister(builder, field);
  }
  /// The members of an operation that the whole warp takes part in.
  llvm::Value *allLanes() { return builder.getInt64(instrumenter.machine.allLanes()); }

  /// The block's threads meet.
  llvm::Value *blockBarrier(bool ordersShared);
  /// The members meet; what they did in memory before comes before what they do after.
  llvm::Value *warpBarrier(llvm::Value *members);
  /// `value`, of any type without pointers, of lane `source` (i32); `members` is an i64.
  llvm::Value *shuffle(llvm::Value *members, llvm::Value *value, llvm::Value *source);
  /// An i32 that is to be the same in all members, which the machine checks.
  llvm::Value *uniform(llvm::Value *members, llvm::Value *word);
  /// An i64 with a bit for each member whose `condition` (i1) holds.
  llvm::Value *ballot(llvm::Value *members, llvm::Value *condition);
  /// A reduction or scan of a number of at most 64 bits, which says the width.
  llvm::Value *combineLanes(llvm::Value *members, llvm::Value *value, LaneCombination combination);

  /// The bits of a value of at most 64 bits as an i64, and back.
  llvm::Value *toWord(llvm::Value *value);
  llvm::Value *fromWord(llvm::Value *word, llvm::Type *type);

  Instrumenter &instrumenter;
  llvm::CallInst &call;
  llvm::IRBuilder<> builder;
  std::string operation;

private:
  unsigned bitsOf(llvm::Type *type) const;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_INSTRUMENT_CALLREPLACER_H
