//===- ScheduleText.cpp - Scheduling problems as text -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/ScheduleText.h"

#include <charconv>
#include <optional>
#include <sstream>

using namespace tilewright;
using namespace tilewright::transform;

//===----------------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------------===//

static void printNumber(std::ostream &os, const char *word, unsigned number) {
  if (number)
    os << ' ' << word << ' ' << number;
}

static void print(std::ostream &os, const ScheduleOp &op) {
  os << "op " << op.name << (op.isLoad ? " load" : "") << (op.isBranch ? " branch" : "");
  printNumber(os, "early", op.early);
  printNumber(os, "latency", op.latency);
  printNumber(os, "sum", op.sumLatency);
  for (unsigned unit = 0; unit < numMachineUnits; ++unit)
    printNumber(os, getName(static_cast<MachineUnit>(unit)), op.cycles[unit]);
  os << '\n';
}

std::string transform::printProblem(const ScheduleProblem &problem) {
  std::ostringstream os;
  for (const ScheduleOp &op : problem.ops)
    print(os, op);
  for (const ScheduleDependence &each : problem.dependences) {
    os << (each.isOfMemory ? "memory "
           : each.isSum    ? "sums "
                           : "uses ")
       << each.from << " -> " << each.to;
    printNumber(os, "distance", each.distance);
    os << '\n';
  }
  return os.str();
}

std::string transform::printSolution(const ScheduleSolution &solution) {
  std::string text = "slots";
  for (const ScheduleSlot &slot : solution)
    text += ' ' + std::to_string(slot.stage) + ':' + std::to_string(slot.cluster);
  return text + '\n';
}

//===----------------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------------===//

namespace {
/// The words of one line.
class Words {
public:
  explicit Words(const std::string &line) : is(line) { advance(); }

  bool atEnd() const { return word.empty(); }
  std::string take() {
    std::string taken = word;
    advance();
    return taken;
  }
  bool takeIf(std::string_view expected) {
    const bool isIt = word == expected;
    if (isIt)
      advance();
    return isIt;
  }
  std::optional<unsigned> takeNumber() { return toNumber(take()); }

  static std::optional<unsigned> toNumber(std::string_view text) {
    unsigned number = 0;
    const char *end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc() || rest != end)
      return std::nullopt;
    return number;
  }

private:
  void advance() {
    word.clear();
    is >> word;
  }

  std::istringstream is;
  std::string word;
};
} // namespace

/// The number of `op` that `word` names; null if it names none.
static unsigned *findNumber(ScheduleOp &op, std::string_view word) {
  if (word == "early")
    return &op.early;
  if (word == "latency")
    return &op.latency;
  if (word == "sum")
    return &op.sumLatency;
  for (unsigned unit = 0; unit < numMachineUnits; ++unit)
    if (word == getName(static_cast<MachineUnit>(unit)))
      return &op.cycles[unit];
  return nullptr;
}

static Result<ScheduleOp> readOp(Words &words) {
  ScheduleOp op;
  op.name = words.take();
  if (op.name.empty())
    return Failure("an op has no name");
  op.isLoad = words.takeIf("load");
  op.isBranch = words.takeIf("branch");
  while (!words.atEnd()) {
    const std::string word = words.take();
    unsigned *number = findNumber(op, word);
    if (!number)
      return Failure("'" + word + "' is none of early, latency, sum and the units");
    std::optional<unsigned> value = words.takeNumber();
    if (!value)
      return Failure("a number is expected after '" + word + "'");
    *number = *value;
  }
  return op;
}

static Result<ScheduleDependence> readDependence(Words &words, std::string_view kind) {
  ScheduleDependence result{0, 0, 0, kind == "memory", kind == "sums"};
  const std::optional<unsigned> from = words.takeNumber();
  const bool hasArrow = words.takeIf("->");
  const std::optional<unsigned> to = words.takeNumber();
  if (!from || !hasArrow || !to)
    return Failure("a dependence is expected, as in '0 -> 1'");
  result.from = *from;
  result.to = *to;
  if (words.takeIf("distance")) {
    const std::optional<unsigned> distance = words.takeNumber();
    if (!distance)
      return Failure("a number is expected after 'distance'");
    result.distance = *distance;
  }
  if (!words.atEnd())
    return Failure("'" + words.take() + "' is not expected here");
  return result;
}

static Result<void> readLine(Words &words, ScheduleProblem &problem) {
  const std::string kind = words.take();
  if (kind == "op") {
    Result<ScheduleOp> op = readOp(words);
    if (!op)
      return Failure(op.error());
    problem.ops.push_back(*op);
    return {};
  }
  if (kind != "uses" && kind != "sums" && kind != "memory")
    return Failure("'" + kind + "' is none of op, uses, sums and memory");
  Result<ScheduleDependence> each = readDependence(words, kind);
  if (!each)
    return Failure(each.error());
  problem.dependences.push_back(*each);
  return {};
}

Result<ScheduleProblem> transform::readProblem(std::string_view text) {
  ScheduleProblem problem;
  std::istringstream is{std::string(text)};
  std::string line;
  for (unsigned number = 1; std::getline(is, line); ++number) {
    Words words(line);
    if (words.atEnd())
      continue;
    if (Result<void> read = readLine(words, problem); !read)
      return Failure("line " + std::to_string(number) + ": " + read.error());
  }
  if (Result<void> valid = check(problem); !valid)
    return Failure(valid.error());
  return problem;
}

Result<ScheduleSolution> transform::readSolution(std::string_view text) {
  Words words{std::string(text)};
  if (!words.takeIf("slots"))
    return Failure("'slots' is expected");
  ScheduleSolution solution;
  while (!words.atEnd()) {
    const std::string word = words.take();
    const size_t colon = word.find(':');
    if (colon == std::string::npos)
      return Failure("'" + word + "' is no slot, as in 0:1");
    const auto stage = Words::toNumber(std::string_view(word).substr(0, colon));
    const auto cluster = Words::toNumber(std::string_view(word).substr(colon + 1));
    if (!stage || !cluster)
      return Failure("'" + word + "' is no slot, as in 0:1");
    solution.push_back({*stage, *cluster});
  }
  return solution;
}
