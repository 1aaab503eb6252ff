//===- PhaseBarriers.h - Barriers in shared memory ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A program makes barriers in shared memory. Such a barrier goes through phases: one ends when as
// many arrivals have come as the barrier is for, and as many bytes of copies as arrivals said they
// expect; the next one begins then. A thread waits for the end of a phase by its parity: that of
// the number of phases before it. Nothing counts the phases but the program.
//
// The simulator is an adversary here as well: a phase that copies belong to ends when somebody
// waits for it and it can end, not before, and that is when the copies are carried out. With early
// completion they are carried out when they are issued, and the phase ends when it can.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_PHASEBARRIERS_H
#define TILEWRIGHT_SIMULATE_MACHINE_PHASEBARRIERS_H

#include "simulate/machine/AsyncOperations.h"
#include "simulate/machine/Clocks.h"

#include <map>
#include <optional>
#include <vector>

namespace tilewright::simulate {

struct PhaseBarrier {
  /// Where it was made, and the arrivals of each phase.
  uint32_t site = 0;
  uint32_t arrivals = 0;

  // Of the present phase:

  /// Arrivals that have not come yet.
  uint32_t pending = 0;
  /// Bytes that arrivals have said they expect, and those of copies that were issued.
  uint64_t expectedBytes = 0, issuedBytes = 0;
  /// The last arrival that expects bytes, or the first of all.
  std::optional<uint32_t> expectSite;
  std::vector<AsyncOperation> copies;
  /// The epochs that those that arrived have released.
  Clocks::Epochs releasing;

  /// How many phases have ended.
  uint32_t ended = 0;
  /// The epochs that those acquire that have waited for the last phase that has ended.
  Clocks::Epochs released;
  /// The last wait: where, and for which parity.
  struct Wait {
    uint32_t site = 0;
    uint32_t parity = 0;
  };
  std::optional<Wait> lastWait;

  PhaseBarrier(uint32_t site, uint32_t arrivals)
      : site(site), arrivals(arrivals), pending(arrivals) {}

  /// The parity of the present phase.
  uint32_t parity() const { return ended & 1; }
  /// Whether a wait for this parity is over: it is not the present phase's.
  bool isOver(uint32_t waitedParity) const { return parity() != waitedParity; }
  /// Whether all has come that the present phase is for.
  bool canEnd() const { return pending == 0 && issuedBytes == expectedBytes; }
  /// Begins the next phase. The copies of the last one, and what was released to it, have been
  /// dealt with: `released` is set.
  void beginPhase();
};

/// Those of a block, by their addresses.
using PhaseBarriers = std::map<uint64_t, PhaseBarrier>;

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_PHASEBARRIERS_H
