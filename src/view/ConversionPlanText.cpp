//===- ConversionPlanText.cpp - Text of conversion plans ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/PlanText.h"

#include "support/Counted.h"

#include <algorithm>
#include <string_view>

namespace tilewright::view {

namespace {

std::string joined(const std::vector<std::string> &parts, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i ? std::string(separator) : "") + parts[i];
  return text;
}

/// Sets bits of a thread's location by name: lane[0] ^ lane[3] ^ warp[1].
std::string textOf(const ThreadParity &parity) {
  std::vector<std::string> bits;
  for (unsigned bit = 0; bit < 32; ++bit)
    if (parity.lanes >> bit & 1)
      bits.push_back("lane[" + std::to_string(bit) + "]");
  for (unsigned bit = 0; bit < 32; ++bit)
    if (parity.warps >> bit & 1)
      bits.push_back("warp[" + std::to_string(bit) + "]");
  return bits.empty() ? "0" : joined(bits, " ^ ");
}

std::string textOf(const ThreadCondition &condition) {
  std::vector<std::string> terms;
  for (const ThreadCondition::Term &term : condition.terms)
    terms.push_back(textOf(term.parity) + " = " + (term.value ? "1" : "0"));
  return joined(terms, " and ");
}

std::string listOf(const std::vector<unsigned> &numbers) {
  std::vector<std::string> parts;
  for (unsigned n : numbers)
    parts.push_back(std::to_string(n));
  return joined(parts, " ");
}

std::string textOf(const ShufflePlan &plan) {
  std::string text = "pack: " + counted(plan.pack.size(), "word", "words") + " of " +
                     counted(plan.elementsPerWord, "element", "elements") + ", " +
                     counted(plan.registersPerWord, "32-bit register", "32-bit registers") +
                     " each\n";
  auto swaps = [&](const std::vector<ShufflePlan::SelectStage> &stages) {
    for (const ShufflePlan::SelectStage &stage : stages)
      text += "select: where " + textOf(stage.parity) + " = 1, words i and i ^ " +
              std::to_string(stage.wordXor) + " change places\n";
  };
  swaps(plan.before);

  // The lanes that words come from, each with its words, in the order of the words.
  std::vector<std::pair<unsigned, std::vector<unsigned>>> sources;
  for (const ShufflePlan::Route &route : plan.routes) {
    auto found = std::find_if(sources.begin(), sources.end(),
                              [&](const auto &source) { return source.first == route.laneXor; });
    if (found == sources.end())
      found = sources.insert(found, {route.laneXor, {}});
    found->second.push_back(route.word);
  }
  std::string_view from = plan.sourceIsSameLane ? "lane" : "lane source";
  if (!plan.sourceIsSameLane) {
    std::vector<std::string> bits;
    for (size_t bit = 0; bit < plan.sourceLane.size(); ++bit)
      bits.push_back("source[" + std::to_string(bit) + "] = " + textOf(plan.sourceLane[bit]));
    text += joined(bits, ", ") + "\n";
  }
  for (const auto &[laneXor, words] : sources) {
    bool stays = plan.sourceIsSameLane && !laneXor;
    text += std::string(stays ? "keep: " : "shuffle: ") + (words.size() == 1 ? "word " : "words ") +
            listOf(words);
    if (!stays)
      text += " of " + std::string(from) + (laneXor ? " ^ " + std::to_string(laneXor) : "");
    text += "\n";
  }
  swaps(plan.after);
  text += "unpack: " + counted(plan.unpack.size(), "element", "elements") + "\n";
  text += "shuffles: " + std::to_string(plan.shuffleCount()) +
          (plan.sourceIsSameLane ? " xor" : " idx") +
          ", selects: " + std::to_string(plan.selectCount()) +
          ", byte permutations: " + std::to_string(plan.permutes) + "\n";
  return text;
}

std::string_view barrierText(Barrier barrier) {
  switch (barrier) {
  case Barrier::Warp:
    return "a barrier of the warp";
  case Barrier::Block:
    return "a barrier of the block";
  }
  return "";
}

/// What one access moves: "vector of 8 elements", "4 transposed matrices".
std::string accessText(const CopyAtom &atom, unsigned elements, unsigned elementBytes) {
  if (atom.issuer == Issuer::Lane)
    return "vector of " + counted(elements, "element", "elements");
  const unsigned times = elements >> atom.form(elementBytes)->registerBits;
  return atom.keepsNeighbors() ? counted(times, "matrix", "matrices")
                               : counted(times, "transposed matrix", "transposed matrices");
}

std::string column(const std::string &text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string textOf(const SharedPlan &plan) {
  std::string text = "scratch bytes: " + std::to_string(plan.scratchBytes) + "\n";
  text += "repetitions: " + std::to_string(plan.repetitions.size()) + ", " +
          std::string(barrierText(plan.barrier)) +
          (plan.repetitions.size() > 1 ? " between stores and loads and between repetitions\n"
                                       : " between stores and loads\n");
  text += "        accesses  bits  transactions  conflicts  byte permutations  of\n";
  auto row = [&](std::string_view name, unsigned accesses, unsigned elements, const CopyAtom &atom,
                 unsigned transactions, unsigned conflicts, unsigned permutes) {
    text += std::string(name) + column(std::to_string(accesses), 10) +
            column(std::to_string(elements * plan.elementBytes * 8), 6) +
            column(std::to_string(transactions), 14) + column(std::to_string(conflicts), 11) +
            column(std::to_string(permutes), 19) + "  " +
            accessText(atom, elements, plan.elementBytes) + "\n";
  };
  row("stores", plan.storeCount(), plan.storeVector, *plan.storeAtom, plan.storeTransactions,
      plan.storeConflicts, plan.storePermutes);
  row("loads ", plan.loadCount(), plan.loadVector, *plan.loadAtom, plan.loadTransactions,
      plan.loadConflicts, plan.loadPermutes);

  auto part = [](const std::string &accesses, const ThreadCondition &condition) {
    return accesses + (condition.always() ? "" : " where " + textOf(condition));
  };
  for (size_t i = 0; i < plan.repetitions.size(); ++i) {
    const SharedRepetition &round = plan.repetitions[i];
    text += "repetition " + std::to_string(i) + ": " +
            part(counted(round.stores.size(), "store", "stores"), round.storeCondition) + "; " +
            part(counted(round.loads.size(), "load", "loads"), round.loadCondition) + "\n";
  }
  text += "stored at: " + plan.storeMap.toString() + "\n";
  text += "loaded from: " + plan.loadMap.toString() + "\n";
  return text;
}

std::string_view kindText(ConversionPlan::Kind kind) {
  switch (kind) {
  case ConversionPlan::Kind::None:
    return "none";
  case ConversionPlan::Kind::Registers:
    return "registers";
  case ConversionPlan::Kind::Shuffles:
    return "shuffles";
  case ConversionPlan::Kind::SharedMemory:
    return "shared memory";
  }
  return "";
}

} // namespace

std::string toText(const ConversionPlan &plan) {
  using Kind = ConversionPlan::Kind;
  std::string text = "kind: " + std::string(kindText(plan.kind)) + "\n";
  text += "cost: " + std::to_string(plan.cost) + "\n";
  switch (plan.kind) {
  case Kind::Registers:
    return text + "source registers: " + listOf(plan.registerSources) + "\n";
  case Kind::Shuffles:
    return text + textOf(plan.shuffles);
  case Kind::SharedMemory:
    return text + textOf(plan.shared);
  case Kind::None:
    break;
  }
  return text;
}

} // namespace tilewright::view
