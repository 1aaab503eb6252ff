//===- ProducerChoice.cpp - Whether copies get a warp of their own ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/ProducerChoice.h"

#include "analysis/AffineForm.h"
#include "analysis/Resources.h"
#include "target/NvidiaProcessor.h"
#include "transform/pipeline/copies/AsyncLoads.h"
#include "transform/pipeline/schedule/LoopProblem.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

/// A barrier in memory; each buffer has two.
static constexpr unsigned barrierBytes = 8;
/// Rings lose less than this where they begin at multiples, with the words by which a block's warps
/// tell the producer what to do.
static constexpr unsigned spareBytes = 2048;
/// Shorter products gain nothing by a producer. On an H200, sequences of 4096, TFLOP/s without and
/// with one: depth 128 in blocks of 128 keys (1024 cycles) 499 and 558, causal 417 and 434; in
/// blocks of 64 keys (512) 472 and 458, causal 394 and 373; depth 64 in blocks of 128 keys (512)
/// 367 and 383, causal 306 and 286 (bench/notes/pipelining.md).
static constexpr unsigned minProductCycles = 1024;
/// The most warps of a block.
static constexpr unsigned maxBlockWarps = 32;
/// The most registers that an instruction can name.
static constexpr unsigned maxRegisters = 248;

bool vendor::nvidia::prefersProducer(const target::Target &target,
                                     const transform::LoopStrategy &strategy, unsigned warps,
                                     const ProducerNeeds &needs) {
  const uint64_t bytes = needs.usedBytes + needs.ringBytes;
  return strategy.isChainOfGroups && needs.productCycles >= minProductCycles &&
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

ProducerNeeds vendor::nvidia::findProducerNeeds(scf::ForOp loop, const target::Target &target,
                                                ArrayRef<LoadGroup> groups,
                                                ArrayRef<unsigned> buffers, unsigned registers) {
  ProducerNeeds needs = {.productCycles = transform::getProductCycles(loop, target),
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

std::optional<target::RegisterShares>
vendor::nvidia::findRegisterShares(const target::Target &target, unsigned warps,
                                   unsigned registers) {
  const unsigned kept = target::nvidia::processorOf(target).minKeptRegisters;
  if (!kept || warps % producerGroup != 0 || warps + producerGroup > maxBlockWarps ||
      registers <= registersForWarps(target.multiprocessor, warps + 1))
    return std::nullopt;
  return shareRegisters(target.multiprocessor, warps, producerGroup, kept, maxRegisters);
}
