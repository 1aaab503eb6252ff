//===- TensorMaps.cpp - Tensor maps that a launch makes -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/TensorMaps.h"

#include "runtime/launch/LaunchArguments.h"

#include <algorithm>
#include <optional>

using namespace tilewright;
using namespace tilewright::runtime;

static constexpr uint64_t granule = 16;
static constexpr int64_t maxSize = (int64_t(1) << 32) - 1, maxStride = int64_t(1) << 40;
static constexpr int maxBox = 256;
static constexpr int swizzles[] = {0, 32, 64, 128};

namespace {

/// Computes what recipes say of one launch.
class Evaluator {
public:
  Evaluator(const KernelMetadata &kernel, std::span<const uint64_t> values)
      : parameters(parametersOf(kernel)), values(values) {}

  Expected<TensorMap> evaluate(const TensorMapRecipe &recipe) const;

private:
  /// The integer that a parameter is.
  int64_t valueOf(unsigned parameter) const {
    std::optional<ElementType> type = elementTypeNamed(parameters[parameter].type);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(type ? sizeOf(*type) : 8);
    const uint64_t shifted = values[parameter] << unused;
    return type && isSignedInteger(*type) ? static_cast<int64_t>(shifted) >> unused
                                          : static_cast<int64_t>(shifted >> unused);
  }

  /// Nothing where it does not fit.
  std::optional<int64_t> evaluate(const LaunchValue &value) const {
    int64_t result = value.factor;
    for (unsigned parameter : value.parameters)
      if (__builtin_mul_overflow(result, valueOf(parameter), &result))
        return std::nullopt;
    return result;
  }

  /// " (of 'K')": where a value comes from; empty for a constant.
  std::string originOf(const LaunchValue &value) const {
    std::string names;
    for (unsigned parameter : value.parameters) {
      const KernelParameter &named = parameters[parameter];
      names += (names.empty() ? " (" : " times ") + named.part +
               (named.part.empty() ? "" : " of ") + "'" + named.argument->name + "'";
    }
    return names.empty() ? names : names + ")";
  }

  std::vector<KernelParameter> parameters;
  std::span<const uint64_t> values;
};

} // namespace

std::optional<int> runtime::tensorMapElementNumber(std::string_view name) {
  static constexpr std::string_view names[] = {"u8",  "u16", "u32", "s32", "u64",
                                               "s64", "f16", "f32", "f64", "bf16"};
  const auto *found = std::ranges::find(names, name);
  if (found == std::end(names))
    return std::nullopt;
  return static_cast<int>(found - names);
}

bool runtime::isTensorMap(const TensorMapRecipe &recipe, size_t parameterCount) {
  const size_t rank = recipe.sizes.size();
  auto isKnown = [&](const LaunchValue &value) {
    return std::ranges::all_of(value.parameters,
                               [&](unsigned parameter) { return parameter < parameterCount; });
  };
  return rank >= 1 && rank <= 5 && recipe.strides.size() == rank - 1 && recipe.box.size() == rank &&
         recipe.address < parameterCount && std::ranges::all_of(recipe.sizes, isKnown) &&
         std::ranges::all_of(recipe.strides, isKnown) &&
         std::ranges::all_of(
             recipe.box, [](int size) { return size >= 1 && size <= maxBox; }) &&
         std::ranges::count(swizzles, recipe.swizzleBytes) == 1 &&
         tensorMapElementNumber(recipe.element);
}

Expected<TensorMap> Evaluator::evaluate(const TensorMapRecipe &recipe) const {
  if (!isTensorMap(recipe, parameters.size()))
    return makeError("the description of a tensor map does not fit the arguments",
                     "leave ttg.tensor_maps out of the TTGIR, with the kernel's last arguments");
  const std::string tensor = "the tensor of '" + parameters[recipe.address].argument->name + "'";
  const std::string remedy =
      "the kernel copies blocks of it by a tensor map: begin rows at multiples "
      "of 16 bytes, or access them through pointers";
  TensorMap map{&recipe, values[recipe.address], {}, {}};
  if (map.address % granule != 0)
    return makeError(tensor + " begins at an address that is not a multiple of 16", remedy);
  // Dimensions are counted as in the source.
  auto dimension = [&](size_t fromFastest) {
    return "dimension " + std::to_string(recipe.sizes.size() - 1 - fromFastest);
  };
  for (size_t dim = 0; dim < recipe.sizes.size(); ++dim) {
    std::optional<int64_t> size = evaluate(recipe.sizes[dim]);
    if (!size || *size < 1 || *size > maxSize)
      return makeError(tensor + " has " + (size ? std::to_string(*size) : "too many") +
                           " elements in " + dimension(dim) + originOf(recipe.sizes[dim]),
                       "a tensor map takes 1 to 2^32 - 1");
    map.sizes.push_back(static_cast<uint64_t>(*size));
  }
  for (size_t dim = 0; dim < recipe.strides.size(); ++dim) {
    std::optional<int64_t> stride = evaluate(recipe.strides[dim]);
    const std::string what = tensor + " has a stride of " +
                             (stride ? std::to_string(*stride) : "too many") + " bytes in " +
                             dimension(dim + 1) + originOf(recipe.strides[dim]);
    if (!stride || *stride < 0 || *stride >= maxStride)
      return makeError(what, "a tensor map takes strides from 0 to 2^40 - 16");
    if (*stride % granule != 0)
      return makeError(what + ", which is not a multiple of 16", remedy);
    map.strides.push_back(static_cast<uint64_t>(*stride));
  }
  return map;
}

Expected<std::vector<TensorMap>> runtime::makeTensorMaps(const KernelMetadata &kernel,
                                                         std::span<const uint64_t> parameters) {
  std::vector<TensorMap> maps;
  if (kernel.tensorMaps.empty())
    return maps;
  const Evaluator evaluator(kernel, parameters);
  for (const TensorMapRecipe &recipe : kernel.tensorMaps) {
    Expected<TensorMap> map = evaluator.evaluate(recipe);
    if (!map)
      return map.error();
    maps.push_back(std::move(*map));
  }
  return maps;
}
