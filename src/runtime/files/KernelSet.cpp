//===- KernelSet.cpp - Specializations of a kernel ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/files/KernelSet.h"

#include "runtime/launch/LaunchArguments.h"
#include "tilewright/HostArray.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <tuple>

using namespace tilewright;
using namespace tilewright::runtime;

/// The type of a constant that chooses.
static constexpr char constantType[] = "i64";

/// The integer that a value stands for.
static std::optional<int64_t> integerOf(std::string_view value) {
  if (value == "True" || value == "False")
    return value == "True";
  int64_t integer = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), integer);
  if (error != std::errc() || end != value.data() + value.size())
    return std::nullopt;
  return integer;
}

/// The integer as a word in the type's bytes.
static uint64_t wordOf(int64_t integer, const std::string &type) {
  const size_t bytes = sizeOf(*elementTypeNamed(type));
  const auto word = static_cast<uint64_t>(integer);
  return bytes == 8 ? word : word & ((uint64_t(1) << 8 * bytes) - 1);
}

/// The type of what callers give for an argument; nothing where its value is the same everywhere.
static Expected<std::optional<std::string>> typeInSet(std::span<const KernelMetadata> kernels,
                                                      size_t index) {
  std::optional<std::string> type;
  bool differs = false;
  for (const KernelMetadata &kernel : kernels) {
    const KernelArgument &argument = kernel.arguments[index];
    differs |= argument.value != kernels.front().arguments[index].value;
    if (argument.isPassed() && type && *type != argument.type)
      return makeError("the argument '" + argument.name + "' has the types " + *type + " and " +
                           argument.type,
                       "give kernels of different types different names");
    if (argument.isPassed())
      type = argument.type;
  }
  if (!type && !differs)
    return std::optional<std::string>();
  for (const KernelMetadata &kernel : kernels) {
    const KernelArgument &argument = kernel.arguments[index];
    const std::optional<ElementType> element = elementTypeNamed(type.value_or(constantType));
    if (!argument.isPassed() && (!integerOf(*argument.value) || !element || isFloat(*element)))
      return makeError("the specializations differ in the value of '" + argument.name +
                           "', which is " + *argument.value + " in one",
                       "only integers choose a specialization: give the kernels different names");
  }
  return std::optional(type.value_or(constantType));
}

Expected<std::vector<SetArgument>>
runtime::argumentsOfSet(std::span<const KernelMetadata> kernels) {
  std::vector<SetArgument> arguments;
  if (kernels.empty())
    return arguments;
  const KernelMetadata &first = kernels.front();
  for (const KernelMetadata &kernel : kernels)
    if (kernel.name != first.name ||
        !std::ranges::equal(kernel.arguments, first.arguments, {}, &KernelArgument::name,
                            &KernelArgument::name))
      return makeError("the kernels '" + first.name + "' and '" + kernel.name +
                           "' are no specializations of one: their arguments differ",
                       "compile them all of one source");
  size_t word = 0;
  for (size_t index = 0; index < first.arguments.size(); ++index) {
    Expected<std::optional<std::string>> type = typeInSet(kernels, index);
    if (!type)
      return type.error();
    if (!*type)
      continue;
    SetArgument argument{first.arguments[index].name, **type, index, word};
    KernelArgument asPassed;
    asPassed.type = argument.type;
    argument.wordCount = 1 + 2 * asPassed.rank();
    word += argument.wordCount;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

std::string KernelSet::Condition::describe() const {
  if (divisor == 0)
    return "'" + argument->name + "' is " + std::to_string(static_cast<int64_t>(value));
  return (word == argument->firstWord ? "'" : "a stride of '") + argument->name +
         "' is a multiple of " + std::to_string(divisor) + (factor == 1 ? "" : " bytes");
}

KernelSet::Specialization KernelSet::specialize(Image image) const {
  Specialization made;
  made.image = std::move(image);
  for (const SetArgument &argument : arguments) {
    const KernelArgument &expected = made.image.metadata.arguments[argument.index];
    if (!expected.isPassed()) {
      made.conditions.push_back({&argument, argument.firstWord, 0, 1,
                                 wordOf(*integerOf(*expected.value), argument.type)});
      continue;
    }
    for (size_t i = 0; i < argument.wordCount; ++i)
      made.passed.push_back(argument.firstWord + i);
    const auto divisor = static_cast<uint64_t>(std::max(expected.divisibility, 1));
    if (divisor == 1)
      continue;
    made.conditions.push_back({&argument, argument.firstWord, divisor, 1, 0});
    // Strides are in elements; the last is 1.
    const size_t rank = expected.rank();
    for (size_t dim = 0; dim + 1 < rank; ++dim)
      made.conditions.push_back({&argument, argument.firstWord + 1 + rank + dim, divisor,
                                 sizeOf(*elementTypeNamed(expected.elementType())), 0});
    if (expected.type.ends_with(":16"))
      made.conditions.push_back({&argument, argument.firstWord + rank, divisor,
                                 sizeOf(*elementTypeNamed(expected.elementType())), 0});
  }
  return made;
}

Expected<std::unique_ptr<KernelSet>> KernelSet::make(std::vector<Image> images) {
  if (images.empty())
    return makeError("the set has no kernel");
  std::vector<KernelMetadata> kernels;
  std::vector<std::string> targets;
  for (const Image &image : images) {
    kernels.push_back(image.metadata);
    if (!nativeDriverOf(image.metadata.target))
      return makeError("the kernel '" + image.metadata.name + "' was compiled for " +
                       image.metadata.target + ", which no driver is known for");
    if (std::ranges::find(targets, image.metadata.target) == targets.end())
      targets.push_back(image.metadata.target);
  }
  Expected<std::vector<SetArgument>> arguments = argumentsOfSet(kernels);
  if (!arguments)
    return arguments.error();
  auto set = std::make_unique<KernelSet>();
  set->arguments = std::move(*arguments);
  for (const SetArgument &argument : set->arguments)
    set->wordCount += argument.wordCount;
  for (Image &image : images) {
    set->specializations.push_back(set->specialize(std::move(image)));
    set->specializations.back().number = set->specializations.size();
  }
  // A constant demands more than any divisor.
  auto demands = [](const Specialization &specialization) {
    int sum = 0;
    for (const Condition &condition : specialization.conditions)
      sum += condition.divisor ? std::countr_zero(condition.divisor) : 16;
    return sum;
  };
  auto order = [&](const Specialization &specialization) {
    auto place = std::ranges::find(targets, specialization.image.metadata.target);
    return std::tuple(place - targets.begin(), -demands(specialization), specialization.number);
  };
  std::ranges::sort(set->specializations, {}, order);
  return set;
}

Expected<NativeKernel *> KernelSet::load(Specialization &specialization, const Place &place) {
  for (const std::unique_ptr<NativeKernel> &kernel : specialization.loaded)
    if (kernel->isFor(place))
      return kernel.get();
  const KernelMetadata &metadata = specialization.image.metadata;
  auto loaded = nativeDriverOf(metadata.target)
                    ->load(metadata, std::string(specialization.image.code), place);
  if (!loaded)
    return loaded.error();
  specialization.loaded.push_back(std::move(*loaded));
  return specialization.loaded.back().get();
}

static bool isOfFamily(const std::string &target, std::string_view family) {
  return std::string_view(target).substr(0, target.find(':')) == family;
}

Diagnostic KernelSet::explainMisfit(std::string_view family) const {
  const std::string &name = specializations.front().image.metadata.name;
  std::string wants, targets;
  for (const Specialization &specialization : specializations) {
    const std::string &target = specialization.image.metadata.target;
    if (targets.find(target) == std::string::npos)
      targets += (targets.empty() ? "" : ", ") + target;
    if (!isOfFamily(target, family))
      continue;
    std::string all;
    for (const Condition &condition : specialization.conditions)
      all += (all.empty() ? "" : " and ") + condition.describe();
    wants += "\n  " + target + ": " + all;
  }
  if (wants.empty())
    return makeError("the kernel '" + name + "' was not compiled for " + std::string(family) +
                         ", but for " + targets,
                     "add a target to those of the build");
  return makeError("no specialization of '" + name + "' fits the arguments; there are those where" +
                       wants,
                   "add a signature without the hints that the arguments do not keep");
}

Expected<KernelSet::Found> KernelSet::find(std::string_view family, const std::string *target,
                                           const Place &place, Grid grid,
                                           std::span<const uint64_t> words) {
  const std::string *refused = nullptr;
  std::optional<Diagnostic> error;
  for (Specialization &specialization : specializations) {
    const KernelMetadata &metadata = specialization.image.metadata;
    // The most demanding one that fits stands for its target.
    if (!isOfFamily(metadata.target, family) || (target && metadata.target != *target) ||
        (refused && metadata.target == *refused) ||
        !std::ranges::all_of(specialization.conditions,
                             [&](const Condition &each) { return each.holds(words); }))
      continue;
    Expected<LaunchGrid> blocks = gridFor(metadata, grid);
    if (!blocks)
      return blocks.error();
    Expected<NativeKernel *> kernel = load(specialization, place);
    if (kernel)
      return Found{&specialization, *kernel, *blocks};
    error = error ? error : kernel.error();
    refused = &metadata.target;
  }
  if (error)
    return *error;
  return Found();
}

Expected<void> KernelSet::launch(std::string_view family, const Place &place, Grid grid,
                                 std::span<const uint64_t> words) {
  if (words.size() != wordCount)
    return makeError("the kernel '" + specializations.front().image.metadata.name + "' takes " +
                     std::to_string(wordCount) + " words and got " + std::to_string(words.size()));
  std::lock_guard lock(mutex);
  auto choice = std::ranges::find_if(choices, [&](const Choice &each) {
    return each.device == place.device && each.family == family;
  });
  const bool isChosen = choice != choices.end();
  Expected<Found> found = find(family, isChosen ? &choice->target : nullptr, place, grid, words);
  // Queues of OpenCL's may be of different GPUs with one number.
  if (!found && isChosen)
    found = find(family, nullptr, place, grid, words);
  if (!found)
    return found.error();
  if (!found->kernel)
    return explainMisfit(family);
  const Specialization &specialization = *found->specialization;
  if (const std::string &target = specialization.image.metadata.target; !isChosen)
    choices.push_back({std::string(family), place.device, target});
  else if (choice->target != target)
    choice->target = target;
  constexpr size_t fewWords = 32;
  std::array<uint64_t, fewWords> few;
  std::vector<uint64_t> many(specialization.passed.size() > fewWords ? specialization.passed.size()
                                                                     : 0);
  std::span<uint64_t> passed(many.empty() ? few.data() : many.data(), specialization.passed.size());
  for (size_t i = 0; i < passed.size(); ++i)
    passed[i] = words[specialization.passed[i]];
  return found->kernel->enqueue(found->grid, passed, place.stream);
}
