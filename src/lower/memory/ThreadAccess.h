//===- ThreadAccess.h - Accesses of one thread to a tensor ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The elements of a tensor that one thread reads or writes in memory. Where several locations hold
// one element, some of them are copies: the canonical location, the one whose free bits
// (layout::LinearLayout::freeMask) are zero, does what may be done once only.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MEMORY_THREADACCESS_H
#define TILEWRIGHT_LOWER_MEMORY_THREADACCESS_H

#include "lower/core/builder/LoweringBuilder.h"
#include "lower/core/types/AccessWidth.h"

namespace tilewright::lower {

/// Register numbers of the accesses of a thread: each list is one access, its elements in the
/// order of their addresses. Duplicates of earlier registers are in none.
llvm::SmallVector<llvm::SmallVector<unsigned>> getAccesses(const layout::LinearLayout &layout,
                                                           const AccessWidth &width);
/// The same for a value of `type`: a tensor with a layout, or a scalar, which is one register.
llvm::SmallVector<llvm::SmallVector<unsigned>> getAccesses(mlir::Type type,
                                                           const AccessWidth &width);

/// The bits of the thread's number that do not matter: threads that differ in them hold the
/// same elements.
uint32_t getCopyThreads(const layout::LinearLayout &layout, LoweringBuilder &e);
/// The same for a value of `type`: a tensor with a layout, or a scalar, which all threads hold.
uint32_t getCopyThreads(mlir::Type type, LoweringBuilder &e);

/// Gives the registers that are null what the first register with the same element has.
void fillCopies(const layout::LinearLayout &layout, llvm::MutableArrayRef<mlir::Value> registers);

/// The mask of the access that `element` is in; null where there is none, or it is constantly
/// true. `mask` holds the mask's registers, if any.
mlir::Value getPredicate(mlir::ValueRange mask, unsigned element);

//===----------------------------------------------------------------------------===//
// Values of the canonical locations, for all
//===----------------------------------------------------------------------------===//

/// Bytes of scratch that sendToCopies needs for a result of `type`, scalar or tensor; 0 where
/// each location has elements of its own, or shuffles do it.
uint64_t getCopyScratchBytes(mlir::Type type);

/// The registers of a result of `type` in all threads, where only the canonical location of each
/// element has it in `registers`. `scratch`: where that many bytes begin in shared memory. There
/// is a barrier of the block between its stores and its loads.
llvm::SmallVector<mlir::Value> sendToCopies(LoweringBuilder &e, mlir::Type type,
                                            mlir::ValueRange registers, uint64_t scratch);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MEMORY_THREADACCESS_H
