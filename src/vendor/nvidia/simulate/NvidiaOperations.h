//===- NvidiaOperations.h - NVIDIA's simulated operations -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_NVIDIAOPERATIONS_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_NVIDIAOPERATIONS_H

#include "simulate/VendorOperations.h"

namespace tilewright::simulate::nvidia {

/// The table of the `llvm.nvvm.*` intrinsics.
const VendorOperations &operations();

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_NVIDIAOPERATIONS_H
