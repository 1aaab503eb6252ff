//===- Allocations.h - Allocations that a value may refer to ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An op makes a piece of a memory space, views name parts of it, and views travel: through the
// arguments of blocks and through selects. What an op accesses is the allocations that its views
// may be of; an allocation lives from where it is made to where nothing will access it, and where
// asynchronous accesses to it may be under way. The regions of a ttg.warp_specialize run at
// the same time: what one of them accesses lives as long as the op runs.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SPACE_ALLOCATIONS_H
#define TILEWRIGHT_LOWER_SPACE_ALLOCATIONS_H

#include "lower/space/AsyncAccesses.h"
#include "lower/space/MemorySpace.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tilewright::lower {

/// The allocations of one function in one memory space. The function's control flow is that of its
/// blocks.
class Allocations {
public:
  /// `space` lives as long as this.
  Allocations(tt::FuncOp func, const MemorySpace &space);

  const MemorySpace &getSpace() const { return *space; }
  /// The ops that make them, in the order of the program. Their numbers are the places in sets of
  /// allocations.
  llvm::ArrayRef<mlir::Operation *> all() const { return allocations; }

  /// Those that a view may be of.
  llvm::BitVector of(mlir::Value view) const;
  /// Those to which `wait` completes asynchronous accesses.
  AccessedAllocations completedAt(mlir::Operation *wait) const { return async.completedAt(wait); }

  /// Those that hold something while `op` is carried out: made before or by it, and to be accessed
  /// by it or later.
  llvm::BitVector aliveAt(mlir::Operation *op) const;
  /// For each allocation, those that hold something at the same time as it.
  std::vector<llvm::BitVector> findConflicts() const;

private:
  void findBlocks(mlir::Region &region);
  void findAliases();
  void findLiveness(tt::FuncOp func);
  llvm::BitVector usedBy(mlir::Operation *op) const;
  llvm::BitVector usedInside(ttg::WarpSpecializeOp op) const;
  llvm::BitVector madeInside(ttg::WarpSpecializeOp op) const;

  const MemorySpace *space;
  std::vector<mlir::Operation *> allocations;
  llvm::DenseMap<mlir::Operation *, unsigned> numberOf;
  llvm::DenseMap<mlir::Value, llvm::BitVector> aliases;
  AsyncAccesses async;
  /// The function's blocks, those of a ttg.warp_specialize after the one it stands in.
  std::vector<mlir::Block *> blocks;
  /// At ops that matter: those that make or use an allocation or were asked for.
  llvm::DenseMap<mlir::Operation *, llvm::BitVector> alive;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SPACE_ALLOCATIONS_H
