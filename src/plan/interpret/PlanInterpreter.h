//===- PlanInterpreter.h - An interpreter of conversion plans -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Does what a conversion plan says, step by step, for one block of threads whose registers
// hold the names of elements. It is what the plan means: code generation emits the
// same steps, and tests check with it that every element arrives.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_INTERPRET_PLANINTERPRETER_H
#define TILEWRIGHT_PLAN_INTERPRET_PLANINTERPRETER_H

#include "plan/Namespaces.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/ConversionPlan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::plan {

/// The registers of a block's threads: registers[thread][register], where a thread's number is
/// warp * lanesPerWarp + lane.
struct BlockRegisters {
  unsigned lanesPerWarp = 32;
  std::vector<std::vector<uint64_t>> registers;
};

/// The result of executing a plan.
struct PlanReport {
  /// The error in the plan, such as two different elements stored to one place in
  /// one repetition, or a load of what was not stored; empty if nothing is.
  std::string error;
  /// Counted from the addresses of every access of warp 0.
  unsigned storeTransactions = 0, loadTransactions = 0;
  unsigned storeConflicts = 0, loadConflicts = 0;
  /// One past the highest byte of scratch memory that was touched.
  uint64_t scratchBytes = 0;
  /// Whether a warp loaded what another one had stored.
  bool crossedWarps = false;
};

/// Executes `plan` on `source`. The result has the registers of the destination.
BlockRegisters interpretPlan(const ConversionPlan &plan, const BlockRegisters &source,
                             const ExchangeModel &memory, PlanReport &report);

/// The registers of block `block` in a layout, each named by its element's packed
/// coordinates, in the layout's order of outputs.
BlockRegisters registersOf(const LinearLayout &layout, unsigned lanesPerWarp, unsigned warps,
                           unsigned block = 0);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_INTERPRET_PLANINTERPRETER_H
