//===- IntelLowering.h - Intel's part of the lowering ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_INTELLOWERING_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_INTELLOWERING_H

#include "lower/core/TargetLowering.h"

namespace tilewright::lower {

/// The lowering for a target of this vendor.
std::unique_ptr<TargetLowering> createIntelLowering(const target::Target &target);

} // namespace tilewright::lower

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_INTELLOWERING_H
