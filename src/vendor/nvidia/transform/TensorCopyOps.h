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

/// A load of a block: tt.descriptor_load, or tt.descriptor_gather.
class BlockLoad {
public:
  explicit BlockLoad(mlir::Operation *op) : op(op) {}
  static bool is(mlir::Operation *op) {
    return mlir::isa<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
  }

  mlir::Operation *getOp() const { return op; }
  mlir::Value getResult() const { return op->getResult(0); }

  /// The memory of the block, mutable.
  ttg::MemDescType getMemoryType() const;
  /// Bytes of the block.
  uint32_t getBytes() const;
  /// Begins the copy into `memory`, of which `barrier` is told, where `predicate` (i1) is true.
  mlir::Operation *createCopy(mlir::OpBuilder &builder, mlir::Value memory, mlir::Value barrier,
                              mlir::Value predicate) const;
  /// Whether `user`, of the result, wants it in shared memory as the copy leaves it there.
  bool isReadInPlace(mlir::Operation *user) const;
  /// Replaces the result of such a user by `memory`.
  static void replaceAllocation(ttg::LocalAllocOp alloc, mlir::Value memory);

private:
  mlir::Operation *op;
};

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_TENSORCOPYOPS_H
