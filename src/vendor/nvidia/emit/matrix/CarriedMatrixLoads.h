//===- CarriedMatrixLoads.h - Fragments that loops carry ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop that loads its operands one step ahead (tritongpu-prefetch) carries the fragments of its
// first products: matrix loads at the end of an iteration, and in front of the loop. Where it
// carries all of them, ptxas takes two to four times as long for the whole kernel, and about 30
// registers more, than where one of them is loaded when the iteration begins. That is done here for
// the one that is used last: by then it is there.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_CARRIEDMATRIXLOADS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_CARRIEDMATRIXLOADS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Moves one `ldmatrix`, of those whose results a loop of `function` carries, to the loop's head.
void loadOneAtHead(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_CARRIEDMATRIXLOADS_H
