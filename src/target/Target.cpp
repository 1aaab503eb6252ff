//===- Target.cpp - Tables of what each GPU has -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/Target.h"

#include "target/VendorTable.h"

#include <algorithm>
#include <vector>

namespace tilewright::target {

std::span<const Target> Target::all() {
  static const std::vector<Target> targets = [] {
    std::vector<Target> result;
    for (const VendorTable &vendor : VendorTable::all())
      result.insert(result.end(), vendor.targets.begin(), vendor.targets.end());
    return result;
  }();
  return targets;
}

const Target *Target::find(std::string_view name) {
  std::span<const Target> targets = all();
  auto found = std::find_if(targets.begin(), targets.end(),
                            [&](const Target &target) { return target.name == name; });
  return found == targets.end() ? nullptr : &*found;
}

Result<const Target *> Target::parse(std::string_view name) {
  if (const Target *target = find(name))
    return target;
  std::string message = "unknown target '" + std::string(name) + "'; known are";
  const char *separator = " ";
  for (const Target &target : all()) {
    message += separator + std::string(target.name);
    separator = ", ";
  }
  return Failure(std::move(message));
}

bool Target::hasWarpSize(uint64_t lanes) const {
  return std::find(execution.warpSizes.begin(), execution.warpSizes.end(), lanes) !=
         execution.warpSizes.end();
}

std::string Target::warpSizesText() const {
  std::string text;
  for (unsigned lanes : execution.warpSizes)
    text += (text.empty() ? "" : " or ") + std::to_string(lanes);
  return text;
}

unsigned Target::registersForWarps(unsigned warps, unsigned lanes) const {
  const unsigned width = std::max(lanes / execution.threadsPerWarp, 1u);
  return std::min(execution.maxRegistersPerThread,
                  target::registersForWarps(multiprocessor, warps)) /
         width;
}

const CopyAtom *Target::findAsyncCopy(unsigned bits) const {
  for (const CopyAtom &atom : copiesBetween(copies(), Space::Global, Space::Shared))
    if (atom.isAsync && atom.issuer == Issuer::Lane && atom.bits() == bits)
      return &atom;
  return nullptr;
}

target::ExchangeModel Target::sharedMemory() const {
  return {.banks = shared.banks,
          .bankBytes = shared.bankBytes,
          .groups = shared.groups,
          .maxAccessBits = shared.maxAccessBits,
          .loads = copiesBetween(copies(), Space::Shared, Space::Registers),
          .stores = copiesBetween(copies(), Space::Registers, Space::Shared),
          .maxBytes = shared.maxBytes,
          .preferredScratchBytes = shared.preferredScratchBytes,
          .costs = costs};
}

} // namespace tilewright::target
