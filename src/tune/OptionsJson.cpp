//===- OptionsJson.cpp - Options of a compilation as JSON ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/OptionsJson.h"

#include "tune/TrialJson.h"

#include <stdexcept>

using namespace tilewright;
using namespace tilewright::tune;
using Json = nlohmann::ordered_json;

template <typename T> static Json valueToJson(const T &value) { return value; }
template <typename T> static Json valueToJson(const std::optional<T> &value) {
  return value ? Json(*value) : Json();
}

template <typename T> static void readValue(const Json &json, T &value) { json.get_to(value); }
template <typename T> static void readValue(const Json &json, std::optional<T> &value) {
  value = json.is_null() ? std::nullopt : std::optional(json.get<T>());
}

Json tune::toJson(const CompileOptions &options) {
  Json object = Json::object(), launch = Json::object();
  forEachOption([&](const auto &row) {
    if (!row.readers.plan)
      return;
    const std::string name(row.name);
    if constexpr (!std::decay_t<decltype(row)>::isOfLaunch)
      object[name] = valueToJson(row.of(options));
    else if (row.of(options))
      launch[name] = *row.of(options);
  });
  object["launch"] = std::move(launch);
  return object;
}

CompileOptions tune::optionsFromJson(const Json &object) {
  CompileOptions options;
  forEachOption([&](const auto &row) {
    if constexpr (!std::decay_t<decltype(row)>::isOfLaunch)
      if (row.readers.plan)
        readValue(object.at(std::string(row.name)), row.of(options));
  });
  for (const auto &[name, value] : object.at("launch").items()) {
    std::optional<int> *member = options.launch.find(name);
    if (!member)
      throw std::out_of_range("no option " + name);
    *member = value.get<int>();
  }
  return options;
}

std::string tune::textOf(const CompileOptions &options) { return textOf(toJson(options)); }
