//===- LoopSums.h - Sums of loop counters and lanes' numbers --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A mask compares, for each element of a tile, a row's number with a column's: the loop's counter,
// a number of the lane and a constant. The optimiser adds the last two in front of the loop, into
// a register for each constant:
//
//     before: v1 = lane + 1; v2 = lane + 2; ..
//     loop:   counter + v1; counter + v2; ..         =>    at = counter + lane; at + 1; at + 2; ..
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOOPSUMS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOOPSUMS_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// In blocks of `function` with matrix instructions, adds constants last to sums of what lanes have
/// in common and lanes' own numbers.
void addConstantsLast(llvm::Function &function, llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOOPSUMS_H
