//===- PassedOverOptions.cpp - Launch options of Triton's that say nothing here -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Source: Triton 3.6, CUDAOptions and HIPOptions. `ir_override` is not among them: a kernel
// compiled without it would be another one.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/LaunchOptions.h"

#include <algorithm>
#include <array>

using namespace tilewright;

namespace {
struct PassedOverOption {
  std::string_view name;
  /// The values that ask for nothing, but for None, which never does.
  std::array<std::string_view, 2> neutral;
  /// What holds instead.
  std::string_view instead;
};
} // namespace

// clang-format off
static constexpr PassedOverOption passedOver[] = {
    {"allow_flush_denorm", {"False", "0"}, "denormal numbers are kept"},
    {"allowed_dot_input_precisions", {}, "tl.dot takes all of them"},
    {"arch", {}, "the target says the architecture"},
    {"backend_name", {"'cuda'", "'hip'"}, "the target says the vendor"},
    // Triton's tl.dot fills input_precision in before it would look at this option.
    {"default_dot_input_precision", {}, "write input_precision in tl.dot; Triton does not look at it either"},
    {"deprecated_fp8_dot_operand_dtypes", {}, "all 8-bit floats are taken"},
    {"enable_reflect_ftz", {"True", "1"}, "the functions of libdevice are the compiler's own"},
    {"extern_libs", {"{}", "()"}, "the functions of libdevice are the compiler's own, and no other library is linked"},
    {"instrumentation_mode", {"''"}, "the simulator finds races, missing waits and accesses out of bounds"},
    {"max_num_imprecise_acc_default", {"0"}, "write max_num_imprecise_acc in tl.dot"},
    {"ptx_options", {"''"}, "the driver makes machine code of the PTX"},
    {"ptx_version", {}, "the version of PTX follows from the target"},
    {"sanitize_overflow", {"False", "0"}, "integers that overflow wrap around, with debug as well"},
    {"schedule_hint", {"'none'"}, "the compiler schedules without hints"},
    {"supported_fp8_dtypes", {}, "all 8-bit floats are taken"},
    {"warp_size", {}, "the target says the threads of a warp"},
};
// clang-format on

std::optional<std::string> tilewright::describePassedOverOption(std::string_view name,
                                                                std::string_view value) {
  const auto *option = std::ranges::find(passedOver, name, &PassedOverOption::name);
  if (option == std::end(passedOver))
    return std::nullopt;
  if (value == "None" || std::ranges::count(option->neutral, value))
    return "";
  return "the option " + std::string(name) + "=" + std::string(value) +
         " is passed over: " + std::string(option->instead);
}
