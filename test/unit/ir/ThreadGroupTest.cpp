//===- ThreadGroupTest.cpp - Which warps run an op ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::test;
using ttg::ThreadGroup;

namespace {

/// A module with barriers before, in and after a ttg.warp_specialize: in the default region and in
/// each of two partitions, all in another op's region.
std::string moduleWith(const std::string &moduleAttributes, const std::string &attributes) {
  const std::string marked = "scf.if %c {\nttg.barrier local\n}\n";
  const std::string partition = "scf.if %p {\nttg.barrier local\n}\nttg.warp_return\n}\n";
  return "module " + moduleAttributes + " {\ntt.func public @f(%c: i1) {\n" + marked +
         "ttg.warp_specialize(%c) " + attributes + "\ndefault {\n" + marked +
         "ttg.warp_yield\n}\npartition0(%p: i1) num_warps(2) {\n" + partition +
         "partition1(%p: i1) num_warps(1) {\n" + partition + " : (i1) -> ()\n" + marked +
         "tt.return\n}\n}\n";
}

/// The groups of the barriers, in the order of the text.
std::vector<ThreadGroup> groupsOf(const std::string &text, unsigned &total) {
  std::vector<ThreadGroup> groups;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context());
  if (!module)
    return groups;
  module->walk([&](ttg::BarrierOp op) {
    groups.push_back(ttg::getThreadGroup(op));
    EXPECT_EQ(ttg::getThreadGroup(op->getParentRegion()), groups.back());
    EXPECT_EQ(ttg::getNumWarps(op), groups.back().numWarps);
  });
  // The op itself, and what holds its partitions, belong to the default group.
  module->walk([&](ttg::WarpSpecializePartitionsOp op) {
    EXPECT_EQ(ttg::getThreadGroup(op), groups.front());
    EXPECT_EQ(ttg::getThreadGroup(op->getParentOp()), groups.front());
  });
  EXPECT_EQ(ttg::getThreadGroup(*module), groups.front());
  total = ttg::getTotalNumWarps(*module);
  return groups;
}

TEST(ThreadGroups, PartitionsComeOneBehindTheOther) {
  unsigned total = 0;
  auto groups = groupsOf(moduleWith("attributes {\"ttg.num-warps\" = 8 : i32}", ""), total);
  const ThreadGroup whole{.numWarps = 8};
  const ThreadGroup first{.firstWarp = 8, .numWarps = 2, .partition = 0};
  const ThreadGroup second{.firstWarp = 10, .numWarps = 1, .partition = 1};
  EXPECT_EQ(groups, (std::vector{whole, whole, first, second, whole}));
  EXPECT_EQ(total, 11u);
}

TEST(ThreadGroups, FirstWarpsAsTheOpSays) {
  unsigned total = 0;
  auto groups =
      groupsOf(moduleWith("", "attributes {warpGroupStartIds = array<i32: 8, 4>}"), total);
  const ThreadGroup whole{.numWarps = 4};
  const ThreadGroup first{.firstWarp = 8, .numWarps = 2, .partition = 0};
  const ThreadGroup second{.firstWarp = 4, .numWarps = 1, .partition = 1};
  EXPECT_EQ(groups, (std::vector{whole, whole, first, second, whole}));
  EXPECT_EQ(total, 10u);
}

TEST(ThreadGroups, WarpsOfTheLaunchAsTheModuleSays) {
  unsigned total = 0;
  groupsOf(moduleWith("attributes {\"ttg.total-num-warps\" = 16 : i32}", ""), total);
  EXPECT_EQ(total, 16u);
}

} // namespace
