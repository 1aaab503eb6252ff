//===- Prefetch.h - Prefetches of cooperative matrices on AMD's GPUs -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_PREFETCH_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_PREFETCH_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::amd {

/// tw.coopmatrix_prefetch by s_prefetch_data, where there is one; a remark where not.
void addPrefetchPattern(mlir::RewritePatternSet &patterns, const PatternServices &services);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_PREFETCH_H
