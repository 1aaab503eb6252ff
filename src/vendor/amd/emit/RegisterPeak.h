//===- RegisterPeak.h - The most registers alive in a block ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_REGISTERPEAK_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_REGISTERPEAK_H

#include "vendor/amd/emit/LaneRegisters.h"

namespace tilewright::emit {

/// Counts the bits of a lane's registers that are alive as a block is walked back in the order of
/// LLVM IR (LaneRegisters::stepBack). Unlike the sum of all values alive, a vector and its elements
/// count once, and of a vector that is put together only what is there.
class RegisterPeak {
public:
  /// Values for which `isLeftOut` holds, which must outlive this, count nothing.
  RegisterPeak(const LaneRegisters &registers,
               llvm::function_ref<bool(const llvm::Value *)> isLeftOut)
      : registers(registers), isLeftOut(isLeftOut) {}

  /// Notes that `value` is alive from here back, or no more.
  void change(const llvm::Value *value, bool isAlive);

  /// The most so far.
  uint64_t getBits() const { return maxBits; }

private:
  const LaneRegisters &registers;
  llvm::function_ref<bool(const llvm::Value *)> isLeftOut;
  /// By value that has registers, how many values alive are in these.
  llvm::DenseMap<const llvm::Value *, unsigned> held;
  uint64_t bits = 0, maxBits = 0;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_REGISTERPEAK_H
