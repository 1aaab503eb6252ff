//===- ProducerSlice.h - What a producer computes by itself ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A producer of warps (SpecializeLoops.cpp) computes by itself where tiles are. Numbers and memory
// from around the loop are handed to it; tensors cannot be, so it computes these again, from
// numbers, by pure ops. It has fewer warps than the block: each tensor has the layout that it has
// in the block, with fewer warps.
//
//     block, 8 warps                          producer, 4 warps
//     %r = make_range : warpsPerCTA = [1, 8]  %r' = make_range : warpsPerCTA = [1, 4]
//     for %i ..                               for %i ..
//       %p = addptr %splat, %r                  %p' = addptr %splat', %r'
//       load %p                                 copy %p'
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERSLICE_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERSLICE_H

#include "ir/ttg/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

namespace tilewright::vendor::nvidia {

/// `encoding`, `#ttg.blocked` or a slice of it, for `warps` warps, a power of two, where it is of
/// more: those along the slowest dimension first become fewer, so that lanes keep their neighbours.
/// Null for other encodings, and for those of several blocks.
mlir::Attribute withWarps(mlir::Attribute encoding, unsigned warps);

class ProducerSlice {
public:
  /// `warps`: those of the producer.
  ProducerSlice(mlir::scf::ForOp loop, unsigned warps) : loop(loop), warps(warps) {}

  /// Whether `value`, of the loop or from around it, can be computed by the producer; adds to the
  /// slice what that takes.
  bool add(mlir::Value value);

  /// Whether an op of the body is in the slice.
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  /// The values that the loop carries and the producer needs.
  llvm::ArrayRef<mlir::BlockArgument> getCarried() const { return carried.getArrayRef(); }
  /// The numbers and the memory from around the loop that it needs.
  llvm::ArrayRef<mlir::Value> getOutside() const { return outside.getArrayRef(); }
  /// Adds a number from around the loop.
  void addOutside(mlir::Value number) { outside.insert(number); }

  /// Makes a copy of `op`, of the slice, with the producer's layouts.
  mlir::Operation *clone(mlir::OpBuilder &builder, mlir::Operation *op,
                         mlir::IRMapping &mapping) const;
  /// Makes copies of the ops in front of the loop that give tensors.
  void cloneOuter(mlir::OpBuilder &builder, mlir::IRMapping &mapping) const;

private:
  bool canClone(mlir::Operation *op) const;
  bool addOuter(mlir::Value value);
  bool addCarried(mlir::BlockArgument argument);

  mlir::scf::ForOp loop;
  unsigned warps;
  /// `outer` in an order in which each op follows what it uses.
  llvm::SetVector<mlir::Operation *> ops, outer;
  llvm::SetVector<mlir::BlockArgument> carried;
  llvm::SetVector<mlir::Value> outside;
};

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERSLICE_H
