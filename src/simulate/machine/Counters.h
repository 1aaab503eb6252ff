//===- Counters.h - Sectors, transactions and bank conflicts --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Threads run one at a time, but memory traffic is counted by the warp: the n-th
// execution of a site by each lane of a warp is taken for one access of that warp. Lanes
// that are masked off take part as inactive ones. That is exact as long as the lanes of
// a warp go the same way, and close to it where they do not.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_COUNTERS_H
#define TILEWRIGHT_SIMULATE_MACHINE_COUNTERS_H

#include "simulate/machine/Site.h"
#include "simulate/machine/Tracer.h"
#include "target/LaneGroups.h"
#include "tilewright/SimulatorReport.h"

#include <deque>
#include <vector>

namespace tilewright::simulate {

constexpr uint32_t sectorBytes = 32;

/// A target's shared memory: word i, of `bytes` bytes, is in bank i mod `count`.
struct SharedBanks {
  uint32_t count = 32;
  uint32_t bytes = 4;
  target::LaneGroups groups = {};
};

/// The traffic of one access of `bytes` bytes at each of the addresses.
GlobalTraffic globalTraffic(std::vector<uint64_t> addresses, uint32_t bytes);

/// The same for shared memory, where it matters which lane has which address; inactive
/// lanes have `noAddress`. Addresses count from the beginning of shared memory.
constexpr uint64_t noAddress = ~uint64_t(0);
SharedTraffic sharedTraffic(const std::vector<uint64_t> &laneAddresses, uint32_t bytes, bool isLoad,
                            const SharedBanks &banks);

/// Gathers the accesses of the lanes of a block's warps.
class Counters {
public:
  /// `tracer`, if there is one, is told of each access.
  explicit Counters(SharedBanks banks, Tracer *tracer = nullptr) : banks(banks), tracer(tracer) {}

  void beginBlock(size_t sites, uint32_t warps, uint32_t lanes);
  /// Lane `lane` of warp `warp` executes a site with an address, or masked off.
  void access(uint32_t site, const Site &description, uint32_t warp, uint32_t lane,
              uint64_t address, bool active, Report &report);
  /// Counts what lanes of diverged warps have left incomplete.
  void endBlock(const SiteTable &sites, Report &report);

private:
  struct Group {
    uint32_t arrived = 0;
    std::vector<uint64_t> addresses;
  };
  struct Pending {
    /// The number of the first group in `groups`, and each lane's next.
    uint64_t first = 0;
    std::vector<uint64_t> next;
    std::deque<Group> groups;
  };

  void finish(const Site &site, uint32_t warp, const Group &group, Report &report) const;

  SharedBanks banks;
  Tracer *tracer;
  uint32_t laneCount = 0;
  size_t siteCount = 0;
  std::vector<Pending> pending;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_COUNTERS_H
