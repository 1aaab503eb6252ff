//===- Tracer.h - Recording of what warps do ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_TRACER_H
#define TILEWRIGHT_SIMULATE_MACHINE_TRACER_H

#include "simulate/machine/Site.h"
#include "tilewright/SimulatorTrace.h"

#include <deque>
#include <map>
#include <span>

namespace tilewright::simulate {

/// Writes the trace of the blocks that run, one after the other. Warps have their numbers in the
/// block.
class Tracer {
public:
  Tracer(Trace &trace, uint32_t warps) : trace(trace), now(warps, 0), copies(warps) {}

  void beginBlock();
  /// The warp makes an access that takes so many units, of which `least` would do.
  void access(const Site &site, uint32_t warp, uint64_t units, uint64_t least);
  /// The warp does an operation.
  void operate(const Site &site, uint32_t warp);
  /// The warp has come to a barrier and waits there.
  void arrive(const Site &site, uint32_t warp);
  /// The warps that wait go on together, with those that have only come.
  void meet(std::span<const uint32_t> waiting);
  /// The warp issues an asynchronous copy; a wait completes it.
  void issue(const Site &site, uint32_t warp);
  void complete(const Site &site, uint32_t warp);
  /// The warp waits for the phase of the barrier at `address`, and goes on when it is over.
  void beginWait(const Site &site, uint32_t warp);
  void endWait(uint32_t warp, uint64_t address);
  /// A warp arrives at the phase, or its copies are complete.
  void arriveAtPhase(uint32_t warp, uint64_t address);

private:
  struct Open {
    const Site *site = nullptr;
    uint64_t begin = 0;
  };
  void add(TraceEvent::Kind kind, const Site &site, uint32_t warp, uint64_t begin,
           uint64_t duration, uint64_t units = 0, uint64_t least = 0);
  void endOpen(uint32_t warp);
  bool extendCopies(const Site &site, uint32_t warp);

  Trace &trace;
  /// By warp: the time, and copies that are under way.
  std::vector<uint64_t> now;
  std::vector<std::deque<Open>> copies;
  /// By warp: where it waits.
  std::map<uint32_t, Open> waits;
  /// By address: when the last one arrived.
  std::map<uint64_t, uint64_t> phases;
  uint32_t block = 0;
  bool hasBegun = false;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_TRACER_H
