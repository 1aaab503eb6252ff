//===- Strategy.h - How a loop loads and multiplies -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop overlaps its loads with its products in one of a few ways. The way follows from the
// target's atoms and from what the products of the loop read:
//
//     target has                        loads of pointers     products
//     copies global -> shared           asynchronous copies   as their operands say
//     products, but no such copies      through registers     in order
//     neither                           direct                in order
//
//     operands of the products          completion
//     registers                         in order: the result is there when the op is
//     shared memory                     group wait: a later op waits for a group of products
//
// All passes of the pipeline ask this struct, and none asks the target or the loop by itself. The
// decision is a function of two tables of facts, so a test can state each row.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_STRATEGY_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_STRATEGY_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "target/Target.h"

#include <string>

namespace tilewright::transform {

/// How a tile gets from global memory to where products read it.
enum class LoadPath : uint8_t {
  Direct,       ///< By loads into registers, and conversions.
  Registers,    ///< By loads into registers, which threads then store to shared memory.
  AsyncCopy,    ///< By copies of lanes from global to shared memory; threads wait for groups.
  BulkCopy,     ///< By one thread's copy of a block of a descriptor; a barrier completes it.
  BlockMessage, ///< By messages that load a block of a matrix into the registers of a warp.
};

/// How it is known that a product is complete.
enum class Completion : uint8_t {
  None,      ///< The loop has no products.
  InOrder,   ///< The result is there when the op is.
  GroupWait, ///< An op waits until a group of products is complete.
};

/// The facts about a loop that its strategy depends on.
struct LoopNeeds {
  /// The warps that run the loop.
  unsigned warps = 4;
  /// The products in the body, by what they read: A and B in registers, on a matrix unit; A and B
  /// in memory; B in memory and A in registers that the iteration writes.
  unsigned products = 0;
  unsigned ofFragments = 0;
  unsigned ofMemory = 0;
  unsigned ofWrittenRegisters = 0;
  /// Those that complete later than they are issued, and of these, those whose result the same
  /// iteration reads.
  unsigned asynchronous = 0;
  unsigned awaited = 0;
  /// Those that multiply, in registers, what the iteration makes of another one's result, as
  /// attention's P V does with Q K.
  unsigned chained = 0;
  /// The loop loads blocks of descriptors that hardware copies to shared memory.
  bool hasHardwareBlocks = false;
};

struct LoopStrategy {
  /// The path of loads through pointers, and of blocks of descriptors.
  LoadPath pointers = LoadPath::Direct;
  LoadPath blocks = LoadPath::Direct;
  Completion products = Completion::None;
  /// The groups of warps that begin copies, each of which has a matrix unit's product of its own
  /// under way: while the unit is busy with one group, another begins copies. 1 where no product
  /// is issued by a group.
  unsigned groups = 1;
  /// The memory of the products' accumulators.
  target::Space accumulators = target::Space::Registers;
  /// A matrix unit multiplies operands in registers.
  bool multipliesFragments = false;
  /// The loop sums up one product, of operands that its unit reads in memory, and reads no sum.
  bool isPlainSum = false;
  /// All products read registers that the iteration writes, as late as their operands in memory:
  /// before the next iteration writes them, this one waits for its products, at its end, as it does
  /// not read what they give.
  bool waitsInIteration = false;
  /// One of two products multiplies what threads make of the other's result, and several groups of
  /// warps do so. While one group computes, the unit has the product of another, unless a barrier
  /// keeps them in step: the copies are worth a warp of their own.
  bool isChainOfGroups = false;

  /// Whether copies begin after the products of an iteration; `areAllReadInMemory` says that
  /// products read all copied tiles in memory. To begin copies takes a thread long, and the unit is
  /// busy meanwhile.
  bool beginsCopiesLast(bool areAllReadInMemory) const {
    return waitsInIteration || (areAllReadInMemory && groups > 1);
  }
  /// Whether units multiply while several groups of warps begin the copies.
  bool hidesCopies() const { return groups > 1 && products == Completion::GroupWait; }

  /// "loads by asynchronous copies, products complete by group wait, 2 groups of warps, ..."
  std::string describe() const;

  friend bool operator==(const LoopStrategy &, const LoopStrategy &) = default;
};

/// The products of `loop` that read operands in memory and whose result an op of the same iteration
/// reads, another product's sum and branches aside: the iteration has to wait for them.
llvm::SmallVector<mlir::Operation *> findAwaitedProducts(mlir::scf::ForOp loop);

/// Says of `product`, which reads operands in memory, for how many iterations it may run on
/// (ttg::selfLatencyAttrName): 0 where the loop has no buffers for tiles that it would go on
/// reading (copies/BufferPlan.h).
void setSelfLatency(mlir::Operation *product, unsigned iterations);
/// Whether it may, as far as that says, run on into the next iteration.
bool mayRunOn(mlir::Operation *product);

/// The path of loads through pointers on `target`.
LoadPath getPointerPath(const target::Target &target);

/// The facts about `loop`.
LoopNeeds findNeeds(mlir::scf::ForOp loop);

/// The strategy of a loop with `needs` on `target`.
LoopStrategy decideStrategy(const target::Target &target, const LoopNeeds &needs);

/// The strategy of `loop` on `target`.
inline LoopStrategy decideStrategy(const target::Target &target, mlir::scf::ForOp loop) {
  return decideStrategy(target, findNeeds(loop));
}

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_STRATEGY_H
