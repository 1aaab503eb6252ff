//===- Processor.h - AMD's processors by their numbers --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_AMD_PROCESSOR_H
#define TILEWRIGHT_TARGET_AMD_PROCESSOR_H

#include "target/Target.h"

#include <charconv>

namespace tilewright::target::amd {

/// The major version in the name of the processor of `target`, a "hip" one: 11 for gfx1100 and
/// gfx1150 (RDNA 3 and 3.5), 12 for gfx1201 (RDNA 4). The last two digits are the minor version and
/// the stepping (LLVM, "User Guide for AMDGPU Backend", "Processors").
inline unsigned getMajorVersion(const Target &target) {
  constexpr std::string_view prefix = "gfx";
  std::string_view digits = target.processor.substr(prefix.size());
  unsigned major = 0;
  std::from_chars(digits.data(), digits.data() + digits.size() - 2, major);
  return major;
}

} // namespace tilewright::target::amd

#endif // TILEWRIGHT_TARGET_AMD_PROCESSOR_H
