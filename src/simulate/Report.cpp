//===- Report.cpp - Counts of a simulated launch ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/SimulatorReport.h"

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

Traffic Report::total() const {
  Traffic sum;
  for (const auto &[line, traffic] : lines)
    sum += traffic;
  return sum;
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
  if (report.lines.empty())
    return out;
  out += "  in all\n";
  renderTraffic(out, report.total());
  for (const auto &[line, traffic] : report.lines) {
    out += "  " + (line.file.empty() ? "<unknown>" : line.file) + ':' + std::to_string(line.line) +
           '\n';
    renderTraffic(out, traffic);
  }
  return out;
}
