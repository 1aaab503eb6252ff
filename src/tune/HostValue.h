//===- HostValue.h - Values of host-side Python expressions ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_HOSTVALUE_H
#define TILEWRIGHT_TUNE_HOSTVALUE_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tilewright::tune {

struct HostValue;

/// A list or a tuple.
using HostList = std::vector<HostValue>;
/// A dict whose keys are strings, in the order of insertion, or a call's keyword arguments.
using HostDict = std::vector<std::pair<std::string, HostValue>>;

/// triton.Config: the values of constexpr parameters, and the options beside them.
struct HostConfig {
  HostDict constants;
  /// num_warps, num_stages and what else is given by name.
  HostDict options;
};

/// What an expression beside a kernel evaluates to: Python's None, numbers, strings, lists, dicts
/// with strings as keys, and triton.Config. Integers have 64 bits. Lists and the like never change
/// once they are made, and are shared.
struct HostValue {
  std::variant<std::monostate, bool, int64_t, double, std::string, std::shared_ptr<const HostList>,
               std::shared_ptr<const HostDict>, std::shared_ptr<const HostConfig>>
      value;

  HostValue() = default;
  HostValue(bool value) : value(value) {}
  HostValue(int64_t value) : value(value) {}
  HostValue(double value) : value(value) {}
  HostValue(std::string value) : value(std::move(value)) {}
  HostValue(HostList list) : value(std::make_shared<const HostList>(std::move(list))) {}
  HostValue(HostDict dict) : value(std::make_shared<const HostDict>(std::move(dict))) {}
  HostValue(HostConfig config) : value(std::make_shared<const HostConfig>(std::move(config))) {}

  template <typename T> const T *as() const {
    if constexpr (std::is_same_v<T, HostList> || std::is_same_v<T, HostDict> ||
                  std::is_same_v<T, HostConfig>) {
      auto *shared = std::get_if<std::shared_ptr<const T>>(&value);
      return shared ? shared->get() : nullptr;
    } else {
      return std::get_if<T>(&value);
    }
  }
  /// An integer, or a bool as 0 or 1.
  bool isInteger() const { return as<int64_t>() || as<bool>(); }
  int64_t integer() const { return as<int64_t>() ? *as<int64_t>() : int64_t(*as<bool>()); }
  bool isNumber() const { return isInteger() || as<double>(); }
  double number() const { return as<double>() ? *as<double>() : double(integer()); }
  /// Python's truth.
  bool isTrue() const;
  /// "int", "dict", ..., as Python's type() names it.
  std::string_view typeName() const;
  /// As Python's repr() writes it, which is also how a signature has a constant.
  std::string text() const;
};

/// Python's ==: numbers by value, whatever their kind.
bool areEqual(const HostValue &a, const HostValue &b);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_HOSTVALUE_H
