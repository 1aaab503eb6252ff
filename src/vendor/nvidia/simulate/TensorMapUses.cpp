//===- TensorMapUses.cpp - Tensor maps that kernels write, and who uses them --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/TensorMapUses.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;

bool TensorMapUses::Event::isOrderedBefore(const Accessor &now) const {
  if (when.thread == now.thread)
    return true;
  if (when.blockEpoch != now.blockEpoch)
    return when.blockEpoch < now.blockEpoch;
  if (now.seen)
    return when.warpEpoch < now.seen[when.warp];
  return when.warp == now.warp && when.warpEpoch < now.warpEpoch;
}

bool TensorMapUses::write(Machine &machine, uint32_t site, uint64_t address, bool isReleased) {
  const Accessor now = machine.accessorOf(machine.currentThread());
  auto [entry, isNew] = maps.try_emplace(address, Map{Event(now), site, isReleased, {}, {}});
  if (isNew)
    return true;
  Map &map = entry->second;
  for (const std::shared_ptr<Use> &use : map.uses)
    if (!use->end || !use->end->isOrderedBefore(now)) {
      machine.fail(site, "a tensor map is written while a copy by it may be under way",
                   "wait for the copies that use a map before it is written, or write another");
      machine.addNote(use->site, "the copy begins here");
      return false;
    }
  map = Map{Event(now), site, isReleased, {}, {}};
  return true;
}

void TensorMapUses::release(uint32_t thread) {
  for (auto &[address, map] : maps)
    map.isReleased |= map.written.when.thread == thread;
}

void TensorMapUses::acquire(const Machine &machine, uint64_t address, uint64_t bytes) {
  const Accessor now = machine.accessorOf(machine.currentThread());
  for (auto entry = maps.lower_bound(address);
       entry != maps.end() && entry->first < address + bytes; ++entry)
    if (Map &map = entry->second; map.isReleased && map.written.isOrderedBefore(now))
      map.acquired.emplace_back(now);
}

bool TensorMapUses::checkFence(Machine &machine, uint32_t site, uint64_t address) const {
  auto entry = maps.find(address);
  if (entry == maps.end())
    return true;
  const Map &map = entry->second;
  const Accessor now = machine.accessorOf(machine.currentThread());
  if (std::ranges::any_of(map.acquired,
                          [&](const Event &event) { return event.isOrderedBefore(now); }))
    return true;
  machine.fail(site,
               map.isReleased
                   ? "a copy uses a tensor map that was written, with no fence after that by which "
                     "the accelerator sees it (fence.proxy.tensormap::generic.acquire)"
                   : "a copy uses a tensor map that was written and not released to the "
                     "accelerator (fence.proxy.tensormap::generic.release)");
  machine.addNote(map.site, "the map is written here");
  return false;
}

std::shared_ptr<TensorMapUses::Use> TensorMapUses::addUse(uint32_t site, uint64_t address) {
  auto entry = maps.find(address);
  if (entry == maps.end())
    return {};
  return entry->second.uses.emplace_back(std::make_shared<Use>(Use{site, {}}));
}

std::function<void()> TensorMapUses::beginLoad(const Machine &machine, uint32_t site,
                                               uint64_t address) {
  std::shared_ptr<Use> use = addUse(site, address);
  if (!use)
    return {};
  return [&machine, use] { use->end.emplace(machine.accessorOfUnits()); };
}

std::function<void()> TensorMapUses::beginStore(const Machine &machine, uint32_t site,
                                                uint64_t address) {
  std::shared_ptr<Use> use = addUse(site, address);
  if (!use)
    return {};
  return [&machine, use] { use->end.emplace(machine.accessorOf(machine.currentThread())); };
}
