//===- ChecksTest.cpp - Every check catches its planted fault -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::ElementType;
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A kernel of one warp with `*fp32` arguments x and y, and %t the thread's number.
static CompiledKernel simpleKernel(const std::string &body, int numWarps = 1, int sharedBytes = 0,
                                   const std::string &declarations = {}) {
  return makeKernel("x: *fp32, y: *fp32",
                    declarations +
                        "define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {\n"
                        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                        body + "}\n",
                    numWarps, sharedBytes);
}

static std::string simpleError(const std::string &body, int numWarps = 1, int sharedBytes = 0,
                               const std::string &declarations = {},
                               SimulatorOptions options = {}) {
  return errorOf(simpleKernel(body, numWarps, sharedBytes, declarations), {floats(32), floats(32)},
                 options);
}

TEST(GlobalBounds, PastTheEnd) {
  std::string error = simpleError(R"(
    %i = add i32 %t, 5
    %p = getelementptr float, ptr addrspace(1) %x, i32 %i
    %v = load float, ptr addrspace(1) %p, align 4, !dbg !1000
    ret void
  )");
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: load of 4 bytes at offset 128 ends 4 bytes "
                                "past the end of argument 'x', which has 128 bytes\n"));
  EXPECT_THAT(error, HasSubstr("note: in block (0, 0, 0), thread 27 (warp 0, lane 27)"));
}

TEST(GlobalBounds, TheWordAroundTheLastHalf) {
  auto access = [](const std::string &operation) {
    return errorOf(makeKernel("x: *i16", "define ptx_kernel void @k(ptr addrspace(1) %x) {\n"
                                         "  %p = getelementptr i8, ptr addrspace(1) %x, i64 4\n  " +
                                             operation + ", !dbg !1000\n  ret void\n}\n"),
                   {HostArray(ElementType::Int16, {3})});
  };
  EXPECT_EQ(access("%v = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic"),
            "no error");
  EXPECT_THAT(access("%v = load i32, ptr addrspace(1) %p, align 4"),
              HasSubstr("load of 4 bytes at offset 4 ends 2 bytes past the end of argument 'x'"));
  EXPECT_THAT(access("%v = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 monotonic monotonic, align 4"),
              HasSubstr("atomic access of 8 bytes at offset 4 ends 6 bytes past the end"));
}

TEST(GlobalBounds, BeforeTheBeginning) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(1) %y, i32 -2
    store float 0.0, ptr addrspace(1) %p, align 4, !dbg !2000
    ret void
  )");
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: store of 4 bytes begins 8 bytes before "
                                "argument 'y', which has 128 bytes\n"));
}

TEST(GlobalBounds, LastElementIsInside) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(1) %x, i32 %t
    %v = load float, ptr addrspace(1) %p, align 4
    store float %v, ptr addrspace(1) %p, align 4
    ret void
  )");
  EXPECT_EQ(error, "no error");
}

// However far an address is off, it may not land in another argument's array.
TEST(GlobalBounds, AnotherArgumentsBuffer) {
  std::string error = simpleError(R"(
    %a = ptrtoint ptr addrspace(1) %x to i64
    %b = ptrtoint ptr addrspace(1) %y to i64
    %d = sub i64 %b, %a
    %p = getelementptr i8, ptr addrspace(1) %x, i64 %d
    %v = load float, ptr addrspace(1) %p, align 4, !dbg !1000
    ret void
  )");
  EXPECT_THAT(error, HasSubstr("argument 'x', which has 128 bytes"));
}

// After the first access, the range that compiled code checks by itself must be right.
TEST(GlobalBounds, CachedRange) {
  for (int limit : {32, 33}) {
    std::string error = simpleError(R"(
      br label %loop
    loop:
      %i = phi i32 [ 0, %0 ], [ %next, %loop ]
      %p = getelementptr float, ptr addrspace(1) %x, i32 %i
      %v = load float, ptr addrspace(1) %p, align 4, !dbg !1000
      %next = add i32 %i, 1
      %more = icmp slt i32 %next, )" +
                                    std::to_string(limit) + R"(
      br i1 %more, label %loop, label %done
    done:
      ret void
    )");
    EXPECT_THAT(error, StartsWith(limit == 32 ? "no error" : "kernel.py:10:7: error: load of 4"));
  }
}

TEST(GlobalBounds, VectorAccessesCountAllTheirBytes) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(1) %x, i32 %t
    %v = load <4 x float>, ptr addrspace(1) %p, align 4, !dbg !1000
    ret void
  )");
  EXPECT_THAT(error, HasSubstr("load of 16 bytes at offset 116 ends 4 bytes past the end"));
}

TEST(GlobalBounds, NullPointer) {
  std::string error = simpleError(R"(
    %p = inttoptr i64 16 to ptr addrspace(1)
    store float 0.0, ptr addrspace(1) %p, align 4, !dbg !1000
    ret void
  )");
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: store of 4 bytes begins"));
}

TEST(GlobalBounds, GenericAddresses) {
  std::string body = R"(
    %g = addrspacecast ptr addrspace(1) %x to ptr
    %i = add i32 %t, OFFSET
    %p = getelementptr float, ptr %g, i32 %i
    %v = load float, ptr %p, align 4, !dbg !1000
    ret void
  )";
  std::string off = body;
  EXPECT_EQ(simpleError(body.replace(body.find("OFFSET"), 6, "0")), "no error");
  EXPECT_THAT(simpleError(off.replace(off.find("OFFSET"), 6, "1")),
              HasSubstr("ends 4 bytes past the end of argument 'x'"));
}

TEST(GlobalBounds, ConstantTables) {
  const char *table =
      "@table = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n";
  std::string body = R"(
    %i = and i32 %t, MASK
    %p = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %i
    %v = load i32, ptr addrspace(4) %p, align 4, !dbg !1000
    %q = getelementptr i32, ptr addrspace(1) %x, i32 %t
    store i32 %v, ptr addrspace(1) %q, align 4
    ret void
  )";
  std::string off = body;
  EXPECT_EQ(simpleError(body.replace(body.find("MASK"), 4, "3"), 1, 0, table), "no error");
  EXPECT_THAT(simpleError(off.replace(off.find("MASK"), 4, "7"), 1, 0, table),
              HasSubstr("load of 4 bytes outside of the module's variable @table"));
}

TEST(Alignment, MisalignedVector) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(1) %x, i32 1
    %v = load <4 x float>, ptr addrspace(1) %p, align 16, !dbg !1000
    ret void
  )");
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: misaligned load of 16 bytes: the address "
                                "must be a multiple of 16, and is 4 more than one\n"));
}

// Where the range is known already, compiled code looks at the alignment by itself.
TEST(Alignment, MisalignedAfterAnAlignedOne) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(1) %x, i32 %t
    %v = load <4 x float>, ptr addrspace(1) %p, align 16, !dbg !1000
    ret void
  )");
  EXPECT_THAT(error, HasSubstr("misaligned load of 16 bytes"));
  EXPECT_THAT(error, HasSubstr("thread 1 (warp 0, lane 1)"));
}

TEST(Alignment, MisalignedSharedVector) {
  std::string error = simpleError(R"(
    %p = getelementptr i8, ptr addrspace(3) @global_smem, i32 4
    store <2 x float> zeroinitializer, ptr addrspace(3) %p, align 8, !dbg !1000
    ret void
  )",
                                  1, 64);
  EXPECT_THAT(error, HasSubstr("misaligned store of 8 bytes"));
}

static const char maskedAccess[] = R"(
declare <2 x float> @llvm.masked.load.v2f32.p1(ptr addrspace(1), i32, <2 x i1>, <2 x float>)
declare void @llvm.masked.store.v2f32.p1(<2 x float>, ptr addrspace(1), i32, <2 x i1>)
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %first, i1 %second) {
  %m0 = insertelement <2 x i1> poison, i1 %first, i32 0
  %m1 = insertelement <2 x i1> %m0, i1 %second, i32 1
  %v = call <2 x float> @llvm.masked.load.v2f32.p1(ptr addrspace(1) %x, i32 4, <2 x i1> %m1, <2 x float> <float 7.0, float 8.0>), !dbg !1000
  call void @llvm.masked.store.v2f32.p1(<2 x float> %v, ptr addrspace(1) %y, i32 4, <2 x i1> %m1), !dbg !2000
  ret void
}
)";

// Elements that are masked off are neither accessed nor checked.
TEST(Masks, GeneralMask) {
  CompiledKernel kernel = makeKernel("x: *fp32, y: *fp32, a: i1, b: i1", maskedAccess);
  for (int64_t first : {0, 1})
    for (int64_t second : {0, 1}) {
      HostArray x = floats(second ? 2 : first);
      for (size_t i = 0; i < x.size(); ++i)
        x.set(i, 1.0 + i);
      std::vector<ArgumentValue> arguments = {x, floats(2), first, second};
      Expected<void> done = Launcher().run(kernel, arguments);
      ASSERT_TRUE(done) << render(done.error());
      const HostArray &y = std::get<HostArray>(arguments[1]);
      EXPECT_EQ(y.at(0), first ? 1 : 0);
      EXPECT_EQ(y.at(1), second ? 2 : 0);
    }
  EXPECT_THAT(errorOf(kernel, {floats(1), floats(2), int64_t(1), int64_t(1)}),
              StartsWith("kernel.py:10:7: error: load of 4 bytes at offset 4 ends 4 bytes past"));
}

TEST(SharedBounds, PastTheEnd) {
  std::string error = simpleError(R"(
    %i = add i32 %t, 1
    %p = getelementptr float, ptr addrspace(3) @global_smem, i32 %i
    store float 0.0, ptr addrspace(3) %p, align 4, !dbg !1000
    ret void
  )",
                                  1, 128);
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: store of 4 bytes at offset 128 outside of "
                                "shared memory, which has 128 bytes\n"));
}

TEST(SharedMemoryUse, Uninitialized) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(3) @global_smem, i32 %t
    %v = load float, ptr addrspace(3) %p, align 4, !dbg !1000
    ret void
  )",
                                  1, 128);
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: load of 4 bytes of shared memory that "
                                "nothing has been stored to, at byte 0\n"));
}

/// Each thread stores its word, then loads its neighbour's (across warps at 31).
static std::string neighbours(const std::string &between, int distance) {
  return R"(
    %p = getelementptr float, ptr addrspace(3) @global_smem, i32 %t
    store float 1.0, ptr addrspace(3) %p, align 4, !dbg !1000
    )" + between +
         R"(
    %n = xor i32 %t, )" +
         std::to_string(distance) + R"(
    %q = getelementptr float, ptr addrspace(3) @global_smem, i32 %n
    %v = load float, ptr addrspace(3) %q, align 4, !dbg !2000
    ret void
  )";
}
static const char barrier[] = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
static const char warpBarrier[] = "call void @llvm.nvvm.bar.warp.sync(i32 -1)";
static const char shuffleDeclaration[] =
    "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n";
static const char warpBarrierDeclaration[] = "declare void @llvm.nvvm.bar.warp.sync(i32)\n";

TEST(Races, ReadAfterWrite) {
  std::string error = simpleError(neighbours("", 32), 2, 256);
  // Thread 32's word is still missing when thread 0 comes to read it.
  EXPECT_THAT(error, HasSubstr("nothing has been stored to"));
  EXPECT_EQ(simpleError(neighbours(barrier, 32), 2, 256), "no error");
}

TEST(Races, WarpBarrierOrdersOneWarpOnly) {
  EXPECT_EQ(simpleError(neighbours(warpBarrier, 1), 2, 256, warpBarrierDeclaration), "no error");
  std::string error = simpleError(neighbours(warpBarrier, 32), 2, 256, warpBarrierDeclaration);
  EXPECT_THAT(error, HasSubstr("nothing has been stored to"));
}

TEST(Races, ShufflesOrderNothing) {
  EXPECT_THAT(simpleError(neighbours("%s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, "
                                     "i32 1, i32 31)",
                                     1),
                          1, 128, shuffleDeclaration),
              HasSubstr("race in shared memory: a write and then a read of byte 4"));
}

TEST(Races, ReadAfterWriteOfAnOlderValue) {
  std::string rounds = R"(
    %p = getelementptr float, ptr addrspace(3) @global_smem, i32 %t
    store float 1.0, ptr addrspace(3) %p, align 4
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
    store float 2.0, ptr addrspace(3) %p, align 4, !dbg !1000
    %n = xor i32 %t, 1
    %q = getelementptr float, ptr addrspace(3) @global_smem, i32 %n
    %v = load float, ptr addrspace(3) %q, align 4, !dbg !2000
    ret void
  )";
  std::string error = simpleError(rounds, 1, 128);
  EXPECT_THAT(error, HasSubstr("race in shared memory: "));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7"));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9"));
}

TEST(Races, TwoWrites) {
  std::string error = simpleError(R"(
    store float 1.0, ptr addrspace(3) @global_smem, align 4, !dbg !1000
    ret void
  )",
                                  1, 128);
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: race in shared memory: two writes of byte "
                                "0 by two threads with no barrier between\n"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 wrote it here"));
  EXPECT_THAT(error, HasSubstr("thread 1 (warp 0, lane 1)"));
}

TEST(Races, AtomicsDoNotRace) {
  const char *body = R"(
    %first = icmp eq i32 %t, 0
    br i1 %first, label %init, label %go
  init:
    store i32 0, ptr addrspace(3) @global_smem, align 4
    br label %go
  go:
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
    %old = atomicrmw add ptr addrspace(3) @global_smem, i32 1 syncscope("block") monotonic, align 4
    ATOMIC_OR_NOT
    ret void
  )";
  std::string plain = body, fine = body;
  fine.replace(fine.find("ATOMIC_OR_NOT"), 13, "");
  plain.replace(plain.find("ATOMIC_OR_NOT"), 13,
                "store i32 5, ptr addrspace(3) @global_smem, align 4, !dbg !1000");
  EXPECT_EQ(simpleError(fine, 2, 16), "no error");
  EXPECT_THAT(simpleError(plain, 2, 16), HasSubstr("race in shared memory"));
}

TEST(Collectives, BarrierInABranch) {
  std::string error = simpleError(R"(
    %c = icmp slt i32 %t, 32
    br i1 %c, label %yes, label %no
  yes:
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !1000
    br label %no
  no:
    ret void
  )",
                                  2);
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: the threads of a block wait for each other "
                                "for ever: 32 threads wait at a barrier, the first is thread 0\n"));
  EXPECT_THAT(error, HasSubstr("note: 32 threads have ended"));
}

TEST(Collectives, DifferentBarriers) {
  std::string error = simpleError(R"(
    %c = icmp slt i32 %t, 16
    br i1 %c, label %yes, label %no
  yes:
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !1000
    br label %end
  no:
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !2000
    br label %end
  end:
    ret void
  )");
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: error: "));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: note: 16 threads wait at a barrier, the first is "
                               "thread 16"));
}

TEST(Collectives, DifferentShuffles) {
  std::string error = simpleError(R"(
    %c = icmp slt i32 %t, 16
    br i1 %c, label %yes, label %no
  yes:
    %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31), !dbg !1000
    br label %end
  no:
    %b = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31), !dbg !2000
    br label %end
  end:
    ret void
  )",
                                  1, 0, shuffleDeclaration);
  EXPECT_THAT(error, HasSubstr("16 threads wait at shfl.sync.bfly.i32, the first is thread 0"));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: note: 16 threads wait at shfl.sync.bfly.i32"));
}

TEST(Collectives, ShuffleFromALaneOutside) {
  std::string error = simpleError(R"(
    %c = icmp slt i32 %t, 16
    br i1 %c, label %yes, label %end
  yes:
    %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 65535, i32 %t, i32 16, i32 31), !dbg !1000
    br label %end
  end:
    ret void
  )",
                                  1, 0, shuffleDeclaration);
  EXPECT_THAT(error, HasSubstr("lane 0 shuffles a value from lane 16, which does not take part"));
}

TEST(Collectives, LaneNotInItsMask) {
  std::string error = simpleError(R"(
    %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 1, i32 %t, i32 0, i32 31), !dbg !1000
    ret void
  )",
                                  1, 0, shuffleDeclaration);
  EXPECT_THAT(error, HasSubstr("executes shfl.sync.bfly.i32 without being in its member mask"));
}

TEST(Loops, WithoutEnd) {
  SimulatorOptions options;
  options.loopIterationLimit = 100000;
  std::string body = R"(
    br label %loop
  loop:
    br label %loop
  )";
  EXPECT_THAT(simpleError(body, 1, 0, "", options),
              HasSubstr("a thread has gone round loops 100000 times"));
}

// Turns that end at a barrier use up the limit as those do that go round a loop for long.
TEST(Loops, WithoutEndButWithABarrier) {
  SimulatorOptions options;
  options.loopIterationLimit = 1000;
  std::string body = "br label %loop\n loop:\n" + std::string(barrier) + "\n br label %loop\n";
  EXPECT_THAT(simpleError(body, 2, 0, "", options),
              HasSubstr("a thread has gone round loops 1000 times"));
}

// A thread that waits for another one in a loop gets its chance to see the other's store.
TEST(Loops, WaitingForAnotherThread) {
  std::string error = simpleError(R"(
    %last = icmp eq i32 %t, 31
    br i1 %last, label %set, label %wait
  set:
    store atomic i32 1, ptr addrspace(1) %x release, align 4
    br label %end
  wait:
    %v = load atomic i32, ptr addrspace(1) %x acquire, align 4
    %ready = icmp eq i32 %v, 1
    br i1 %ready, label %end, label %wait
  end:
    ret void
  )");
  EXPECT_EQ(error, "no error");
}

TEST(Division, ByZero) {
  for (const char *operation : {"sdiv", "udiv", "srem", "urem"}) {
    std::string error = simpleError(std::string("%v = ") + operation + R"( i32 100, %t, !dbg !1000
      %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
      store i32 %v, ptr addrspace(1) %p, align 4
      ret void
    )");
    EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: integer division by zero\n"));
  }
}

TEST(Division, SmallestByMinusOne) {
  std::vector<ArgumentValue> arguments = {ints(2), int64_t(INT32_MIN), int64_t(-1)};
  Expected<void> done = Launcher().run(makeKernel("x: *i32, a: i32, b: i32", R"(
    define ptx_kernel void @k(ptr addrspace(1) %x, i32 %a, i32 %b) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %q = sdiv i32 %a, %b
      %r = srem i32 %a, %b
      %y = getelementptr i32, ptr addrspace(1) %x, i32 1
      store i32 %q, ptr addrspace(1) %x, align 4
      store i32 %r, ptr addrspace(1) %y, align 4
      ret void
    })"),
                                       arguments);
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(std::get<HostArray>(arguments[0]).at(0), INT32_MIN);
  EXPECT_EQ(std::get<HostArray>(arguments[0]).at(1), 0);
}

TEST(Traps, TrapAndUnreachable) {
  EXPECT_THAT(simpleError("call void @llvm.trap(), !dbg !1000\n ret void\n", 1, 0,
                          "declare void @llvm.trap()\n"),
              StartsWith("kernel.py:10:7: error: the kernel stopped itself with a trap\n"));
  EXPECT_THAT(simpleError("unreachable, !dbg !1000\n"), HasSubstr("trap"));
  EXPECT_THAT(simpleError("call void @llvm.assume(i1 false), !dbg !1000\n ret void\n", 1, 0,
                          "declare void @llvm.assume(i1)\n"),
              StartsWith("kernel.py:10:7: error: what the kernel assumes is false\n"));
}

TEST(Unknown, InlineAssembly) {
  EXPECT_THAT(
      simpleError("call void asm sideeffect \"nanosleep.u32 1;\", \"\"(), !dbg !1000\n ret void\n"),
      StartsWith("kernel.py:10:7: error: the simulator cannot run inline assembly: "
                 "\"nanosleep.u32 1;\"\n"));
}

TEST(Unknown, Intrinsic) {
  EXPECT_THAT(simpleError("call void @llvm.nvvm.fence.sc.cluster(), !dbg !2000\n ret void\n", 1, 0,
                          "declare void @llvm.nvvm.fence.sc.cluster()\n"),
              StartsWith("kernel.py:20:9: error: the simulator does not know the function "
                         "'llvm.nvvm.fence.sc.cluster'\n"));
}

TEST(Unknown, Function) {
  EXPECT_THAT(simpleError("call void @exit(i32 3), !dbg !2000\n ret void\n", 1, 0,
                          "declare void @exit(i32)\n"),
              HasSubstr("does not know the function 'exit'"));
}

TEST(Unknown, Recursion) {
  EXPECT_THAT(simpleError("call void @r()\n ret void\n", 1, 0,
                          "define void @r() {\n call void @r()\n ret void\n}\n"),
              HasSubstr("cannot run the function 'r', which calls itself"));
}

TEST(SourcePlaces, InlinedCalls) {
  std::string error = simpleError(R"(
    %p = getelementptr float, ptr addrspace(1) %x, i32 32
    %v = load float, ptr addrspace(1) %p, align 4, !dbg !3000
    ret void
  )");
  EXPECT_THAT(error, StartsWith("kernel.py:30:3: error: "));
  EXPECT_THAT(error, HasSubstr("kernel.py:20:9: note: called from here"));
}

TEST(Loading, MalformedText) {
  CompiledKernel kernel = simpleKernel("ret void\n");
  kernel.llir = "define nonsense";
  EXPECT_THAT(errorOf(kernel, {}), StartsWith("k.llir:1:8: error: "));
  kernel.llir = "target triple = \"nvptx64-nvidia-cuda\"\n";
  EXPECT_THAT(errorOf(kernel, {}), HasSubstr("does not define the kernel 'k'"));
  kernel.llir = "";
  EXPECT_THAT(errorOf(kernel, {}), HasSubstr("comes without it"));
}

TEST(Loading, ParametersThatDoNotMatch) {
  EXPECT_THAT(errorOf(makeKernel("x: *fp32", "define ptx_kernel void @k(i32 %x) { ret void }"), {}),
              HasSubstr("the argument 'x' of type *fp32 is a parameter of type i32"));
  EXPECT_THAT(errorOf(makeKernel("x: i32", "define ptx_kernel void @k() { ret void }"), {}),
              HasSubstr("the kernel has 0 parameters, its description 1"));
}

TEST(Loading, LaunchesThatTheKernelIsNotFor) {
  auto load = [](const std::string &target, int lanes, const std::string &head,
                 const std::string &stated, const std::string &definitions) {
    return errorOf(
        makeKernelFor(target, lanes, "",
                      head + "\ndefine void @k() " + stated + " {\n  ret void\n}\n" + definitions,
                      2),
        {});
  };
  const std::string amd = "target triple = \"amdgcn-amd-amdhsa\"",
                    intel = "target triple = \"spirv64-unknown-unknown\"";
  const std::string sizes = "!reqd_work_group_size !200 !intel_reqd_sub_group_size !201",
                    given = "!200 = !{i32 32, i32 1, i32 1}\n!201 = !{i32 16}\n";
  EXPECT_EQ(load("cuda:90", 32, "", "\"nvvm.reqntid\"=\"32,2\"", ""), "no error");
  EXPECT_EQ(load("hip:gfx1100", 32, amd, "\"amdgpu-flat-work-group-size\"=\"64,64\"", ""),
            "no error");
  EXPECT_EQ(load("hip:gfx1100", 32, amd, "\"amdgpu-flat-work-group-size\"=\"1,1024\"", ""),
            "no error");
  EXPECT_EQ(load("xpu:pvc", 16, intel, sizes, given), "no error");
  EXPECT_THAT(load("cuda:90", 32, "", "\"nvvm.reqntid\"=\"128\"", ""),
              HasSubstr("k.llir: error: the kernel is for blocks of 128 threads, its description "
                        "has 64"));
  EXPECT_THAT(load("hip:gfx1100", 32, amd, "\"amdgpu-flat-work-group-size\"=\"32,32\"", ""),
              HasSubstr("the kernel is for blocks of 32 threads, its description has 64"));
  EXPECT_THAT(load("xpu:pvc", 32, intel, sizes, given),
              HasSubstr("the kernel is for blocks of 32 threads, its description has 64"));
  EXPECT_THAT(load("xpu:pvc", 32, intel, "!intel_reqd_sub_group_size !201", given),
              HasSubstr("the kernel is for warps of 16 threads, its description has 32"));
}

TEST(Loading, TooMuchSharedMemory) {
  EXPECT_THAT(simpleError("ret void\n", 1, 300 * 1024),
              HasSubstr("needs 307200 bytes of shared memory, the simulator has 262144"));
}

// Hints for caches are not the host's: LLVM does not compile this one for some CPUs.
TEST(Loading, HintsForCaches) {
  EXPECT_EQ(simpleError(R"(
    %v = load <1 x half>, ptr addrspace(1) %x, align 2, !nontemporal !7
    %w = load <1 x half>, ptr addrspace(1) %y, align 2, !nontemporal !7
    %a = extractelement <1 x half> %v, i32 0
    %b = extractelement <1 x half> %w, i32 0
    %c = fpext half %a to float
    %d = fpext half %b to float
    %product = fmul float %c, %d
    store float %product, ptr addrspace(1) %x, align 4
    ret void
  )",
                        1, 0, "!7 = !{i32 1}\n"),
            "no error");
}

// It parses, but the intrinsic has another type.
TEST(Loading, InvalidModule) {
  EXPECT_THAT(simpleError("%v = call float @llvm.nvvm.prmt(float 1.0)\nret void\n", 1, 0,
                          "declare float @llvm.nvvm.prmt(float)\n"),
              HasSubstr("k.llir: error: the module is not valid LLVM IR: Intrinsic has incorrect"));
}

TEST(Loading, UnknownTarget) {
  CompiledKernel kernel = simpleKernel("ret void\n");
  kernel.metadata.target = "vax:11";
  EXPECT_THAT(errorOf(kernel, {}),
              HasSubstr("does not know the operations of the target 'vax:11'"));
}

// A launch that failed leaves the kernel fit for the next one.
TEST(Loading, LaunchAfterAnError) {
  CompiledKernel compiled = simpleKernel(R"(
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
    %p = getelementptr float, ptr addrspace(1) %x, i32 %t
    store float 3.0, ptr addrspace(1) %p, align 4, !dbg !1000
    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
    ret void
  )",
                                         2);
  std::unique_ptr<Simulator> simulator = createSimulator();
  auto kernel = simulator->load(compiled);
  ASSERT_TRUE(kernel);
  for (int64_t size : {63, 64, 63, 64}) {
    std::vector<ArgumentValue> arguments = {floats(size), floats(1)};
    Expected<void> done = runtime::run(*simulator, **kernel, {}, arguments);
    EXPECT_EQ(static_cast<bool>(done), size == 64);
    if (size == 64)
      EXPECT_EQ(std::get<HostArray>(arguments[0]).at(63), 3.0);
  }
}
