//===- Tracer.cpp - Recording of what warps do --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Tracer.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::simulate;

void Tracer::beginBlock() {
  block += hasBegun;
  hasBegun = true;
  std::fill(now.begin(), now.end(), 0);
  for (std::deque<Open> &open : copies)
    open.clear();
  waits.clear();
  phases.clear();
}

void Tracer::add(TraceEvent::Kind kind, const Site &site, uint32_t warp, uint64_t begin,
                 uint64_t duration, uint64_t units, uint64_t least) {
  if (trace.events.size() == Trace::maxEvents) {
    trace.isCut = true;
    return;
  }
  trace.events.push_back({kind,
                          block,
                          warp,
                          site.operation,
                          {site.where.file, site.where.line},
                          begin,
                          duration,
                          units,
                          least});
}

void Tracer::access(const Site &site, uint32_t warp, uint64_t units, uint64_t least) {
  if (units == 0)
    return;
  const bool isShared = site.space == MemorySpace::Shared;
  add(isShared ? TraceEvent::Kind::Shared : TraceEvent::Kind::Global, site, warp, now[warp], units,
      units, least);
  now[warp] += units;
}

void Tracer::operate(const Site &site, uint32_t warp) {
  add(TraceEvent::Kind::Operation, site, warp, now[warp], 1);
  ++now[warp];
}

void Tracer::arrive(const Site &site, uint32_t warp) { waits[warp] = {&site, now[warp]}; }

void Tracer::endOpen(uint32_t warp) {
  auto wait = waits.find(warp);
  if (wait == waits.end())
    return;
  const auto [site, begin] = wait->second;
  // Also those that wait for nobody are worth seeing.
  now[warp] = std::max(now[warp], begin + 1);
  add(TraceEvent::Kind::Wait, *site, warp, begin, now[warp] - begin);
  waits.erase(wait);
}

void Tracer::meet(std::span<const uint32_t> waiting) {
  uint64_t last = 0;
  for (uint32_t warp : waiting)
    last = std::max(last, now[warp]);
  for (uint32_t warp : waiting) {
    now[warp] = last + 1;
    endOpen(warp);
  }
}

void Tracer::issue(const Site &site, uint32_t warp) {
  copies[warp].push_back({&site, now[warp]});
  ++now[warp];
}

void Tracer::complete(const Site &site, uint32_t warp) {
  std::deque<Open> &open = copies[warp];
  auto copy =
      std::find_if(open.begin(), open.end(), [&](const Open &each) { return each.site == &site; });
  if (copy == open.end())
    return;
  const uint64_t begin = copy->begin;
  open.erase(copy);
  if (extendCopies(site, warp))
    return;
  add(TraceEvent::Kind::Copy, site, warp, begin, std::max<uint64_t>(now[warp] - begin, 1), 1, 1);
}

/// Adds a copy to the event of those that the same line has issued and the same wait completes.
/// Says whether there was such an event.
bool Tracer::extendCopies(const Site &site, uint32_t warp) {
  if (trace.events.empty())
    return false;
  TraceEvent &last = trace.events.back();
  if (last.kind != TraceEvent::Kind::Copy || last.block != block || last.warp != warp ||
      last.name != site.operation || last.where.line != site.where.line ||
      last.begin + last.duration != std::max(now[warp], last.begin + 1))
    return false;
  ++last.units;
  ++last.leastUnits;
  return true;
}

void Tracer::beginWait(const Site &site, uint32_t warp) { arrive(site, warp); }

void Tracer::endWait(uint32_t warp, uint64_t address) {
  if (auto phase = phases.find(address); phase != phases.end())
    now[warp] = std::max(now[warp], phase->second);
  endOpen(warp);
}

void Tracer::arriveAtPhase(uint32_t warp, uint64_t address) {
  uint64_t &last = phases[address];
  last = std::max(last, now[warp]);
}
