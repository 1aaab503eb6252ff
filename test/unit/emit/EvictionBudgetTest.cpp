//===- EvictionBudgetTest.cpp - Where the register allocator's search ends ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "vendor/amd/emit/EvictionBudget.h"
#include "llvm/ADT/Statistic.h"
#include "gtest/gtest.h"

using namespace tilewright::emit;
using namespace tilewright::emit::test;

/// A statistic is kept only if they are enabled before it first counts.
[[maybe_unused]] static const bool countsSearches = [] {
  llvm::EnableStatistics(/*DoPrintOnExit=*/false);
  return true;
}();

static size_t countOf(llvm::StringRef name) {
  for (auto [one, value] : llvm::GetStatistics())
    if (one == name)
      return value;
  return 0;
}

/// A kernel that loads `values` numbers and then, `rounds` times, replaces each by its sum with
/// another one, all of them alive throughout.
static std::string manyValues(unsigned values, unsigned rounds) {
  std::string text = "define amdgpu_kernel void @many(ptr addrspace(1) %p) {\n";
  auto at = [](unsigned round, unsigned i) {
    return "%v" + std::to_string(round) + "." + std::to_string(i);
  };
  auto place = [&](const std::string &name, unsigned i) {
    text += "  " + name + " = getelementptr float, ptr addrspace(1) %p, i64 " +
            std::to_string(i * 1024) + "\n";
  };
  text += "  %lane = call i32 @llvm.amdgcn.workitem.id.x()\n";
  text += "  %x = sitofp i32 %lane to float\n";
  for (unsigned i = 0; i < values; ++i) {
    place("%p" + std::to_string(i), i);
    text += "  %l" + std::to_string(i) + " = load volatile float, ptr addrspace(1) %p" +
            std::to_string(i) + "\n";
    text += "  " + at(0, i) + " = fadd float %x, %l" + std::to_string(i) + "\n";
  }
  for (unsigned round = 1; round <= rounds; ++round)
    for (unsigned i = 0; i < values; ++i)
      text += "  " + at(round, i) + " = fadd float " + at(round - 1, i) + ", " +
              at(round - 1, (i * 7 + round) % values) + "\n";
  for (unsigned i = 0; i < values; ++i)
    text += "  store volatile float " + at(rounds, i) + ", ptr addrspace(1) %p" +
            std::to_string(i) + "\n";
  return text + "  ret void\n}\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n";
}

/// The searches that compiling the kernel makes, and those beyond the budget.
static std::pair<size_t, size_t> searchesOf(const std::string &kernel, EmittedCode &code) {
  const size_t searches = countOf("numSearches"), refused = countOf("numRefusedSearches");
  code = codeOf("hip:gfx1201", kernel);
  return {countOf("numSearches") - searches, countOf("numRefusedSearches") - refused};
}

TEST(EvictionBudget, EndsTheSearchesOfFunctionsThatSpillALot) {
  EmittedCode code;
  const auto [few, none] = searchesOf(manyValues(/*values=*/64, /*rounds=*/2), code);
  EXPECT_LT(few, evictionBudget);
  EXPECT_EQ(none, 0u);
  const auto [many, refused] = searchesOf(manyValues(/*values=*/400, /*rounds=*/4), code);
  EXPECT_NE(code.assembly.find("scratch_store"), std::string::npos);
  EXPECT_GE(many, evictionBudget);
  EXPECT_GT(refused, 0u);
}
