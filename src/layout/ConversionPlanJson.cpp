//===- ConversionPlanJson.cpp - Conversion plans as JSON ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/ConversionPlan.h"

using namespace tilewright::layout;

namespace {

/// An object that is being written, its members in the order of the calls.
class Object {
public:
  Object &number(std::string_view key, uint64_t value) { return raw(key, std::to_string(value)); }
  Object &boolean(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  /// `value` has nothing that would have to be escaped.
  Object &word(std::string_view key, std::string_view value) {
    return raw(key, "\"" + std::string(value) + "\"");
  }
  /// `value` is JSON.
  Object &raw(std::string_view key, std::string_view value) {
    text += (text.empty() ? "\"" : ", \"") + std::string(key) + "\": " + std::string(value);
    return *this;
  }
  std::string str() const { return "{" + text + "}"; }

private:
  std::string text;
};

/// An array with `write` of each item.
template <typename List, typename Write> std::string array(const List &items, Write write) {
  std::string text;
  for (const auto &item : items)
    text += (text.empty() ? "" : ", ") + write(item);
  return "[" + text + "]";
}

template <typename List> std::string numbers(const List &items) {
  return array(items, [](unsigned n) { return std::to_string(n); });
}

std::string json(const ThreadParity &parity) {
  return Object().number("lanes", parity.lanes).number("warps", parity.warps).str();
}

std::string json(const ThreadCondition &condition) {
  return array(condition.terms, [](const ThreadCondition::Term &term) {
    return Object().raw("parity", json(term.parity)).number("value", term.value).str();
  });
}

std::string json(const std::vector<ShufflePlan::SelectStage> &stages) {
  return array(stages, [](const ShufflePlan::SelectStage &stage) {
    return Object().raw("parity", json(stage.parity)).number("word_xor", stage.wordXor).str();
  });
}

std::string json(const ShufflePlan &plan) {
  Object object;
  object.number("shuffles", plan.shuffleCount())
      .number("selects", plan.selectCount())
      .number("permutes", plan.permutes)
      .number("elements_per_word", plan.elementsPerWord)
      .number("registers_per_word", plan.registersPerWord)
      .raw("pack", array(plan.pack, [](const auto &word) { return numbers(word); }))
      .raw("before", json(plan.before))
      .word("shuffle_kind", plan.sourceIsSameLane ? "xor" : "idx")
      .raw("source_lane", array(plan.sourceLane, [](const auto &bit) { return json(bit); }))
      .raw("routes",
           array(
               plan.routes,
               [](ShufflePlan::Route route) {
                 return Object().number("word", route.word).number("lane_xor", route.laneXor).str();
               }))
      .raw("after", json(plan.after))
      .raw("unpack", array(plan.unpack, [](ShufflePlan::Place place) {
             return Object().number("word", place.word).number("position", place.position).str();
           }));
  return object.str();
}

std::string_view nameOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Vector:
    return "vector";
  case AccessKind::Matrix:
    return "matrix";
  case AccessKind::TransposedMatrix:
    return "transposed_matrix";
  }
  return "";
}

std::string_view nameOf(Barrier barrier) {
  switch (barrier) {
  case Barrier::None:
    return "none";
  case Barrier::Warp:
    return "warp";
  case Barrier::Block:
    return "block";
  }
  return "";
}

std::string json(const std::vector<SharedAccess> &accesses) {
  return array(accesses, [](const SharedAccess &access) {
    return Object()
        .raw("registers", numbers(access.registers))
        .number("xor_offset", access.xorOffset)
        .number("add_offset", access.addOffset)
        .str();
  });
}

std::string json(const SharedPlan &plan) {
  auto side = [&](AccessKind kind, unsigned count, unsigned vector, unsigned wavefronts,
                  unsigned conflicts, unsigned permutes, const LinearLayout &map,
                  const LinearLayout &base) {
    return Object()
        .word("kind", nameOf(kind))
        .number("accesses", count)
        .number("elements", vector)
        .number("bits", uint64_t(vector) * plan.elementBytes * 8)
        .number("wavefronts", wavefronts)
        .number("bank_conflicts", conflicts)
        .number("permutes", permutes)
        .raw("map", map.toJson())
        .raw("base", base.toJson())
        .str();
  };
  return Object()
      .number("scratch_bytes", plan.scratchBytes)
      .number("element_bytes", plan.elementBytes)
      .word("barrier", nameOf(plan.barrier))
      .raw("store", side(plan.storeKind, plan.storeCount(), plan.storeVector, plan.storeWavefronts,
                         plan.storeConflicts, plan.storePermutes, plan.storeMap, plan.storeBase))
      .raw("load", side(plan.loadKind, plan.loadCount(), plan.loadVector, plan.loadWavefronts,
                        plan.loadConflicts, plan.loadPermutes, plan.loadMap, plan.loadBase))
      .raw("repetitions", array(plan.repetitions,
                                [](const SharedRepetition &round) {
                                  return Object()
                                      .raw("store_condition", json(round.storeCondition))
                                      .raw("stores", json(round.stores))
                                      .raw("load_condition", json(round.loadCondition))
                                      .raw("loads", json(round.loads))
                                      .str();
                                }))
      .raw("copies", numbers(plan.copies))
      .str();
}

} // namespace

std::string ConversionPlan::toJson() const {
  Object object;
  switch (kind) {
  case Kind::None:
    return object.word("means", "none").number("cost", cost).str();
  case Kind::Registers:
    return object.word("means", "registers")
        .number("cost", cost)
        .raw("source_registers", numbers(registerSources))
        .str();
  case Kind::Shuffles:
    return object.word("means", "shuffles")
        .number("cost", cost)
        .raw("shuffles", json(shuffles))
        .str();
  case Kind::SharedMemory:
    return object.word("means", "shared_memory")
        .number("cost", cost)
        .raw("shared", json(shared))
        .str();
  case Kind::Unsupported:
    return object.word("means", "unsupported").word("reason", reason).str();
  }
  return object.str();
}
