//===- EvictionBudget.cpp - A limit for the register allocator's search -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/EvictionBudget.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/RegAllocEvictionAdvisor.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright::emit;

#define DEBUG_TYPE "eviction-budget"

ALWAYS_ENABLED_STATISTIC(numSearches, "Searches for registers of other values");
ALWAYS_ENABLED_STATISTIC(numLocalSearches, "Searches for values that live in one block");
ALWAYS_ENABLED_STATISTIC(numRefusedSearches, "Searches beyond the budget");

namespace {

class BudgetedAdvisor final : public RegAllocEvictionAdvisor {
public:
  BudgetedAdvisor(const MachineFunction &function, const RAGreedy &allocator)
      : RegAllocEvictionAdvisor(function, allocator),
        standard(std::make_unique<DefaultEvictionAdvisor>(function, allocator)) {}

  MCRegister tryFindEvictionCandidate(const LiveInterval &range, const AllocationOrder &order,
                                      uint8_t costPerUseLimit,
                                      const SmallVirtRegSet &fixed) const override {
    const bool isLocal = LIS->intervalIsInOneMBB(range);
    if (range.isSpillable() && isBeyondBudget(isLocal)) {
      ++numRefusedSearches;
      return MCRegister();
    }
    ++numSearches;
    if (isLocal)
      ++numLocalSearches;
    return standard->tryFindEvictionCandidate(range, order, costPerUseLimit, fixed);
  }

  bool canEvictHintInterference(const LiveInterval &range, MCRegister hint,
                                const SmallVirtRegSet &fixed) const override {
    return standard->canEvictHintInterference(range, hint, fixed);
  }

private:
  /// Counts a search.
  bool isBeyondBudget(bool isLocal) const {
    return (isLocal && localSearches++ >= localEvictionBudget) || searches++ >= evictionBudget;
  }

  std::unique_ptr<RegAllocEvictionAdvisor> standard;
  mutable unsigned searches = 0, localSearches = 0;
};

class BudgetedProvider final : public RegAllocEvictionAdvisorProvider {
public:
  explicit BudgetedProvider(LLVMContext &context)
      : RegAllocEvictionAdvisorProvider(AdvisorMode::Default, context) {}

  std::unique_ptr<RegAllocEvictionAdvisor> getAdvisor(const MachineFunction &function,
                                                      const RAGreedy &allocator,
                                                      MachineBlockFrequencyInfo *,
                                                      MachineLoopInfo *) override {
    return std::make_unique<BudgetedAdvisor>(function, allocator);
  }
};

/// The pass manager takes it for LLVM's analysis, whose id it has, and makes no other.
class EvictionBudget final : public RegAllocEvictionAdvisorAnalysisLegacy {
public:
  EvictionBudget() : RegAllocEvictionAdvisorAnalysisLegacy(AdvisorMode::Default) {}

  bool doInitialization(Module &module) override {
    Provider = std::make_unique<BudgetedProvider>(module.getContext());
    return false;
  }
};

} // namespace

ImmutablePass *tilewright::emit::createEvictionBudgetPass() { return new EvictionBudget(); }
