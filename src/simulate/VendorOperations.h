//===- VendorOperations.h - What a vendor's GPU adds ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All that the simulator has to know of a vendor is in one table. To add a vendor:
//
//   1. a folder beside nvidia/ with a function that returns its table;
//   2. `replace` rewrites a call of one of the vendor's functions (names that begin with
//      one of `prefixes`) as plain IR or as calls of the machine, and replaces and erases
//      it; barriers, thread numbers and warp-wide operations have helpers in
//      Instrumenter and Machine, so that the vendor only says what goes where;
//   3. functions that the rewritten code calls are listed in `symbols`;
//   4. the table is named in vendorOperationsFor (Simulator.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_VENDOROPERATIONS_H
#define TILEWRIGHT_SIMULATE_VENDOROPERATIONS_H

#include "simulate/RuntimeCalls.h"

#include <string_view>

namespace llvm {
class CallInst;
} // namespace llvm

namespace tilewright::simulate {

class Instrumenter;

struct VendorOperations {
  /// The part of KernelMetadata::target before the colon.
  std::string_view target;
  /// How the names of the vendor's functions begin.
  std::span<const std::string_view> prefixes;
  /// Replaces the call; false, with the call untouched, if it is not known.
  bool (*replace)(Instrumenter &instrumenter, llvm::CallInst &call);
  std::span<const RuntimeSymbol> symbols;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_VENDOROPERATIONS_H
