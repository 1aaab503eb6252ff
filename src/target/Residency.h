//===- Residency.h - Blocks that a multiprocessor holds at a time ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A multiprocessor (NVIDIA's streaming multiprocessor, AMD's work-group processor, Intel's Xe core)
// runs as many blocks at a time as it has room for:
//
//     warps       each of its partitions (sub-cores, SIMDs, vector engines) has slots for some
//     registers   each partition has a file, and gives each of its warps a multiple of a unit
//     memory      a block gets a multiple of a unit, or one of a few sizes, and some is reserved
//     blocks      at most so many, and so many of those whose warps meet at barriers
//
// The rule is that of cuda_occupancy.h (CUDA toolkit), of LLVM's AMDGPUBaseInfo.cpp, IsaInfo, and
// of Intel's compute runtime (kernel_helpers.cpp); the numbers are in the vendors' files beside
// this one. test/unit/target/ResidencyTest.cpp has what those programs say.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_RESIDENCY_H
#define TILEWRIGHT_TARGET_RESIDENCY_H

#include <algorithm>
#include <cstdint>
#include <span>

namespace tilewright::target {

/// What the blocks of a multiprocessor share. Warps have Execution::threadsPerWarp lanes, and
/// registers have 32 bits a lane: a warp that needs 100 of them has 100 for each lane.
struct Multiprocessor {
  unsigned partitions;
  /// Of one partition: the warps that it has slots for, and the registers of all of them together.
  unsigned warpsPerPartition;
  unsigned registersPerPartition;
  /// A warp gets a multiple of these.
  unsigned registerUnit;
  unsigned maxBlocks;
  /// Of those with more than one warp, each of which takes a barrier.
  unsigned maxBlocksWithBarrier;
  unsigned sharedBytes;
  /// A block gets a multiple of these bytes or, where there are sizes, one of those.
  unsigned sharedUnit;
  std::span<const unsigned> sharedSizes = {};
  /// The bytes that each block has beside its own.
  unsigned reservedSharedBytes = 0;
  /// Columns of tensor memory, and their rows. 0 columns: there is none.
  unsigned tensorColumns = 0;
  unsigned tensorRows = 128;
  /// The warps with which a multiprocessor is busy: while some wait, the others keep its units at
  /// work, and more bring little.
  unsigned busyWarps;

  unsigned maxWarps() const { return partitions * warpsPerPartition; }
  /// The columns of tensor memory that a matrix of words of `rows` x `columns` takes.
  uint64_t tensorColumnsOf(uint64_t rows, uint64_t columns) const {
    return std::max<uint64_t>(1, rows / tensorRows) * columns;
  }
};

/// What a block takes.
struct BlockNeeds {
  unsigned warps = 1;
  /// Of a lane.
  unsigned registers = 0;
  uint64_t sharedBytes = 0;
  /// Columns of tensor memory, as they are allocated: a power of two.
  unsigned tensorColumns = 0;
};

/// The resource that lets no further block in.
enum class Bound : uint8_t { Blocks, Warps, Registers, SharedMemory, TensorMemory };

struct Residency {
  unsigned blocks = 0;
  /// The first in the order of Bound, if several let none in.
  Bound bound = Bound::Blocks;

  friend bool operator==(const Residency &, const Residency &) = default;
};

/// The blocks that a multiprocessor holds; 0 where a single one needs more than there is.
Residency findResidency(const Multiprocessor &multiprocessor, const BlockNeeds &block);

/// The registers that a lane may have if `warps` warps are to be resident; 0 if they never are.
unsigned registersForWarps(const Multiprocessor &multiprocessor, unsigned warps);

/// The bytes that a block may have if `blocks` of them are to be resident.
uint64_t sharedBytesForBlocks(const Multiprocessor &multiprocessor, unsigned blocks);

/// The warps that are resident, of blocks that each have `block.warps`, or those with which the
/// multiprocessor is busy, if there are more.
unsigned countBusyWarps(const Multiprocessor &multiprocessor, const BlockNeeds &block);

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_RESIDENCY_H
