//===- SimulatorReport.h - Counts of a simulated launch -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Counts of memory traffic as a GPU's memory system sees it: one access is one
// instruction of one warp, with all of its active lanes.
//
//   sectors      pieces of 32 bytes of global memory that the lanes touch; ideal is the
//                number that the bytes they touch would fill
//   transactions   passes through shared memory's banks: 32 of 4 bytes, or what the target
//                has. Lanes that use different words of one bank need a pass each. Accesses
//                that are wider than a bank go in as many parts of the warp as they would
//                fill rows of banks, a pass at least for each part that is active: that is
//                the ideal, and what is above it are the bank conflicts.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATORREPORT_H
#define TILEWRIGHT_SIMULATORREPORT_H

#include "tilewright/Diagnostic.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace tilewright::simulate {

struct GlobalTraffic {
  uint64_t accesses = 0;
  uint64_t sectors = 0;
  uint64_t idealSectors = 0;
  GlobalTraffic &operator+=(const GlobalTraffic &other);
};

struct SharedTraffic {
  uint64_t accesses = 0;
  uint64_t transactions = 0;
  uint64_t idealTransactions = 0;
  uint64_t bankConflicts() const { return transactions - idealTransactions; }
  SharedTraffic &operator+=(const SharedTraffic &other);
};

/// The traffic of one line, or of a whole launch.
struct Traffic {
  GlobalTraffic globalLoads, globalStores, globalAtomics;
  SharedTraffic sharedLoads, sharedStores, sharedAtomics;
  Traffic &operator+=(const Traffic &other);
};

/// A line of the source, in the order of the report.
struct SourceLine {
  std::string file;
  int line = 0;
  auto operator<=>(const SourceLine &) const = default;
};

/// A loop of a kernel: `number` counts those of a function, outer ones before inner ones, in the
/// order of its LLVM IR.
struct LoopName {
  std::string function;
  int number = 0;
  auto operator<=>(const LoopName &) const = default;
};

/// The parts of a loop and its work, without the loops inside of it.
struct LoopCounts {
  /// Where it begins.
  SourceLine where;
  /// 1 for a loop in no other.
  int depth = 1;
  /// How often warps went through it, in all. A warp is counted by its first lane.
  uint64_t iterations = 0;
  /// How many of each instruction it has, as LLVM IR names them: a call by what it calls. Not
  /// counted are phis, which are no instructions of any GPU.
  std::map<std::string, uint64_t> instructions;
  /// How often warps did each operation in it, as Report::operations has them in all.
  std::map<std::string, uint64_t> operations;

  /// The number of its instructions.
  uint64_t size() const;
};

struct Report {
  uint64_t blocks = 0;
  uint64_t threads = 0;
  /// Barriers that a block passed, and warp-wide operations (shuffles, votes, ...), each
  /// counted once for all of the threads that take part.
  uint64_t barriers = 0;
  uint64_t warpOperations = 0;
  /// Those of each instruction, by the name that it has in LLVM IR, if accesses are counted:
  /// matrix products and block messages among them.
  std::map<std::string, uint64_t> operations;
  /// Asynchronous copies that were outstanding when their threads ended: nobody waited for them.
  uint64_t unawaitedCopies = 0;
  std::map<SourceLine, Traffic> lines;
  /// Those of the kernels that ran, if accesses are counted.
  std::map<LoopName, LoopCounts> loops;

  /// The sum over all lines.
  Traffic total() const;
};

/// The report as a text of several lines, for people.
std::string render(const Report &report);

/// The report as one JSON object, on one line: docs/simulator.md describes its members.
std::string toJson(const Report &report);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATORREPORT_H
