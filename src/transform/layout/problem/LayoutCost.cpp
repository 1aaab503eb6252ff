//===- LayoutCost.cpp - Costs of computing and converting tensors -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/problem/LayoutCost.h"

#include "analysis/RegisterPressure.h"
#include "ir/ttg/query/Conversion.h"
#include "target/RegisterModel.h"
#include "target/Target.h"
#include "transform/layout/LayoutTypes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::transform {

Cost costOfConversion(RankedTensorType source, RankedTensorType target, plan::PlanCache &plans) {
  const Result<plan::ConversionPlan> &plan = ttg::planConversion(source, target, plans);
  return plan ? Cost(plan->cost) : impossible;
}

Cost countRegisters(RankedTensorType type) {
  // Registers that duplicate earlier ones cost nothing: they are one value.
  return ttg::toLinearLayout(type)
      .removeZeroBasesAlong(layout::dims::Register)
      .inSize(layout::dims::Register);
}

SpillModel::SpillModel(tt::FuncOp function) {
  const target::Target *target = ttg::getTarget(function);
  if (!target)
    return;
  const unsigned lanes = ttg::getThreadsPerWarp(function);
  constexpr unsigned registerBytes = 4;
  registers = Cost(target->registersForWarps(ttg::getNumWarps(function), lanes)) -
              target->registers->plain.base;
  cyclesOfRegister = 2 * (target->global.loadCycles +
                          llvm::divideCeil(lanes * registerBytes, target->global.sectorBytes));
}

Cost SpillModel::costOf(RankedTensorType type) const {
  return std::max<Cost>(0, Cost(getDistinctRegisters(type)) - registers) * cyclesOfRegister;
}

Cost executionsOf(Region *region) {
  static constexpr Cost iterations = 8, most = 512;
  Cost result = 1;
  for (Operation *op = region->getParentOp(); op && result < most; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      result *= iterations;
  return result;
}

//===--------------------------------------------------------------------------===//
// Reductions, scans and gathers
//===--------------------------------------------------------------------------===//

namespace {

/// Steps of a combination, each for `values` registers.
class CombinationCost {
public:
  explicit CombinationCost(const target::Costs &costs) : costs(costs) {}

  /// Every register is combined with another one of the thread.
  void combine(Cost values) { total += values; }
  /// ... with that of another lane; the steps wait for each other.
  void exchangeLanes(Cost values, Cost steps) {
    total += steps * (values * (costs.shuffle.cycles + 1) + costs.shuffle.latency);
  }
  /// ... with those of `warps` warps, through shared memory.
  void exchangeWarps(Cost values, Cost warps, Cost vector) {
    const Cost accesses = llvm::divideCeil(values, vector) * (1 + warps);
    total += accesses * (costs.transaction + costs.access) + costs.latency + costs.blockBarrier +
             values * (warps - 1);
  }

  Cost total = 0;

private:
  const target::Costs &costs;
};

} // namespace

static Cost costOfReduction(const plan::ReductionPlan &plan, const target::Costs &costs) {
  CombinationCost cost(costs);
  for (const std::vector<unsigned> &registers : plan.registers)
    cost.combine(registers.size() - 1);
  const Cost partials = plan.registers.size();
  cost.exchangeLanes(partials, plan.laneSteps.size());
  if (plan.axisWarps > 1)
    cost.exchangeWarps(partials, plan.axisWarps,
                       plan.exchange.partialVector * plan.exchange.warpVector);
  return cost.total;
}

static Cost costOfScan(const plan::ScanPlan &plan, const target::Costs &costs) {
  CombinationCost cost(costs);
  const Cost chunks = plan.chunks.size(), elements = plan.positions.size();
  cost.combine(elements - chunks);
  for (const plan::ScanSegment &segment : plan.segments) {
    if (segment.kind == plan::ScanSegment::Kind::Lanes)
      cost.exchangeLanes(chunks, segment.laneXors.size());
    else if (segment.kind == plan::ScanSegment::Kind::Warps)
      cost.exchangeWarps(chunks, Cost(1) << segment.bits.size(), segment.exchange.partialVector);
    // What came before a chunk is combined with its elements.
    cost.combine(elements);
  }
  return cost.total;
}

static Cost costOfGather(const plan::GatherPlan &plan, Cost registers, const target::Costs &costs) {
  const Cost candidates = registers * Cost(plan.candidates.size());
  switch (plan.kind) {
  case plan::GatherPlan::Kind::Registers:
    return candidates * costs.select;
  case plan::GatherPlan::Kind::Shuffles:
    return candidates * (costs.shuffle.cycles + costs.select) + costs.shuffle.latency;
  case plan::GatherPlan::Kind::SharedMemory:
    return (Cost(plan.stores.size()) + registers) * (costs.transaction + costs.access) +
           costs.latency + costs.blockBarrier;
  }
  llvm_unreachable("all kinds are listed");
}

/// The conversions of one operand of a scan, if its plan has any.
static Cost costOfScanConversions(const plan::ScanPlan &plan, const layout::LinearLayout &map,
                                  unsigned bits, plan::PlanCache &plans) {
  if (!plan.converted)
    return 0;
  Cost cost = 0;
  for (auto [from, to] : {std::pair(map, *plan.converted), std::pair(*plan.converted, map)})
    if (const auto &conversion = plans.conversion(from, to, bits); conversion)
      cost += conversion->cost;
  return cost;
}

Cost costOfCombination(Operation *op, Attribute layout, plan::PlanCache &plans) {
  const auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  const layout::LinearLayout map = ttg::toLinearLayout(withLayout(type, layout));
  const unsigned bits = tt::getStorageBits(type.getElementType());
  const unsigned vectorBits = llvm::Log2_32(std::max(1u, plans.memory().maxAccessBits / bits));
  const target::Costs &costs = plans.memory().costs;
  auto axisOf = [&](unsigned axis) { return map.outs()[axis].dim; };
  if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    const layout::LinearLayout result =
        ttg::toLinearLayout(withLayout(gather.getResult().getType(), layout));
    return costOfGather(plans.gather(map, result, axisOf(gather.getAxis()), vectorBits),
                        result.inSize(layout::dims::Register), costs);
  }
  const Cost operands = op->getNumOperands();
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return operands *
           costOfReduction(plans.reduction(map, axisOf(reduce.getAxis()), vectorBits), costs);
  auto scan = cast<tt::ScanOp>(op);
  const plan::ScanPlan &plan =
      plans.scan(map, axisOf(scan.getAxis()), scan.getReverse(), vectorBits);
  return operands * (costOfScan(plan, costs) + costOfScanConversions(plan, map, bits, plans));
}

} // namespace tilewright::transform
