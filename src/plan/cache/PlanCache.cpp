//===- PlanCache.cpp - Plans that are made once -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/cache/PlanCache.h"

#include <cstdint>
#include <string_view>

namespace tilewright::plan {

namespace {

/// FNV-1a over 64-bit words, mixed so that high bits reach the low ones, which choose the bucket.
class Hasher {
public:
  void add(uint64_t word) {
    state = (state ^ word) * 0x100000001b3;
    state ^= state >> 32;
  }
  void add(const MmaAtom *atom) { add(reinterpret_cast<uintptr_t>(atom)); }
  void add(Dim dim) { add(std::hash<std::string_view>()(dim.name())); }
  /// Without the names of dimensions: layouts that differ in nothing else are few.
  void add(const LinearLayout &layout) {
    for (auto dims : {layout.ins(), layout.outs()})
      for (const SizedDim &dim : dims)
        add(dim.bits);
    for (uint64_t basis : layout.bases())
      add(basis);
  }
  size_t get() const { return static_cast<size_t>(state); }

private:
  uint64_t state = 0xcbf29ce484222325;
};

} // namespace

template <typename... Args>
size_t PlanCache::Hash::operator()(const std::tuple<Args...> &key) const {
  Hasher hasher;
  std::apply([&](const auto &...parts) { (hasher.add(parts), ...); }, key);
  return hasher.get();
}

template <typename Plan, typename Make, typename... Args>
const Plan &PlanCache::get(Plans<Plan, Args...> &plans, Make make, const Args &...args) {
  const std::lock_guard lock(mutex);
  ++total.asked;
  std::tuple<Args...> key(args...);
  if (auto found = plans.find(key); found != plans.end())
    return found->second;
  ++total.made;
  return plans.emplace(std::move(key), make()).first->second;
}

const Result<ConversionPlan> &PlanCache::conversion(const LinearLayout &src,
                                                    const LinearLayout &dst, unsigned elementBits,
                                                    uint64_t preferredScratchBytes) {
  return get(
      conversions,
      [&] {
        ExchangeModel memory = model;
        memory.preferredScratchBytes = preferredScratchBytes;
        return planConversion(src, dst, elementBits, memory);
      },
      src, dst, elementBits, preferredScratchBytes);
}

const ReductionPlan &PlanCache::reduction(const LinearLayout &layout, Dim axis,
                                          unsigned maxVectorBits) {
  return get(
      reductions, [&] { return planReduction(layout, axis, maxVectorBits); }, layout, axis,
      maxVectorBits);
}

const ScanPlan &PlanCache::scan(const LinearLayout &layout, Dim axis, bool reverse,
                                unsigned maxVectorBits) {
  return get(
      scans, [&] { return planScan(layout, axis, reverse, maxVectorBits); }, layout, axis, reverse,
      maxVectorBits);
}

const GatherPlan &PlanCache::gather(const LinearLayout &src, const LinearLayout &result, Dim axis,
                                    unsigned maxVectorBits) {
  return get(
      gathers, [&] { return planGather(src, result, axis, maxVectorBits); }, src, result, axis,
      maxVectorBits);
}

const Result<DotPlan> &PlanCache::dot(const ProductLayouts &layouts, const DotTypes &types) {
  return get(
      dots, [&] { return planDot(layouts, types, model); }, layouts.a, layouts.b, layouts.result,
      types.aBits, types.bBits, types.areBytes);
}

const std::optional<ProductTiling> &PlanCache::product(const ProductLayouts &layouts,
                                                       const MmaAtom &atom) {
  return get(
      products, [&] { return tileProduct(layouts, atom); }, layouts.a, layouts.b, layouts.result,
      &atom);
}

PlanCache::Counts PlanCache::counts() const {
  const std::lock_guard lock(mutex);
  return total;
}

} // namespace tilewright::plan
