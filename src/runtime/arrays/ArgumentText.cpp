//===- ArgumentText.cpp - Argument values of the command line -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Runtime.h"

#include <charconv>
#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::runtime;

static std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// A Python number: decimal or 0x, with underscores between digits, or a float.
static std::optional<std::variant<int64_t, double>> parseNumber(std::string_view text) {
  text = trim(text);
  if (text == "True")
    return int64_t(1);
  if (text == "False")
    return int64_t(0);
  std::string digits;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '_')
      digits += text[i];
    else if (i == 0 || i + 1 == text.size() || !std::isalnum(text[i - 1]) ||
             !std::isalnum(text[i + 1]))
      return std::nullopt;
  bool negative = digits.starts_with('-');
  std::string_view magnitude = std::string_view(digits).substr(negative || digits.starts_with('+'));
  if (magnitude.empty() || magnitude.front() == '-' || magnitude.front() == '+')
    return std::nullopt;
  bool hexadecimal = magnitude.starts_with("0x") || magnitude.starts_with("0X");
  std::string_view whole = magnitude.substr(hexadecimal ? 2 : 0);
  const char *end = whole.data() + whole.size();

  uint64_t integer = 0;
  auto [stop, problem] = std::from_chars(whole.data(), end, integer, hexadecimal ? 16 : 10);
  if (problem == std::errc() && stop == end) {
    // Unsigned 64-bit numbers keep their bits.
    if (negative && integer > uint64_t(1) << 63)
      return std::nullopt;
    return static_cast<int64_t>(negative ? 0 - integer : integer);
  }
  if (hexadecimal)
    return std::nullopt;
  double number = 0;
  auto [floatStop, floatProblem] = std::from_chars(whole.data(), end, number);
  if (floatProblem != std::errc() || floatStop != end)
    return std::nullopt;
  return negative ? -number : number;
}

Expected<std::pair<std::string, std::string>> runtime::splitAssignment(std::string_view text) {
  size_t equals = text.find('=');
  if (equals == std::string_view::npos || trim(text.substr(0, equals)).empty())
    return makeError("'" + std::string(text) + "' is no assignment", "write NAME=VALUE");
  return std::pair{std::string(trim(text.substr(0, equals))),
                   std::string(trim(text.substr(equals + 1)))};
}

namespace {

/// A generator of random bits that is the same everywhere (SplitMix64: Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
public:
  /// Seeded by a name (FNV-1a hash).
  explicit Random(std::string_view name) : state(0xcbf29ce484222325) {
    for (unsigned char c : name)
      state = (state ^ c) * 0x100000001b3;
  }
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [-1, 1).
  double symmetric() { return std::ldexp(static_cast<double>(next() >> 11), -52) - 1.0; }

private:
  uint64_t state;
};

/// zeros(...), empty(...), full(...), arange(...) or rand(...), taken apart.
struct Generator {
  std::string name;
  std::vector<std::string_view> arguments;
};

} // namespace

static std::optional<Generator> parseGenerator(std::string_view text) {
  size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')'))
    return std::nullopt;
  Generator generator{std::string(trim(text.substr(0, open))), {}};
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  while (true) {
    size_t comma = inside.find(',');
    generator.arguments.push_back(trim(inside.substr(0, comma)));
    if (comma == std::string_view::npos)
      return generator;
    inside.remove_prefix(comma + 1);
  }
}

constexpr int64_t largestArrayBytes = int64_t(1) << 40;

static Expected<std::vector<int64_t>> parseShape(std::span<const std::string_view> texts,
                                                 ElementType type) {
  std::vector<int64_t> shape;
  int64_t bytes = static_cast<int64_t>(sizeOf(type));
  for (std::string_view text : texts) {
    auto number = parseNumber(text);
    auto *extent = number ? std::get_if<int64_t>(&*number) : nullptr;
    if (!extent || *extent < 0)
      return makeError("'" + std::string(text) + "' is no extent of an array",
                       "extents are whole numbers, not negative");
    if (__builtin_mul_overflow(bytes, *extent, &bytes) || bytes > largestArrayBytes)
      return makeError("the array is too large",
                       "an array has at most " + std::to_string(largestArrayBytes) + " bytes");
    shape.push_back(*extent);
  }
  return shape;
}

static Expected<HostArray> generate(const KernelArgument &argument, ElementType type,
                                    const Generator &generator) {
  std::span<const std::string_view> extents = generator.arguments;
  std::variant<int64_t, double> fill = int64_t(0);
  bool known = generator.name == "zeros" || generator.name == "empty" ||
               generator.name == "arange" || generator.name == "rand";
  if (generator.name == "full" && extents.size() >= 2) {
    auto value = parseNumber(extents.back());
    if (!value)
      return makeError("'" + std::string(extents.back()) + "' is no number",
                       "the last entry of full(n, value) is the value of all elements");
    fill = *value;
    extents = extents.first(extents.size() - 1);
  } else if (!known) {
    return makeError(
        "'" + generator.name + "(...)' makes no array",
        "there are zeros(n), empty(n), full(n, value), arange(n) and rand(n), with one "
        "extent or more, and @file.npy");
  }
  Expected<std::vector<int64_t>> shape = parseShape(extents, type);
  if (!shape)
    return shape.error();

  // Before so many elements are made: sizes of a descriptor's tensor are parameters of 32 bits.
  if (argument.isDescriptor())
    for (int64_t extent : *shape)
      if (extent > std::numeric_limits<int32_t>::max())
        return makeError("a tensor descriptor takes no dimension of " + std::to_string(extent) +
                             " elements",
                         "a dimension has at most 2147483647");
  HostArray array(type, std::move(*shape));
  array.isUnwritten = generator.name == "empty";
  Random random(argument.name);
  size_t size = array.size();
  for (size_t i = 0; i < size; ++i) {
    if (generator.name == "arange")
      array.setInteger(i, static_cast<int64_t>(i));
    else if (generator.name == "rand" && isFloat(type))
      array.set(i, random.symmetric());
    else if (generator.name == "rand")
      array.setInteger(i,
                       static_cast<int64_t>(random.next() % (type == ElementType::Bool ? 2 : 100)));
    else if (auto *integer = std::get_if<int64_t>(&fill))
      array.setInteger(i, *integer);
    else
      array.set(i, std::get<double>(fill));
  }
  return array;
}

Expected<ArgumentValue> runtime::parseArgumentValue(const KernelArgument &argument,
                                                    std::string_view text) {
  text = trim(text);
  auto wrong = [&](const std::string &remedy) {
    return makeError("'" + std::string(text) + "' is no value for the argument '" + argument.name +
                         "' of type " + argument.type,
                     remedy);
  };
  std::optional<ElementType> type = elementTypeNamed(argument.elementType());
  if (!type)
    return makeError("the argument '" + argument.name + "' has the type " + argument.type +
                     ", which has no values here");
  if (!argument.isPointer() && !argument.isDescriptor()) {
    auto number = parseNumber(text);
    if (!number)
      return wrong("a number is needed");
    if (auto *integer = std::get_if<int64_t>(&*number))
      return ArgumentValue(*integer);
    return ArgumentValue(std::get<double>(*number));
  }
  if (text.starts_with('@')) {
    Expected<HostArray> array = readNpy(std::string(text.substr(1)));
    if (!array)
      return array.error();
    return ArgumentValue(convert(*array, *type));
  }
  std::optional<Generator> generator = parseGenerator(text);
  if (!generator)
    return wrong(
        "an array is needed: @file.npy, zeros(n), empty(n), full(n, value), arange(n) or rand(n)");
  Expected<HostArray> array = generate(argument, *type, *generator);
  if (!array) {
    Diagnostic error = array.error();
    error.message += " (argument '" + argument.name + "')";
    return error;
  }
  return ArgumentValue(std::move(*array));
}
