//===- RuntimeCalls.h - Functions that simulated kernels call -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions that instrumentation plants calls to. The first argument of each is the
// machine, the second (where there is one) the index of a site.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_RUNTIMECALLS_H
#define TILEWRIGHT_SIMULATE_RUNTIMECALLS_H

#include <span>

namespace tilewright::simulate {

/// A function that compiled code can call by name.
struct RuntimeSymbol {
  const char *name;
  void *address;
};

template <typename Function> void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

// The names of the common functions, with their arguments after machine and site.
namespace runtime_call {
inline constexpr char checkAddress[] = "tilewright.check_address"; // i64 address
inline constexpr char checkShared[] = "tilewright.check_shared";   // i64 address
inline constexpr char countAccess[] = "tilewright.count_access";   // i64 address, i32 active
// Global memory, where its order is checked: i64 address
inline constexpr char loadGlobal[] = "tilewright.load_global";
inline constexpr char keepStored[] = "tilewright.keep_stored";
inline constexpr char storedGlobal[] = "tilewright.stored_global";
inline constexpr char operateOnGlobal[] = "tilewright.operate_on_global"; // i32 flags
inline constexpr char fenceGlobal[] = "tilewright.fence_global";          // no address; i32 flags
inline constexpr char countIteration[] = "tilewright.count_iteration";    // no site; i32 loop
inline constexpr char blockBarrier[] = "tilewright.block_barrier";       // i32 orders shared memory
inline constexpr char signalBarrier[] = "tilewright.signal_barrier";     // i32, as above
inline constexpr char waitAtBarrier[] = "tilewright.wait_at_barrier";    // i32, as above
inline constexpr char divisionByZero[] = "tilewright.division_by_zero";  //
inline constexpr char falseAssumption[] = "tilewright.false_assumption"; //
inline constexpr char trap[] = "tilewright.trap";                        //
inline constexpr char tick[] = "tilewright.tick";                        // no site
/// ptr message, ptr file, i32 line
inline constexpr char assertionFailed[] = "tilewright.assertion_failed";
/// ptr format, ptr values -> i32; no machine, no site. Printing.cpp says how values lie.
inline constexpr char print[] = "tilewright.print";

/// The bits of flags: an AtomicOrder's fields.
inline constexpr unsigned releases = 1, acquires = 2, isNarrow = 4, replaces = 8;
} // namespace runtime_call

std::span<const RuntimeSymbol> commonRuntimeSymbols();
/// Those of Printing.cpp.
std::span<const RuntimeSymbol> printingSymbols();

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_RUNTIMECALLS_H
