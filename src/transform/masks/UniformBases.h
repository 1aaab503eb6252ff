//===- UniformBases.h - Addresses as a base of all threads and offsets -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The addresses of a tile that a loop loads are, in each iteration, a base that all threads share
// and offsets that stay:
//
//     for i:                                           for i:
//       p = q + row * stride + i * step + column  =>     p = (q + i * step) + offset
//
// Where warps have registers and arithmetic for what their lanes share, such as AMD's scalar
// units, and accesses take a base from there and a lane's offset of 32 bits, an iteration then
// computes no addresses but the bases. The offsets have to be small, which depends on strides: a
// condition in front of the loop says so.
//
// The loop for all other offsets, and for the iterations that are left, may carry a base as well
// where it moves pointers on: the offsets stay as the source adds them, each of 32 bits, where a
// lane's pointers would take 64 bits each.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MASKS_UNIFORMBASES_H
#define TILEWRIGHT_TRANSFORM_MASKS_UNIFORMBASES_H

#include "transform/masks/RuntimeRanges.h"

#include "mlir/IR/IRMapping.h"

namespace tilewright::transform {

/// The loads in the body of a loop whose addresses are of this kind.
class UniformBases {
public:
  /// Finds them, and emits their offsets in front of the loop. If `carriesBases`, the original loop
  /// is to carry bases as well: less in registers, and more arithmetic for addresses.
  UniformBases(mlir::scf::ForOp loop, bool carriesBases);

  bool empty() const { return loads.empty(); }
  /// Whether offsets are not known to be small before the launch: the back end would not find
  /// these.
  bool hasLargeOffsets() const { return hasLarge; }

  /// Whether the offsets are right: an i1 in front of the loop.
  mlir::Value createFits() const { return ranges.createHolds(); }

  /// With what the original loop begins where the condition does not hold, once `startWith` has
  /// changed it.
  llvm::SmallVector<mlir::Value> createInits(mlir::OpBuilder &builder);

  /// A loop that does the same as the original one up to the index `upper`, if the condition holds;
  /// `mapping` gets the values of its body, also of addresses that nothing wants any more. Returns
  /// with what the original one goes on: values of createInits' types.
  llvm::SmallVector<mlir::Value> createLoop(mlir::OpBuilder &builder, mlir::Value upper,
                                            mlir::IRMapping &mapping);

  /// Has the original loop begin with `inits`, which are of createInits' types. Its addresses are
  /// what they were, whether the condition holds or not.
  void startWith(mlir::ValueRange inits);

private:
  /// The part of an integer or pointer, of one value for each element of a tensor, that stays: a
  /// tensor in front of the loop, null for zero. Nothing where it cannot be taken apart.
  using Invariant = std::optional<mlir::Value>;

  /// Scalars, by the values whose elements have them in common; null for zero.
  using Scalars = llvm::DenseMap<mlir::Value, mlir::Value>;

  Invariant getInvariant(mlir::Value value);
  Invariant computeInvariant(mlir::Value value);
  Invariant addInvariants(mlir::Value a, mlir::Value b);
  /// What `op`, a move of elements, does to the invariant part of its operand.
  Invariant moveInvariant(mlir::Operation *op);
  bool isCarried(mlir::BlockArgument argument);
  /// Whether the loop moves the pointers on by the same for all threads.
  bool stepsUniformly(mlir::BlockArgument argument);

  /// Whether `pointer` has offsets, which are then found.
  bool find(mlir::Value pointer);
  /// `invariant`, of `pointer`, checked and known to be small; null if that cannot be.
  mlir::Value createOffsets(mlir::Value pointer, mlir::Value invariant);
  /// Asks for the ranges of the numbers that are added up to `pointer`; false if one has none.
  bool addRanges(mlir::Value pointer);

  mlir::Value createUniform(mlir::OpBuilder &builder, mlir::Value value,
                            const mlir::IRMapping &mapping, Scalars &scalars);
  mlir::Value computeUniform(mlir::OpBuilder &builder, mlir::Value value,
                             const mlir::IRMapping &mapping, Scalars &scalars);
  /// The tensor of addresses in place of `pointer`.
  mlir::Value createPointer(mlir::OpBuilder &builder, mlir::Value base, mlir::Value pointer);
  /// What createUniform gives of `pointer`, which is in front of the loop, without what it takes
  /// from sums of 32 bits: right whether these wrap around or not.
  mlir::Value createPlainBase(mlir::OpBuilder &builder, mlir::Value pointer);
  /// The plain base of `pointer`, of which createUniform has made `base`, moved on as that is.
  mlir::Value createPlainBase(mlir::OpBuilder &builder, mlir::Value base, mlir::Value pointer);

  mlir::scf::ForOp loop;
  RuntimeRanges ranges;
  llvm::DenseMap<mlir::Value, Invariant> invariants;
  llvm::DenseMap<mlir::Value, mlir::Value> ofInvariants;
  /// By the pointers of loads, and the loop's arguments of these.
  llvm::DenseMap<mlir::Value, mlir::Value> offsets;
  llvm::DenseSet<mlir::Operation *> loads;
  bool hasLarge = false;
  const bool carriesBases;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MASKS_UNIFORMBASES_H
