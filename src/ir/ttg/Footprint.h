//===- Footprint.h - The bytes that a view of memory owns -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_FOOTPRINT_H
#define TILEWRIGHT_IR_TTG_FOOTPRINT_H

#include "ir/ttg/Dialect.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/BitVector.h"

namespace tilewright::ttg {

/// The bytes of shared memory, counted from the first element of `type`, that its elements take.
/// Whole memory owns its holes, too; a part owns its elements alone. An error, without a place,
/// where the bytes depend on which part of the memory it is: a swizzle moves elements of the part
/// by its coordinates, blocks of the cluster hold parts, or holes lie between.
Result<llvm::BitVector> getFootprint(MemDescType type);

/// Buffers that follow each other without a gap, and the place at which a view of one of them
/// begins: how far the memory goes on after the view.
struct EnclosingBuffers {
  /// The outermost memory.
  MemDescType memory;
  /// The views that choose a buffer of the next one, outermost first, each with the bytes from one
  /// buffer to the next.
  llvm::SmallVector<std::pair<MemDescIndexOp, uint64_t>, 2> choices;
  /// Bytes of the memory.
  uint64_t bytes = 0;

  /// The bytes before the view: those that are known while compiling, the least there can be.
  uint64_t getKnownBegin() const;
};

/// The buffers that `view` is one of; nothing where it is not the result of ttg.memdesc_index.
std::optional<EnclosingBuffers> findEnclosingBuffers(mlir::Value view);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_FOOTPRINT_H
