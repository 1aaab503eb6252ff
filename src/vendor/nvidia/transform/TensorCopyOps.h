//===- TensorCopyOps.h - Copies by the accelerator and their barriers -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What a load of a block is made of: memory for the block, a barrier, the copy that tells it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORCOPYOPS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORCOPYOPS_H

#include "ir/ttng/Dialect.h"

namespace tilewright::vendor::nvidia {

/// The memory that a block of `descriptor` is copied from or to, of the shape `shape`: that of the
/// block, which may lack dimensions of size 1 at its beginning, or rows that are gathered.
ttg::MemDescType getBlockMemory(tt::TensorDescType descriptor, llvm::ArrayRef<int64_t> shape,
                                bool isMutable);

/// A load of a block: tt.descriptor_load, tt.descriptor_gather, or one through pointers.
class BlockLoad {
public:
  explicit BlockLoad(mlir::Operation *op) : op(op) {}
  /// A load through pointers whose value only initializes allocations, as copies of threads make
  /// it, each of so many neighbouring `elements`.
  BlockLoad(tt::LoadOp load, unsigned elements) : op(load), elements(elements) {}

  /// Whether `op` loads a block of a descriptor.
  static bool is(mlir::Operation *op) {
    return mlir::isa<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
  }

  mlir::Operation *getOp() const { return op; }
  mlir::Value getResult() const { return op->getResult(0); }
  bool isOfPointers() const { return mlir::isa<tt::LoadOp>(op); }

  /// What says where the block is, and which of its elements are there.
  llvm::SmallVector<mlir::Value> getPlace() const;
  /// The memory of the block, mutable.
  ttg::MemDescType getMemoryType() const;
  /// Bytes of the block.
  uint32_t getBytes() const;
  /// The copies that each of so many `threads` makes, of a load through pointers.
  unsigned countCopies(unsigned threads) const;
  /// Begins the copy into `memory`, of which `barrier` is told, where `predicate` (i1) is true.
  /// Copies through pointers know neither.
  mlir::Operation *createCopy(mlir::OpBuilder &builder, mlir::Value memory, mlir::Value barrier,
                              mlir::Value predicate) const;
  /// Whether `user`, of the result, wants it in shared memory as the copy leaves it there.
  bool isReadInPlace(mlir::Operation *user) const;
  /// Replaces the result of such a user by `memory`.
  static void replaceAllocation(ttg::LocalAllocOp alloc, mlir::Value memory);

private:
  mlir::Operation *op;
  unsigned elements = 1;
};

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORCOPYOPS_H
