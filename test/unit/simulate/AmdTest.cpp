//===- AmdTest.cpp - Kernels for AMD: places, memory, barriers ----------------===//
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
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

static constexpr char head[] = R"(
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-n32:64-S32-A5-G1"
target triple = "amdgcn-amd-amdhsa"
@shared = internal unnamed_addr addrspace(3) global [256 x i32] poison, align 16
@table = internal unnamed_addr addrspace(4) constant [4 x i32] [i32 5, i32 7, i32 11, i32 13]
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.wave.barrier()
)";

/// What fences are for.
static constexpr char tags[] = R"(
!300 = !{!"amdgpu-synchronize-as", !"local"}
!301 = !{!"amdgpu-synchronize-as", !"global"}
)";

/// A kernel with %t the thread's number; `body` ends it.
static CompiledKernel makeAmdKernel(const std::string &body, int numWarps = 1) {
  return makeKernelFor("hip:gfx1100", 32, "out: *i32",
                       head + ("define amdgpu_kernel void @k(ptr addrspace(1) %out) {\n"
                               "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n" +
                               body + "}\n" + tags),
                       numWarps);
}

static std::string amdError(const std::string &body, int numWarps = 1) {
  return errorOf(makeAmdKernel(body, numWarps), {ints(256)});
}

TEST(AmdPlace, ThreadsBlocksAndHiddenArguments) {
  // 16 numbers of each thread: its place, the grid by the hidden arguments, by the packet.
  std::string body = R"(
    %x = call i32 @llvm.amdgcn.workgroup.id.x()
    %y = call i32 @llvm.amdgcn.workgroup.id.y()
    %z = call i32 @llvm.amdgcn.workgroup.id.z()
    %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
    %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  )";
  std::vector<std::string> values = {"%t", "%x", "%y", "%z"};
  auto read = [&](const std::string &base, int offset, const std::string &type) {
    std::string name = "%n" + std::to_string(values.size());
    body += name + "p = getelementptr i8, ptr addrspace(4) " + base + ", i64 " +
            std::to_string(offset) + "\n" + name + "v = load " + type + ", ptr addrspace(4) " +
            name + "p, !invariant.load !105\n" + name + " = zext " + type + " " + name +
            "v to i64\n" + name + "n = trunc i64 " + name + " to i32\n";
    values.push_back(name + "n");
  };
  for (int axis = 0; axis < 3; ++axis)
    read("%hidden", 4 * axis, "i32");
  for (int axis = 0; axis < 3; ++axis)
    read("%hidden", 12 + 2 * axis, "i16");
  for (int axis = 0; axis < 3; ++axis)
    read("%packet", 4 + 2 * axis, "i16");
  for (int axis = 0; axis < 3; ++axis)
    read("%packet", 12 + 4 * axis, "i32");
  body += R"(
    %a = mul i32 %z, 3
    %b = add i32 %a, %y
    %c = mul i32 %b, 2
    %d = add i32 %c, %x
    %e = mul i32 %d, 64
    %f = add i32 %e, %t
    %g = mul i32 %f, 16
    %p = getelementptr i32, ptr addrspace(1) %out, i32 %g
  )";
  for (size_t i = 0; i < values.size(); ++i) {
    std::string number = std::to_string(i);
    body += "%q" + number + " = getelementptr i32, ptr addrspace(1) %p, i32 " + number +
            "\nstore i32 " + values[i] + ", ptr addrspace(1) %q" + number + "\n";
  }
  std::vector<ArgumentValue> arguments = {ints(2 * 3 * 4 * 64 * 16)};
  Expected<void> done = Launcher().run(makeAmdKernel(body + "ret void\n", 2), arguments, {2, 3, 4});
  ASSERT_TRUE(done) << render(done.error());
  const int32_t *out = std::get<HostArray>(arguments[0]).data<int32_t>();
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 2; ++x)
        for (int t = 0; t < 64; ++t, out += 16) {
          const int32_t expected[16] = {t, x, y, z, 2, 3, 4, 64, 1, 1, 64, 1, 1, 2 * 64, 3, 4};
          for (int i = 0; i < 16; ++i)
            ASSERT_EQ(out[i], expected[i]) << i;
        }
}

TEST(AmdPlace, HiddenArgumentsAreChecked) {
  auto access = [](const std::string &operation) {
    return amdError("%h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n" + operation +
                    ", !dbg !1000\nret void\n");
  };
  EXPECT_THAT(access("%p = getelementptr i8, ptr addrspace(4) %h, i32 254\n"
                     "%v = load i32, ptr addrspace(4) %p, align 2"),
              StartsWith("kernel.py:10:7: error: load of 4 bytes outside of the launch's hidden "
                         "arguments\n"));
  EXPECT_THAT(access("store i32 1, ptr addrspace(4) %h, align 4"),
              StartsWith("kernel.py:10:7: error: store of 4 bytes outside of the launch's hidden "
                         "arguments\n"));
  EXPECT_THAT(access("%p = getelementptr i8, ptr addrspace(4) %h, i32 2\n"
                     "%v = load i32, ptr addrspace(4) %p, align 4"),
              StartsWith("kernel.py:10:7: error: misaligned load of 4 bytes"));
}

TEST(AmdMemory, ConstantsAndStack) {
  std::vector<ArgumentValue> arguments = {ints(32)};
  const char *body = R"(
    %buffer = alloca [4 x i32], align 4, addrspace(5)
    %i = and i32 %t, 3
    %from = getelementptr i32, ptr addrspace(4) @table, i32 %i
    %v = load i32, ptr addrspace(4) %from, align 4
    %slot = getelementptr i32, ptr addrspace(5) %buffer, i32 %i
    store i32 %v, ptr addrspace(5) %slot, align 4
    %flat = addrspacecast ptr addrspace(5) %slot to ptr
    %w = load i32, ptr %flat, align 4
    %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
    store i32 %w, ptr addrspace(1) %to, align 4
    ret void
  )";
  Expected<void> done = Launcher().run(makeAmdKernel(body), arguments);
  ASSERT_TRUE(done) << render(done.error());
  const int table[] = {5, 7, 11, 13};
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(std::get<HostArray>(arguments[0]).at(t), table[t % 4]);

  EXPECT_THAT(amdError(R"(
    %from = getelementptr i32, ptr addrspace(4) @table, i32 %t
    %v = load i32, ptr addrspace(4) %from, align 4, !dbg !1000
    ret void
  )"),
              HasSubstr("10:7: error: load of 4 bytes outside of the module's variable @table"));
  EXPECT_THAT(amdError(R"(
    %wrong = addrspacecast ptr addrspace(1) %out to ptr
    %stack = addrspacecast ptr %wrong to ptr addrspace(5)
    %v = load i32, ptr addrspace(5) %stack, align 4, !dbg !1000
    ret void
  )"),
              HasSubstr("10:7: error: load of 4 bytes outside of the thread's stack, through a "
                        "pointer of its address space"));
  EXPECT_THAT(amdError(R"(
    %p = getelementptr i32, ptr addrspace(1) %out, i32 256
    %v = load i32, ptr addrspace(1) %p, align 4, !dbg !1000
    ret void
  )"),
              HasSubstr("load of 4 bytes at offset 1024 ends 4 bytes past the end of argument "
                        "'out', which has 1024 bytes"));
}

/// Each thread writes its word of shared memory and, after `between`, reads another's.
static std::string exchange(const std::string &between) {
  return R"(
    %mine = getelementptr i32, ptr addrspace(3) @shared, i32 %t
    store i32 %t, ptr addrspace(3) %mine, align 4, !dbg !1000
  )" + between +
         R"(
    %u = xor i32 %t, 63
    %other = getelementptr i32, ptr addrspace(3) @shared, i32 %u
    %v = load i32, ptr addrspace(3) %other, align 4, !dbg !2000
    %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
    store i32 %v, ptr addrspace(1) %to, align 4
    ret void
  )";
}

static void expectExchanged(const std::string &between) {
  std::vector<ArgumentValue> arguments = {ints(64)};
  Expected<void> done = Launcher().run(makeAmdKernel(exchange(between), 2), arguments);
  ASSERT_TRUE(done) << render(done.error());
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(std::get<HostArray>(arguments[0]).at(t), 63 - t);
}

TEST(AmdBarrier, OrdersBetweenFences) {
  expectExchanged(R"(
    fence syncscope("workgroup") release
    call void @llvm.amdgcn.s.barrier()
    fence syncscope("workgroup") acquire)");
  expectExchanged(R"(
    fence syncscope("agent-one-as") acq_rel
    call void @llvm.amdgcn.s.barrier()
    fence acquire)");
  expectExchanged(R"(
    fence syncscope("workgroup") release, !mmra !300
    call void @llvm.amdgcn.s.barrier()
    fence syncscope("workgroup") acquire, !mmra !300)");
}

TEST(AmdBarrier, OrdersNothingByItself) {
  for (const char *between : {
           "call void @llvm.amdgcn.s.barrier()",
           R"(fence syncscope("workgroup") release
              call void @llvm.amdgcn.s.barrier())",
           R"(call void @llvm.amdgcn.s.barrier()
              fence syncscope("workgroup") acquire)",
           R"(fence syncscope("wavefront") release
              call void @llvm.amdgcn.s.barrier()
              fence syncscope("workgroup") acquire)",
           R"(fence syncscope("workgroup") release, !mmra !301
              call void @llvm.amdgcn.s.barrier()
              fence syncscope("workgroup") acquire)",
           R"(fence syncscope("workgroup") acquire
              call void @llvm.amdgcn.s.barrier()
              fence syncscope("workgroup") release)",
       }) {
    std::string error = amdError(exchange(between), 2);
    EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: race in shared memory: a write and then "
                                  "a read of byte"))
        << between;
    EXPECT_THAT(error, HasSubstr("the barriers between the two accesses do not order shared "
                                 "memory: they lack a fence or a flag for it"));
  }
}

TEST(AmdBarrier, MissingOrDiverged) {
  EXPECT_THAT(amdError(exchange(""), 2), HasSubstr("that nothing has been stored to"));
  EXPECT_THAT(amdError(R"(
    %low = icmp slt i32 %t, 40
    br i1 %low, label %a, label %b
  a:
    call void @llvm.amdgcn.s.barrier(), !dbg !1000
    br label %b
  b:
    ret void
  )",
                       2),
              StartsWith("kernel.py:10:7: error: the threads of a block wait for each other for "
                         "ever: 40 threads wait at a barrier, the first is thread 0\n"));
}

TEST(AmdBarrier, InTwoSteps) {
  const std::string signal = R"(
    fence syncscope("workgroup") release
    call void @llvm.amdgcn.s.barrier.signal(i32 -1), !dbg !1000
  )",
                    wait = R"(
    call void @llvm.amdgcn.s.barrier.wait(i16 -1), !dbg !1000
    fence syncscope("workgroup") acquire
  )";
  expectExchanged(signal + wait);
  EXPECT_THAT(amdError(exchange("call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n" + wait), 2),
              HasSubstr("do not order shared memory"));
  EXPECT_THAT(amdError(exchange(wait), 2),
              StartsWith("kernel.py:10:7: error: a thread waits at a barrier that it has not "
                         "signalled"));
  EXPECT_THAT(amdError(exchange(signal + signal + wait), 2),
              StartsWith("kernel.py:10:7: error: a thread signals a barrier twice without waiting "
                         "in between"));
  EXPECT_THAT(amdError(exchange(signal), 2),
              StartsWith("kernel.py:20:9: error: shared memory is accessed between the signal of a "
                         "barrier and the wait"));
}

TEST(AmdBarrier, OfAWave) {
  // Within a wave, lane 31 - t.
  const std::string body = R"(
    %mine = getelementptr i32, ptr addrspace(3) @shared, i32 %t
    store i32 %t, ptr addrspace(3) %mine, align 4
    WAIT
    %u = xor i32 %t, 31
    %other = getelementptr i32, ptr addrspace(3) @shared, i32 %u
    %v = load i32, ptr addrspace(3) %other, align 4
    ret void
  )";
  auto with = [&](const std::string &wait) {
    std::string text = body;
    return amdError(text.replace(text.find("WAIT"), 4, wait));
  };
  EXPECT_EQ(with(R"(fence syncscope("wavefront") release
                    call void @llvm.amdgcn.wave.barrier()
                    fence syncscope("wavefront") acquire)"),
            "no error");
  EXPECT_THAT(with("call void @llvm.amdgcn.wave.barrier()"), HasSubstr("race in shared memory"));
  EXPECT_THAT(with(""), HasSubstr("that nothing has been stored to"));
}

TEST(AmdMemory, SharedIsChecked) {
  EXPECT_THAT(amdError(R"(
    %p = getelementptr i32, ptr addrspace(3) @shared, i32 %t
    %v = load i32, ptr addrspace(3) %p, align 4, !dbg !1000
    ret void
  )"),
              StartsWith("kernel.py:10:7: error: load of 4 bytes of shared memory that nothing has "
                         "been stored to, at byte 0"));
  EXPECT_THAT(amdError(R"(
    %i = add i32 %t, 230
    %p = getelementptr i32, ptr addrspace(3) @shared, i32 %i
    store i32 1, ptr addrspace(3) %p, align 4, !dbg !1000
    ret void
  )"),
              StartsWith("kernel.py:10:7: error: store of 4 bytes at offset 1024 outside of shared "
                         "memory, which has 1024 bytes"));
}

/// Loads a value of `type` at an offset of 16 bytes a thread through a resource of 384 bytes, and
/// stores it 4 bytes further on through another one.
static CompiledKernel makeBufferKernel(const std::string &type, const std::string &suffix) {
  return makeKernelFor("hip:gfx1100", 32, "x: *i32, out: *i32",
                       head +
                           ("define amdgpu_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) "
                            "%out) {\n  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"
                            "  %from = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1("
                            "ptr addrspace(1) %x, i16 0, i64 384, i32 822243328)\n"
                            "  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1("
                            "ptr addrspace(1) %out, i16 0, i64 400, i32 822243328)\n"
                            "  %o = mul i32 %t, 16\n"
                            "  %v = call " +
                            type + " @llvm.amdgcn.raw.ptr.buffer.load." + suffix +
                            "(ptr addrspace(8) %from, i32 %o, i32 0, i32 0), !dbg !1000\n"
                            "  call void @llvm.amdgcn.raw.ptr.buffer.store." +
                            suffix + "(" + type +
                            " %v, ptr addrspace(8) %to, i32 %o, i32 4, i32 0), !dbg !2000\n"
                            "  ret void\n}\n"
                            "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr "
                            "addrspace(1), i16, i64, i32)\n"
                            "declare " +
                            type + " @llvm.amdgcn.raw.ptr.buffer.load." + suffix +
                            "(ptr addrspace(8), i32, i32, i32)\n"
                            "declare void @llvm.amdgcn.raw.ptr.buffer.store." +
                            suffix + "(" + type + ", ptr addrspace(8), i32, i32, i32)\n"));
}

TEST(AmdBuffer, LoadsAndStoresWithinTheirBounds) {
  struct Case {
    const char *type, *suffix;
    int words;
  };
  for (Case test :
       {Case{"i32", "i32", 1}, {"<2 x float>", "v2f32", 2}, {"<4 x i32>", "v4i32", 4}}) {
    HostArray x = ints(128), out = ints(128 + 1);
    for (int i = 0; i < 128; ++i)
      x.setInteger(i, 1000 + i), out.setInteger(i, -1);
    out.setInteger(128, -1);
    std::vector<ArgumentValue> arguments = {x, out};
    Expected<void> done = Launcher().run(makeBufferKernel(test.type, test.suffix), arguments);
    ASSERT_TRUE(done) << render(done.error());
    // The words that a thread stores: from itself below 384 bytes, zero below 400, none beyond.
    std::vector<int> expected(129, -1);
    for (int t = 0; t < 32; ++t)
      for (int word = 0; word < test.words; ++word)
        if (16 * t + 4 * test.words <= 400)
          expected[4 * t + word + 1] = 16 * t + 4 * test.words <= 384 ? 1000 + 4 * t + word : 0;
    for (int i = 0; i < 129; ++i)
      EXPECT_EQ(std::get<HostArray>(arguments[1]).at(i), expected[i]) << test.type << " " << i;
  }
}

TEST(AmdBuffer, BoundsDoNotReplaceMemory) {
  EXPECT_THAT(errorOf(makeBufferKernel("i32", "i32"), {ints(90), ints(129)}),
              StartsWith("kernel.py:10:7: error: load of 4 bytes at offset 368 ends 12 bytes past "
                         "the end of argument 'x', which has 360 bytes"));
  EXPECT_THAT(errorOf(makeBufferKernel("i32", "i32"), {ints(96), ints(60)}),
              StartsWith("kernel.py:20:9: error: store of 4 bytes"));
}

/// The operand of a load is one of two resources, as the thread has it.
TEST(AmdBuffer, ResourcesAreValues) {
  CompiledKernel kernel =
      makeKernelFor("hip:gfx1100", 32, "x: *i32, y: *i32, out: *i32", std::string(head) + R"(
    define amdgpu_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out) {
      %t = call i32 @llvm.amdgcn.workitem.id.x()
      %a = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %x, i16 0, i64 128, i32 0)
      %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %y, i16 0, i64 64, i32 0)
      %odd = trunc i32 %t to i1
      %either = select i1 %odd, ptr addrspace(8) %a, ptr addrspace(8) %b
      %o = mul i32 %t, 4
      %v = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %either, i32 %o, i32 0, i32 0)
      %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
      store i32 %v, ptr addrspace(1) %p
      ret void
    }
    declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
    declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
  )");
  HostArray x = ints(32), y = ints(32);
  for (int i = 0; i < 32; ++i)
    x.setInteger(i, 1000 + i), y.setInteger(i, 2000 + i);
  std::vector<ArgumentValue> arguments = {x, y, ints(32)};
  Expected<void> done = Launcher().run(kernel, arguments);
  ASSERT_TRUE(done) << render(done.error());
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(std::get<HostArray>(arguments[2]).at(t), t % 2 ? 1000 + t : t < 16 ? 2000 + t : 0);
}

TEST(AmdOperations, WhatDoesNothingAndWhatIsNotKnown) {
  std::vector<ArgumentValue> arguments = {ints(32)};
  Expected<void> done = Launcher().run(makeAmdKernel(R"(
    call void @llvm.amdgcn.s.waitcnt(i32 0)
    call void @llvm.amdgcn.s.wait.dscnt(i16 0)
    call void @llvm.amdgcn.s.sleep(i32 1)
    call void @llvm.amdgcn.s.setprio(i16 1)
    call void @llvm.amdgcn.sched.barrier(i32 0)
    call void @llvm.amdgcn.sched.group.barrier(i32 1, i32 1, i32 0)
    ret void
  }
  declare void @llvm.amdgcn.s.waitcnt(i32)
  declare void @llvm.amdgcn.s.wait.dscnt(i16)
  declare void @llvm.amdgcn.s.sleep(i32)
  declare void @llvm.amdgcn.s.setprio(i16)
  declare void @llvm.amdgcn.sched.barrier(i32)
  declare void @llvm.amdgcn.sched.group.barrier(i32, i32, i32)
  define void @unused() {
    ret void
  )"),
                                       arguments);
  EXPECT_TRUE(done) << render(done.error());
  EXPECT_THAT(amdError(R"(
    %v = call i32 @llvm.amdgcn.s.getreg(i32 0), !dbg !1000
    ret void
  }
  declare i32 @llvm.amdgcn.s.getreg(i32)
  define void @unused() {
    ret void
  )"),
              StartsWith("kernel.py:10:7: error: the simulator does not know the function "
                         "'llvm.amdgcn.s.getreg'"));
}
