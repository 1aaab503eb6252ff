//===- RegisterShares.cpp - Registers that warps hand to each other -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/RegisterShares.h"

#include <algorithm>

using namespace tilewright::target;

RegisterShares tilewright::target::shareRegisters(const Multiprocessor &multiprocessor,
                                                  unsigned mainWarps, unsigned otherWarps,
                                                  unsigned kept, unsigned max) {
  const unsigned warps = mainWarps + otherWarps;
  const unsigned all = std::min(registersForWarps(multiprocessor, warps), max) * warps;
  const unsigned left = all - std::min(all, kept * otherWarps);
  const unsigned unit = multiprocessor.registerUnit;
  return {.main = std::min(left / std::max(mainWarps, 1u), max) / unit * unit, .others = kept};
}
