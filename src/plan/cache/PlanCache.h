//===- PlanCache.h - Plans that are made once -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The cost of a conversion, the scratch memory that it takes and the code that it becomes follow
// from one plan. Passes, allocation and lowering ask the same cache for it, so they have the same
// object: they cannot disagree, and a plan is made once.
//
// A cache is for one target. Its plans live as long as it does; any thread may ask.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_CACHE_PLANCACHE_H
#define TILEWRIGHT_PLAN_CACHE_PLANCACHE_H

#include "plan/collective/GatherPlan.h"
#include "plan/collective/ReductionPlan.h"
#include "plan/collective/ScanPlan.h"
#include "plan/matrix/DotPlan.h"
#include "plan/matrix/ProductTiling.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/ConversionPlan.h"

#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace tilewright::plan {

class PlanCache {
public:
  /// Plans for a target whose shared memory is `memory`.
  explicit PlanCache(const ExchangeModel &memory) : model(memory) {}
  PlanCache(const PlanCache &) = delete;
  PlanCache &operator=(const PlanCache &) = delete;

  const ExchangeModel &memory() const { return model; }

  /// planConversion, planReduction, planScan, planGather, planDot and tileProduct with these
  /// arguments.
  const Result<ConversionPlan> &conversion(const LinearLayout &src, const LinearLayout &dst,
                                           unsigned elementBits) {
    return conversion(src, dst, elementBits, model.preferredScratchBytes);
  }
  /// planConversion for a place where other scratch memory than the model's is preferred.
  const Result<ConversionPlan> &conversion(const LinearLayout &src, const LinearLayout &dst,
                                           unsigned elementBits, uint64_t preferredScratchBytes);
  const ReductionPlan &reduction(const LinearLayout &layout, Dim axis, unsigned maxVectorBits);
  const ScanPlan &scan(const LinearLayout &layout, Dim axis, bool reverse, unsigned maxVectorBits);
  const GatherPlan &gather(const LinearLayout &src, const LinearLayout &result, Dim axis,
                           unsigned maxVectorBits);
  const Result<DotPlan> &dot(const ProductLayouts &layouts, const DotTypes &types);
  /// `atom`: of a target's list, where it stays.
  const std::optional<ProductTiling> &product(const ProductLayouts &layouts, const MmaAtom &atom);

  /// How many plans were asked for, and how many of these had to be made.
  struct Counts {
    size_t asked = 0, made = 0;
  };
  Counts counts() const;

private:
  struct Hash {
    template <typename... Args> size_t operator()(const std::tuple<Args...> &key) const;
  };
  template <typename Plan, typename... Args>
  using Plans = std::unordered_map<std::tuple<Args...>, Plan, Hash>;

  /// The plan in `plans` for `args`, made by `make` if it is not there yet.
  template <typename Plan, typename Make, typename... Args>
  const Plan &get(Plans<Plan, Args...> &plans, Make make, const Args &...args);

  const ExchangeModel model;
  mutable std::mutex mutex;
  Counts total;
  Plans<Result<ConversionPlan>, LinearLayout, LinearLayout, unsigned, uint64_t> conversions;
  Plans<ReductionPlan, LinearLayout, Dim, unsigned> reductions;
  Plans<ScanPlan, LinearLayout, Dim, bool, unsigned> scans;
  Plans<GatherPlan, LinearLayout, LinearLayout, Dim, unsigned> gathers;
  Plans<Result<DotPlan>, LinearLayout, LinearLayout, LinearLayout, unsigned, unsigned, bool> dots;
  Plans<std::optional<ProductTiling>, LinearLayout, LinearLayout, LinearLayout, const MmaAtom *>
      products;
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_CACHE_PLANCACHE_H
