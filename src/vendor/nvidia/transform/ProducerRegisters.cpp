//===- ProducerRegisters.cpp - Registers of a producer and its block ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/ProducerRegisters.h"

#include "ir/ttng/Dialect.h"
#include "target/NvidiaProcessor.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

/// Registers of a producer's thread beside two for the address of each copy, and of a thread of the
/// block beside its data: with fewer `ptxas` spills, or serialises the products (C7512).
static constexpr unsigned producerRegisters = 56, consumerRegisters = 48;
/// The most warps of a block.
static constexpr unsigned maxBlockWarps = 32;
/// The most registers that an instruction can name.
static constexpr unsigned maxRegisters = 248;

unsigned vendor::nvidia::findKeptRegisters(const target::Target &target, unsigned warps,
                                           unsigned data, unsigned copies) {
  const unsigned all = warps + producerGroup;
  const unsigned total = registersForWarps(target.multiprocessor, all) * all;
  const unsigned ofBlock = (data + consumerRegisters) * warps;
  return std::min(2 * copies + producerRegisters,
                  (total - std::min(total, ofBlock)) / producerGroup);
}

std::optional<target::RegisterShares>
vendor::nvidia::shareWithProducer(const target::Target &target, unsigned warps, unsigned kept) {
  const unsigned least = target::nvidia::processorOf(target).minKeptRegisters;
  const target::Multiprocessor &multiprocessor = target.multiprocessor;
  if (!least || warps % producerGroup != 0 || warps + producerGroup > maxBlockWarps ||
      registersForWarps(multiprocessor, warps + producerGroup) >= maxRegisters)
    return std::nullopt;
  const unsigned others =
      std::max(kept / multiprocessor.registerUnit * multiprocessor.registerUnit, least);
  return shareRegisters(multiprocessor, warps, producerGroup, others, maxRegisters);
}

std::optional<target::RegisterShares>
vendor::nvidia::findRegisterShares(const target::Target &target, unsigned warps,
                                   unsigned registers) {
  if (registers <= registersForWarps(target.multiprocessor, warps + 1))
    return std::nullopt;
  return shareWithProducer(target, warps, /*kept=*/0);
}

void vendor::nvidia::setRegisters(ttg::WarpSpecializeOp specialize,
                                  const target::RegisterShares &shares) {
  auto set = [&](Region &region, unsigned count, bool isMore) {
    auto builder = OpBuilder::atBlockBegin(&region.front());
    ttng::SetRegistersOp::create(builder, specialize.getLoc(), count, isMore);
  };
  set(specialize.getDefaultRegion(), shares.main, /*isMore=*/true);
  set(specialize.getPartitionRegions().front(), shares.others, /*isMore=*/false);
}
