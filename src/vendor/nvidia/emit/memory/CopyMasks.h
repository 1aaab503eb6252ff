//===- CopyMasks.h - Masks of asynchronous copies as one comparison -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A pipelined copy takes place where its mask is true and there is an iteration to copy for. Its
// size is one constant or 0:
//
//     size = select (rk < bound && there), 4, 0
//
// Of the conjunction LLVM's instruction selection makes two selects, and ptxas tests their result
// again: four instructions for each mask. One comparison is what ptxas has the copy depend on as it
// is. The other condition goes into the bound, where several masks have it in common:
//
//     limit = select there, bound, INT_MIN
//     size = select (rk < limit), 4, 0
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_COPYMASKS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_COPYMASKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Lets sizes of asynchronous copies in `function` depend on one comparison each, where they are
/// a constant if a comparison and other conditions hold and 0 otherwise, and a block has three or
/// more comparisons with the same bound.
void joinCopyMasks(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_COPYMASKS_H
