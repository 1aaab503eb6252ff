//===- SimulatorTrace.h - Events of a simulated launch over time ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What each warp of a launch does, one after the other. Time counts steps, not cycles: an access to
// global memory takes as many as it touches sectors, one to shared memory as many as it takes
// passes through the banks, any other operation one. Warps run side by side, each with a clock of
// its own; those that meet at a barrier go on together, at the time of the last one. Blocks begin
// at 0.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATORTRACE_H
#define TILEWRIGHT_SIMULATORTRACE_H

#include "tilewright/SimulatorReport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::simulate {

struct TraceEvent {
  enum class Kind : uint8_t {
    Global,    ///< an access to global memory
    Shared,    ///< an access to shared memory
    Operation, ///< a warp-wide operation, or one of several warps
    Wait,      ///< at a barrier, or for asynchronous copies
    Copy, ///< asynchronous copies of a line, from the first issue to the wait that completes them
  };
  Kind kind = Kind::Operation;
  /// In the order in which they ran.
  uint32_t block = 0;
  uint32_t warp = 0;
  /// The instruction or the operation.
  std::string name;
  SourceLine where;
  /// Steps.
  uint64_t begin = 0, duration = 1;
  /// Of an access: sectors or passes, and the fewest that would do. Of copies: how many.
  uint64_t units = 0, leastUnits = 0;
};

struct Trace {
  /// Enough to see a pattern, and few enough to draw.
  static constexpr size_t maxEvents = 200000;

  std::vector<TraceEvent> events;
  /// Whether there were more.
  bool isCut = false;
};

/// The trace as Chrome's JSON of trace events, which Perfetto opens (ui.perfetto.dev): a block is a
/// process, a warp a thread, with further ones for its copies, which overlap; a step is a
/// microsecond.
std::string toTraceJson(const Trace &trace);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATORTRACE_H
