//===- NvidiaPatterns.h - Patterns of NVIDIA alone ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_NVIDIAPATTERNS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_NVIDIAPATTERNS_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::nvidia {

/// The groups of asynchronous copies (cp.async), and launches that overlap (griddepcontrol).
void populatePatterns(const target::Target &target, mlir::RewritePatternSet &patterns,
                      const PatternServices &services);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_NVIDIAPATTERNS_H
