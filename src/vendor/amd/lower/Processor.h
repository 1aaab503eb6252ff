//===- Processor.h - AMD's processors by number ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_PROCESSOR_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_PROCESSOR_H

#include "target/Target.h"

#include <charconv>
#include <compare>
#include <string_view>

namespace tilewright::vendor::amd {

/// The version in the name of the processor of `target`, a "hip" one: 11.0 for gfx1100 (RDNA
/// 3), 11.5 for gfx1150 (RDNA 3.5), 12.0 for gfx1201 (RDNA 4). The last two digits of the name are
/// the minor version and the stepping (LLVM, "User Guide for AMDGPU Backend", "Processors").
struct ProcessorVersion {
  unsigned major = 0;
  unsigned minor = 0;

  friend auto operator<=>(const ProcessorVersion &, const ProcessorVersion &) = default;
};

inline ProcessorVersion getVersion(const target::Target &target) {
  constexpr std::string_view prefix = "gfx";
  std::string_view digits = target.processor.substr(prefix.size());
  const char *minor = digits.data() + digits.size() - 2;
  ProcessorVersion version;
  std::from_chars(digits.data(), minor, version.major);
  std::from_chars(minor, minor + 1, version.minor);
  return version;
}

inline unsigned getMajorVersion(const target::Target &target) { return getVersion(target).major; }

} // namespace tilewright::vendor::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_PROCESSOR_H
