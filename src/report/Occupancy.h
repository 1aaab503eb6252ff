//===- Occupancy.h - Blocks that fit a multiprocessor ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_OCCUPANCY_H
#define TILEWRIGHT_REPORT_OCCUPANCY_H

#include "target/Target.h"
#include "tilewright/Kernel.h"

#include "llvm/Support/JSON.h"

namespace tilewright::report {

/// How many blocks each resource has room for, of those that there are slots for
/// (target/Residency.h). `registers` of a thread are an estimate (analysis/RegisterEstimate.h).
struct Occupancy {
  unsigned registersPerThread = 0;
  unsigned threadsPerBlock = 0;
  /// ~0u where the kernel uses none of it.
  unsigned byRegisters = ~0u, byShared = ~0u, byThreads = ~0u;

  unsigned blocks() const;
  /// "registers", "shared memory" or "threads": what there are the fewest blocks by.
  std::string_view limit() const;
};

Occupancy estimateOccupancy(const KernelMetadata &kernel, const target::Target &target,
                            unsigned registers);

llvm::json::Object toJson(const Occupancy &occupancy);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_OCCUPANCY_H
