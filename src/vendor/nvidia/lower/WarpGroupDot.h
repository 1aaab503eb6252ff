//===- WarpGroupDot.h - Lowering of products of warpgroups ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPDOT_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPDOT_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::nvidia {

/// Products of warpgroups, and waits for them.
void populateWarpGroupPatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPDOT_H
