//===- FindingsTest.cpp - Tests of what a report finds ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Findings.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::report;

namespace {

const target::Target &hopper() { return *target::Target::find("cuda:90"); }

/// Facts about line 5 of k.py.
class FindingsTest : public testing::Test {
protected:
  FindingsTest() { place = places.add({places.fileNumber("k.py"), 5, 9}); }

  template <typename Fact> Fact fact(unsigned loopDepth = 0) {
    Fact result;
    result.line = 11;
    result.places = {place};
    result.loopDepth = loopDepth;
    return result;
  }
  std::vector<Finding> find(bool asksForStages = true) {
    return findInFacts(facts, places, hopper(), asksForStages);
  }

  Places places;
  unsigned place = 0;
  TileFacts facts;
};

TEST_F(FindingsTest, LoadThatTouchesTooManySectorsIsNamedWithItsLine) {
  auto load = fact<GlobalFact>();
  load.bytes = 64 * 1024;
  load.access = {1, 128, 32, 4};
  facts.global.push_back(load);
  const std::vector<Finding> found = find();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "uncoalesced");
  EXPECT_EQ(found[0].severity, 2);
  EXPECT_EQ(found[0].file, "k.py");
  EXPECT_EQ(found[0].line, 5);
  EXPECT_EQ(found[0].irLine, 12u);
  EXPECT_NE(found[0].message.find("32 sectors of 32 bytes for 128 bytes, 8.0 times the 4"),
            std::string::npos)
      << found[0].message;
}

TEST_F(FindingsTest, GoodAndSmallAccessesAreNotNamed) {
  auto load = fact<GlobalFact>();
  load.bytes = 64 * 1024;
  load.access = {4, 512, 16, 16};
  facts.global.push_back(load);
  load.bytes = 128;
  load.access = {1, 128, 32, 4};
  facts.global.push_back(load);
  EXPECT_TRUE(find().empty());
}

TEST_F(FindingsTest, BankConflictsAreNamed) {
  auto load = fact<LocalFact>(1);
  load.transactions = 64, load.conflicts = 48;
  facts.local.push_back(load);
  const std::vector<Finding> found = find();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "bank conflicts");
  EXPECT_NE(found[0].message.find("64 passes through shared memory a warp, 4.0 times the 16"),
            std::string::npos)
      << found[0].message;
}

TEST_F(FindingsTest, LoopThatWaitsForItsLoadsIsNamedWithTheReason) {
  auto loop = fact<LoopFact>();
  loop.hasProduct = true;
  loop.waitedLoads = {12, 13};
  facts.loops.push_back(loop);
  ASSERT_EQ(find().size(), 1u);
  EXPECT_EQ(find()[0].kind, "unpipelined");
  EXPECT_NE(find(/*asksForStages=*/false)[0].remedy.find("--num-stages"), std::string::npos);
  EXPECT_EQ(find(/*asksForStages=*/true)[0].remedy.find("--num-stages"), std::string::npos);
  facts.loops[0].stagesOfSource = 1;
  EXPECT_NE(find()[0].remedy.find("num_stages=1"), std::string::npos);
  facts.loops[0].waitedLoads.clear();
  EXPECT_TRUE(find().empty());
}

TEST_F(FindingsTest, WhatMattersMostComesFirstAndOnce) {
  Finding small, large;
  small.kind = "remark", small.severity = 0, small.line = 1;
  large.kind = "uncoalesced", large.severity = 2, large.line = 9;
  std::vector<Finding> findings = {small, large, small};
  sortFindings(findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, "uncoalesced");
}

TEST(SimulatedFindings, CountsOfALineBecomeFindings) {
  simulate::Report counts;
  simulate::Traffic &traffic = counts.lines[{"k.py", 7}];
  traffic.globalLoads = {10, 320, 40};
  traffic.sharedLoads = {10, 80, 10};
  traffic.sharedStores = {10, 10, 10};
  const std::vector<Finding> found = findInSimulation(counts);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, "uncoalesced (simulated)");
  EXPECT_EQ(found[1].kind, "bank conflicts (simulated)");
  EXPECT_EQ(found[1].line, 7);
}

} // namespace
