//===- MemoryOrder.h - Accesses of memory that keep their order -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Two ops of a loop's body keep their order if one of them writes global memory that the other may
// read or write, in its regions as well:
//
//     scf.if %last { tt.store %p, %sum }
//     %x = tt.load %q                        after the branch if %p and %q may have one base
//
// The *base* of an address is what it is computed from in the end: an argument of the kernel, or
// what a load gives. Addresses of different bases are taken to be of different memory, as they are
// in Triton's pipeline: otherwise no loop that stores could load early.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_MEMORYORDER_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_MEMORYORDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::transform {

class MemoryOrder {
public:
  explicit MemoryOrder(mlir::scf::ForOp loop);

  /// Whether `a` and `b`, different ops of the body, keep their order.
  bool isKept(mlir::Operation *a, mlir::Operation *b) const;
  /// Whether `op` keeps its order with any other op of the body.
  bool isKept(mlir::Operation *op) const;
  /// Calls `see` with each pair of ops that keep their order, the first one first.
  void
  forEachPair(llvm::function_ref<void(mlir::Operation *first, mlir::Operation *second)> see) const;

private:
  using Bases = llvm::SetVector<mlir::Value>;
  struct Accesses {
    Bases all, written;
  };

  static bool mayConflict(const Accesses &a, const Accesses &b);

  /// Of those ops of the body that access global memory, in its order.
  llvm::MapVector<mlir::Operation *, Accesses> accesses;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_MEMORYORDER_H
