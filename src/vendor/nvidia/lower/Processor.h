//===- Processor.h - The version in the name of NVIDIA's processors -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROCESSOR_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROCESSOR_H

#include "target/Target.h"

#include <charconv>
#include <string_view>

namespace tilewright::vendor::nvidia {

/// Ten times the compute capability of the processor of `target`, a "cuda" one: 90 for sm_90a
/// (PTX ISA, ".target").
inline unsigned getComputeCapability(const target::Target &target) {
  constexpr std::string_view prefix = "sm_";
  std::string_view digits = target.processor.substr(prefix.size());
  unsigned capability = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), capability);
  return capability;
}

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROCESSOR_H
