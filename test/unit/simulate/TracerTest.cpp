//===- TracerTest.cpp - Tests of traces of simulated launches -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Tracer.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::simulate;

namespace {

Site siteAt(int line, MemorySpace space = MemorySpace::Global) {
  Site site;
  site.where = {"k.py", line, 1, 1};
  site.operation = "op" + std::to_string(line);
  site.space = space;
  return site;
}

class TracerTest : public testing::Test {
protected:
  TracerTest() { tracer.beginBlock(); }

  /// "wait warp 0: 4 + 7"
  static std::string describe(const TraceEvent &event) {
    static constexpr const char *kinds[] = {"global", "shared", "operation", "wait", "copy"};
    return std::string(kinds[static_cast<int>(event.kind)]) + " warp " +
           std::to_string(event.warp) + ": " + std::to_string(event.begin) + " + " +
           std::to_string(event.duration);
  }
  std::vector<std::string> described() const {
    std::vector<std::string> result;
    for (const TraceEvent &event : trace.events)
      result.push_back(describe(event));
    return result;
  }
  using Lines = std::vector<std::string>;

  Trace trace;
  Tracer tracer{trace, 2};
  const Site load = siteAt(1), local = siteAt(2, MemorySpace::Shared), sync = siteAt(3);
};

TEST_F(TracerTest, AccessesTakeTheirUnitsAndWarpsHaveTheirOwnTime) {
  tracer.access(load, 0, 4, 4);
  tracer.access(local, 0, 8, 1);
  tracer.operate(sync, 0);
  tracer.access(load, 1, 2, 1);
  EXPECT_EQ(described(), (Lines{"global warp 0: 0 + 4", "shared warp 0: 4 + 8",
                                "operation warp 0: 12 + 1", "global warp 1: 0 + 2"}));
  EXPECT_EQ(trace.events[1].units, 8u);
  EXPECT_EQ(trace.events[1].leastUnits, 1u);
  EXPECT_EQ(trace.events[1].where.line, 2);
}

TEST_F(TracerTest, AccessesOfNoLaneTakeNoTime) {
  tracer.access(load, 0, 0, 0);
  tracer.operate(sync, 0);
  EXPECT_EQ(described(), (Lines{"operation warp 0: 0 + 1"}));
}

TEST_F(TracerTest, WarpsThatMeetGoOnTogether) {
  tracer.access(load, 0, 4, 4);
  tracer.access(load, 1, 10, 10);
  tracer.arrive(sync, 0);
  tracer.arrive(sync, 1);
  tracer.meet(std::vector<uint32_t>{0, 1});
  tracer.operate(sync, 0);
  EXPECT_EQ(described(),
            (Lines{"global warp 0: 0 + 4", "global warp 1: 0 + 10", "wait warp 0: 4 + 7",
                   "wait warp 1: 10 + 1", "operation warp 0: 11 + 1"}));
}

TEST_F(TracerTest, CopiesLastUntilTheyAreWaitedForInTheOrderOfTheirIssue) {
  tracer.issue(load, 0);
  tracer.issue(load, 0);
  tracer.operate(sync, 0);
  tracer.complete(load, 0);
  tracer.operate(sync, 0);
  tracer.complete(load, 0);
  tracer.complete(load, 0); // Nothing is under way any more.
  EXPECT_EQ(described(), (Lines{"operation warp 0: 2 + 1", "copy warp 0: 0 + 3",
                                "operation warp 0: 3 + 1", "copy warp 0: 1 + 3"}));
}

TEST_F(TracerTest, CopiesOfALineThatOneWaitCompletesAreOneEvent) {
  tracer.issue(load, 0);
  tracer.issue(load, 0);
  tracer.issue(local, 0);
  for (const Site *site : {&load, &load, &local})
    tracer.complete(*site, 0);
  EXPECT_EQ(described(), (Lines{"copy warp 0: 0 + 3", "copy warp 0: 2 + 1"}));
  EXPECT_EQ(trace.events[0].units, 2u);
}

TEST_F(TracerTest, OverlappingCopiesHaveRowsOfTheirOwn) {
  tracer.issue(load, 0);
  tracer.issue(local, 0);
  tracer.complete(load, 0);
  tracer.complete(local, 0);
  const std::string text = toTraceJson(trace);
  EXPECT_NE(text.find(R"("tid":1,"ts":0)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("tid":2,"ts":1)"), std::string::npos) << text;
}

TEST_F(TracerTest, APhaseEndsWithItsLastArrival) {
  tracer.beginWait(sync, 0);
  tracer.access(load, 1, 6, 6);
  tracer.arriveAtPhase(1, 64);
  tracer.endWait(0, 64);
  EXPECT_EQ(described(), (Lines{"global warp 1: 0 + 6", "wait warp 0: 0 + 6"}));
}

TEST_F(TracerTest, BlocksBeginAnew) {
  tracer.operate(sync, 0);
  tracer.beginBlock();
  tracer.operate(sync, 0);
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.events[1].block, 1u);
  EXPECT_EQ(trace.events[1].begin, 0u);
}

TEST_F(TracerTest, TooManyEventsAreCut) {
  for (size_t i = 0; i <= Trace::maxEvents; ++i)
    tracer.operate(sync, 0);
  EXPECT_EQ(trace.events.size(), Trace::maxEvents);
  EXPECT_TRUE(trace.isCut);
}

TEST_F(TracerTest, TheTraceIsChromesJson) {
  tracer.access(local, 1, 8, 2);
  const std::string text = toTraceJson(trace);
  for (const char *part :
       {R"("name":"warp 1")", R"("cat":"shared")", R"("name":"op2")", R"("ph":"X")", R"("pid":0)",
        R"("tid":1000)", R"("dur":8)", R"("source":"k.py:2")", R"("least":2)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

} // namespace
