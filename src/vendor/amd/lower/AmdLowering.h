//===- AmdLowering.h - AMD's part of the lowering -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_AMDLOWERING_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_AMDLOWERING_H

#include "lower/core/TargetLowering.h"

namespace tilewright::lower {

/// For targets of AMD: RDNA in waves of 32, CDNA in waves of 64.
std::unique_ptr<TargetLowering> createAmdLowering(const target::Target &target);

} // namespace tilewright::lower

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_AMDLOWERING_H
