//===- ConversionPlanText.cpp - Conversion plans in words -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/ConversionPlan.h"

using namespace tilewright::layout;

namespace {

std::string_view kindName(ConversionPlan::Kind kind) {
  switch (kind) {
  case ConversionPlan::Kind::None:
    return "none";
  case ConversionPlan::Kind::Registers:
    return "registers";
  case ConversionPlan::Kind::Shuffles:
    return "shuffles";
  case ConversionPlan::Kind::SharedMemory:
    return "shared";
  case ConversionPlan::Kind::Unsupported:
    return "unsupported";
  }
  return "";
}

std::string_view barrierName(Barrier barrier) {
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

/// The facts of a plan as (key, value), values ready for JSON; one list for both forms.
std::vector<std::pair<std::string, std::string>> factsOf(const ConversionPlan &plan) {
  std::vector<std::pair<std::string, std::string>> facts;
  auto number = [&](const char *key, uint64_t value) {
    facts.emplace_back(key, std::to_string(value));
  };
  auto word = [&](const char *key, std::string_view value) {
    facts.emplace_back(key, "\"" + std::string(value) + "\"");
  };
  word("kind", kindName(plan.kind));
  number("cost", plan.cost);
  switch (plan.kind) {
  case ConversionPlan::Kind::None:
    break;
  case ConversionPlan::Kind::Registers: {
    std::string list = "[";
    for (size_t i = 0; i < plan.registerSources.size(); ++i)
      list += (i ? ", " : "") + std::to_string(plan.registerSources[i]);
    facts.emplace_back("register_sources", list + "]");
    break;
  }
  case ConversionPlan::Kind::Shuffles:
    number("shuffles", plan.shuffles.shuffleCount());
    number("selects", plan.shuffles.selectCount());
    number("elements_per_word", plan.shuffles.elementsPerWord);
    word("shuffle_kind", plan.shuffles.sourceIsSameLane ? "xor" : "idx");
    break;
  case ConversionPlan::Kind::SharedMemory: {
    const SharedPlan &shared = plan.shared;
    number("scratch_bytes", shared.scratchBytes);
    number("repetitions", shared.repetitions.size());
    number("store_vector_bits", uint64_t(shared.storeVector) * shared.elementBytes * 8);
    number("load_vector_bits", uint64_t(shared.loadVector) * shared.elementBytes * 8);
    number("store_wavefronts", shared.storeWavefronts);
    number("load_wavefronts", shared.loadWavefronts);
    number("store_bank_conflicts", shared.storeConflicts);
    number("load_bank_conflicts", shared.loadConflicts);
    word("barrier", barrierName(shared.barrier));
    word("store_map", shared.storeMap.toString());
    word("load_map", shared.loadMap.toString());
    break;
  }
  case ConversionPlan::Kind::Unsupported:
    word("reason", plan.reason);
    break;
  }
  return facts;
}

} // namespace

std::string ConversionPlan::toString() const {
  std::string text;
  for (auto &[key, value] : factsOf(*this)) {
    bool isWord = value.front() == '"';
    text += key + ": " + (isWord ? value.substr(1, value.size() - 2) : value) + "\n";
  }
  return text;
}

std::string ConversionPlan::toJson() const {
  std::string text = "{";
  const char *separator = "";
  for (auto &[key, value] : factsOf(*this)) {
    text += separator + ("\"" + key + "\": ") + value;
    separator = ", ";
  }
  return text + "}";
}
