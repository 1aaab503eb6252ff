//===- Report.cpp - Counts of a simulated launch ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/SimulatorReport.h"

#include <llvm/Support/JSON.h>

using namespace tilewright;
using namespace tilewright::simulate;

GlobalTraffic &GlobalTraffic::operator+=(const GlobalTraffic &other) {
  accesses += other.accesses;
  sectors += other.sectors;
  idealSectors += other.idealSectors;
  return *this;
}

SharedTraffic &SharedTraffic::operator+=(const SharedTraffic &other) {
  accesses += other.accesses;
  transactions += other.transactions;
  idealTransactions += other.idealTransactions;
  return *this;
}

Traffic &Traffic::operator+=(const Traffic &other) {
  globalLoads += other.globalLoads;
  globalStores += other.globalStores;
  globalAtomics += other.globalAtomics;
  sharedLoads += other.sharedLoads;
  sharedStores += other.sharedStores;
  sharedAtomics += other.sharedAtomics;
  return *this;
}

uint64_t LoopCounts::size() const {
  uint64_t sum = 0;
  for (const auto &[name, count] : instructions)
    sum += count;
  return sum;
}

Traffic Report::total() const {
  Traffic sum;
  for (const auto &[line, traffic] : lines)
    sum += traffic;
  return sum;
}

static std::string nameOf(const SourceLine &line) {
  return (line.file.empty() ? "<unknown>" : line.file) + ':' + std::to_string(line.line);
}

static void renderTraffic(std::string &out, const Traffic &traffic) {
  auto number = [](uint64_t value) { return std::to_string(value); };
  auto global = [&](const char *name, const GlobalTraffic &part) {
    if (part.accesses)
      out += "    " + std::string(name) + ": " + number(part.accesses) + " accesses, " +
             number(part.sectors) + " sectors (ideal " + number(part.idealSectors) + ")\n";
  };
  auto shared = [&](const char *name, const SharedTraffic &part) {
    if (part.accesses)
      out += "    " + std::string(name) + ": " + number(part.accesses) + " accesses, " +
             number(part.transactions) + " transactions (ideal " + number(part.idealTransactions) +
             "), " + number(part.bankConflicts()) + " bank conflicts\n";
  };
  global("global loads ", traffic.globalLoads);
  global("global stores", traffic.globalStores);
  global("global atomics", traffic.globalAtomics);
  shared("shared loads ", traffic.sharedLoads);
  shared("shared stores", traffic.sharedStores);
  shared("shared atomics", traffic.sharedAtomics);
}

std::string tilewright::simulate::render(const Report &report) {
  std::string out = "blocks " + std::to_string(report.blocks) + ", threads " +
                    std::to_string(report.threads) + ", barriers " +
                    std::to_string(report.barriers) + ", warp operations " +
                    std::to_string(report.warpOperations) + '\n';
  if (report.unawaitedCopies > 0)
    out +=
        "  asynchronous copies that nobody waited for: " + std::to_string(report.unawaitedCopies) +
        '\n';
  for (const auto &[name, count] : report.operations)
    out += "    " + std::to_string(count) + " " + name + '\n';
  for (const auto &[name, loop] : report.loops) {
    out += "  loop at " + nameOf(loop.where) + ", depth " + std::to_string(loop.depth) + ": " +
           std::to_string(loop.iterations) + " iterations of a warp, " +
           std::to_string(loop.size()) + " instructions each\n";
    for (const auto &[operation, count] : loop.operations)
      out += "    " + std::to_string(count) + " " + operation + '\n';
  }
  if (report.lines.empty())
    return out;
  out += "  in all\n";
  renderTraffic(out, report.total());
  for (const auto &[line, traffic] : report.lines) {
    out += "  " + nameOf(line) + '\n';
    renderTraffic(out, traffic);
  }
  return out;
}

//===----------------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------------===//

static llvm::json::Object countsOf(const std::map<std::string, uint64_t> &counts) {
  llvm::json::Object object;
  for (const auto &[name, count] : counts)
    object[name] = count;
  return object;
}

/// Those kinds of traffic that there were.
static llvm::json::Object trafficOf(const Traffic &traffic) {
  llvm::json::Object object;
  auto global = [&](const char *name, const GlobalTraffic &part) {
    if (part.accesses)
      object[name] = llvm::json::Object{{"accesses", part.accesses},
                                        {"sectors", part.sectors},
                                        {"ideal_sectors", part.idealSectors}};
  };
  auto shared = [&](const char *name, const SharedTraffic &part) {
    if (part.accesses)
      object[name] = llvm::json::Object{{"accesses", part.accesses},
                                        {"transactions", part.transactions},
                                        {"ideal_transactions", part.idealTransactions},
                                        {"bank_conflicts", part.bankConflicts()}};
  };
  global("global_loads", traffic.globalLoads);
  global("global_stores", traffic.globalStores);
  global("global_atomics", traffic.globalAtomics);
  shared("shared_loads", traffic.sharedLoads);
  shared("shared_stores", traffic.sharedStores);
  shared("shared_atomics", traffic.sharedAtomics);
  return object;
}

static llvm::json::Object placeOf(const SourceLine &line) {
  llvm::json::Object object;
  object["file"] = llvm::json::fixUTF8(line.file);
  object["line"] = line.line;
  return object;
}

std::string tilewright::simulate::toJson(const Report &report) {
  llvm::json::Array loops, lines;
  for (const auto &[name, counts] : report.loops) {
    llvm::json::Object loop = placeOf(counts.where);
    loop["function"] = llvm::json::fixUTF8(name.function);
    loop["number"] = name.number;
    loop["depth"] = counts.depth;
    loop["iterations"] = counts.iterations;
    loop["instructions"] = countsOf(counts.instructions);
    loop["operations"] = countsOf(counts.operations);
    loops.push_back(std::move(loop));
  }
  for (const auto &[line, traffic] : report.lines) {
    llvm::json::Object entry = placeOf(line);
    entry["traffic"] = trafficOf(traffic);
    lines.push_back(std::move(entry));
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"blocks", report.blocks},
                         {"threads", report.threads},
                         {"barriers", report.barriers},
                         {"warp_operations", report.warpOperations},
                         {"unawaited_copies", report.unawaitedCopies},
                         {"operations", countsOf(report.operations)},
                         {"loops", std::move(loops)},
                         {"traffic", trafficOf(report.total())},
                         {"lines", std::move(lines)}});
  return text;
}
