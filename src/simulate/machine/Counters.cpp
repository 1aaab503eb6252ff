//===- Counters.cpp - Sectors, transactions and bank conflicts ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Counters.h"

#include <algorithm>
#include <bit>

using namespace tilewright;
using namespace tilewright::simulate;

GlobalTraffic tilewright::simulate::globalTraffic(std::vector<uint64_t> addresses, uint32_t bytes) {
  if (addresses.empty() || bytes == 0)
    return {};
  std::sort(addresses.begin(), addresses.end());
  GlobalTraffic traffic;
  traffic.accesses = 1;
  uint64_t touched = 0;
  uint64_t bytesSeenTo = 0, sectorsSeenTo = 0;
  for (uint64_t address : addresses) {
    uint64_t end = address + bytes;
    uint64_t newFrom = std::max(address, bytesSeenTo);
    touched += end > newFrom ? end - newFrom : 0;
    bytesSeenTo = std::max(bytesSeenTo, end);
    uint64_t firstSector = std::max(address / sectorBytes, sectorsSeenTo);
    uint64_t endSector = (end - 1) / sectorBytes + 1;
    traffic.sectors += endSector > firstSector ? endSector - firstSector : 0;
    sectorsSeenTo = std::max(sectorsSeenTo, endSector);
  }
  traffic.idealSectors = (touched + sectorBytes - 1) / sectorBytes;
  return traffic;
}

SharedTraffic tilewright::simulate::sharedTraffic(const std::vector<uint64_t> &laneAddresses,
                                                  uint32_t bytes, bool isLoad,
                                                  const SharedBanks &banks) {
  // A pass moves at most one word for each bank, so wider accesses are split into parts
  // of the warp whose lanes have at most that many words together.
  uint32_t wordsPerLane = std::max<uint32_t>(1, (bytes + banks.bytes - 1) / banks.bytes);
  size_t lanesPerPart = std::max<size_t>(1, banks.count / wordsPerLane);
  const target::LaneGroups::Basis &basis = banks.groups.of(std::bit_floor(bytes), isLoad);
  SharedTraffic traffic;
  std::vector<uint64_t> words;
  for (size_t begin = 0; begin < laneAddresses.size(); begin += lanesPerPart) {
    words.clear();
    size_t end = std::min(begin + lanesPerPart, laneAddresses.size());
    for (size_t index = begin; index < end; ++index) {
      const unsigned lane = target::LaneGroups::laneAt(basis, static_cast<unsigned>(index));
      const uint64_t address = lane < laneAddresses.size() ? laneAddresses[lane] : noAddress;
      if (address != noAddress)
        for (uint64_t word = address / banks.bytes; word <= (address + bytes - 1) / banks.bytes;
             ++word)
          words.push_back(word);
    }
    if (words.empty())
      continue;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::vector<uint64_t> wordsOfBank(banks.count);
    for (uint64_t word : words)
      ++wordsOfBank[word % banks.count];
    traffic.transactions += *std::max_element(wordsOfBank.begin(), wordsOfBank.end());
    traffic.idealTransactions += 1;
  }
  traffic.accesses = traffic.idealTransactions > 0;
  return traffic;
}

void Counters::beginBlock(size_t sites, uint32_t warps, uint32_t lanes) {
  siteCount = sites;
  laneCount = lanes;
  pending.assign(sites * warps, Pending());
}

void Counters::access(uint32_t site, const Site &description, uint32_t warp, uint32_t lane,
                      uint64_t address, bool active, Report &report) {
  Pending &at = pending[warp * siteCount + site];
  if (at.next.empty())
    at.next.assign(laneCount, 0);
  uint64_t number = at.next[lane]++;
  while (at.first + at.groups.size() <= number)
    at.groups.push_back({0, std::vector<uint64_t>(laneCount, noAddress)});
  Group &group = at.groups[number - at.first];
  if (active)
    group.addresses[lane] = address;
  ++group.arrived;
  while (!at.groups.empty() && at.groups.front().arrived == laneCount) {
    finish(description, warp, at.groups.front(), report);
    at.groups.pop_front();
    ++at.first;
  }
}

void Counters::endBlock(const SiteTable &sites, Report &report) {
  for (size_t i = 0; i < pending.size(); ++i) {
    for (const Group &group : pending[i].groups)
      finish(sites[i % siteCount], static_cast<uint32_t>(i / siteCount), group, report);
    pending[i].groups.clear();
  }
}

void Counters::finish(const Site &site, uint32_t warp, const Group &group, Report &report) const {
  Traffic &traffic = report.lines[{site.where.file, site.where.line}];
  auto ofKind = [&](auto &loads, auto &stores, auto &atomics) -> auto & {
    return site.kind == AccessKind::Load    ? loads
           : site.kind == AccessKind::Store ? stores
                                            : atomics;
  };
  if (site.space == MemorySpace::Shared) {
    const SharedTraffic access =
        sharedTraffic(group.addresses, site.bytes, site.kind == AccessKind::Load, banks);
    ofKind(traffic.sharedLoads, traffic.sharedStores, traffic.sharedAtomics) += access;
    if (tracer)
      tracer->access(site, warp, access.transactions, access.idealTransactions);
    return;
  }
  std::vector<uint64_t> active;
  for (uint64_t address : group.addresses)
    if (address != noAddress)
      active.push_back(address);
  const GlobalTraffic access = globalTraffic(std::move(active), site.bytes);
  ofKind(traffic.globalLoads, traffic.globalStores, traffic.globalAtomics) += access;
  if (tracer)
    tracer->access(site, warp, access.sectors, access.idealSectors);
}
