//===- IndexMaps.h - Linear maps of indices, and addresses ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_INDEXMAPS_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_INDEXMAPS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// The image of `value` (i32) under the linear map with these images of its bits, lowest first;
/// null where the map is zero. Higher bits of `value` do not matter.
mlir::Value emitLinearMap(LoweringBuilder &e, mlir::Value value, llvm::ArrayRef<uint64_t> columns);

/// An index (an integer of any width) as i32. Indices are not negative and within a dimension, so
/// that what is cut off or put in front is zeros.
mlir::Value emitIndex32(LoweringBuilder &e, mlir::Value index);

/// a XOR b of i32 values, each of which may be null for 0.
mlir::Value emitXor(LoweringBuilder &e, mlir::Value a, mlir::Value b);

/// Addresses in scratch memory whose offset is a part that depends on the thread XOR a
/// constant. Of the constant, what shares no bit with the thread's part is added, and so goes
/// into the instruction; addresses with the same rest share their base.
class ThreadOffsets {
public:
  /// `bases` count elements of `elementBytes`; offset 0 is byte `begin` of shared memory.
  ThreadOffsets(LoweringBuilder &e, const ThreadBases &bases, unsigned elementBytes,
                uint64_t begin);

  /// The pointer to the element at the thread's part XOR `offset`.
  mlir::Value get(uint64_t offset);

private:
  LoweringBuilder &e;
  ThreadBases bases;
  unsigned elementBytes;
  uint64_t begin, threadBits = 0;
  llvm::SmallDenseMap<uint64_t, mlir::Value, 4> baseOfXor;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_INDEXMAPS_H
