//===- Simulator.cpp - The simulator of all vendors of the build --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/Simulator.h"

#include "vendor/Vendors.h"

using namespace tilewright;

/// A target that is not in the tables has its vendor's operations, too.
static Expected<const simulate::VendorOperations *> findOperations(std::string_view targetName) {
  const target::VendorTable *table = target::VendorTable::ofTargetName(targetName);
  if (!table)
    return makeError("the simulator does not know the operations of the target '" +
                     std::string(targetName) + "'");
  Expected<const vendor::Vendor *> found = vendor::get(table->targets.front());
  if (!found)
    return found.error();
  return &(*found)->getSimulatedOperations();
}

std::unique_ptr<simulate::Simulator> simulate::createSimulator(const SimulatorOptions &options) {
  return createSimulator(options, findOperations);
}
