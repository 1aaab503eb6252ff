//===- Tuning.cpp - Results of tuning, for Python -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Tuning.h"

#include "Gpu.h"
#include "tilewright/Cache.h"
#include "tune/CompareArrays.h"
#include "tune/TrialJson.h"
#include "tune/TuningStore.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::python;
using tune::TuningKey;

/// The folder in which the command keeps its results as well.
static tune::TuningStore storeOfUser() {
  auto options = CacheOptions::fromEnvironment();
  if (!options)
    throw nb::value_error((options.error().message + "\n  " + options.error().remedy).c_str());
  return tune::TuningStore(options->directory + "/tuning");
}

/// A list of trials as JSON; nothing if no result is kept.
static std::optional<std::string> findTuning(const TuningKey &key,
                                             const std::vector<std::string> &configurations) {
  auto result = storeOfUser().find(key, configurations);
  if (!result)
    return std::nullopt;
  auto trials = nlohmann::ordered_json::array();
  for (const tune::Trial &trial : result->trials)
    trials.push_back(toJson(trial));
  return tune::textOf(trials);
}

/// The reason why the result could not be kept; nothing if it was.
static std::optional<std::string> saveTuning(const TuningKey &key,
                                             const std::vector<std::string> &configurations,
                                             const std::string &trials) {
  auto list = tune::parseJson(trials);
  if (!list || !list->is_array() || list->size() != configurations.size())
    throw nb::value_error("there is a trial for each configuration");
  tune::TuningResult result;
  for (const auto &entry : *list) {
    auto trial = tune::trialFromJson(entry);
    if (!trial)
      throw nb::value_error(("this is no trial: " + tune::textOf(entry)).c_str());
    append(result, std::move(*trial));
  }
  auto saved = storeOfUser().save(key, configurations, result);
  return saved ? std::nullopt : std::optional(saved.error().message);
}

/// The index, the value and what it should be, of the element that differs most.
static std::optional<std::tuple<size_t, double, double>>
findDifference(const std::string &type, const nb::bytes &values, const nb::bytes &expected,
               std::optional<double> tolerance) {
  auto elementType = runtime::elementTypeNamed(type);
  if (!elementType || values.size() != expected.size() ||
      values.size() % runtime::sizeOf(*elementType) != 0)
    throw nb::value_error(("these are no two arrays of " + type).c_str());
  auto arrayOf = [&](const nb::bytes &bytes) {
    runtime::HostArray array(*elementType, {int64_t(bytes.size() / runtime::sizeOf(*elementType))});
    std::memcpy(array.bytes.data(), bytes.data(), bytes.size());
    return array;
  };
  auto difference = tune::findDifference(arrayOf(values), arrayOf(expected),
                                         tolerance.value_or(tune::defaultTolerance(*elementType)));
  if (!difference)
    return std::nullopt;
  return std::tuple(difference->index, difference->value, difference->expected);
}

void tilewright::python::addTuning(nb::module_ &m) {
  nb::class_<TuningKey>(m, "TuningKey", "What a result of tuning holds for.")
      .def(
          "__init__",
          [](TuningKey *self, std::string kernel, std::string device, std::string target,
             std::vector<std::pair<std::string, std::string>> parts) {
            new (self) TuningKey{std::move(kernel), std::move(device), std::move(target),
                                 std::move(parts)};
          },
          "kernel"_a, "device"_a, "target"_a, "parts"_a);
  m.def("find_tuning", &findTuning, "key"_a, "configurations"_a);
  m.def("save_tuning", &saveTuning, "key"_a, "configurations"_a, "trials"_a);
  m.def("find_difference", &findDifference, "type"_a, "values"_a, "expected"_a,
        "tolerance"_a.none() = nb::none());
  m.def(
      "name_of_gpu",
      [](int device) {
        auto info = describeGpu(device);
        if (!info)
          throw LaunchFailure{info.error()};
        return info->name;
      },
      "device"_a, "The name of a GPU, such as \"NVIDIA H200\".");
}
