//===- WarpSpecializeTest.cpp - Groups of warps, and copies under way ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels as .ttgir text whose warps run different code, or that copy asynchronously into several
// stages of shared memory. Threads read what others have written, so a barrier that is missing, or
// that waits for the wrong warps, is a race or a deadlock in the simulator.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"
#include "RunKernel.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::test;

namespace {

/// The arguments after a run; any diagnostic fails the test.
std::vector<ArgumentValue> runText(const std::string &text, std::vector<ArgumentValue> arguments) {
  const CompiledKernel compiled = compileGoodText(text);
  if (testing::Test::HasFailure())
    return arguments;
  if (auto done = runKernel(compiled, Grid{}, arguments); !done)
    ADD_FAILURE() << render(done.error());
  return arguments;
}

/// #LAYOUT pointers `%NAME` to the 512 elements from `%BASE` on, of which the first is `%ROW` *
/// 512.
std::string pointers(const std::string &name, const std::string &base, const std::string &row,
                     const std::string &layout) {
  std::string text = R"(
    %N_range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #L>
    %N_size = arith.constant 512 : i32
    %N_begin = arith.muli %ROW, %N_size : i32
    %N_begins = tt.splat %N_begin : i32 -> tensor<512xi32, #L>
    %N_offset = arith.addi %N_range, %N_begins : tensor<512xi32, #L>
    %N_bases = tt.splat %BASE : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #L>
    %N = tt.addptr %N_bases, %N_offset : tensor<512x!tt.ptr<i32>, #L>, tensor<512xi32, #L>
)";
  text = replaceAll(text, "%N", "%" + name);
  text = replaceAll(text, "%ROW", "%" + row);
  text = replaceAll(text, "%BASE", "%" + base);
  return replaceAll(text, "#L", "#" + layout);
}

const char *header = R"(
#four = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four_wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#two_wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<512xi32, #flat, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "%TARGET%", "ttg.threads-per-warp" = 32 : i32} {
)";

std::string moduleOf(const std::string &target, const std::string &functions) {
  return replaceAll(header, "%TARGET%", target) + functions + "}\n";
}

/// In each of `rounds` rounds: 4 warps put twice a row into %a, while 2 others put it, with its sum
/// added, into %b, and 1 more copies it. Then 4 warps take %b, while 1 takes %a.
std::string exchangeKernel(const std::string &target) {
  return moduleOf(target, R"(
  tt.func public @kernel(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<i32>, %twice: !tt.ptr<i32>, %same: !tt.ptr<i32>, %rounds: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc : () -> !row
    %b = ttg.local_alloc : () -> !row
    scf.for %i = %c0 to %rounds step %c1 : i32 {
      ttg.warp_specialize(%x, %same, %i, %b)
      default {
)" + pointers("xs", "x", "i", "four") +
                              R"(
        %v = tt.load %xs : tensor<512x!tt.ptr<i32>, #four>
        %v2 = arith.addi %v, %v : tensor<512xi32, #four>
        ttg.local_store %v2, %a : tensor<512xi32, #four> -> !row
        ttg.warp_yield
      }
      partition0(%px: !tt.ptr<i32>, %unused: !tt.ptr<i32>, %pi: i32, %pb: !row) num_warps(2) {
)" + pointers("pxs", "px", "pi", "two") +
                              R"(
        %v = tt.load %pxs : tensor<512x!tt.ptr<i32>, #two>
        %sum = "tt.reduce"(%v) <{axis = 0 : i32}> ({
        ^bb0(%l: i32, %r: i32):
          %s = arith.addi %l, %r : i32
          tt.reduce.return %s : i32
        }) : (tensor<512xi32, #two>) -> i32
        %splat = tt.splat %sum : i32 -> tensor<512xi32, #two>
        %w = arith.addi %v, %splat : tensor<512xi32, #two>
        ttg.local_store %w, %pb : tensor<512xi32, #two> -> !row
        ttg.warp_return
      }
      partition1(%px: !tt.ptr<i32>, %psame: !tt.ptr<i32>, %pi: i32, %unused: !row) num_warps(1) {
)" + pointers("pxs", "px", "pi", "one") +
                              pointers("ps", "psame", "pi", "one") + R"(
        %v = tt.load %pxs : tensor<512x!tt.ptr<i32>, #one>
        tt.store %ps, %v : tensor<512x!tt.ptr<i32>, #one>
        ttg.warp_return
      } : (!tt.ptr<i32>, !tt.ptr<i32>, i32, !row) -> ()
      %y = ttg.warp_specialize(%twice, %i, %a)
      default {
        %w = ttg.local_load %b : !row -> tensor<512xi32, #four_wide>
        ttg.warp_yield %w : tensor<512xi32, #four_wide>
      }
      partition0(%ptwice: !tt.ptr<i32>, %pi: i32, %pa: !row) num_warps(1) {
)" + pointers("ps", "ptwice", "pi", "one") +
                              R"(
        %w = ttg.local_load %pa : !row -> tensor<512xi32, #one>
        tt.store %ps, %w : tensor<512x!tt.ptr<i32>, #one>
        ttg.warp_return
      } : (!tt.ptr<i32>, i32, !row) -> tensor<512xi32, #four_wide>
)" + pointers("os", "sums", "i", "four_wide") +
                              R"(
      tt.store %os, %y : tensor<512x!tt.ptr<i32>, #four_wide>
    }
    tt.return
  }
)");
}

TEST(WarpSpecialize, ExchangeWhereGroupsMeet) {
  for (const std::string &target : onlyForNvidia({"cuda:80", "cuda:90"})) {
    if (!target.starts_with("cuda"))
      GTEST_SKIP() << target << " has one barrier a block";
    for (int64_t rounds : {0, 1, 3}) {
      SCOPED_TRACE(target + ", " + std::to_string(rounds));
      const auto x = randomValues<int32_t>(3 * 512, 77, 0, 1000);
      std::vector<int32_t> sums(3 * 512, -1), twice = sums, same = sums;
      for (int64_t i = 0; i < rounds * 512; ++i) {
        const auto row = x.begin() + i / 512 * 512;
        sums[i] = std::accumulate(row, row + 512, x[i]);
        twice[i] = 2 * x[i];
        same[i] = x[i];
      }
      const HostArray none = toArray(std::vector<int32_t>(3 * 512, -1));
      auto after = runText(exchangeKernel(target), {toArray(x), none, none, none, rounds});
      EXPECT_EQ(std::get<HostArray>(after[1]).bytes, toArray(sums).bytes);
      EXPECT_EQ(std::get<HostArray>(after[2]).bytes, toArray(twice).bytes);
      EXPECT_EQ(std::get<HostArray>(after[3]).bytes, toArray(same).bytes);
    }
  }
}

// The block is launched with the warps of all groups.
TEST(WarpSpecialize, WarpsOfTheLaunch) {
  CompileResult result = compileText(exchangeKernel("cuda:90"));
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result.compilation->kernel.metadata.numWarps, 7);
}

// Two warps copy rows asynchronously and read them in another layout, beside four that do the same
// with other rows: each group waits for its own copies and meets at its own barrier.
TEST(WarpSpecialize, CopiesOfTwoGroups) {
  const std::string body = R"(
        scf.for %i = %c0 to %n step %c1 : i32 {
)" + pointers("xs", "source", "i", "W_wide") +
                           pointers("os", "target", "i", "W") + R"(
          %k = ttg.async_copy_global_to_local %xs, %m : tensor<512x!tt.ptr<i32>, #W_wide> -> <512xi32, #flat, #smem, mutable>
          %g = ttg.async_commit_group tokens %k
          %w = ttg.async_wait %g {num = 0 : i32}
          %v = ttg.local_load %m : !row -> tensor<512xi32, #W>
          tt.store %os, %v : tensor<512x!tt.ptr<i32>, #W>
        }
)";
  const std::string constants = R"(
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
)";
  for (const std::string &target : onlyForNvidia({"cuda:80", "cuda:90"})) {
    if (!target.starts_with("cuda"))
      GTEST_SKIP() << target << " has one barrier a block";
    SCOPED_TRACE(target);
    const std::string text = moduleOf(
        target, R"(
  tt.func public @kernel(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %rounds: i32) {
    %rows = ttg.local_alloc : () -> !row
    %half = arith.constant 1024 : i32
    %x2 = tt.addptr %x, %half : !tt.ptr<i32>, i32
    %y2 = tt.addptr %y, %half : !tt.ptr<i32>, i32
    ttg.warp_specialize(%x2, %y2, %rounds)
    default {
)" + constants +
                    replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(body, "#W", "#four"),
                                                                "%m", "%rows"),
                                                     "%source", "%x"),
                                          "%target", "%y"),
                               "%n ", "%rounds ") +
                    R"(
      ttg.warp_yield
    }
    partition0(%source: !tt.ptr<i32>, %target: !tt.ptr<i32>, %n: i32) num_warps(2) {
      %m = ttg.local_alloc : () -> !row
)" + constants + replaceAll(body, "#W", "#two") +
                    R"(
      ttg.warp_return
    } : (!tt.ptr<i32>, !tt.ptr<i32>, i32) -> ()
    tt.return
  }
)");
    const auto x = randomValues<int32_t>(4 * 512, 78, 0, 1000);
    auto after =
        runText(text, {toArray(x), toArray(std::vector<int32_t>(x.size(), -1)), int64_t(2)});
    EXPECT_EQ(std::get<HostArray>(after[1]).bytes, toArray(x).bytes);
  }
}

TEST(WarpSpecialize, OneBarrierABlock) {
  for (const char *target : {"hip:gfx1201", "xpu:bmg"}) {
    CompileResult result = compileText(exchangeKernel(target));
    ASSERT_FALSE(bool(result));
    const Diagnostic &error = result.diagnostics.front();
    EXPECT_NE(error.message.find("whose blocks have one barrier, of all their warps"),
              std::string::npos)
        << render(error);
    EXPECT_EQ(error.remedy, "compile the kernel without warp specialization");
    EXPECT_GT(error.where.line, 1u);
  }
}

/// Sums up `rows` rows that are copied into `stages` stages of shared memory, as many rows ahead as
/// there are stages but one, by other threads than those that read them.
std::string stagesKernel(const std::string &target, int stages) {
  const std::string memory =
      "!ttg.memdesc<" + std::to_string(stages) + "x512xi32, #flat, #smem, mutable>";
  const auto copy = [&](const std::string &name, const std::string &row) {
    return pointers(name + "_from", "x", row, "four_wide") + replaceAll(R"(
      %N_in = arith.cmpi slt, %ROW, %rows : i32
      %N_mask = tt.splat %N_in : i1 -> tensor<512xi1, #four_wide>
      %N_stage = arith.remsi %ROW, %stages : i32
      %N_to = ttg.memdesc_index %m[%N_stage] : MEMORY -> !row
      %N_copy = ttg.async_copy_global_to_local %N_from, %N_to mask %N_mask : tensor<512x!tt.ptr<i32>, #four_wide> -> <512xi32, #flat, #smem, mutable>
      %N_group = ttg.async_commit_group tokens %N_copy
)",
                                                                        "%ROW", "%" + row);
  };
  auto named = [&](std::string text, const std::string &name) {
    return replaceAll(replaceAll(text, "%N_", "%" + name + "_"), "MEMORY", memory);
  };
  std::string prologue;
  for (int row = 0; row + 1 < stages; ++row) {
    const std::string number = std::to_string(row), name = "first" + number;
    prologue += "    %row" + number + " = arith.constant " + number + " : i32\n";
    prologue += named(copy(name, "row" + number), name);
  }
  return moduleOf(target, R"(
  tt.func public @kernel(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32>, %rows: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ahead = arith.constant )" +
                              std::to_string(stages - 1) + R"( : i32
    %stages = arith.constant )" +
                              std::to_string(stages) + R"( : i32
    %zero = arith.constant dense<0> : tensor<512xi32, #four>
    %m = ttg.local_alloc : () -> )" +
                              memory + "\n" + prologue + R"(
    %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%before = %zero) -> (tensor<512xi32, #four>) : i32 {
      %next = arith.addi %i, %ahead : i32
)" + named(copy("next", "next"), "next") +
                              R"(
      %w = ttg.async_wait {num = )" +
                              std::to_string(stages - 1) + R"( : i32}
      %stage = arith.remsi %i, %stages : i32
      %now = ttg.memdesc_index %m[%stage] : )" +
                              memory + R"( -> !row
      %v = ttg.local_load %now : !row -> tensor<512xi32, #four>
      %after = arith.addi %before, %v : tensor<512xi32, #four>
      scf.yield %after : tensor<512xi32, #four>
    }
    %end = ttg.async_wait {num = 0 : i32}
)" + pointers("os", "out", "c0", "four") +
                              R"(
    tt.store %os, %sum : tensor<512x!tt.ptr<i32>, #four>
    tt.return
  }
)");
}

TEST(AsyncCopies, Stages) {
  for (const std::string &target : onlyForNvidia({"cuda:80", "cuda:90"})) {
    if (!target.starts_with("cuda"))
      GTEST_SKIP() << "layouts are for warps of 32";
    for (int stages : {1, 2, 3, 4})
      for (int64_t rows : {1, 2, 7}) {
        SCOPED_TRACE(target + ", stages " + std::to_string(stages) + ", rows " +
                     std::to_string(rows));
        const auto x = randomValues<int32_t>(rows * 512, 79, 0, 1000);
        std::vector<int32_t> sums(512);
        for (size_t i = 0; i < x.size(); ++i)
          sums[i % 512] += x[i];
        auto after = runText(stagesKernel(target, stages),
                             {toArray(x), toArray(std::vector<int32_t>(512, -1)), rows});
        EXPECT_EQ(std::get<HostArray>(after[1]).bytes, toArray(sums).bytes);
      }
  }
}

} // namespace
