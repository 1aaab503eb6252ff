//===- Trace.cpp - Traces as Chrome's trace events ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Source: "Trace Event Format", the document of Chromium's tracing project. "X" is an event with a
// duration, "M" a name.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/SimulatorTrace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace tilewright;
using namespace tilewright::simulate;
namespace json = llvm::json;

static std::string_view nameOf(TraceEvent::Kind kind) {
  switch (kind) {
  case TraceEvent::Kind::Global:
    return "global";
  case TraceEvent::Kind::Shared:
    return "shared";
  case TraceEvent::Kind::Operation:
    return "operation";
  case TraceEvent::Kind::Wait:
    return "wait";
  case TraceEvent::Kind::Copy:
    return "copy";
  }
  return "";
}

namespace {

/// The rows of the events: a warp's own, and as many below it as copies of it overlap.
class Rows {
public:
  explicit Rows(const Trace &trace) : numbers(trace.events.size()) {
    std::vector<size_t> order(trace.events.size());
    std::iota(order.begin(), order.end(), size_t(0));
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::pair(trace.events[a].begin, a) < std::pair(trace.events[b].begin, b);
    });
    for (size_t index : order)
      if (trace.events[index].kind == TraceEvent::Kind::Copy)
        numbers[index] = 1 + takeSlot(trace.events[index]);
  }

  /// 0 for the warp's own row.
  int64_t slotOf(size_t event) const { return numbers[event]; }
  int64_t rowOf(size_t event, const TraceEvent &of) const {
    return rowsOfWarp * int64_t(of.warp) + slotOf(event);
  }

private:
  /// More than a warp has copies under way that are not of one line and one wait.
  static constexpr int64_t rowsOfWarp = 1000;

  /// The first slot whose last copy has ended.
  int64_t takeSlot(const TraceEvent &event) {
    std::vector<uint64_t> &ends = endsOf[{event.block, event.warp}];
    auto slot =
        std::find_if(ends.begin(), ends.end(), [&](uint64_t end) { return end <= event.begin; });
    if (slot == ends.end())
      slot = ends.insert(ends.end(), 0);
    *slot = event.begin + event.duration;
    return slot - ends.begin();
  }

  std::vector<int64_t> numbers;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> endsOf;
};

} // namespace

static json::Object nameEvent(const char *what, const TraceEvent &event, int64_t row,
                              std::string name) {
  return json::Object{{"ph", "M"},
                      {"name", what},
                      {"pid", event.block},
                      {"tid", row},
                      {"args", json::Object{{"name", std::move(name)}}}};
}

std::string simulate::toTraceJson(const Trace &trace) {
  json::Array events;
  std::set<std::pair<uint32_t, int64_t>> named;
  const Rows rows(trace);
  for (size_t index = 0; index < trace.events.size(); ++index) {
    const TraceEvent &event = trace.events[index];
    const int64_t row = rows.rowOf(index, event);
    if (named.insert({event.block, -1}).second)
      events.push_back(
          nameEvent("process_name", event, row, "block " + std::to_string(event.block)));
    if (named.insert({event.block, row}).second)
      events.push_back(nameEvent("thread_name", event, row,
                                 "warp " + std::to_string(event.warp) +
                                     (event.kind == TraceEvent::Kind::Copy ? " copies" : "")));
    json::Object arguments{{"source", event.where.file + ":" + std::to_string(event.where.line)}};
    if (event.units) {
      arguments["units"] = event.units;
      arguments["least"] = event.leastUnits;
    }
    events.push_back(json::Object{{"ph", "X"},
                                  {"name", event.name},
                                  {"cat", std::string(nameOf(event.kind))},
                                  {"pid", event.block},
                                  {"tid", row},
                                  {"ts", event.begin},
                                  {"dur", event.duration},
                                  {"args", std::move(arguments)}});
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(
      json::Object{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}});
  return text;
}
