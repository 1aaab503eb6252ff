//===- TuningStore.cpp - Results of tuning, kept ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/TuningStore.h"
#include "runtime/Files.h"
#include "tune/TrialJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using namespace tilewright;
using namespace tilewright::tune;
namespace json = llvm::json;

/// All of the key, each part with its length in front, so that no two keys have one text.
static std::string digestOf(const TuningKey &key) {
  llvm::SHA256 hash;
  auto add = [&](llvm::StringRef text) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  };
  add(key.kernel);
  add(key.device);
  add(key.target);
  for (const auto &[name, value] : key.parts) {
    add(name);
    add(value);
  }
  auto digest = hash.final();
  return llvm::toHex(digest, /*LowerCase=*/true);
}

std::string TuningStore::fileOf(const TuningKey &key) const {
  return folder + "/" + key.kernel + "-" + digestOf(key).substr(0, 24) + ".json";
}

std::optional<TuningResult> TuningStore::find(const TuningKey &key,
                                              std::span<const Configuration> configurations) const {
  auto contents = runtime::readFile(fileOf(key));
  if (!contents)
    return std::nullopt;
  llvm::Expected<json::Value> parsed = json::parse(*contents);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const json::Object *record = parsed->getAsObject();
  if (!record || record->getString("digest") != llvm::StringRef(digestOf(key)))
    return std::nullopt;
  const json::Array *trials = record->getArray("trials");
  if (!trials || trials->size() != configurations.size())
    return std::nullopt;
  TuningResult result;
  for (auto [index, entry] : llvm::enumerate(*trials)) {
    const json::Object *trial = entry.getAsObject();
    if (!trial ||
        trial->getString("configuration") != llvm::StringRef(configurations[index].text()))
      return std::nullopt;
    std::optional<Trial> read = trialFromJson(*trial);
    if (!read)
      return std::nullopt;
    append(result, std::move(*read));
  }
  return result;
}

Expected<void> TuningStore::save(const TuningKey &key,
                                 std::span<const Configuration> configurations,
                                 const TuningResult &result) const {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return makeFileError(folder, "cannot make the folder: " + error.message(),
                         "name another one with TILEWRIGHT_CACHE_DIR");
  json::Array trials;
  for (auto [configuration, trial] : llvm::zip(configurations, result.trials)) {
    json::Object entry = toJson(trial);
    entry["configuration"] = configuration.text();
    trials.push_back(std::move(entry));
  }
  json::Object record{{"kernel", key.kernel},
                      {"device", key.device},
                      {"target", key.target},
                      {"digest", digestOf(key)},
                      {"trials", std::move(trials)}};
  if (result.best)
    record["best"] = configurations[*result.best].text();
  return runtime::writeFile(fileOf(key),
                            llvm::formatv("{0:2}\n", json::Value(std::move(record))).str());
}
