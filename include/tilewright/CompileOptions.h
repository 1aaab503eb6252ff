//===- CompileOptions.h - What a kernel is compiled for -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The options of a compilation, of which CompileOptions.def is the table: the struct, the values
// that hold where nothing is set, and the rows as values, for all that treats options alike.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILEOPTIONS_H
#define TILEWRIGHT_COMPILEOPTIONS_H

#include "tilewright/LaunchOptions.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The types of options: `Value` is the member's, `Initial` that of the row's initial value.
namespace option_types {
struct Text {
  using Value = std::string;
  using Initial = std::string_view;
  static Value initialValue(Initial initial) { return std::string(initial); }
};
struct Number {
  using Value = int;
  using Initial = int;
  static constexpr Value initialValue(Initial initial) { return initial; }
};
struct Switch {
  using Value = bool;
  using Initial = bool;
  static constexpr Value initialValue(Initial initial) { return initial; }
};
/// A list of texts; none at first.
struct Texts {
  struct Initial {};
  using Value = std::vector<std::string>;
  static Value initialValue(Initial) { return {}; }
};
/// These are not set at first.
struct OptionalText {
  using Value = std::optional<std::string>;
  using Initial = std::string_view;
  static Value initialValue(Initial) { return std::nullopt; }
};
struct OptionalNumber {
  using Value = std::optional<int>;
  using Initial = int;
  static constexpr Value initialValue(Initial) { return std::nullopt; }
};
} // namespace option_types

/// The values of the members of CompileOptions at first; of optional ones, what holds where nothing
/// is set, and 0 where that depends on the target.
struct OptionDefaults {
#define TILEWRIGHT_OPTION(Type, member, name, initial, flag, placeholder, readers, help)           \
  static constexpr option_types::Type::Initial member = initial;
#include "tilewright/CompileOptions.def"
};

/// The members are described in CompileOptions.def.
struct CompileOptions {
#define TILEWRIGHT_OPTION(Type, member, name, initial, flag, placeholder, readers, help)           \
  option_types::Type::Value member = option_types::Type::initialValue(OptionDefaults::member);
#include "tilewright/CompileOptions.def"
  /// Further options of Triton's launches.
  LaunchOptions launch;

  bool operator==(const CompileOptions &) const = default;
};

/// Who reads an option, of those who do not read all.
struct OptionReaders {
  /// `tilewright tune`, whose compilations are of one machine or of others.
  bool tune;
  /// The cache: the result depends on the option.
  bool key;
  /// Plans of measurements.
  bool plan;
  /// Calls of jitted functions: kernel[grid](.., num_warps=8).
  bool calls;

  static const OptionReaders Everywhere, InCalls, OnThisMachine;
};
/// All but calls; all; none.
inline constexpr OptionReaders OptionReaders::Everywhere{true, true, true, false};
inline constexpr OptionReaders OptionReaders::InCalls{true, true, true, true};
inline constexpr OptionReaders OptionReaders::OnThisMachine{false, false, false, false};

/// A row of the table.
struct OptionRow {
  std::string_view name, flag, placeholder;
  OptionReaders readers;
  std::string_view help;
};

/// A row with its member; its type is one of option_types.
template <typename T> struct CompileOptionRow : OptionRow {
  using Type = T;
  static constexpr bool isOfLaunch = false;
  typename T::Initial initial;
  typename T::Value CompileOptions::*member;

  auto &of(CompileOptions &options) const { return options.*member; }
  const auto &of(const CompileOptions &options) const { return options.*member; }
};

/// A row of a launch option, which is an optional number.
struct LaunchOptionRow : OptionRow {
  using Type = option_types::OptionalNumber;
  static constexpr bool isOfLaunch = true;
  std::optional<int> LaunchOptions::*member;
  int initial = 0;

  std::optional<int> &of(CompileOptions &options) const { return options.launch.*member; }
  const std::optional<int> &of(const CompileOptions &options) const {
    return options.launch.*member;
  }
};

/// Calls visit(row) for each row, in the order of the table.
template <typename Visitor> constexpr void forEachOption(Visitor &&visit) {
#define TILEWRIGHT_OPTION(Type, member, name, initial, flag, placeholder, readers, help)           \
  visit(CompileOptionRow<option_types::Type>{                                                      \
      {#name, flag, placeholder, OptionReaders::readers, help},                                    \
      OptionDefaults::member,                                                                      \
      &CompileOptions::member});
#define TILEWRIGHT_LAUNCH_OPTION(member, name, flag, placeholder, help)                            \
  visit(LaunchOptionRow{{#name, flag, placeholder, OptionReaders::InCalls, help},                  \
                        &LaunchOptions::member});
#include "tilewright/CompileOptions.def"
}

} // namespace tilewright

#endif // TILEWRIGHT_COMPILEOPTIONS_H
