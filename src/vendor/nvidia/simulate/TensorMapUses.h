//===- TensorMapUses.h - Tensor maps that kernels write, and who uses them -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, "Proxies" and "membar/fence": the accelerator reads maps by a way of its own, the
// tensormap proxy. It sees a map that a kernel has written in global memory if
//
//   - the write was released to it: by tensormap.cp_fenceproxy, which writes and releases, or by a
//     fence.proxy.tensormap::generic.release of the thread after it;
//   - and, ordered after that, a fence.proxy.tensormap::generic.acquire names the map, of the
//     thread that begins the copy or of one that is ordered before it.
//
// A map may be written again where the copies that use it are complete, and the thread that writes
// knows it.
//
// The maps that a launch passes are not written, and nothing is checked of them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMAPUSES_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMAPUSES_H

#include "simulate/machine/Machine.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::simulate::nvidia {

/// The maps that a block has written in global memory, by their addresses.
class TensorMapUses final : public BlockState {
public:
  void reset() override { maps.clear(); }

  /// The thread writes a map, or a field of one. False if a copy may still use it: the launch is to
  /// end with an error.
  bool write(Machine &machine, uint32_t site, uint64_t address, bool isReleased);
  /// Fences of the thread: of all that it has written, and of the maps in `bytes` bytes.
  void release(uint32_t thread);
  void acquire(const Machine &machine, uint64_t address, uint64_t bytes);

  /// Whether the accelerator sees the map for a copy of the thread; if not, the launch is to end
  /// with an error.
  bool checkFence(Machine &machine, uint32_t site, uint64_t address) const;
  /// A copy into or out of shared memory begins. What they return is to be called when it is
  /// complete, by the unit or by the thread that waits.
  std::function<void()> beginLoad(const Machine &machine, uint32_t site, uint64_t address);
  std::function<void()> beginStore(const Machine &machine, uint32_t site, uint64_t address);

private:
  /// Something that a thread, or a unit, has done.
  struct Event {
    Accessor when;
    explicit Event(Accessor now) : when(now) { when.seen = nullptr; }
    bool isOrderedBefore(const Accessor &now) const;
  };
  struct Use {
    uint32_t site = 0;
    std::optional<Event> end;
  };
  struct Map {
    Event written;
    uint32_t site = 0;
    bool isReleased = false;
    std::vector<Event> acquired;
    std::vector<std::shared_ptr<Use>> uses;
  };

  /// Null for a map that the block has not written.
  std::shared_ptr<Use> addUse(uint32_t site, uint64_t address);

  std::map<uint64_t, Map> maps;
};

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMAPUSES_H
