//===- GatherPlan.h - Plans of gathers along an axis ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A gather gives each location of the result the element of the source whose coordinate along
// the axis is an index that is known at run time only, and whose other coordinates are the
// location's own. Where the element lies is linear in the bits of the index, of the thread's
// number and of the result's register; so there are two ways:
//
//   - If all elements that a thread may pick are in its warp, the lane and the register that
//     hold one are computed. Each register that may be meant is shuffled from that lane (or is
//     the thread's own), and selects pick one of them.
//   - Otherwise the source goes to scratch memory, and each thread loads what it wants.
//
// Only the bits of an index that the axis has are used.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_COLLECTIVE_GATHERPLAN_H
#define TILEWRIGHT_PLAN_COLLECTIVE_GATHERPLAN_H

#include "plan/Namespaces.h"
#include "plan/collective/AxisView.h"

#include <vector>

namespace tilewright::plan {

/// A linear map of the index's bits, the thread's number and the result's register: the XOR
/// of the three parts.
struct GatherMap {
  std::vector<uint64_t> ofIndex;
  ThreadMap ofThread;
  std::vector<uint64_t> ofRegister;
};

struct GatherPlan {
  enum class Kind { Registers, Shuffles, SharedMemory };
  Kind kind;

  // Registers and Shuffles.

  /// The lane that has the element; not used for Registers, where it is the thread's own.
  GatherMap lane;
  /// The registers that may have the element of result register r:
  /// baseRegister[r] XOR candidates[c], where c is the value of `choice`.
  std::vector<unsigned> baseRegister;
  std::vector<unsigned> candidates;
  GatherMap choice;

  // SharedMemory. Offsets count elements.

  /// The registers of each store: storeVector of them, side by side, at the thread's part XOR the
  /// offset.
  struct Store {
    std::vector<unsigned> registers;
    uint64_t offset;
  };
  std::vector<Store> stores;
  ThreadMap storeBases;
  /// The threads that store, each element once.
  ThreadCondition storing;
  /// The offset of the element.
  GatherMap offset;
  uint64_t elements = 0;
};

/// How to gather from a tensor in layout `src` along `axis`, with indices and result in layout
/// `result`. Both have the same outputs in the same order, and the same sizes but for the
/// axis; both are for the same threads. Accesses take at most 2^maxVectorBits elements.
GatherPlan planGather(const LinearLayout &src, const LinearLayout &result, Dim axis,
                      unsigned maxVectorBits);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_COLLECTIVE_GATHERPLAN_H
