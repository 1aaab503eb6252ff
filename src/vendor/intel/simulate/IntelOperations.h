//===- IntelOperations.h - Intel's simulated operations -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_SIMULATE_INTELOPERATIONS_H
#define TILEWRIGHT_VENDOR_INTEL_SIMULATE_INTELOPERATIONS_H

#include "simulate/VendorOperations.h"

namespace tilewright::simulate::intel {

/// The table of OpenCL's built-in functions, by their mangled names.
const VendorOperations &operations();

} // namespace tilewright::simulate::intel

#endif // TILEWRIGHT_VENDOR_INTEL_SIMULATE_INTELOPERATIONS_H
