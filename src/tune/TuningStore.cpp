//===- TuningStore.cpp - Results of tuning, kept ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/TuningStore.h"
#include "cache/Key.h"
#include "runtime/files/Files.h"
#include "tune/TrialJson.h"

#include <filesystem>

using namespace tilewright;
using namespace tilewright::tune;
using Json = nlohmann::ordered_json;

/// All of the key, each part with its length in front, so that no two keys have one text.
static std::string digestOf(const TuningKey &key) {
  std::string all;
  auto add = [&](std::string_view text) {
    all += std::to_string(text.size()) + ":";
    all += text;
  };
  add(key.kernel);
  add(key.device);
  add(key.target);
  for (const auto &[name, value] : key.parts) {
    add(name);
    add(value);
  }
  return cache::hashOf(all).hex();
}

std::string TuningStore::fileOf(const TuningKey &key) const {
  return folder + "/" + key.kernel + "-" + digestOf(key).substr(0, 24) + ".json";
}

std::optional<TuningResult> TuningStore::find(const TuningKey &key,
                                              std::span<const std::string> configurations) const {
  auto contents = runtime::readFile(fileOf(key));
  if (!contents)
    return std::nullopt;
  std::optional<Json> record = parseJson(*contents);
  if (!record || textMember(*record, "digest") != digestOf(key))
    return std::nullopt;
  auto trials = record->find("trials");
  if (trials == record->end() || !trials->is_array() || trials->size() != configurations.size())
    return std::nullopt;
  TuningResult result;
  for (size_t index = 0; index < trials->size(); ++index) {
    const Json &entry = (*trials)[index];
    std::optional<Trial> trial = trialFromJson(entry);
    if (!trial || textMember(entry, "configuration") != configurations[index])
      return std::nullopt;
    append(result, std::move(*trial));
  }
  return result;
}

Expected<void> TuningStore::save(const TuningKey &key, std::span<const std::string> configurations,
                                 const TuningResult &result) const {
  std::error_code error;
  if (std::filesystem::create_directories(folder, error); error)
    return makeFileError(folder, "cannot make the folder: " + error.message(),
                         "name another one with TILEWRIGHT_CACHE_DIR");
  Json trials = Json::array();
  for (size_t index = 0; index < result.trials.size(); ++index) {
    Json entry{{"configuration", configurations[index]}};
    entry.update(toJson(result.trials[index]));
    trials.push_back(std::move(entry));
  }
  Json record{{"kernel", key.kernel},
              {"device", key.device},
              {"target", key.target},
              {"digest", digestOf(key)}};
  if (result.best)
    record["best"] = configurations[*result.best];
  record["trials"] = std::move(trials);
  return runtime::writeFile(fileOf(key), tune::textOf(record, 2) + "\n");
}
