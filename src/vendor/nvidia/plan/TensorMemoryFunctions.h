//===- TensorMemoryFunctions.h - Waits for tensor memory in LLVM IR -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The registers of a tcgen05.ld hold what it loads after tcgen05.wait::ld. LLVM's intrinsic for the
// wait does not name them, so a function that is declared and never defined does:
//
//     {i32, ..} @tilewright.tcgen05.wait_ld.x64(i32, ..)
//
// It gives its 64 operands back: what is read of them is read after the wait. The simulator runs
// the function, and the back end makes PTX of it (emit/ExpandTensorMemory.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMEMORYFUNCTIONS_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMEMORYFUNCTIONS_H

#include <string>
#include <string_view>

namespace tilewright::vendor::nvidia {

inline constexpr std::string_view tensorLoadWaitPrefix = "tilewright.tcgen05.wait_ld.";

inline std::string tensorLoadWaitFunction(size_t words) {
  return std::string(tensorLoadWaitPrefix) + "x" + std::to_string(words);
}

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMEMORYFUNCTIONS_H
