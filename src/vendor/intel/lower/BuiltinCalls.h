//===- BuiltinCalls.h - Instructions of SPIR-V by name --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// ttig.builtin_call becomes the call that it names.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_BUILTINCALLS_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_BUILTINCALLS_H

#include "lower/core/VendorLowering.h"

namespace tilewright::lower::intel {

void addBuiltinCallPattern(mlir::RewritePatternSet &patterns, const PatternServices &services);

} // namespace tilewright::lower::intel

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_BUILTINCALLS_H
