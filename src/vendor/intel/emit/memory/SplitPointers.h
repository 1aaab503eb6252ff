//===- SplitPointers.h - Uniform loop pointers and per-lane offsets -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop over tiles moves a pointer on for each vector that a lane loads:
//
//   %p = phi ptr [ %start, .. ], [ %next, .. ]     ; %start = getelementptr T, ptr %base, i64 %lane
//   %next = getelementptr T, ptr %p, i64 %step
//
// Lanes keep 64 bits each of every such pointer, through all of the loop. Mostly %base and %step
// are the same for all lanes, and %lane is the same for all pointers: then a sub-group has to keep
// one %lane only, and of each pointer the 64 bits of %base, moved on.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_SPLITPOINTERS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_SPLITPOINTERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Moves the uniform part of such pointers of the kernel `function`, and adds the lane's part
/// in each iteration. Returns whether anything changed.
bool splitLoopPointers(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_SPLITPOINTERS_H
