//===- BruteForceAccess.h - Bank conflicts counted word by word -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// References for the analysis of accesses: everything is listed and counted.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_PLAN_BRUTEFORCEACCESS_H
#define TILEWRIGHT_TEST_UNIT_PLAN_BRUTEFORCEACCESS_H

#include "plan/shared/SharedAccessCost.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace tilewright::plan {

/// Transactions of one access by a warp by the definition: phase by phase, the bank with the
/// most different words. 32 banks of 4 bytes. `order` lists the lanes, phase after phase.
inline unsigned transactionsByBruteForce(const std::vector<uint64_t> &addresses,
                                         const std::vector<unsigned> &order, unsigned accessBytes,
                                         unsigned &phases) {
  unsigned lanesPerPhase = accessBytes <= 4 ? 32 : accessBytes == 8 ? 16 : 8;
  unsigned total = 0;
  phases = 0;
  for (size_t first = 0; first < order.size(); first += lanesPerPhase) {
    std::map<uint64_t, std::set<uint64_t>> wordsOfBank;
    for (size_t i = first; i < std::min<size_t>(first + lanesPerPhase, order.size()); ++i)
      for (unsigned byte = 0; byte < accessBytes; ++byte) {
        uint64_t word = (addresses[order[i]] + byte) / 4;
        wordsOfBank[word % 32].insert(word);
      }
    size_t most = 0;
    for (const auto &[bank, words] : wordsOfBank)
      most = std::max(most, words.size());
    total += static_cast<unsigned>(most);
    ++phases;
  }
  return total;
}

/// The same of consecutive lanes.
inline unsigned transactionsByBruteForce(const std::vector<uint64_t> &addresses,
                                         unsigned accessBytes, unsigned &phases) {
  std::vector<unsigned> order(addresses.size());
  std::iota(order.begin(), order.end(), 0u);
  return transactionsByBruteForce(addresses, order, accessBytes, phases);
}

/// The cost of moving one block's part of a tensor. `offsetOf` gives the offset of an
/// element (a packed output of `registers`) in elements of 1, 2, 4 or 8 bytes. Vectors have up to
/// 16 bytes and up to maxVector elements.
inline SharedAccessCost costByBruteForce(const LinearLayout &registers,
                                         const std::function<uint64_t(uint64_t)> &offsetOf,
                                         unsigned elementBytes, unsigned maxVector = 16) {
  uint64_t regs = registers.inSize(dims::Register), lanes = registers.inSize(dims::Lane);
  uint64_t warps = registers.inSize(dims::Warp);
  // [thread][register]
  std::vector<std::vector<uint64_t>> offsets;
  for (uint64_t warp = 0; warp < warps; ++warp)
    for (uint64_t lane = 0; lane < lanes; ++lane) {
      offsets.emplace_back();
      for (uint64_t reg = 0; reg < regs; ++reg) {
        DimValue place[] = {{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}};
        offsets.back().push_back(offsetOf(registers.applyFlat(registers.packInput(place))));
      }
    }
  // In every thread whole vectors, made of the same registers in the same order.
  auto fits = [&](uint64_t vector) {
    for (const std::vector<uint64_t> &held : offsets) {
      std::set<uint64_t> all(held.begin(), held.end());
      for (size_t i = 0; i < regs; ++i) {
        for (uint64_t k = 0; k < vector; ++k)
          if (!all.count(held[i] / vector * vector + k))
            return false;
        if (held[i] % vector != offsets[0][i] % vector)
          return false;
        for (size_t j = 0; j < i; ++j)
          if ((held[i] / vector == held[j] / vector) !=
              (offsets[0][i] / vector == offsets[0][j] / vector))
            return false;
      }
    }
    return true;
  };
  SharedAccessCost cost;
  while (2 * cost.vector <= maxVector && 2 * cost.vector * elementBytes <= 16 &&
         fits(2 * cost.vector))
    cost.vector *= 2;
  unsigned bytes = cost.vector * elementBytes;
  // One register of each vector, as thread 0 has them.
  std::map<uint64_t, size_t> firstOf;
  for (size_t i = 0; i < regs; ++i)
    firstOf.emplace(offsets[0][i] / cost.vector, i);
  for (uint64_t warp = 0; warp < warps; ++warp)
    for (auto [vector, reg] : firstOf) {
      std::vector<uint64_t> addresses;
      for (uint64_t lane = 0; lane < lanes; ++lane)
        addresses.push_back(offsets[warp * lanes + lane][reg] / cost.vector * bytes);
      unsigned phases;
      cost.transactions += transactionsByBruteForce(addresses, bytes, phases);
      cost.idealTransactions += phases;
      ++cost.accesses;
    }
  return cost;
}

/// The lowest offset at which `shared` has an element, for each packed output.
inline std::map<uint64_t, uint64_t> lowestOffsets(const LinearLayout &shared) {
  std::map<uint64_t, uint64_t> result;
  for (uint64_t offset = 0; offset < shared.inSize(dims::Offset); ++offset) {
    DimValue place[] = {{dims::Offset, offset}};
    result.emplace(shared.applyFlat(shared.packInput(place)), offset);
  }
  return result;
}

} // namespace tilewright::plan

#endif // TILEWRIGHT_TEST_UNIT_PLAN_BRUTEFORCEACCESS_H
