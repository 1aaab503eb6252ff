//===- Clocks.h - Vector clocks of the warps of a block -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Time is a number of epochs: those of the block, which end at barriers of all of its warps, and
// those of each warp. Where some warps may meet without the others, each warp also has a row of
// vector clocks: for each warp, the epoch before which all that it did is ordered before what
// the row's warp does from now on. A warp that comes to a barrier releases what it did and what it
// knows; a warp that leaves one acquires what all of those that came have released.
//
// Blocks whose threads meet all together or warp by warp need no rows, and do not keep them.
//
// The units that carry out asynchronous operations count as one more warp. What they have done
// they release to the phase of a barrier (PhaseBarriers.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_CLOCKS_H
#define TILEWRIGHT_SIMULATE_MACHINE_CLOCKS_H

#include "simulate/machine/SharedMemory.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::simulate {

class Clocks {
public:
  /// For each warp, an epoch: what warps release and acquire. Empty if warps are not tracked.
  using Epochs = std::vector<uint32_t>;

  explicit Clocks(uint32_t warps) : warpEpochs(warps + 1) {}

  /// The number of the warp that the asynchronous units count as.
  uint32_t unit() const { return static_cast<uint32_t>(warpEpochs.size()) - 1; }

  /// Keeps rows from now on.
  void trackWarps() { seen.assign(warpEpochs.size() * warpEpochs.size(), 0); }
  bool tracksWarps() const { return !seen.empty(); }
  /// A new block.
  void reset();

  /// The stamp with which an access of a thread is recorded.
  Accessor now(uint32_t thread, uint32_t warp) const {
    return {thread, warp, blockEpoch, warpEpochs[warp],
            tracksWarps() ? &seen[warp * warpEpochs.size()] : nullptr};
  }

  void passBlockBarrier() { ++blockEpoch; }
  /// How many barriers of the whole block there have been.
  uint32_t now() const { return blockEpoch; }
  void passWarpBarrier(uint32_t warp);
  /// Adds to `released` all that the warp has done and knows.
  void release(uint32_t warp, Epochs &released);
  void acquire(uint32_t warp, const Epochs &released);

private:
  std::span<uint32_t> row(uint32_t warp) {
    return std::span(seen).subspan(warp * warpEpochs.size(), warpEpochs.size());
  }

  uint32_t blockEpoch = 0;
  Epochs warpEpochs;
  std::vector<uint32_t> seen;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_CLOCKS_H
