//===- TileFactsJson.cpp - JSON of the facts about the IR of tiles ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/TileFacts.h"

using namespace tilewright;
using namespace tilewright::report;
namespace json = llvm::json;

/// JSON that has been written by us.
static json::Value parsed(const std::string &text) {
  llvm::Expected<json::Value> value = json::parse(text);
  return value ? std::move(*value) : json::Value((llvm::consumeError(value.takeError()), nullptr));
}

static json::Array numbers(const auto &list) {
  json::Array array;
  for (auto number : list)
    array.push_back(static_cast<int64_t>(number));
  return array;
}

static json::Object begin(const OpFact &fact) {
  return json::Object{{"op", fact.op},
                      {"line", fact.line + 1},
                      {"places", numbers(fact.places)},
                      {"loop_depth", fact.loopDepth}};
}

static json::Object toJson(const LayoutFact &fact) {
  return json::Object{{"name", fact.name},
                      {"text", fact.text},
                      {"shape", numbers(fact.shape)},
                      {"elements", json::Array(fact.elements)},
                      {"bits", fact.elementBits},
                      {"space", fact.isShared ? "shared" : "registers"},
                      {"map", parsed(fact.map.toJson())}};
}

static json::Object toJson(const ConversionFact &fact) {
  json::Object object = begin(fact);
  object["from"] = fact.from;
  object["to"] = fact.to;
  object["kind"] = fact.kind;
  object["cost"] = fact.cost;
  object["scratch_bytes"] = fact.scratchBytes;
  object["transactions"] = fact.transactions;
  object["conflicts"] = fact.conflicts;
  object["plan"] = parsed(fact.plan);
  return object;
}

static json::Object toJson(const GlobalFact &fact) {
  json::Object object = begin(fact);
  object["store"] = fact.isStore;
  object["async"] = fact.isAsync;
  object["bytes"] = fact.bytes;
  object["elements"] = fact.access.elements;
  object["warp_bytes"] = fact.access.bytes;
  object["sectors"] = fact.access.sectors;
  object["least_sectors"] = fact.access.leastSectors;
  return object;
}

static json::Object toJson(const LocalFact &fact) {
  json::Object object = begin(fact);
  object["store"] = fact.isStore;
  object["bytes"] = fact.bytes;
  object["atom"] = fact.atom;
  object["accesses"] = fact.accesses;
  object["transactions"] = fact.transactions;
  object["conflicts"] = fact.conflicts;
  return object;
}

static json::Object toJson(const ProductFact &fact) {
  json::Object object = begin(fact);
  object["shape"] = numbers(fact.shape);
  object["flops"] = fact.flops;
  object["types"] = fact.types;
  object["matrix_unit"] = fact.isOnMatrixUnit;
  return object;
}

static json::Object toJson(const LoopFact &fact) {
  json::Object object = begin(fact);
  object["end_line"] = fact.endLine + 1;
  json::Array waited;
  for (unsigned line : fact.waitedLoads)
    waited.push_back(line + 1);
  object["waited_loads"] = std::move(waited);
  object["product"] = fact.hasProduct;
  object["reduction"] = fact.hasReduction;
  object["async_copies"] = fact.hasAsyncCopies;
  return object;
}

static json::Array list(const auto &facts) {
  json::Array array;
  for (const auto &fact : facts)
    array.push_back(toJson(fact));
  return array;
}

void report::putInto(json::Object &report, const TileFacts &facts) {
  report["layouts"] = list(facts.layouts);
  json::Array values;
  for (const ValueFact &value : facts.values)
    values.push_back(json::Array{value.line + 1, value.name, value.layout});
  report["values"] = std::move(values);
  report["conversions"] = list(facts.conversions);
  report["global"] = list(facts.global);
  report["local"] = list(facts.local);
  report["products"] = list(facts.products);
  report["loops"] = list(facts.loops);
  json::Array registers;
  for (auto [line, count] : facts.registers)
    registers.push_back(json::Array{line + 1, count});
  report["registers"] = std::move(registers);
}
