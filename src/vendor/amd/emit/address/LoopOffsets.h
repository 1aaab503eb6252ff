//===- LoopOffsets.h - Scalar offsets of addresses in loops ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where a wave loads whole rows, the offset of each is a scalar of 32 bits, which is widened and
// added to a base that a loop moves on. LLVM widens all of them in front of the loop, and 32 take
// 64 of some hundred scalar registers:
//
//     wide = sext offset            for base, offset' = offset:
//     for base:               =>      load at base + sext offset'
//       load at base + wide           offset' = copy of offset'
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOOPOFFSETS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOOPOFFSETS_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// In innermost loops of `function` with matrix instructions, widens the scalar offsets of
/// addresses that come from in front of the loop at the addresses, where they take more than half
/// of the `scalarRegisters` of a wave, of 32 bits. There they are computed of what rows have in
/// common.
void widenOffsetsInLoops(llvm::Function &function, llvm::TargetMachine &machine,
                         unsigned scalarRegisters);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOOPOFFSETS_H
