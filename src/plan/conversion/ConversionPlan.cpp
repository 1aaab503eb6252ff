//===- ConversionPlan.cpp - Plans of layout conversions -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/ConversionPlan.h"

#include "plan/conversion/SharedPlan.h"
#include "plan/conversion/ShufflePlan.h"
#include "plan/shared/LayoutBases.h"
#include "target/Target.h"

#include <algorithm>
#include <optional>

namespace tilewright::plan {

namespace {

/// The source register of each register of the result, if no thread needs anything of
/// another one and all do the same.
std::optional<std::vector<unsigned>> planRegisters(const LayoutBases &src, const LayoutBases &dst) {
  if (!(src.lanes == dst.lanes && src.warps == dst.warps && src.blocks == dst.blocks))
    return std::nullopt;
  F2Basis span;
  for (size_t i = 0; i < src.registers.size(); ++i)
    span.insert(src.registers[i], uint64_t(1) << i);
  F2Vectors sources;
  for (uint64_t element : dst.registers) {
    F2Basis::Reduced found = span.reduce(element);
    if (found.vector)
      return std::nullopt;
    sources.push_back(found.tag);
  }
  std::vector<unsigned> registers;
  for (unsigned whole = 0; whole < dst.wholeRegisterCount(); ++whole)
    registers.push_back(src.wholeRegister(sumOf(sources, dst.ownRegister(whole))));
  return registers;
}

bool isIdentity(const std::vector<unsigned> &registers, unsigned count) {
  if (registers.size() != count)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (registers[i] != i)
      return false;
  return true;
}

} // namespace

Result<ConversionPlan> planConversion(const LinearLayout &srcLayout, const LinearLayout &dstLayout,
                                      unsigned elementBits, const ExchangeModel &anyWarps) {
  if (elementBits < 1 || elementBits > 64)
    return Failure("elements of " + std::to_string(elementBits) + " bits cannot be converted");
  if (!sameTensor(srcLayout, dstLayout))
    return Failure("the layouts are of different tensors");
  unsigned memoryBits = memoryBitsOf(elementBits);

  // Both with the outputs in one order.
  FixedVector<Dim, LinearLayout::MaxDims> order;
  for (SizedDim d : srcLayout.outs())
    order.push_back(d.dim);
  bool sameOrder = std::equal(srcLayout.outs().begin(), srcLayout.outs().end(),
                              dstLayout.outs().begin(), dstLayout.outs().end());
  LayoutBases src = layoutBasesOf(srcLayout, dstLayout);
  LayoutBases dst =
      layoutBasesOf(sameOrder ? dstLayout : dstLayout.transposeOuts(order), srcLayout);

  ConversionPlan plan;
  if (std::optional<std::vector<unsigned>> registers = planRegisters(src, dst)) {
    plan.kind = isIdentity(*registers, src.wholeRegisterCount()) ? ConversionPlan::Kind::None
                                                                 : ConversionPlan::Kind::Registers;
    plan.registerSources = std::move(*registers);
    return plan;
  }

  const unsigned lanes = 1u << src.lanes.size();
  ExchangeModel memory = anyWarps;
  memory.costs = memory.costs.ofWarp(lanes);
  std::optional<ShufflePlan> shuffles = planShuffles(src, dst, memoryBits);
  Result<SharedPlan> shared = planShared(src, dst, memoryBits, memory);
  const unsigned shuffleCost = shuffles ? costOf(*shuffles, lanes, memory.costs) : 0;
  const unsigned sharedCost = shared ? costOf(*shared, memory.costs) : 0;
  if (shuffles && (!shared || shuffleCost < sharedCost)) {
    plan.kind = ConversionPlan::Kind::Shuffles;
    plan.cost = shuffleCost;
    plan.shuffles = std::move(*shuffles);
  } else if (shared) {
    plan.kind = ConversionPlan::Kind::SharedMemory;
    plan.cost = sharedCost;
    plan.shared = *std::move(shared);
  } else {
    return Failure(shared.error());
  }
  return plan;
}

Result<ConversionPlan> planConversion(const LinearLayout &src, const LinearLayout &dst,
                                      unsigned elementBits, std::string_view target) {
  Result<const Target *> found = Target::parse(target);
  if (!found)
    return Failure(found.error());
  return planConversion(src, dst, elementBits, (*found)->sharedMemory());
}

Result<ConversionPlan> planConversion(const LinearLayout &src, const LinearLayout &dst,
                                      unsigned elementBits) {
  return planConversion(src, dst, elementBits, ExchangeModel());
}

} // namespace tilewright::plan
