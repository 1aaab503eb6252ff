//===- Site.h - Watched sites of a kernel ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every memory access, collective and check that instrumentation plants in a kernel has
// a site: what it is and where in the source it comes from. Compiled code names sites by
// their index.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_SITE_H
#define TILEWRIGHT_SIMULATE_MACHINE_SITE_H

#include "tilewright/Diagnostic.h"

#include <cstdint>
#include <deque>
#include <string>

namespace tilewright::simulate {

/// Generic: any of the others. Stack: the thread's own, seen through a pointer that may be wrong.
/// Cluster: the shared memory of the cluster's blocks, by addresses that say whose.
enum class MemorySpace : uint8_t { Global, Shared, Generic, Stack, Cluster };
enum class AccessKind : uint8_t { Load, Store, Atomic };

/// The last range of memory that an access was seen to lie in. Compiled code compares
/// with it inline: an access of the site's size at `address` is inside if
/// address - begin < limit, unsigned.
struct AccessRange {
  uint64_t begin = 0;
  /// The number of addresses, counted from `begin`, where such an access may start.
  uint64_t limit = 0;
};

struct Site {
  /// The place in the source; notes name the calls that were inlined around it.
  SourceRange where;
  std::vector<SourceRange> inlinedAt;
  /// The name of the intrinsic or instruction.
  std::string operation;
  /// The innermost loop that it stands in, among Machine::loops; -1 if there is none, or loops are
  /// not counted.
  int loop = -1;

  // The rest describes memory accesses.
  MemorySpace space = MemorySpace::Global;
  AccessKind kind = AccessKind::Load;
  uint32_t bytes = 0;
  uint32_t alignment = 1;
  /// An asynchronous operation that is issued here makes the access.
  bool isAsync = false;
  /// The kernel's parameter that the address is computed from, if there is exactly one.
  int parameter = -1;
  /// What is neither a parameter nor on the stack, and the address is computed from, in words:
  /// "the module's variable @table"; or empty. `range` is then known from the beginning, or
  /// given by compiled code.
  std::string object;
  AccessRange range;
};

/// Compiled code holds the addresses of the sites' ranges, so sites do not move.
using SiteTable = std::deque<Site>;

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_SITE_H
