//===- ConversionPlanJson.cpp - JSON of conversion plans ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/PlanText.h"

#include "support/JsonText.h"

namespace tilewright::view {

namespace {

std::string json(const ThreadParity &parity) {
  return JsonObject().number("lanes", parity.lanes).number("warps", parity.warps).str();
}

std::string json(const ThreadCondition &condition) {
  return jsonArray(condition.terms, [](const ThreadCondition::Term &term) {
    return JsonObject().raw("parity", json(term.parity)).number("value", term.value).str();
  });
}

std::string json(const std::vector<ShufflePlan::SelectStage> &stages) {
  return jsonArray(stages, [](const ShufflePlan::SelectStage &stage) {
    return JsonObject().raw("parity", json(stage.parity)).number("word_xor", stage.wordXor).str();
  });
}

std::string json(const ShufflePlan &plan) {
  JsonObject object;
  object.number("shuffles", plan.shuffleCount())
      .number("selects", plan.selectCount())
      .number("permutes", plan.permutes)
      .number("elements_per_word", plan.elementsPerWord)
      .number("registers_per_word", plan.registersPerWord)
      .raw("pack", jsonArray(plan.pack, [](const auto &word) { return jsonNumbers(word); }))
      .raw("before", json(plan.before))
      .word("shuffle_kind", plan.sourceIsSameLane ? "xor" : "idx")
      .raw("source_lane", jsonArray(plan.sourceLane, [](const auto &bit) { return json(bit); }))
      .raw("routes", jsonArray(plan.routes,
                               [](ShufflePlan::Route route) {
                                 return JsonObject()
                                     .number("word", route.word)
                                     .number("lane_xor", route.laneXor)
                                     .str();
                               }))
      .raw("after", json(plan.after))
      .raw("unpack", jsonArray(plan.unpack, [](ShufflePlan::WordPosition at) {
             return JsonObject().number("word", at.word).number("position", at.position).str();
           }));
  return object.str();
}

/// What the copy moves: of each lane a vector, or of the warp a matrix.
std::string_view kindOf(const CopyAtom &atom) {
  if (atom.issuer == Issuer::Lane)
    return "vector";
  return atom.keepsNeighbors() ? "matrix" : "transposed_matrix";
}

std::string_view nameOf(Barrier barrier) {
  switch (barrier) {
  case Barrier::Warp:
    return "warp";
  case Barrier::Block:
    return "block";
  }
  return "";
}

std::string json(const std::vector<SharedAccess> &accesses) {
  return jsonArray(accesses, [](const SharedAccess &access) {
    return JsonObject()
        .raw("registers", jsonNumbers(access.registers))
        .number("xor_offset", access.xorOffset)
        .number("add_offset", access.addOffset)
        .str();
  });
}

std::string json(const SharedPlan &plan) {
  auto side = [&](const CopyAtom &atom, unsigned count, unsigned vector, unsigned transactions,
                  unsigned conflicts, unsigned permutes, const LinearLayout &map,
                  const LinearLayout &base) {
    return JsonObject()
        .word("kind", kindOf(atom))
        .word("atom", atom.name)
        .number("accesses", count)
        .number("elements", vector)
        .number("bits", uint64_t(vector) * plan.elementBytes * 8)
        .number("transactions", transactions)
        .number("bank_conflicts", conflicts)
        .number("permutes", permutes)
        .raw("map", map.toJson())
        .raw("base", base.toJson())
        .str();
  };
  return JsonObject()
      .number("scratch_bytes", plan.scratchBytes)
      .number("element_bytes", plan.elementBytes)
      .word("barrier", nameOf(plan.barrier))
      .raw("store",
           side(*plan.storeAtom, plan.storeCount(), plan.storeVector, plan.storeTransactions,
                plan.storeConflicts, plan.storePermutes, plan.storeMap, plan.storeBase))
      .raw("load", side(*plan.loadAtom, plan.loadCount(), plan.loadVector, plan.loadTransactions,
                        plan.loadConflicts, plan.loadPermutes, plan.loadMap, plan.loadBase))
      .raw("repetitions", jsonArray(plan.repetitions,
                                    [](const SharedRepetition &round) {
                                      return JsonObject()
                                          .raw("store_condition", json(round.storeCondition))
                                          .raw("stores", json(round.stores))
                                          .raw("load_condition", json(round.loadCondition))
                                          .raw("loads", json(round.loads))
                                          .str();
                                    }))
      .raw("copies", jsonNumbers(plan.copies))
      .str();
}

} // namespace

std::string toJson(const ConversionPlan &plan) {
  using Kind = ConversionPlan::Kind;
  JsonObject object;
  switch (plan.kind) {
  case Kind::None:
    return object.word("kind", "none").number("cost", plan.cost).str();
  case Kind::Registers:
    return object.word("kind", "registers")
        .number("cost", plan.cost)
        .raw("source_registers", jsonNumbers(plan.registerSources))
        .str();
  case Kind::Shuffles:
    return object.word("kind", "shuffles")
        .number("cost", plan.cost)
        .raw("shuffles", json(plan.shuffles))
        .str();
  case Kind::SharedMemory:
    return object.word("kind", "shared_memory")
        .number("cost", plan.cost)
        .raw("shared", json(plan.shared))
        .str();
  }
  return object.str();
}

} // namespace tilewright::view
