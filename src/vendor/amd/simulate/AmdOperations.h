//===- AmdOperations.h - AMD's simulated operations -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_SIMULATE_AMDOPERATIONS_H
#define TILEWRIGHT_VENDOR_AMD_SIMULATE_AMDOPERATIONS_H

#include "simulate/VendorOperations.h"

namespace tilewright::simulate::amd {

/// The table of the `llvm.amdgcn.*` intrinsics.
const VendorOperations &operations();

} // namespace tilewright::simulate::amd

#endif // TILEWRIGHT_VENDOR_AMD_SIMULATE_AMDOPERATIONS_H
