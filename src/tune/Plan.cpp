//===- Plan.cpp - What is to be measured, as a file ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/Plan.h"
#include "runtime/files/Files.h"
#include "tune/OptionsJson.h"
#include "tune/TrialJson.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

using namespace tilewright;
using namespace tilewright::tune;
using Json = nlohmann::ordered_json;

/// The version of the format.
static constexpr int version = 2;
static constexpr const char *languages[] = {"py", "ttir", "ttgir"};

std::vector<std::string> Plan::texts() const {
  std::vector<std::string> texts;
  for (const Entry &entry : entries)
    texts.push_back(entry.text);
  return texts;
}

FileReader Plan::reader() const {
  return [files = files](const std::string &path) -> std::optional<std::string> {
    if (auto known = files.find(path); known != files.end())
      return known->second;
    auto text = runtime::readFile(path);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
}

//===--------------------------------------------------------------------------===//
// Writing
//===--------------------------------------------------------------------------===//

template <typename T> static Json orNull(const std::optional<T> &value) {
  return value ? Json(*value) : Json();
}

std::string tune::toJson(const Plan &plan) {
  Json entries = Json::array();
  for (const Plan::Entry &entry : plan.entries) {
    Json json{{"text", entry.text}, {"options", tune::toJson(entry.options)}};
    if (entry.grid)
      json["grid"] = {entry.grid->x, entry.grid->y, entry.grid->z};
    else
      json["error"] = {{"message", entry.grid.error().message},
                       {"remedy", entry.grid.error().remedy}};
    entries.push_back(std::move(json));
  }
  Json files = Json::object(), arguments = Json::object(), parts = Json::array();
  for (const auto &[path, text] : plan.files)
    files[path] = orNull(text);
  for (const auto &[name, text] : plan.arguments)
    arguments[name] = text;
  for (const auto &[name, value] : plan.key.parts)
    parts.push_back(Json::array({name, value}));
  const Json json{{"plan", version},
                  {"kernel", plan.key.kernel},
                  {"target", plan.key.target},
                  {"device", plan.device},
                  {"source",
                   {{"name", plan.source.name},
                    {"language", languages[size_t(plan.source.language)]},
                    {"self_contained", plan.source.isSelfContained},
                    {"text", plan.source.text}}},
                  {"files", files},
                  {"arguments", arguments},
                  {"repeats", plan.measure.repeats},
                  {"timeout", plan.measure.secondsAtMost},
                  {"tolerance", orNull(plan.measure.tolerance)},
                  {"configurations", entries},
                  {"key", parts}};
  return textOf(json, 1) + "\n";
}

//===--------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------===//

namespace {

// These throw exceptions where something is missing or of the wrong kind, as nlohmann-json's
// accessors do; `readPlan` catches them.

template <typename T> std::optional<T> optionalMember(const Json &object, const char *name) {
  const Json &value = object.at(name);
  return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

Expected<runtime::Grid> gridFromJson(const Json &entry) {
  if (!entry.contains("grid"))
    return makeError(entry.at("error").at("message").get<std::string>(),
                     entry.at("error").at("remedy").get<std::string>());
  const auto extents = entry.at("grid").get<std::array<uint32_t, 3>>();
  return runtime::Grid{extents[0], extents[1], extents[2]};
}

Plan planFromJson(const Json &json) {
  Plan plan;
  const Json &source = json.at("source");
  plan.source.name = source.at("name").get<std::string>();
  plan.source.text = source.at("text").get<std::string>();
  plan.source.isSelfContained = source.at("self_contained").get<bool>();
  const auto *language = std::ranges::find(languages, source.at("language").get<std::string>());
  if (language == std::end(languages))
    throw std::out_of_range("no such language");
  plan.source.language = SourceLanguage(language - std::begin(languages));
  for (const auto &[path, text] : json.at("files").items())
    plan.files[path] = text.is_null() ? std::nullopt : std::optional(text.get<std::string>());
  for (const auto &[name, text] : json.at("arguments").items())
    plan.arguments[name] = text.get<std::string>();
  for (const Json &entry : json.at("configurations"))
    plan.entries.push_back({entry.at("text").get<std::string>(),
                            optionsFromJson(entry.at("options")), gridFromJson(entry)});
  plan.device = json.at("device").get<std::string>();
  plan.measure.repeats = json.at("repeats").get<int>();
  plan.measure.secondsAtMost = json.at("timeout").get<double>();
  plan.measure.tolerance = optionalMember<double>(json, "tolerance");
  plan.key.kernel = json.at("kernel").get<std::string>();
  plan.key.target = json.at("target").get<std::string>();
  for (const Json &part : json.at("key"))
    plan.key.parts.emplace_back(part.at(0).get<std::string>(), part.at(1).get<std::string>());
  return plan;
}

} // namespace

Expected<Plan> tune::readPlan(std::string_view text, const std::string &file) {
  constexpr const char *remedy = "write it with `tilewright tune KERNEL.py .. --plan FILE.json`";
  std::optional<Json> json = parseJson(text);
  if (!json || !json->is_object() || !json->contains("plan"))
    return makeFileError(file, "this is no plan of what to measure", remedy);
  if ((*json)["plan"] != version)
    return makeFileError(file, "the plan is of another version of the format", remedy);
  try {
    Plan plan = planFromJson(*json);
    if (plan.entries.empty())
      return makeFileError(file, "the plan has no configurations", remedy);
    return plan;
  } catch (const std::exception &error) {
    return makeFileError(file, std::string("the plan is damaged: ") + error.what(), remedy);
  }
}
