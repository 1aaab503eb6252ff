//===- BlockMessages.h - Lowering of 2D block messages --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_BLOCKMESSAGES_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_BLOCKMESSAGES_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::intel {

/// Patterns for ttig.block_load, .block_store and .block_prefetch.
void addBlockMessagePatterns(mlir::RewritePatternSet &patterns, const PatternServices &services);

} // namespace tilewright::lower::intel

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_BLOCKMESSAGES_H
