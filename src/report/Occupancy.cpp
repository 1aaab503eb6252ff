//===- Occupancy.cpp - Blocks that fit a multiprocessor -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Occupancy.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::report;

unsigned Occupancy::blocks() const { return std::min({byRegisters, byShared, byThreads}); }

std::string_view Occupancy::limit() const {
  if (blocks() == byThreads)
    return "threads";
  return blocks() == byShared ? "shared memory" : "registers";
}

Occupancy report::estimateOccupancy(const KernelMetadata &kernel, const target::Target &target,
                                    unsigned registers) {
  Occupancy result;
  result.threadsPerBlock = static_cast<unsigned>(kernel.numWarps * kernel.threadsPerWarp);
  result.registersPerThread = registers;
  // Lanes of wider warps have registers of their own, in the same warp's share.
  const unsigned width =
      std::max(1u, static_cast<unsigned>(kernel.threadsPerWarp) / target.execution.threadsPerWarp);
  const auto countBlocks = [&](unsigned registersOfLane, uint64_t bytes) {
    const target::BlockNeeds block = {.warps = static_cast<unsigned>(kernel.numWarps),
                                      .registers = registersOfLane,
                                      .sharedBytes = bytes};
    return findResidency(target.multiprocessor, block).blocks;
  };
  result.byThreads = countBlocks(0, 0);
  result.byRegisters = countBlocks(width * result.registersPerThread, 0);
  if (kernel.sharedBytes > 0)
    result.byShared = countBlocks(0, kernel.sharedBytes);
  return result;
}

llvm::json::Object report::toJson(const Occupancy &occupancy) {
  llvm::json::Object object{{"registers_per_thread", occupancy.registersPerThread},
                            {"threads_per_block", occupancy.threadsPerBlock},
                            {"by_registers", occupancy.byRegisters},
                            {"by_threads", occupancy.byThreads},
                            {"blocks", occupancy.blocks()},
                            {"limit", std::string(occupancy.limit())}};
  if (occupancy.byShared != ~0u)
    object["by_shared"] = occupancy.byShared;
  return object;
}
