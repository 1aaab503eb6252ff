//===- LateValues.h - Values that wait through products -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Addresses of results are computed of the same row and column numbers as those of operands, and
// the optimiser makes one computation of both, before the loop. Their registers are then taken
// while products need all there are. Where a loop does not use such a value it is computed once
// more where it is wanted, of what is there anyway:
//
//     row = lane / 16                          row = lane / 16
//     to = row * pitch                         for ..: wmma
//     for ..: wmma                      =>     to = (lane / 16) * pitch
//     store at to                              store at to
//
// Where a loop is around the products', what is computed before both waits for its next iteration:
// it is computed in each.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_LATEVALUES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_LATEVALUES_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Computes values of `function` that wait in vector registers while matrix instructions of a block
/// run, and that the block does not use, again after it, or in each iteration of the loop around
/// the block's.
void computeLateValuesAgain(llvm::Function &function, llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_LATEVALUES_H
