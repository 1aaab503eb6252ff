//===- SuspendedBlock.h - A block while another one has its turn ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the machine: what it has of the block whose turn it is, and keeps of a cluster's
// other blocks.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_SUSPENDEDBLOCK_H
#define TILEWRIGHT_SIMULATE_MACHINE_SUSPENDEDBLOCK_H

#include "simulate/machine/Machine.h"

namespace tilewright::simulate {

struct Machine::SuspendedBlock {
  SharedMemory::Suspended memory;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Thread> threads;
  std::vector<AsyncQueue> asyncQueues, bulkQueues;
  PhaseBarriers phaseBarriers;
  Clocks clocks;
  ProxyFences fences;
  std::map<const void *, std::unique_ptr<BlockState>> blockStates;
  std::vector<Barrier> barriers;
  bool passedUnordered = false;
  Counters counters;
  /// The block epoch since the last barrier of the cluster.
  uint32_t clusterEpoch = 0;
  bool ended = false;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_SUSPENDEDBLOCK_H
