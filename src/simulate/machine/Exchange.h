//===- Exchange.h - How threads and the machine meet ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The registers that compiled code reads, the operations that the lanes of a warp or the warps of a
// group do together, and how threads come to barriers.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_EXCHANGE_H
#define TILEWRIGHT_SIMULATE_MACHINE_EXCHANGE_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::simulate {

/// The registers that compiled code reads at a fixed address; the fields of the thread are
/// exchanged whenever another one gets its turn.
struct Registers {
  uint32_t thread[3] = {};
  uint32_t lane = 0;
  uint32_t warp = 0;
  uint32_t block[3] = {};
  uint32_t blockSize[3] = {1, 1, 1};
  uint32_t gridSize[3] = {1, 1, 1};
  /// The block's number in its cluster, and the cluster's number; a block alone is one of 1.
  uint32_t rank = 0;
  uint32_t cluster[3] = {};
  uint32_t clusterBlocks = 1;
  uint32_t clusterGrid[3] = {1, 1, 1};
  uint32_t sharedBytes = 0;
  /// Loop iterations until the thread must call `Machine::tick`.
  int64_t iterationsLeft = 0;
};

class Machine;

/// The operands and results of a warp-wide operation, one entry a lane.
struct WarpExchange {
  Machine *machine = nullptr;
  uint32_t site = 0;
  /// The thread of lane 0.
  uint32_t firstThread = 0;
  uint32_t lanes = 0;
  /// The lanes that take part, a bit each.
  uint64_t members = 0;
  static constexpr unsigned operandCount = 4;
  struct Lane {
    uint32_t operands[operandCount] = {};
    uint64_t result = 0;
  };
  std::vector<Lane> lane;
  /// The error in the operation, if the combination finds one.
  std::string problem;
  /// Whether what the lanes did in memory before comes before what they do after.
  bool ordersMemory = false;
};

/// Computes all results of a warp-wide operation from all operands. If it has the machine
/// fail, nothing more happens.
using WarpCombine = void (*)(WarpExchange &);

/// An operation of several consecutive warps.
struct GroupExchange {
  Machine *machine = nullptr;
  uint32_t site = 0;
  uint32_t firstThread = 0;
  /// The values that each thread has given; they may be written to.
  std::vector<void *> operands;
};

/// Does such an operation. If it has the machine fail, nothing more happens.
using GroupCombine = void (*)(GroupExchange &);

/// How a thread comes to a barrier.
struct BarrierUse {
  /// The barrier's number in the block.
  uint32_t number = 0;
  /// How many threads are to come: whole warps.
  uint32_t threads = 0;
  /// Whether the thread goes on as soon as its warp has come.
  bool arrivesOnly = false;
  /// Whether the barrier orders accesses to shared memory, for all that use it so.
  bool ordersShared = true;
  /// The threads that have to be at one point of the program to meet. GPUs that meet by number
  /// leave that to each warp, or even to each lane.
  enum class SamePlace : uint8_t { Lane, Warp, Block } samePlace = SamePlace::Warp;
  /// Whether the block's threads then wait for those of the cluster's other blocks, too.
  bool ofCluster = false;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_EXCHANGE_H
