//===- RuntimeCalls.h - What compiled kernels call ------------------*- C++ -*-===//
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

// The names of the common functions, with their arguments after machine and site.
namespace runtime_call {
inline constexpr char checkAddress[] = "tilewright.check_address";       // i64 address
inline constexpr char checkShared[] = "tilewright.check_shared";         // i64 address
inline constexpr char countAccess[] = "tilewright.count_access";         // i64 address, i32 active
inline constexpr char blockBarrier[] = "tilewright.block_barrier";       //
inline constexpr char divisionByZero[] = "tilewright.division_by_zero";  //
inline constexpr char falseAssumption[] = "tilewright.false_assumption"; //
inline constexpr char trap[] = "tilewright.trap";                        //
inline constexpr char tick[] = "tilewright.tick";                        // no site
} // namespace runtime_call

std::span<const RuntimeSymbol> commonRuntimeSymbols();

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_RUNTIMECALLS_H
