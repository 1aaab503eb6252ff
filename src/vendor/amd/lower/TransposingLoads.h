//===- TransposingLoads.h - Loads that transpose, on AMD's GPUs -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_TRANSPOSINGLOADS_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_TRANSPOSINGLOADS_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::amd {

/// The pattern for tt.load marked ttg::transposingAttrName.
void addTransposingLoadPattern(mlir::RewritePatternSet &patterns, const PatternServices &services);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_TRANSPOSINGLOADS_H
