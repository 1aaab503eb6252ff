//===- AsyncCopiesTest.cpp - cp.async and what goes wrong with it -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels of two warps that copy floats from x into stages of shared memory: thread t copies
// x[64 s + t] to word 64 s + t for stage s. Each fault is planted once, and is found however early
// copies complete.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

constexpr int threads = 64, stages = 3;

/// `%xS` and `%sS` point to the thread's word of stage S in global and in shared memory, `%lowS`
/// and `%highS` to that of the thread with the same lane in warp 0 or 1, `%y` to the thread's
/// result.
CompiledKernel copyKernel(const std::string &body) {
  std::string text = R"(
    declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
    declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
    declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
    declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
    declare void @llvm.nvvm.cp.async.commit.group()
    declare void @llvm.nvvm.cp.async.wait.group(i32 immarg)
    declare void @llvm.nvvm.cp.async.wait.all()
    define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %y = getelementptr float, ptr addrspace(1) %out, i32 %t
)";
  auto pointer = [&](const std::string &name, const std::string &base, const std::string &index,
                     int stage) {
    std::string number = std::to_string(stage);
    text += "%i" + name + number + " = add i32 " + index + ", " + std::to_string(threads * stage) +
            "\n%" + name + number + " = getelementptr float, " + base + ", i32 %i" + name + number +
            "\n";
  };
  text += "%lane = and i32 %t, 31\n%lane1 = or i32 %t, 32\n";
  for (int stage = 0; stage < stages; ++stage) {
    pointer("x", "ptr addrspace(1) %x", "%t", stage);
    pointer("s", "ptr addrspace(3) @global_smem", "%t", stage);
    pointer("low", "ptr addrspace(3) @global_smem", "%lane", stage);
    pointer("high", "ptr addrspace(3) @global_smem", "%lane1", stage);
  }
  return makeKernel("x: *fp32, out: *fp32", text + body + "ret void\n}\n", threads / 32,
                    4 * threads * stages);
}

/// x[i] = i + 1.
HostArray inputs() {
  HostArray x = floats(threads * stages);
  auto *values = reinterpret_cast<float *>(x.bytes.data());
  for (int i = 0; i < threads * stages; ++i)
    values[i] = static_cast<float>(i + 1);
  return x;
}

SimulatorOptions completing(AsyncCompletion completion) {
  SimulatorOptions options;
  options.asyncCompletion = completion;
  return options;
}
constexpr AsyncCompletion allCompletions[] = {AsyncCompletion::Late, AsyncCompletion::Early};

/// What the kernel writes.
std::vector<float> resultOf(const std::string &body, AsyncCompletion completion) {
  std::vector<ArgumentValue> arguments = {inputs(), floats(threads)};
  Expected<void> done = Launcher(completing(completion)).run(copyKernel(body), arguments);
  EXPECT_TRUE(done) << render(done.error());
  const auto &out = std::get<HostArray>(arguments[1]);
  const auto *values = reinterpret_cast<const float *>(out.bytes.data());
  return {values, values + threads};
}

/// The error, which is the same however early copies complete.
std::string faultOf(const std::string &body) {
  CompiledKernel kernel = copyKernel(body);
  std::string late = errorOf(kernel, {inputs(), floats(threads)});
  EXPECT_EQ(late, errorOf(kernel, {inputs(), floats(threads)}, completing(AsyncCompletion::Early)));
  return late;
}

std::string copy(int stage, const std::string &location = {}) {
  std::string number = std::to_string(stage);
  return "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s" + number +
         ", ptr addrspace(1) %x" + number + ")" + location + "\n";
}
const std::string commit = "call void @llvm.nvvm.cp.async.commit.group()\n";
std::string wait(int left, const std::string &location = {}) {
  return "call void @llvm.nvvm.cp.async.wait.group(i32 " + std::to_string(left) + ")" + location +
         "\n";
}
const std::string waitAll = "call void @llvm.nvvm.cp.async.wait.all()\n";
const std::string barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
/// `from`: a pointer of the kernel's, such as "s0".
std::string load(const std::string &result, const std::string &from,
                 const std::string &location = {}) {
  return result + " = load float, ptr addrspace(3) %" + from + ", align 4" + location + "\n";
}
std::string give(const std::string &value) {
  return "store float " + value + ", ptr addrspace(1) %y, align 4\n";
}

const std::string here = ", !dbg !1000", there = ", !dbg !2000", inlined = ", !dbg !3000";

} // namespace

// Three stages, each waited for when it is needed: what is read by the thread itself, and by
// another one after a barrier.
TEST(AsyncCopies, ArriveWhenTheyAreWaitedFor) {
  std::string body = copy(0) + commit + copy(1) + commit + copy(2) + commit + wait(2) +
                     load("%a", "s0") + wait(1) + barrier + load("%b", "high1") + wait(0) +
                     barrier + load("%c", "low2") +
                     "%ab = fadd float %a, %b\n%abc = fadd float %ab, %c\n" + give("%abc");
  for (AsyncCompletion completion : allCompletions) {
    std::vector<float> result = resultOf(body, completion);
    for (int t = 0; t < threads; ++t)
      EXPECT_EQ(result[t], (t + 1) + (threads + (t | 32) + 1) + (2 * threads + t % 32 + 1));
  }
}

// A stage is used again once it has been read by all.
TEST(AsyncCopies, StagesAreUsedAgain) {
  std::string body = copy(0) + commit + wait(0) + barrier + load("%a", "low0") + barrier;
  body += "%next = getelementptr float, ptr addrspace(1) %x1, i32 0\n"
          "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s0, "
          "ptr addrspace(1) %next)\n";
  body += waitAll + load("%b", "s0") + give("%b");
  for (AsyncCompletion completion : allCompletions)
    EXPECT_EQ(resultOf(body, completion)[63], 128);
}

TEST(AsyncCopies, MissingWait) {
  std::string error = faultOf(copy(0, here) + commit + load("%a", "s0", there));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: load of 4 bytes of shared memory, of which "
                                "byte 0 is written by an outstanding asynchronous copy\n"
                                "  the thread must wait until at most 0 groups are outstanding\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 issued the copy here, and has not "
                               "waited since\n"));
  EXPECT_THAT(error, HasSubstr("in block (0, 0, 0), thread 0 (warp 0, lane 0)"));
}

// A wait counts groups; what is in none is waited for by `wait_all` only.
TEST(AsyncCopies, MissingCommit) {
  std::string error = faultOf(copy(0, here) + wait(0) + load("%a", "s0", there));
  EXPECT_THAT(error, HasSubstr("the thread must commit the copy to a group and wait for it\n"));
  EXPECT_EQ(faultOf(copy(0) + waitAll + load("%a", "s0")), "no error");
}

TEST(AsyncCopies, WaitForOneGroupTooFew) {
  auto body = [](int left) {
    return copy(0) + commit + copy(1, inlined) + commit + copy(2) + commit + wait(left, here) +
           load("%a", "s1", there);
  };
  EXPECT_EQ(faultOf(body(1)), "no error");
  std::string error = faultOf(body(2));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: load of 4 bytes of shared memory, of which "
                                "byte 256 is written by an outstanding asynchronous copy\n"
                                "  the thread must wait until at most 1 group is outstanding\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:30:3: note: thread 0 issued the copy here\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: its last wait, here, lets 2 groups stay "
                               "outstanding, and the copy's is among them\n"));
}

// Each thread waits for its own copies only: a barrier alone says nothing about copies by
// other threads.
TEST(AsyncCopies, AnotherThreadHasNotWaited) {
  std::string error = faultOf(copy(0, here) + commit + barrier + load("%a", "high0", there));
  EXPECT_THAT(error, HasSubstr("  thread 32 must wait until at most 0 groups are outstanding, and "
                               "meet this thread at a barrier after that\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 32 issued the copy here"));
}

TEST(AsyncCopies, NoBarrierAfterTheWait) {
  std::string error = faultOf(copy(0, here) + commit + wait(0) + load("%a", "low0", there));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: race in shared memory: a write and then a "
                                "read of byte 0 by two threads with no barrier between\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 wrote it here"));
  EXPECT_EQ(faultOf(copy(0) + commit + wait(0) + barrier + load("%a", "low0")), "no error");
}

TEST(AsyncCopies, OverwrittenWhileOutstanding) {
  std::string error =
      faultOf(copy(0, here) + commit + "store float 1.0, ptr addrspace(3) %s0, align 4" + there +
              "\n" + wait(0));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: store of 4 bytes of shared memory, of "
                                "which byte 0 is written by an outstanding asynchronous copy\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 issued the copy here"));
  // By a second copy, of the same thread or of another one.
  error = faultOf(copy(0, here) + commit + copy(0, there) + commit + wait(0));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: asynchronous copy of 4 bytes of shared "
                                "memory, of which byte 0 is written by an outstanding "
                                "asynchronous copy\n"));
  std::string other = "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %high1, "
                      "ptr addrspace(1) %x1)" +
                      there + "\n";
  EXPECT_THAT(faultOf(copy(1, here) + commit + barrier + other),
              HasSubstr("kernel.py:20:9: error: asynchronous copy of 4 bytes"));
}

// A stage is filled again before all threads have read it: whichever of the two comes first.
TEST(AsyncCopies, StageOverwrittenWhileItIsRead) {
  auto body = [](const std::string &reads) {
    return copy(0) + commit + wait(0) + barrier + load("%a", reads, here) + copy(0, there) +
           commit + wait(0);
  };
  // Warp 0 reads what warp 1 copies to later, and warp 1 reads it last.
  std::string error = faultOf(body("high0"));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: race in shared memory: a read and then a "
                                "write of byte 128 by two threads"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 32 read it here"));
  // Warp 1 reads what warp 0 has copied to again.
  error = faultOf(body("low0"));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: race in shared memory: a write and then a "
                                "read of byte 0 by two threads"));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: note: thread 0 wrote it here"));
}

TEST(AsyncCopies, BytesThatAreNotReadAreZero) {
  auto body = [](const std::string &bytes) {
    return "%quad = mul i32 %lane, 4\n"
           "%from = getelementptr float, ptr addrspace(1) %x, i32 %quad\n"
           "%to = getelementptr float, ptr addrspace(3) @global_smem, i32 %quad\n"
           "%low = icmp slt i32 %t, 32\n"
           "br i1 %low, label %copies, label %end\n"
           "copies:\n"
           "call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %to, "
           "ptr addrspace(1) %from, i32 " +
           bytes + ")" + here + "\n" + waitAll + "br label %end\nend:\n" + barrier +
           load("%a", "s0") + give("%a");
  };
  for (AsyncCompletion completion : allCompletions)
    for (int bytes : {0, 8, 16}) {
      std::vector<float> result = resultOf(body(std::to_string(bytes)), completion);
      for (int t = 0; t < threads; ++t)
        EXPECT_EQ(result[t], t % 4 < bytes / 4 ? t + 1 : 0) << bytes << " bytes, thread " << t;
    }
  EXPECT_THAT(faultOf(body("20")), StartsWith("kernel.py:10:7: error: an asynchronous copy of 16 "
                                              "bytes is to read 20\n"));
}

// What is read is checked when the copy is issued, and as far as it is read.
TEST(AsyncCopies, ReadOutOfBounds) {
  auto body = [](const std::string &bytes, int first) {
    return "%from = getelementptr float, ptr addrspace(1) %x, i32 " + std::to_string(first) +
           "\n%one = icmp eq i32 %t, 0\nbr i1 %one, label %copies, label %end\ncopies:\n"
           "call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) @global_smem, "
           "ptr addrspace(1) %from, i32 " +
           bytes + ")" + here + "\n" + waitAll + "br label %end\nend:\n";
  };
  EXPECT_EQ(faultOf(body("0", threads * stages)), "no error");
  EXPECT_EQ(faultOf(body("16", threads * stages - 4)), "no error");
  EXPECT_THAT(faultOf(body("16", threads * stages)),
              StartsWith("kernel.py:10:7: error: load of 16 bytes at offset 768 ends 16 bytes past "
                         "the end of argument 'x'"));
  EXPECT_THAT(faultOf(body("8", threads * stages)),
              StartsWith("kernel.py:10:7: error: load of 1 byte at offset 768 ends 1 byte past the "
                         "end of argument 'x'"));
  EXPECT_THAT(faultOf(body("16", 1)), HasSubstr("misaligned load of 16 bytes"));
  EXPECT_THAT(faultOf(body("8", 1)), HasSubstr("misaligned load of 1 byte"));
}

TEST(AsyncCopies, WriteOutOfBounds) {
  auto body = [](int first) {
    return "%to = getelementptr float, ptr addrspace(3) @global_smem, i32 " +
           std::to_string(first) +
           "\ncall void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %to, "
           "ptr addrspace(1) %x)" +
           here + "\n";
  };
  EXPECT_THAT(faultOf(body(threads * stages)),
              StartsWith("kernel.py:10:7: error: asynchronous copy of 16 bytes at offset 768 "
                         "outside of shared memory, which has 768 bytes"));
  EXPECT_THAT(faultOf(body(1)), StartsWith("kernel.py:10:7: error: misaligned asynchronous copy of "
                                           "16 bytes"));
}

// A kernel whose result depends on when a copy reads: the two ways to complete show it.
TEST(AsyncCopies, SourceChangedWhileOutstanding) {
  std::string body = copy(0) + commit + "store float 7.0, ptr addrspace(1) %x0, align 4\n" +
                     wait(0) + load("%a", "s0") + give("%a");
  EXPECT_EQ(resultOf(body, AsyncCompletion::Late)[5], 7);
  EXPECT_EQ(resultOf(body, AsyncCompletion::Early)[5], 6);
}

TEST(AsyncCopies, ThoseThatNobodyWaitsForAreCounted) {
  auto unawaited = [](const std::string &body) {
    Launcher launcher;
    std::vector<ArgumentValue> arguments = {inputs(), floats(threads)};
    Expected<void> done = launcher.run(copyKernel(body), arguments, {2});
    EXPECT_TRUE(done) << render(done.error());
    return launcher.simulator->report();
  };
  Report report = unawaited(copy(0) + commit + copy(1) + commit + wait(1) + copy(2));
  EXPECT_EQ(report.unawaitedCopies, 2u * 2 * threads);
  EXPECT_THAT(render(report), HasSubstr("asynchronous copies that nobody waited for: 256\n"));
  report = unawaited(copy(0) + waitAll);
  EXPECT_EQ(report.unawaitedCopies, 0u);
  EXPECT_THAT(render(report), ::testing::Not(HasSubstr("asynchronous")));
}
