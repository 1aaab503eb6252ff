//===- Simulator.h - The CPU simulator device -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_SIMULATOR_H
#define TILEWRIGHT_SIMULATE_SIMULATOR_H

#include "simulate/VendorOperations.h"
#include "tilewright/Expected.h"
#include "tilewright/Simulator.h"

namespace tilewright::simulate {

/// The operations of the vendor of a target such as "cuda:90", or an error for users.
using VendorLookup = Expected<const VendorOperations *> (*)(std::string_view targetName);

/// A simulator of the targets that `findVendor` knows. tilewright/Simulator.h has the one of all
/// vendors of the build.
std::unique_ptr<Simulator> createSimulator(const SimulatorOptions &options,
                                           VendorLookup findVendor);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_SIMULATOR_H
