//===- WarnOfRegisters.cpp - Kernels that no register file holds --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Counts the registers of what a kernel has to keep (analysis/KeptValues.h).
//
//===--------------------------------------------------------------------------===//

#include "transform/pressure/Passes.h"

#include "analysis/KeptValues.h"
#include "analysis/RegisterPressure.h"
#include "ir/ttg/Dialect.h"
#include "target/Target.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {

#define GEN_PASS_DEF_WARNOFREGISTERS
#include "transform/pressure/Passes.h.inc"

/// The least that is warned of: four times what a thread has anywhere.
static constexpr unsigned minRegisters = 1024;

namespace {

/// Where the most registers are taken at one time.
struct Peak {
  unsigned registers = 0;
  Operation *place = nullptr;
  /// The value that takes most of them.
  Value largest;
};

/// Goes through one block from its end to its start.
class BlockWalk {
public:
  explicit BlockWalk(const KeptValues &kept) : kept(kept) {}

  void run(Block &block, const LivenessBlockInfo &info, Peak &peak) {
    llvm::for_each(info.out(), [&](Value value) { begin(value); });
    for (Operation &op : llvm::reverse(block)) {
      // What the op takes for the last time may leave its registers to what it makes. Of places
      // with the same number, the first.
      if (registers != 0 && registers >= peak.registers)
        peak = {registers, &op, findLargest()};
      llvm::for_each(op.getResults(), [&](Value value) { end(value); });
      llvm::for_each(op.getOperands(), [&](Value value) { begin(value); });
    }
  }

private:
  void begin(Value value) {
    if (kept.contains(value) && live.insert(value))
      registers += getDistinctRegisters(value.getType());
  }

  void end(Value value) {
    if (live.remove(value))
      registers -= getDistinctRegisters(value.getType());
  }

  Value findLargest() const {
    return *llvm::max_element(live, [](Value a, Value b) {
      return getDistinctRegisters(a.getType()) < getDistinctRegisters(b.getType());
    });
  }

  const KeptValues &kept;
  llvm::SetVector<Value> live;
  unsigned registers = 0;
};

Peak findPeak(FunctionOpInterface function) {
  Peak peak;
  const KeptValues kept(function);
  if (kept.countRegisters() < minRegisters)
    return peak;
  const Liveness liveness(function);
  function->walk([&](Block *block) {
    if (const LivenessBlockInfo *info = liveness.getLiveness(block))
      BlockWalk(kept).run(*block, *info, peak);
  });
  return peak;
}

void warn(const Peak &peak) {
  Location place = peak.place->getLoc();
  std::string available;
  if (const target::Target *target = ttg::getTarget(peak.place))
    available = " (" + std::string(target->name) + " has " +
                std::to_string(target->registersForWarps(1, ttg::getThreadsPerWarp(peak.place))) +
                ")";
  InFlightDiagnostic warning = emitWarning(place) << "each thread has values for " << peak.registers
                                                  << " registers at once here" << available
                                                  << ": most of them go to memory";
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
    getOperation().walk([](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      const Peak peak = findPeak(function);
      if (peak.registers >= minRegisters)
        warn(peak);
    });
  }
};

} // namespace
} // namespace tilewright::transform
