//===- PlanCacheTest.cpp - Plans are made once --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/cache/PlanCache.h"

#include "layout/encoding/Encodings.h"
#include "view/PlanText.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

using namespace tilewright;
using namespace tilewright::plan;

namespace {

LinearLayout blocked(unsigned perThread, int64_t size = 1024) {
  return toLinearLayout(Blocked{{perThread}, {32}, {4}, {0}}, std::vector<int64_t>{size});
}

TEST(PlanCache, SameQuestionSameObject) {
  PlanCache plans{ExchangeModel()};
  const Result<ConversionPlan> &first = plans.conversion(blocked(1), blocked(4), 32);
  ASSERT_TRUE(first);
  EXPECT_EQ(view::toJson(*first), view::toJson(*planConversion(blocked(1), blocked(4), 32)));
  EXPECT_EQ(&plans.conversion(blocked(1), blocked(4), 32), &first);
  EXPECT_EQ(plans.counts().asked, 2u);
  EXPECT_EQ(plans.counts().made, 1u);
}

TEST(PlanCache, EveryArgumentCounts) {
  PlanCache plans{ExchangeModel()};
  std::set<const void *> objects = {
      &plans.conversion(blocked(1), blocked(4), 32), &plans.conversion(blocked(4), blocked(1), 32),
      &plans.conversion(blocked(1), blocked(2), 32), &plans.conversion(blocked(1), blocked(4), 16),
      &plans.conversion(blocked(1, 2048), blocked(4, 2048), 32)};
  EXPECT_EQ(objects.size(), 5u);
  const Dim dim = layout::dims::Dim0;
  objects = {
      &plans.reduction(blocked(1), dim, 2),         &plans.reduction(blocked(1), dim, 1),
      &plans.scan(blocked(1), dim, false, 2),       &plans.scan(blocked(1), dim, true, 2),
      &plans.scan(blocked(1), dim, false, 1),       &plans.gather(blocked(1), blocked(1), dim, 2),
      &plans.gather(blocked(1), blocked(2), dim, 2)};
  EXPECT_EQ(objects.size(), 7u);
  // Layouts that differ in nothing but the names of their dimensions.
  std::vector<int64_t> square = {64, 64};
  const LinearLayout matrix = toLinearLayout(Blocked{{1, 1}, {4, 8}, {2, 2}, {1, 0}}, square);
  EXPECT_NE(&plans.reduction(matrix, layout::dims::Dim0, 2),
            &plans.reduction(matrix, layout::dims::Dim1, 2));
  EXPECT_EQ(plans.counts().made, 14u);
}

/// The memory that a cache is for decides.
TEST(PlanCache, IsForOneMemory) {
  ExchangeModel other;
  other.maxAccessBits = 64;
  PlanCache plans{ExchangeModel()}, others{other};
  EXPECT_EQ(plans.conversion(blocked(1), blocked(4), 32)->shared.loadVector, 4u);
  EXPECT_EQ(others.conversion(blocked(1), blocked(4), 32)->shared.loadVector, 2u);
}

/// So does what is preferred where the conversion stands.
TEST(PlanCache, PreferredScratch) {
  PlanCache plans{ExchangeModel()};
  const LinearLayout rows = toLinearLayout(Blocked{{1, 4}, {8, 4}, {4, 1}, {1, 0}},
                                           std::vector<int64_t>{64, 64}),
                     columns = toLinearLayout(Blocked{{4, 1}, {4, 8}, {1, 4}, {0, 1}},
                                              std::vector<int64_t>{64, 64});
  const Result<ConversionPlan> &small = plans.conversion(rows, columns, 32);
  const Result<ConversionPlan> &large = plans.conversion(rows, columns, 32, 16384);
  EXPECT_EQ(small->scratchBytes(), 8192u);
  EXPECT_EQ(small->shared.repetitions.size(), 2u);
  EXPECT_EQ(large->scratchBytes(), 16384u);
  EXPECT_EQ(large->shared.repetitions.size(), 1u);
  EXPECT_EQ(&plans.conversion(rows, columns, 32, 8192), &small);
}

TEST(PlanCache, ThreadsShareIt) {
  PlanCache plans{ExchangeModel()};
  std::vector<const Result<ConversionPlan> *> found(8 * 16);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 16; ++i)
        found[t * 16 + i] = &plans.conversion(blocked(1 << i % 4), blocked(1 << i / 4), 32);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], found[i % 16]);
  EXPECT_EQ(plans.counts().made, 16u);
}

} // namespace
