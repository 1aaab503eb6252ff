//===- LaunchOptions.h - Options that kernels are launched with -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What Triton's programs say at a launch, or in a triton.Config, beside the number of warps, stages
// and blocks: kernel[grid](.., maxnreg=128). Each is for the vendors that have such a thing (Triton
// 3.6, CUDAOptions and HIPOptions); for others it is an error. Options of Triton's own workings are
// passed over, with a warning where they ask for something.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAUNCHOPTIONS_H
#define TILEWRIGHT_LAUNCHOPTIONS_H

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tilewright {

/// The compiler chooses what is not set. Switches are 0 or 1. The members are described in
/// CompileOptions.def.
struct LaunchOptions {
#define TILEWRIGHT_LAUNCH_OPTION(member, name, flag, placeholder, help) std::optional<int> member;
#include "tilewright/CompileOptions.def"

  /// The members by Triton's names; split_barriers is ours.
  static constexpr auto members();
  /// The member with one of Triton's names; null if there is none.
  std::optional<int> *find(std::string_view name);

  bool operator==(const LaunchOptions &) const = default;
};

constexpr auto LaunchOptions::members() {
  using Member = std::pair<std::string_view, std::optional<int> LaunchOptions::*>;
  return std::to_array<Member>({
#define TILEWRIGHT_LAUNCH_OPTION(member, name, flag, placeholder, help)                            \
  {#name, &LaunchOptions::member},
#include "tilewright/CompileOptions.def"
  });
}

inline std::optional<int> *LaunchOptions::find(std::string_view name) {
  for (const auto &[known, member] : members())
    if (known == name)
      return &(this->*member);
  return nullptr;
}

/// For an option of Triton's that changes nothing here, and its value as Python prints it: what a
/// user is to be warned of, or an empty text where the value asks for nothing. Nothing for a name
/// that is none of these.
std::optional<std::string> describePassedOverOption(std::string_view name, std::string_view value);

} // namespace tilewright

#endif // TILEWRIGHT_LAUNCHOPTIONS_H
