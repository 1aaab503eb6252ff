//===- GlobalOrder.cpp - The order of accesses to global memory ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/GlobalOrder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

using namespace tilewright;
using namespace tilewright::simulate;

void GlobalOrder::reset() {
  states.clear();
  pages.clear();
  released.clear();
  current = nullptr;
}

std::span<GlobalOrder::Cell> GlobalOrder::cellsOf(uint64_t address, uint32_t bytes) {
  Page &page = pages[address / pageBytes];
  const auto wanted = static_cast<unsigned>(std::countr_zero(address | bytes | 4));
  if (page.cells.empty()) {
    page.cellLog2 = wanted;
    page.cells.resize(pageBytes >> wanted);
  }
  if (wanted < page.cellLog2) {
    std::vector<Cell> cells(pageBytes >> wanted);
    for (size_t i = 0; i < cells.size(); ++i)
      cells[i] = page.cells[i >> (page.cellLog2 - wanted)];
    page.cells = std::move(cells);
    page.cellLog2 = wanted;
  }
  return std::span(page.cells)
      .subspan(address % pageBytes >> page.cellLog2, bytes >> page.cellLog2);
}

template <typename Check>
GlobalOrder::Outcome GlobalOrder::check(uint64_t address, uint32_t bytes, Check check) {
  for (const uint64_t end = address + bytes; address < end;) {
    const auto part =
        static_cast<uint32_t>(std::min(end, (address / pageBytes + 1) * pageBytes) - address);
    const std::span<Cell> cells = cellsOf(address, part);
    const auto cellBytes = static_cast<uint32_t>(part / cells.size());
    for (size_t i = 0; i < cells.size(); ++i)
      if (Outcome outcome = check(cells[i], address + i * cellBytes, cellBytes);
          outcome.fault != GlobalFault::None)
        return outcome;
    address += part;
  }
  return {};
}

bool GlobalOrder::isOrdered(const Record &record, const Accessor &now) const {
  if (record.access.who == AccessRecord::Who::Nobody)
    return true;
  if (record.block == number &&
      ((record.access.who == AccessRecord::Who::SeveralWarps && now.seen) ||
       record.access.isOrderedBefore(now)))
    return true;
  if (record.block == severalBlocks)
    return std::ranges::any_of(current->acquired, [&](const auto &ofBlock) {
      return std::ranges::any_of(ofBlock.second, [&](const Acquired &acquired) {
        return acquired.at.isOrderedBefore(now);
      });
    });
  auto found = current->acquired.find(record.block);
  const bool isMerged = record.access.who != AccessRecord::Who::OneThread;
  return found != current->acquired.end() &&
         std::ranges::any_of(found->second, [&](const Acquired &acquired) {
           return acquired.at.isOrderedBefore(now) &&
                  (isMerged || (record.releases <= acquired.stamp.releases &&
                                record.access.isOrderedBefore(acquired.stamp.accessor)));
         });
}

void GlobalOrder::add(Record &record, uint32_t site, const Accessor &now) {
  const bool isFirst = record.access.who == AccessRecord::Who::Nobody;
  const uint32_t block =
      isFirst || record.block == number || isOrdered(record, now) ? number : severalBlocks;
  if (record.block != number)
    record.access = {};
  record.access.add(site, now);
  record.block = block;
  record.releases = current->releases;
}

GlobalOrder::Outcome GlobalOrder::fault(GlobalFault what, uint64_t address,
                                        const Record &other) const {
  return {what, address, other.block, other.access.thread, other.access.site};
}

GlobalOrder::Outcome GlobalOrder::load(uint64_t address, uint32_t bytes, uint32_t site,
                                       const Accessor &now) {
  return check(address, bytes, [&](Cell &cell, uint64_t at, uint32_t) -> Outcome {
    if (!isOrdered(cell.write, now) && (cell.write.block != number || cell.write.loadedAt != site))
      return fault(GlobalFault::ReadAfterWrite, at, cell.write);
    if (!isOrdered(cell.atomics, now))
      return fault(GlobalFault::ReadAfterWrite, at, cell.atomics);
    const bool isFirst = isOrdered(cell.reads, now);
    cell.reads.isOneSite = isFirst || (cell.reads.isOneSite && cell.reads.access.site == site);
    cell.reads.first = isFirst ? now.thread : cell.reads.first;
    add(cell.reads, site, now);
    return {};
  });
}

GlobalOrder::Outcome GlobalOrder::store(uint64_t address, uint32_t bytes, uint32_t site,
                                        const Accessor &now, const std::byte *before) {
  const uint64_t begin = address;
  return check(address, bytes, [&](Cell &cell, uint64_t at, uint32_t count) -> Outcome {
    const bool isSilent =
        std::memcmp(reinterpret_cast<const void *>(at), before + (at - begin), count) == 0;
    if (!isOrdered(cell.atomics, now))
      return fault(GlobalFault::WriteAfterWrite, at, cell.atomics);
    if (isSilent) {
      add(cell.silent, site, now);
      return {};
    }
    for (const Record *other : {&cell.write, &cell.silent})
      if (!isOrdered(*other, now))
        return fault(GlobalFault::WriteAfterWrite, at, *other);
    const Record &reads = cell.reads;
    const bool isLoaded = reads.access.who != AccessRecord::Who::Nobody && reads.block == number &&
                          reads.isOneSite && reads.first == now.thread;
    if (!isLoaded && !isOrdered(reads, now))
      return fault(GlobalFault::WriteAfterRead, at, reads);
    const std::optional<uint32_t> loadedAt =
        isLoaded ? std::optional(reads.access.site) : std::nullopt;
    // Atomics stay: beside them a silent store that is not ordered is a race, too.
    cell.write = cell.silent = cell.reads = {};
    add(cell.write, site, now);
    cell.write.loadedAt = loadedAt;
    return {};
  });
}

GlobalOrder::Outcome GlobalOrder::atomic(uint64_t address, uint32_t bytes, uint32_t site,
                                         const Accessor &now, const AtomicOrder &order) {
  if (!order.isNarrow) {
    Released &here = released[address];
    if (order.acquires)
      acquire(here, now);
    else
      unite(current->met[now.thread], here);
    if (order.replaces)
      here.clear();
    if (order.releases)
      unite(here, release(now));
    else if (auto fenced = current->fenced.find(now.thread); fenced != current->fenced.end())
      unite(here, fenced->second);
  }
  return check(address, bytes, [&](Cell &cell, uint64_t at, uint32_t) -> Outcome {
    for (const Record *other : {&cell.write, &cell.silent})
      if (!isOrdered(*other, now))
        return fault(GlobalFault::WriteAfterWrite, at, *other);
    if (!isOrdered(cell.reads, now))
      return fault(GlobalFault::WriteAfterRead, at, cell.reads);
    const bool isAfter = isOrdered(cell.atomics, now);
    if (!isAfter && cell.atomics.block != number && (order.isNarrow || cell.atomics.isNarrow))
      return fault(GlobalFault::NarrowScope, at, cell.atomics);
    const bool wasNarrow = !isAfter && cell.atomics.isNarrow;
    add(cell.atomics, site, now);
    cell.atomics.isNarrow = order.isNarrow || wasNarrow;
    return {};
  });
}

void GlobalOrder::fence(const Accessor &now, const AtomicOrder &order) {
  if (order.isNarrow)
    return;
  if (order.acquires)
    if (auto met = current->met.find(now.thread); met != current->met.end())
      acquire(met->second, now);
  if (order.releases)
    current->fenced[now.thread] = release(now);
}

void GlobalOrder::meet(std::span<const uint32_t> blocks) {
  // The blocks' threads are at a barrier, which all that they do next is ordered after.
  Released all;
  for (uint32_t block : blocks) {
    BlockState &state = states[block];
    Stamp stamp{block, state.releases++, {}, {}};
    stamp.accessor.blockEpoch = ~0u;
    all.insert_or_assign({block, 0}, stamp);
    for (const auto &[other, acquired] : state.acquired)
      for (const Acquired &each : acquired)
        unite(all, {{{other, each.stamp.accessor.thread}, each.stamp}});
  }
  for (uint32_t block : blocks)
    for (const auto &[key, stamp] : all)
      if (stamp.block != block)
        states[block].acquired[stamp.block].push_back({AccessRecord(), stamp});
}

void GlobalOrder::unite(Released &into, const Released &more) {
  for (const auto &[key, stamp] : more) {
    auto [found, added] = into.try_emplace(key, stamp);
    if (!added && found->second.releases < stamp.releases)
      found->second = stamp;
  }
}

/// The accessor's release: all that its block did before, and that it has acquired.
GlobalOrder::Released GlobalOrder::release(const Accessor &now) {
  Released result;
  for (const auto &[block, acquired] : current->acquired)
    for (const Acquired &each : acquired)
      if (each.at.isOrderedBefore(now))
        unite(result, {{{block, each.stamp.accessor.thread}, each.stamp}});
  Stamp stamp{number, current->releases++, now, nullptr};
  if (now.seen) {
    stamp.seen = std::make_shared<const std::vector<uint32_t>>(now.seen, now.seen + clocks);
    stamp.accessor.seen = stamp.seen->data();
  }
  result.insert_or_assign({number, now.thread}, std::move(stamp));
  return result;
}

void GlobalOrder::acquire(const Released &what, const Accessor &now) {
  for (const auto &[key, stamp] : what) {
    if (stamp.block == number && stamp.accessor.thread == now.thread)
      continue;
    std::vector<Acquired> &known = current->acquired[stamp.block];
    // A thread that knows it already has known it for longer.
    if (std::ranges::any_of(known, [&](const Acquired &each) {
          return each.at.thread == now.thread &&
                 each.stamp.accessor.thread == stamp.accessor.thread &&
                 each.stamp.releases == stamp.releases;
        }))
      continue;
    Acquired acquired{{}, stamp};
    acquired.at.add(0, now);
    known.push_back(std::move(acquired));
  }
}
