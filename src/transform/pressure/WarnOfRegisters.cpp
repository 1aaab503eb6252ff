//===- WarnOfRegisters.cpp - Kernels that no register file holds --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Asks the estimate (analysis/RegisterEstimate.h) where a thread has the most data. Its weights do
// not count here: they say what a back end allocates to a kernel whose values registers hold.
//
//===--------------------------------------------------------------------------===//

#include "transform/pressure/Passes.h"

#include "analysis/RegisterEstimate.h"
#include "analysis/RegisterPressure.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {

#define GEN_PASS_DEF_WARNOFREGISTERS
#include "transform/pressure/Passes.h.inc"

namespace {

/// The registers of all tensors of `function`: more than are alive at one time, and quickly known.
uint64_t countAllRegisters(tt::FuncOp function) {
  uint64_t registers = 0;
  function.walk([&](Operation *op) {
    const auto add = [&](Type type) {
      if (isa<RankedTensorType>(type))
        registers += getDistinctRegisters(type);
    };
    llvm::for_each(op->getResultTypes(), add);
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArgumentTypes(), add);
  });
  return registers;
}

void warn(const DataPeak &peak, const target::Target &target, unsigned available) {
  Location place = peak.place->getLoc();
  InFlightDiagnostic warning = emitWarning(place)
                               << "each thread has values for " << peak.registers
                               << " registers at once here (" << target.name << " has " << available
                               << "): most of them go to memory";
  warning.attachNote(place) << "make the tiles smaller, or spread them over more than "
                            << ttg::getNumWarps(peak.place) << " warps";
  Location made = peak.largest.getLoc();
  if (made == place)
    return;
  auto type = cast<RankedTensorType>(peak.largest.getType());
  warning.attachNote(made) << "the largest of the values, "
                           << RankedTensorType::get(type.getShape(), type.getElementType())
                           << ", takes " << getDistinctRegisters(type);
}

class WarnOfRegisters : public impl::WarnOfRegistersBase<WarnOfRegisters> {
public:
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    const unsigned available = target->registersForWarps(1, ttg::getThreadsPerWarp(getOperation()));
    const uint64_t limit = uint64_t(available) * target->shares.hopelessData / 100;
    getOperation().walk([&](tt::FuncOp function) {
      if (function.isExternal() || countAllRegisters(function) < limit)
        return;
      for (const RegisterEstimate &each : estimateRegisters(function, *target))
        if (each.data.registers >= limit)
          warn(each.data, *target, available);
    });
  }
};

} // namespace
} // namespace tilewright::transform
