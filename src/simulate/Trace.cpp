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

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

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

/// Copies overlap what their warp does, so they have a row of their own below it.
static int64_t rowOf(const TraceEvent &event) {
  return 2 * int64_t(event.warp) + (event.kind == TraceEvent::Kind::Copy);
}

static json::Object nameEvent(const char *what, const TraceEvent &event, std::string name) {
  return json::Object{{"ph", "M"},
                      {"name", what},
                      {"pid", event.block},
                      {"tid", rowOf(event)},
                      {"args", json::Object{{"name", std::move(name)}}}};
}

std::string simulate::toTraceJson(const Trace &trace) {
  json::Array events;
  std::set<std::pair<uint32_t, int64_t>> named;
  for (const TraceEvent &event : trace.events) {
    if (named.insert({event.block, -1}).second)
      events.push_back(nameEvent("process_name", event, "block " + std::to_string(event.block)));
    if (named.insert({event.block, rowOf(event)}).second)
      events.push_back(nameEvent("thread_name", event,
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
                                  {"tid", rowOf(event)},
                                  {"ts", event.begin},
                                  {"dur", event.duration},
                                  {"args", std::move(arguments)}});
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(
      json::Object{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}});
  return text;
}
