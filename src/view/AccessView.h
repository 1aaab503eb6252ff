//===- AccessView.h - Cost tables of memory accesses ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A distributed layout is asked how it would load or store the tensor in each order in memory,
// a layout of shared memory how a warp would read it along each dimension.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_ACCESSVIEW_H
#define TILEWRIGHT_VIEW_ACCESSVIEW_H

#include "target/ExchangeModel.h"
#include "tilewright/layout/LinearLayout.h"
#include "view/Namespaces.h"

#include <functional>
#include <string>
#include <vector>

namespace tilewright::view {

/// Accesses of up to 128 bits a thread to the tensor, dense in global memory.
struct GlobalAccess {
  /// order[0] is the fastest dimension.
  std::vector<unsigned> order;
  /// Elements that a thread holds contiguously, and those that one access takes.
  unsigned contiguous = 1, vector = 1;
  /// Sectors of 32 bytes that one access by a warp touches, and the fewest that hold its data.
  unsigned sectors = 1, leastSectors = 1;
};

/// For every order of up to three dimensions; for more, the two that leave them in sequence.
/// `elementBits` is a multiple of 8.
std::vector<GlobalAccess> globalAccesses(const LinearLayout &distributed, unsigned elementBits);

/// Lanes side by side along a dimension, each reading `vector` contiguous elements.
struct SharedRead {
  unsigned dim = 0;
  unsigned lanes = 1;
  unsigned vector = 1;
  /// The dimension that the vector runs along.
  unsigned vectorDim = 0;
  unsigned transactions = 1, leastTransactions = 1;
};

/// For each dimension: 32 lanes (fewer where the dimension ends before) with one element each,
/// and with the longest vector of up to 128 bits. Empty if elements have several offsets.
/// `offsetOf`, if given, is as for OffsetTable::of; a vector holds no hole and is aligned.
std::vector<SharedRead> sharedReads(const LinearLayout &shared, unsigned elementBits,
                                    const std::function<uint64_t(uint64_t)> &offsetOf = {},
                                    const ExchangeModel &memory = {});

/// The lists as tables, and as JSON.
std::string accessText(const std::vector<GlobalAccess> &accesses, unsigned elementBits);
std::string accessText(const std::vector<SharedRead> &accesses, unsigned elementBits);
std::string accessJson(const std::vector<GlobalAccess> &accesses, unsigned elementBits);
std::string accessJson(const std::vector<SharedRead> &accesses, unsigned elementBits);

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_ACCESSVIEW_H
