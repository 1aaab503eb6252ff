//===- BarriersTest.cpp - Barriers of some of a block's warps -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels whose warps do different things, as those of a specialized kernel, and meet at numbered
// barriers; each fault is planted once.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// A kernel of which warp w runs `warps[w]`, with %t the thread's number and `%slotN` the shared
/// float 32 N + lane. Thread t writes out[t] = %rW in warp W, which its text may define.
CompiledKernel specializedKernel(const std::vector<std::string> &warps) {
  std::string text = R"(
    declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
    declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
    declare void @llvm.nvvm.barrier.cta.sync.all(i32)
    declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
    declare void @llvm.nvvm.barrier.cta.arrive.count(i32, i32)
    define ptx_kernel void @k(ptr addrspace(1) %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %t, 31
      %warp = lshr i32 %t, 5
      %p = getelementptr float, ptr addrspace(1) %out, i32 %t
)";
  for (int slot = 0; slot < 4; ++slot) {
    std::string number = std::to_string(slot);
    text += "%index" + number + " = add i32 %lane, " + std::to_string(32 * slot) + "\n%slot" +
            number + " = getelementptr float, ptr addrspace(3) @global_smem, i32 %index" + number +
            "\n";
  }
  text += "switch i32 %warp, label %end [";
  for (size_t warp = 0; warp < warps.size(); ++warp)
    text += " i32 " + std::to_string(warp) + ", label %warp" + std::to_string(warp);
  text += " ]\n";
  for (size_t warp = 0; warp < warps.size(); ++warp) {
    std::string number = std::to_string(warp);
    text += "warp" + number + ":\n" + warps[warp];
    if (warps[warp].find("%r" + number + " =") != std::string::npos)
      text += "store float %r" + number + ", ptr addrspace(1) %p, align 4\n";
    text += "br label %end\n";
  }
  return makeKernel("out: *fp32", text + "end:\n  ret void\n}\n", warps.size(), 512);
}

std::string specializedError(const std::vector<std::string> &warps) {
  return errorOf(specializedKernel(warps), {floats(32 * warps.size())});
}

std::string sync(int number, int threads, const std::string &location = {}) {
  return "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 " + std::to_string(number) +
         ", i32 " + std::to_string(threads) + ")" + location + "\n";
}
std::string arrive(int number, int threads, const std::string &location = {}) {
  return "call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 " + std::to_string(number) +
         ", i32 " + std::to_string(threads) + ")" + location + "\n";
}
std::string store(int slot, const std::string &value, const std::string &location = {}) {
  return "store float " + value + ", ptr addrspace(3) %slot" + std::to_string(slot) + ", align 4" +
         location + "\n";
}
std::string load(const std::string &result, int slot, const std::string &location = {}) {
  return result + " = load float, ptr addrspace(3) %slot" + std::to_string(slot) + ", align 4" +
         location + "\n";
}

const std::string here = ", !dbg !1000", there = ", !dbg !2000";

} // namespace

// Two pairs of warps pass what they have through shared memory, each at a barrier of its own, and
// use the barriers twice.
TEST(NamedBarriers, PairsOfWarps) {
  auto first = [](int barrier, int slot, const std::string &value) {
    return store(slot, value) + sync(barrier, 64) + sync(barrier, 64);
  };
  auto second = [](int barrier, int slot, const std::string &result) {
    return sync(barrier, 64) + load(result, slot) + store(slot, "9.0") + sync(barrier, 64);
  };
  CompiledKernel kernel = specializedKernel(
      {first(1, 0, "1.0"), second(1, 0, "%r1"), first(15, 1, "2.0"), second(15, 1, "%r3")});
  std::vector<runtime::ArgumentValue> arguments = {floats(128)};
  Expected<void> done = Launcher().run(kernel, arguments);
  ASSERT_TRUE(done) << render(done.error());
  const auto &out = std::get<HostArray>(arguments[0]);
  EXPECT_EQ(out.at(32), 1.0);
  EXPECT_EQ(out.at(127), 2.0);
}

// Another warp than those that met reads what was written.
TEST(NamedBarriers, OrderOnlyThoseThatMeet) {
  std::string error =
      specializedError({store(0, "1.0", here) + sync(1, 64), sync(1, 64) + load("%r1", 0),
                        sync(2, 64) + load("%r2", 0, there), sync(2, 64)});
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: race in shared memory: a write and then a "
                                "read of byte 0 by two threads with no barrier between\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 wrote it here"));
}

// What two warps learn at one barrier, one of them passes on at another.
TEST(NamedBarriers, OrderIsPassedOn) {
  EXPECT_EQ(specializedError({store(0, "1.0") + sync(1, 64), sync(1, 64) + sync(2, 64),
                              sync(2, 64) + load("%r2", 0)}),
            "no error");
  // The other way round in time: warp 1 meets warp 2 first, and so cannot pass it on.
  EXPECT_THAT(specializedError({store(0, "1.0", here) + sync(1, 64), sync(2, 64) + sync(1, 64),
                                sync(2, 64) + load("%r2", 0, there)}),
              HasSubstr("race in shared memory"));
}

// Several warps read; a barrier with one of them says nothing of the other's reads.
TEST(NamedBarriers, ReadsOfSeveralWarps) {
  auto kernel = [](const std::string &meeting0, const std::string &meeting1,
                   const std::string &meeting2) {
    return specializedError({store(0, "1.0") + sync(1, 96) + load("%r0", 0, here) + meeting0,
                             sync(1, 96) + load("%r1", 0) + meeting1,
                             sync(1, 96) + meeting2 + store(0, "2.0", there)});
  };
  EXPECT_EQ(kernel(sync(2, 96), sync(2, 96), sync(2, 96)), "no error");
  EXPECT_EQ(kernel(sync(2, 64), sync(3, 64), sync(2, 64) + sync(3, 64)), "no error");
  std::string error = kernel("", sync(3, 64), sync(3, 64));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: race in shared memory: a read and then a "
                                "write of byte 0"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 read it here"));
}

// A producer says that a slot is full and a consumer that it is empty, in a loop of two slots: the
// producer is a slot ahead, and waits for nobody when it has filled one.
TEST(NamedBarriers, ProducerAndConsumer) {
  auto rounds = [](bool consumerFrees) {
    std::string producer, consumer;
    for (int round = 0; round < 4; ++round) {
      int slot = round % 2;
      std::string number = std::to_string(round);
      if (round >= 2)
        producer += sync(3 + slot, 64);
      producer += store(slot, number + ".0", round == 2 ? there : "") + arrive(1 + slot, 64);
      consumer += sync(1 + slot, 64) + load("%v" + number, slot, round == 0 ? here : "");
      // The fault: the slot is said to be empty before it is read.
      if (round < 2 && consumerFrees)
        consumer += arrive(3 + slot, 64);
      else if (round < 2)
        consumer.insert(consumer.rfind("%v"), arrive(3 + slot, 64));
    }
    return specializedKernel({producer, consumer + "%r1 = fadd float %v2, %v3\n"});
  };
  std::vector<runtime::ArgumentValue> arguments = {floats(64)};
  Expected<void> done = Launcher().run(rounds(true), arguments);
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(std::get<HostArray>(arguments[0]).at(40), 5.0);
  EXPECT_THAT(errorOf(rounds(false), {floats(64)}),
              HasSubstr("race in shared memory: a read and then a write of byte 0"));
}

// To arrive is not to wait: what the others did is not known after it.
TEST(NamedBarriers, ArrivingOrdersNothingAfterwards) {
  std::string error = specializedError(
      {store(0, "1.0", here) + sync(1, 64), arrive(1, 64) + load("%r1", 0, there)});
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: error: race in shared memory"));
}

// Nor is it a barrier of the warp's own lanes.
TEST(NamedBarriers, ArrivingOrdersNoLanes) {
  std::string swapped = "%other = xor i32 %lane, 1\n"
                        "%q = getelementptr float, ptr addrspace(3) @global_smem, i32 %other\n"
                        "%r0 = load float, ptr addrspace(3) %q, align 4\n";
  EXPECT_THAT(specializedError({store(0, "1.0") + arrive(1, 64) + swapped, sync(1, 64)}),
              HasSubstr("race in shared memory"));
  EXPECT_EQ(specializedError({store(0, "1.0") + sync(1, 64) + swapped, sync(1, 64)}), "no error");
}

// All of the block, warps at different places of the program, by a barrier without a number of
// threads and by one with it.
TEST(NamedBarriers, AllWarpsAtDifferentPlaces) {
  const std::string all = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  EXPECT_EQ(specializedError({store(0, "1.0") + all, all + load("%r1", 0)}), "no error");
  EXPECT_EQ(specializedError({store(0, "1.0") + sync(7, 64), sync(7, 64) + load("%r1", 0)}),
            "no error");
}

// The forms that are not `.aligned` let lanes come from different places.
TEST(NamedBarriers, LanesAtDifferentPlaces) {
  auto branches = [](const std::string &name) {
    std::string called = "call void @llvm.nvvm.barrier.cta." + name + "(i32 1, i32 32)";
    return R"(
      %low = icmp slt i32 %lane, 16
      br i1 %low, label %yes, label %no
    yes:
      )" + called +
           R"(, !dbg !1000
      br label %both
    no:
      )" + called +
           R"(, !dbg !2000
      br label %both
    both:
    )";
  };
  EXPECT_EQ(specializedError({branches("sync.count")}), "no error");
  EXPECT_EQ(specializedError({branches("arrive.count")}), "no error");
  std::string error = specializedError({branches("sync.aligned.count")});
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: the threads of a block wait for each other "
                                "for ever: 16 threads wait at barrier 1, which is for 32 threads "
                                "and 0 have come to, the first is thread 0\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: note: 16 threads wait at barrier 1, which is for "
                               "32 threads and 0 have come to, the first is thread 16"));
}

// Each of two groups waits for the other at a barrier that the other comes to later.
TEST(NamedBarriers, Deadlock) {
  std::string error =
      specializedError({sync(1, 64, here) + sync(2, 64), sync(2, 64, there) + sync(1, 64)});
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: the threads of a block wait for each other "
                                "for ever: 32 threads wait at barrier 1, which is for 64 threads "
                                "and 32 have come to, the first is thread 0\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: note: 32 threads wait at barrier 2, which is for "
                               "64 threads and 32 have come to, the first is thread 32"));
}

// A barrier of the wrong warps: warp 2 takes warp 1's place, and warp 1 waits for ever.
TEST(NamedBarriers, WrongWarps) {
  std::string error = specializedError(
      {store(0, "1.0", here) + sync(1, 64), load("%r1", 0, there) + sync(2, 64), sync(1, 64)});
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: error: race in shared memory"));
  error = specializedError({sync(1, 64), sync(1, 64), sync(1, 64, there)});
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: the threads of a block wait for each other "
                                "for ever: 32 threads wait at barrier 1, which is for 64 threads "
                                "and 32 have come to, the first is thread 64\n"));
  EXPECT_THAT(error, HasSubstr("note: 64 threads have ended"));
}

TEST(NamedBarriers, DifferentNumbersOfThreads) {
  std::string error = specializedError({sync(1, 96, here), sync(1, 64, there), sync(1, 96)});
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: barrier 1 is for 64 threads here, and for "
                                "96 where others have come to it\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: they came here"));
  EXPECT_THAT(error, HasSubstr("thread 32 (warp 1, lane 0)"));
}

TEST(NamedBarriers, TwiceInOneRound) {
  std::string error =
      specializedError({arrive(1, 64, here) + arrive(1, 64, there), sync(2, 64) + sync(1, 64)});
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: a warp comes to barrier 1 a second time "
                                "before the others have come\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: the first of those that have come"));
}

TEST(NamedBarriers, ImpossibleOnes) {
  EXPECT_THAT(specializedError({sync(16, 32, here)}),
              StartsWith("kernel.py:10:7: error: barrier 16 does not exist: a block has barriers 0 "
                         "to 15\n"));
  for (int threads : {0, 48, 96})
    EXPECT_THAT(specializedError({sync(1, threads, here), sync(1, threads)}),
                StartsWith("kernel.py:10:7: error: barrier 1 is for " + std::to_string(threads) +
                           " threads, the block has 64 in warps of 32\n"));
}
