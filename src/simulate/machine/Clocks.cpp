//===- Clocks.cpp - Vector clocks of the warps of a block ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Clocks.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::simulate;

void Clocks::reset() {
  blockEpoch = 0;
  std::ranges::fill(warpEpochs, 0);
  std::ranges::fill(seen, 0);
}

void Clocks::passWarpBarrier(uint32_t warp) {
  ++warpEpochs[warp];
  if (tracksWarps())
    row(warp)[warp] = warpEpochs[warp];
}

void Clocks::release(uint32_t warp, Epochs &released) {
  if (!tracksWarps())
    return;
  released.resize(warpEpochs.size());
  std::span<const uint32_t> known = row(warp);
  for (uint32_t other = 0; other < known.size(); ++other)
    released[other] = std::max(released[other], known[other]);
  // What the warp does from now on is of a new epoch, which nobody knows of: nor does the warp
  // itself, whose lanes are not ordered with one another by coming to a barrier.
  released[warp] = ++warpEpochs[warp];
}

void Clocks::acquire(uint32_t warp, const Epochs &released) {
  if (!tracksWarps())
    return;
  std::span<uint32_t> known = row(warp);
  for (uint32_t other = 0; other < known.size(); ++other)
    known[other] = std::max(known[other], released[other]);
}
