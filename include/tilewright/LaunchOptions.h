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

/// What is not set is the compiler's to choose. Switches are 0 or 1.
struct LaunchOptions {
  /// The most registers that a thread may take, for cuda: PTX's .maxnreg. TTGIR may say it too
  /// (ttg.maxnreg).
  std::optional<int> maxRegisters;
  /// Whether a multiplication and the addition of its result may become one instruction that
  /// rounds once; 1 unless it is set.
  std::optional<int> fuseMultiplyAdd;
  /// Waves that are to fit on a SIMD at the same time, from 1 to 16, for hip: registers are shared
  /// out for as many. 0: as the compiler finds good.
  std::optional<int> wavesPerEu;
  /// Rows and columns of a matrix instruction, for hip. WMMA has 16 alone: others than 0 and 16 are
  /// passed over with a warning.
  std::optional<int> matrixNonKDim;
  /// Matrix instructions along K that one load feeds, 1 or 2, for hip. It says nothing for WMMA.
  std::optional<int> kPack;
  /// Whether all blocks of a launch run at the same time, for cuda and hip: a launch of more than
  /// fit fails.
  std::optional<int> cooperativeGrid;
  /// Whether a launch may begin before the one before it in the stream has ended, for cuda:
  /// tl.extra.cuda.gdc_wait waits for that. Before cuda:90 launches do not overlap.
  std::optional<int> programmaticLaunch;
  /// Whether the warps of a block keep in step in loops that prefetch, for xpu: each arrives at a
  /// barrier as an iteration begins and waits for the others as it ends, so that they find in the
  /// cache what one of them has brought.
  std::optional<int> splitBarriers;

  /// The members by Triton's names; split_barriers is ours.
  static constexpr std::array<std::pair<std::string_view, std::optional<int> LaunchOptions::*>, 8>
  members();
  /// The member with one of Triton's names; null if there is none.
  std::optional<int> *find(std::string_view name);

  bool operator==(const LaunchOptions &) const = default;
};

constexpr std::array<std::pair<std::string_view, std::optional<int> LaunchOptions::*>, 8>
LaunchOptions::members() {
  return {{{"maxnreg", &LaunchOptions::maxRegisters},
           {"enable_fp_fusion", &LaunchOptions::fuseMultiplyAdd},
           {"waves_per_eu", &LaunchOptions::wavesPerEu},
           {"matrix_instr_nonkdim", &LaunchOptions::matrixNonKDim},
           {"kpack", &LaunchOptions::kPack},
           {"launch_cooperative_grid", &LaunchOptions::cooperativeGrid},
           {"launch_pdl", &LaunchOptions::programmaticLaunch},
           {"split_barriers", &LaunchOptions::splitBarriers}}};
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
