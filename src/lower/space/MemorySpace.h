//===- MemorySpace.h - Memories that a kernel has pieces of ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A memory space is a row of a table: which views are of it, which ops make memory there and of
// what extent, how much of it a block may have, and who may reach which part. Liveness and
// aliasing (Allocations.h), placement (Placement.h) and the barriers between accesses
// (InsertBarriers.h) are written over such a row; none of them knows which memory it is for.
//
// A memory is a number of bands, each of the same number of units. Shared memory is one band of
// bytes, which every thread reaches. A memory whose lanes belong to certain warps is in bands of
// lanes: what takes few lanes leaves the other bands to others.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SPACE_MEMORYSPACE_H
#define TILEWRIGHT_LOWER_SPACE_MEMORYSPACE_H

#include "ir/ttg/Dialect.h"
#include "lower/space/Placement.h"
#include "target/Target.h"

namespace tilewright::lower {

class Allocations;

struct MemorySpace {
  /// As errors have it: "shared memory".
  llvm::StringLiteral name;
  /// The unit of an extent: "bytes".
  llvm::StringLiteral unit;
  /// Bands of the memory, and how many of a block's warps, taken in turn, reach each of them
  /// alone. 0: all threads reach all of it.
  unsigned bands = 1;
  unsigned warpsOfBand = 0;
  /// The memory's name in ttg.barrier.
  ttg::BarrierSpace barrierSpace = ttg::Local;

  /// Whether views of this type are of the memory.
  bool (*contains)(ttg::MemDescType type);
  /// The view of memory of its own that `op` makes; null where it makes none.
  mlir::Value (*getAllocated)(mlir::Operation *op);
  /// The part of a band that the memory made by `op` takes, and how many bands.
  Extent (*getExtent)(mlir::Operation *op);
  /// Units of a band that a block may have.
  uint64_t (*getMaxUnits)(const target::Target &target);
  /// The units that a block is given that needs so many of a band: the rule by which hardware does.
  uint64_t (*roundUp)(uint64_t units);
  /// The module's attribute that says how many units a block is given.
  llvm::StringLiteral sizeAttrName;
  /// Takes `units` for the block where the kernel `func` begins, gives them back where it ends,
  /// and replaces the ops that make `allocations` by views of that memory at `places`. Null where
  /// whoever launches a kernel gives blocks the memory.
  void (*reserve)(tt::FuncOp func, const Allocations &allocations, llvm::ArrayRef<Place> places,
                  uint64_t units) = nullptr;

  /// The accesses of `op` to this memory by views.
  llvm::SmallVector<ttg::ViewAccess, 2> getAccesses(mlir::Operation *op) const;
  /// Whether `value` is a view of this memory.
  bool hasView(mlir::Value value) const;
};

/// The memory that a block's threads share: any number of bytes, reached by all.
extern const MemorySpace sharedMemorySpace;

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SPACE_MEMORYSPACE_H
