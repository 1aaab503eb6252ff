//===- ProducerChoice.cpp - Whether copies get a warp of their own ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/ProducerChoice.h"

#include "analysis/AffineForm.h"
#include "analysis/Resources.h"
#include "transform/pipeline/copies/AsyncLoads.h"
#include "transform/pipeline/schedule/LoopProblem.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

/// A barrier in memory; each buffer has two.
static constexpr unsigned barrierBytes = 8;
/// Rings lose less than this where they begin at multiples, with the words by which a block's warps
/// tell the producer what to do.
static constexpr unsigned spareBytes = 2048;
/// Shorter iterations gain nothing by a producer, and to begin takes it as long as some of them
/// give. On an H200, sequences of 4096, TFLOP/s without and with one (bench/notes/pipelining.md):
/// depth 128 in blocks of 128 keys (1552 cycles) 405 and 542, causal 349 and 444; depth 64 in such
/// blocks (1040) 351 and 401, causal 287 and 282; depth 128 in blocks of 64 keys (784) 460 and 446,
/// causal 402 and 374.
static constexpr unsigned minUnitCycles = 1024, minUnevenUnitCycles = 1536;

bool vendor::nvidia::prefersProducer(const target::Target &target,
                                     const transform::LoopStrategy &strategy, unsigned warps,
                                     const ProducerNeeds &needs) {
  const uint64_t bytes = needs.usedBytes + needs.ringBytes;
  return strategy.isChainOfGroups &&
         needs.unitCycles >= (needs.isUneven ? minUnevenUnitCycles : minUnitCycles) &&
         bytes + spareBytes <= target.shared.maxBytes &&
         (!needs.trips || *needs.trips > needs.buffers) &&
         findResidency(target.multiprocessor,
                       {.warps = warps, .registers = needs.registers, .sharedBytes = bytes})
                 .blocks <= 1;
}

/// The iterations of `loop` where its bounds are at a constant distance.
static std::optional<int64_t> findTrips(scf::ForOp loop) {
  APInt step;
  const auto lower = transform::getAffineForm(loop.getLowerBound(), loop);
  const auto upper = transform::getAffineForm(loop.getUpperBound(), loop);
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive() || !lower ||
      !upper || lower->numbers != upper->numbers || lower->low != lower->high ||
      upper->low != upper->high)
    return std::nullopt;
  return llvm::divideCeilSigned(std::max<int64_t>(upper->low - lower->low, 0), step.getSExtValue());
}

/// Whether the bounds of `loop` may differ from program to program.
static bool isUneven(scf::ForOp loop) {
  llvm::SetVector<Value> values;
  values.insert_range(ValueRange({loop.getLowerBound(), loop.getUpperBound()}));
  for (unsigned next = 0; next < values.size(); ++next) {
    Value value = values[next];
    Operation *op = value.getDefiningOp();
    if (!op && isa<tt::FuncOp>(value.getParentBlock()->getParentOp()))
      continue;
    if (!op || !isPure(op) || isa<tt::GetProgramIdOp>(op))
      return true;
    values.insert_range(op->getOperands());
  }
  return false;
}

ProducerNeeds vendor::nvidia::findProducerNeeds(scf::ForOp loop, const target::Target &target,
                                                ArrayRef<LoadGroup> groups,
                                                ArrayRef<unsigned> buffers, unsigned registers) {
  ProducerNeeds needs = {.unitCycles = transform::getProductCycles(loop, target) +
                                       transform::getSpecialCycles(loop, target),
                         .isUneven = isUneven(loop),
                         .registers = registers,
                         .trips = findTrips(loop)};
  llvm::SmallPtrSet<Operation *, 8> replaced;
  for (auto [group, count] : llvm::zip_equal(groups, buffers)) {
    needs.ringBytes += uint64_t(count) * (group.getBytes() + 2 * barrierBytes);
    needs.buffers = std::max(needs.buffers, count);
    for (const EarlyLoad &each : group.loads)
      transform::collectReplaced(each.load.getOp(), replaced);
  }
  needs.usedBytes = target.shared.maxBytes - transform::getFreeSharedBytes(loop, target, replaced);
  return needs;
}
