//===- Costs.h - What the steps of conversions cost -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In cycles that a warp of 32 takes of one of the four schedulers of a multiprocessor;
// target/Target.cpp names the source. A cycle of the whole serves 32 lanes of a shuffle, 64
// of a select or of a byte permutation, and 128 bytes of shared memory: 4, 2 and 4 cycles
// of the scheduler's quarter. Latencies are rounded.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_COSTS_H
#define TILEWRIGHT_LAYOUT_COSTS_H

namespace tilewright::layout::costs {

constexpr unsigned Shuffle = 4;
constexpr unsigned Select = 2;
constexpr unsigned Permute = 2;
constexpr unsigned LatencyOfShuffles = 25;

constexpr unsigned Wavefront = 4;
constexpr unsigned SharedAccess = 1;
constexpr unsigned LatencyOfRound = 30;
// Matrices come later than vectors, which counts where a round has little else to do: on an H200
// conversions of 1,024 bytes with two loads of 32 bits take 0.73 of the time of those with one of
// two matrices (bench/gpu/compare_conversions.py).
constexpr unsigned LatencyOfMatrixLoad = 2;
constexpr unsigned WarpBarrier = 10;
constexpr unsigned BlockBarrier = 30;

// Where plans differ in the scratch memory they take, so many bytes weigh as much as a cycle:
// those of a wavefront.
constexpr unsigned ScratchBytesPerCycle = 128;

} // namespace tilewright::layout::costs

#endif // TILEWRIGHT_LAYOUT_COSTS_H
