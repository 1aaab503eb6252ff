//===- ProxyFences.h - Fences between the ways to shared memory -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Some units reach shared memory by a way of their own, the asynchronous proxy. What threads have
// written such a unit sees only past a fence between the two ways, besides whatever orders the
// write before its access. The fence may be
//
//   - the writer's own, after the write, or
//   - one of the warp that has the unit access the memory, after what orders the write before it.
//
// Either is known by counting: each write remembers how many fences its thread had made, and each
// warp remembers the time of its last fence.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_PROXYFENCES_H
#define TILEWRIGHT_SIMULATE_MACHINE_PROXYFENCES_H

#include "simulate/machine/Clocks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::simulate {

class ProxyFences {
public:
  ProxyFences(uint32_t threads, uint32_t warps) : made(threads), last(warps) {}

  /// A new block.
  void reset();

  /// A thread makes a fence.
  void add(const Accessor &now);
  /// The fences that a thread has made.
  uint32_t countOf(uint32_t thread) const { return made[thread]; }
  /// The last fence of any thread of the warp; null if there was none.
  const Accessor *lastOf(uint32_t warp) const {
    return last[warp].happened ? &last[warp].when : nullptr;
  }

private:
  struct Fence {
    bool happened = false;
    Accessor when;
    /// The epochs that `when` points to.
    Clocks::Epochs seen;
  };

  std::vector<uint32_t> made;
  std::vector<Fence> last;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_PROXYFENCES_H
