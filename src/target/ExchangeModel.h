//===- ExchangeModel.h - Costs and banks of exchanges between threads -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_EXCHANGEMODEL_H
#define TILEWRIGHT_TARGET_EXCHANGEMODEL_H

#include "support/Bits.h"
#include "target/Atom.h"
#include "target/Costs.h"
#include "target/LaneGroups.h"

#include <algorithm>
#include <cstdint>

namespace tilewright::target {

/// A banked memory that the threads of a block share. Word i (bankBytes wide) is in
/// bank i mod banks; in one transaction each bank serves one word, to all lanes that
/// want it. All sizes are powers of two.
///
/// An access wider than a bank goes in phases: the warp is cut into groups of lanes, such
/// that a group asks for banks * bankBytes at most. With 32 banks of 4 bytes, accesses of
/// 8 bytes have two phases of half a warp, those of 16 bytes four of a quarter. Which
/// lanes make up a group is a fact of the instruction (LaneGroups.h).
///
/// The defaults are for layouts alone, where no target is known: what every target has at least.
struct ExchangeModel {
  unsigned banks = 32;
  unsigned bankBytes = 4;
  LaneGroups groups;
  /// The widest access of one lane: 64 at least, so that it takes any element.
  unsigned maxAccessBits = 128;
  /// Copies between it and registers (Atom.h): by lanes, of 8 bits to at least maxAccessBits; then
  /// such as take whole warps.
  std::span<const CopyAtom> loads = anySharedLoads();
  std::span<const CopyAtom> stores = anySharedStores();
  /// The most that a conversion may take, and what it tries to stay within by moving the
  /// data in several repetitions.
  uint64_t maxBytes = 48 * 1024;
  uint64_t preferredScratchBytes = 8 * 1024;
  /// The cost of moving data through it, and without it.
  Costs costs;

  /// The same without what takes whole warps.
  ExchangeModel withLanesOnly() const {
    ExchangeModel result = *this;
    result.loads = laneCopiesOf(loads);
    result.stores = laneCopiesOf(stores);
    return result;
  }

  /// log2 of the bytes that all banks have side by side: a row of the memory.
  unsigned logRowBytes() const { return log2Of(banks * bankBytes); }
  /// log2 of the lanes in a phase of an access of `accessBytes` (a power of two) a lane.
  unsigned logPhaseLanes(unsigned accessBytes) const {
    return logRowBytes() - log2Of(std::max(accessBytes, bankBytes));
  }
};

/// The bits that an element of `elementBits` (1 to 64) takes in memory: 8, 16, 32 or 64.
inline unsigned memoryBitsOf(unsigned elementBits) {
  return std::max(8u, std::bit_ceil(elementBits));
}

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_EXCHANGEMODEL_H
