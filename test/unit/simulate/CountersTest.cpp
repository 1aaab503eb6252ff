//===- CountersTest.cpp - Traffic against counts by hand ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Counters.h"

#include "TestKernels.h"

#include <gmock/gmock.h>

#include <functional>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::ElementType;
using runtime::HostArray;

static std::vector<uint64_t> lanes(const std::function<uint64_t(uint64_t)> &address,
                                   uint64_t count = 32) {
  std::vector<uint64_t> addresses;
  for (uint64_t lane = 0; lane < count; ++lane)
    addresses.push_back(address(lane));
  return addresses;
}

TEST(GlobalTraffic, Sectors) {
  struct Case {
    const char *name;
    std::vector<uint64_t> addresses;
    uint32_t bytes;
    uint64_t sectors, ideal;
  };
  const Case cases[] = {
      {"coalesced words", lanes([](uint64_t lane) { return 4096 + 4 * lane; }), 4, 4, 4},
      {"coalesced words, off by one", lanes([](uint64_t lane) { return 4100 + 4 * lane; }), 4, 5,
       4},
      {"all lanes one word", lanes([](uint64_t) { return 4096; }), 4, 1, 1},
      {"a column", lanes([](uint64_t lane) { return 4096 + 1024 * lane; }), 4, 32, 4},
      {"every other word", lanes([](uint64_t lane) { return 4096 + 8 * lane; }), 4, 8, 4},
      {"vectors of 16 bytes", lanes([](uint64_t lane) { return 4096 + 16 * lane; }), 16, 16, 16},
      {"halves, backwards", lanes([](uint64_t lane) { return 4096 + 62 - 2 * lane; }), 2, 2, 2},
      {"one vector across sectors", {4096 + 24}, 16, 2, 1},
      {"none", {}, 4, 0, 0},
  };
  for (const Case &test : cases) {
    GlobalTraffic traffic = globalTraffic(test.addresses, test.bytes);
    EXPECT_EQ(traffic.sectors, test.sectors) << test.name;
    EXPECT_EQ(traffic.idealSectors, test.ideal) << test.name;
    EXPECT_EQ(traffic.accesses, test.addresses.empty() ? 0u : 1u) << test.name;
  }
}

TEST(SharedTraffic, BankConflicts) {
  struct Case {
    const char *name;
    std::vector<uint64_t> addresses;
    uint32_t bytes;
    uint64_t transactions, ideal;
  };
  const Case cases[] = {
      {"row", lanes([](uint64_t lane) { return 4 * lane; }), 4, 1, 1},
      {"broadcast", lanes([](uint64_t) { return 12; }), 4, 1, 1},
      {"every other word", lanes([](uint64_t lane) { return 8 * lane; }), 4, 2, 1},
      {"column of 32 words", lanes([](uint64_t lane) { return 128 * lane; }), 4, 32, 1},
      {"padded column", lanes([](uint64_t lane) { return 132 * lane; }), 4, 1, 1},
      {"halves in one row", lanes([](uint64_t lane) { return 2 * lane; }), 2, 1, 1},
      {"halves in a column", lanes([](uint64_t lane) { return 64 * lane; }), 2, 16, 1},
      {"8 bytes in order", lanes([](uint64_t lane) { return 8 * lane; }), 8, 2, 2},
      {"8 bytes, stride 16", lanes([](uint64_t lane) { return 16 * lane; }), 8, 4, 2},
      {"16 bytes in order", lanes([](uint64_t lane) { return 16 * lane; }), 16, 4, 4},
      {"16 bytes, stride 128", lanes([](uint64_t lane) { return 128 * lane; }), 16, 32, 4},
      {"half of the warp", lanes([](uint64_t lane) { return lane < 16 ? 16 * lane : noAddress; }),
       16, 2, 2},
      {"no lane", lanes([](uint64_t) { return noAddress; }), 4, 0, 0},
  };
  for (const Case &test : cases) {
    SharedTraffic traffic = sharedTraffic(test.addresses, test.bytes, true, SharedBanks());
    EXPECT_EQ(traffic.transactions, test.transactions) << test.name;
    EXPECT_EQ(traffic.idealTransactions, test.ideal) << test.name;
  }
}

TEST(SharedTraffic, OtherBanks) {
  auto transactions = [](uint64_t stride, uint32_t bytes, uint64_t count, SharedBanks banks) {
    SharedTraffic traffic = sharedTraffic(
        lanes([=](uint64_t lane) { return stride * lane; }, count), bytes, true, banks);
    return std::pair(traffic.transactions, traffic.idealTransactions);
  };
  using Counts = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(transactions(4, 4, 16, {16, 4}), Counts(1, 1));
  EXPECT_EQ(transactions(4, 4, 32, {16, 4}), Counts(2, 2));
  EXPECT_EQ(transactions(64, 4, 16, {16, 4}), Counts(16, 1));
  EXPECT_EQ(transactions(8, 4, 32, {64, 4}), Counts(1, 1));
  EXPECT_EQ(transactions(8, 8, 32, {64, 4}), Counts(1, 1));
  EXPECT_EQ(transactions(8, 8, 32, {32, 8}), Counts(1, 1));
  EXPECT_EQ(transactions(16, 16, 16, {32, 4}), Counts(2, 2));
}

// Lanes 0 to 3 are served with 20 to 23, and so on: where these are one row of the memory, and
// lanes 0 to 7 are not.
TEST(SharedTraffic, LanesServedTogether) {
  SharedBanks banks;
  banks.groups.loads[4] = {1, 2, 20, 4, 8, 32};
  const std::vector<uint64_t> addresses = lanes([](uint64_t lane) {
    const uint64_t row = lane >> 2 ^ lane >> 4, half = lane >> 4 & 1;
    return 128 * (row & 3) + 64 * half + 16 * (lane & 3);
  });
  EXPECT_EQ(sharedTraffic(addresses, 16, true, banks).transactions, 4u);
  EXPECT_EQ(sharedTraffic(addresses, 16, false, banks).transactions, 8u);
  EXPECT_EQ(sharedTraffic(addresses, 16, true, SharedBanks()).transactions, 8u);
}

// A whole kernel: a column written, a row read, in a loop, with barriers between.
TEST(Counting, OfAKernel) {
  SimulatorOptions options;
  options.count = true;
  Launcher launcher(options);
  CompiledKernel kernel = makeKernel("x: *fp32", R"(
    declare <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1), i32, <1 x i1>, <1 x float>)
    declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
    define ptx_kernel void @k(ptr addrspace(1) %x) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %low = icmp slt i32 %t, 8
      %mask = insertelement <1 x i1> poison, i1 %low, i32 0
      %g = getelementptr float, ptr addrspace(1) %x, i32 %t
      %v1 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) %g, i32 4, <1 x i1> %mask, <1 x float> zeroinitializer), !dbg !1000
      %v = extractelement <1 x float> %v1, i32 0
      %c = mul i32 %t, 2
      %p = getelementptr float, ptr addrspace(3) @global_smem, i32 %c
      %x1 = xor i32 %t, 1
      %q = getelementptr float, ptr addrspace(3) @global_smem, i32 %x1
      br label %loop
    loop:
      %i = phi i32 [ 0, %0 ], [ %next, %loop ]
      store float %v, ptr addrspace(3) %p, align 4, !dbg !2000
      store float %v, ptr addrspace(3) %p, align 4
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %r = load float, ptr addrspace(3) %p, align 4, !dbg !2000
      %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 0, i32 31)
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %next = add i32 %i, 1
      %more = icmp slt i32 %next, 100
      br i1 %more, label %loop, label %done
    done:
      store float %v, ptr addrspace(1) %g, align 4, !dbg !1000
      ret void
    })",
                                     2, 64 * 8);
  std::vector<ArgumentValue> arguments = {HostArray(ElementType::Float32, {64})};
  Expected<void> done = launcher.run(kernel, arguments, {3});
  ASSERT_TRUE(done) << render(done.error());
  const Report &report = launcher.simulator->report();
  EXPECT_EQ(report.blocks, 3u);
  EXPECT_EQ(report.threads, 3u * 64);
  EXPECT_EQ(report.barriers, 3u * 200);
  EXPECT_EQ(report.warpOperations, 3u * 2 * 100);

  const Traffic &ten = report.lines.at({"kernel.py", 10});
  // One warp loads 8 words, the other none; both store 32.
  EXPECT_EQ(ten.globalLoads.accesses, 3u);
  EXPECT_EQ(ten.globalLoads.sectors, 3u);
  EXPECT_EQ(ten.globalStores.accesses, 3u * 2);
  EXPECT_EQ(ten.globalStores.sectors, 3u * 2 * 4);
  EXPECT_EQ(ten.globalStores.idealSectors, 3u * 2 * 4);

  const Traffic &twenty = report.lines.at({"kernel.py", 20});
  EXPECT_EQ(twenty.sharedStores.accesses, 3u * 2 * 100);
  EXPECT_EQ(twenty.sharedStores.transactions, 3u * 2 * 100 * 2);
  EXPECT_EQ(twenty.sharedStores.bankConflicts(), 3u * 2 * 100);
  EXPECT_EQ(twenty.sharedLoads.bankConflicts(), 3u * 2 * 100);
  EXPECT_EQ(report.total().sharedStores.accesses, 3u * 2 * 200);
  EXPECT_THAT(render(report),
              ::testing::HasSubstr("  kernel.py:10\n"
                                   "    global loads : 3 accesses, 3 sectors (ideal 3)\n"));
}

TEST(Counting, LongLoopsWithoutCollectives) {
  SimulatorOptions options;
  options.count = true;
  Launcher launcher(options);
  std::vector<ArgumentValue> arguments = {HostArray(ElementType::Float32, {1000})};
  Expected<void> done = launcher.run(makeKernel("x: *fp32", R"(
    define ptx_kernel void @k(ptr addrspace(1) %x) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      br label %loop
    loop:
      %i = phi i32 [ 0, %0 ], [ %next, %loop ]
      %p = getelementptr float, ptr addrspace(1) %x, i32 %i
      %r = load float, ptr addrspace(1) %p, align 4, !dbg !2000
      %next = add i32 %i, 1
      %more = icmp slt i32 %next, 1000
      br i1 %more, label %loop, label %done
    done:
      ret void
    })"),
                                     arguments);
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(launcher.simulator->report().total().globalLoads.accesses, 1000u);
  EXPECT_EQ(launcher.simulator->report().total().globalLoads.sectors, 1000u);
  launcher.simulator->clearReport();
  EXPECT_EQ(launcher.simulator->report().blocks, 0u);
  EXPECT_EQ(launcher.simulator->report().total().globalLoads.accesses, 0u);
}
