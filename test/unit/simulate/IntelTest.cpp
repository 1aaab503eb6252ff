//===- IntelTest.cpp - Kernels for Intel: places, memory, sub-groups ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

static constexpr char head[] = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
@shared = internal addrspace(3) global [256 x i32] undef, align 16
@table = internal addrspace(2) constant [4 x i32] [i32 5, i32 7, i32 11, i32 13]
@format = internal addrspace(2) constant [17 x i8] c"%d %lld %.2f %u\0A\00"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)
declare spir_func void @_Z17sub_group_barrierj(i32)
declare spir_func void @_Z22__spirv_ControlBarrierjjj(i32, i32, i32)
declare spir_func i32 @_Z6printfPU3AS2Kcz(ptr addrspace(2), ...)
)";

/// A kernel with %t the thread's number; `body` ends it.
static CompiledKernel makeIntelKernel(const std::string &body, int numWarps = 1, int lanes = 16) {
  return makeKernelFor("xpu:pvc", lanes, "out: *i32",
                       head + ("define spir_kernel void @k(ptr addrspace(1) %out) {\n"
                               "  %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n"
                               "  %t = trunc i64 %id to i32\n" +
                               body + "}\n"),
                       numWarps);
}

static std::string intelError(const std::string &body, int numWarps = 1) {
  return errorOf(makeIntelKernel(body, numWarps), {ints(256)});
}

TEST(IntelPlace, ThreadsAndBlocks) {
  struct Number {
    const char *name;
    /// Of an axis; otherwise of nothing.
    bool hasAxis;
    std::function<int(int axis, const int (&block)[3], int thread)> expected;
  };
  const int grid[3] = {2, 3, 4};
  for (int lanes : {16, 32}) {
    const int threads = 2 * lanes;
    auto size = [&](int axis) { return axis == 0 ? threads : 1; };
    using Block = const int (&)[3];
    const Number numbers[] = {
        {"get_local_id", true, [&](int a, Block, int t) { return a == 0 ? t : 0; }},
        {"get_group_id", true, [&](int a, Block b, int) { return b[a]; }},
        {"get_num_groups", true, [&](int a, Block, int) { return grid[a]; }},
        {"get_local_size", true, [&](int a, Block, int) { return size(a); }},
        {"get_global_size", true, [&](int a, Block, int) { return size(a) * grid[a]; }},
        {"get_global_id", true,
         [&](int a, Block b, int t) { return b[a] * size(a) + (a == 0 ? t : 0); }},
        {"__spirv_BuiltInWorkgroupId", true, [&](int a, Block b, int) { return b[a]; }},
        {"get_sub_group_local_id", false, [&](int, Block, int t) { return t % lanes; }},
        {"get_sub_group_id", false, [&](int, Block, int t) { return t / lanes; }},
        {"get_sub_group_size", false, [&](int, Block, int) { return lanes; }},
        {"get_num_sub_groups", false, [&](int, Block, int) { return 2; }},
        {"__spirv_BuiltInSubgroupLocalInvocationId", false,
         [&](int, Block, int t) { return t % lanes; }},
    };
    std::string declarations, body = R"(
      %gx = call i64 @_Z12get_group_idj(i32 0)
      %gy = call i64 @_Z12get_group_idj(i32 1)
      %gz = call i64 @_Z12get_group_idj(i32 2)
      %a = mul i64 %gz, 3
      %b = add i64 %a, %gy
      %c = mul i64 %b, 2
      %d = add i64 %c, %gx
    )";
    body += "%e = mul i64 %d, " + std::to_string(threads) + "\n%f = add i64 %e, %id\n";
    std::vector<std::pair<const Number *, int>> values;
    for (const Number &number : numbers)
      for (int axis = 0; axis < (number.hasAxis ? 3 : 1); ++axis) {
        std::string name = number.name, mangled = "@_Z" + std::to_string(name.size()) + name +
                                                  (number.hasAxis ? "j" : "v");
        std::string type = number.hasAxis ? "i64" : "i32";
        if (axis == 0 && name != "get_local_id")
          declarations += "declare " + type + " " + mangled + (number.hasAxis ? "(i32)\n" : "()\n");
        std::string v = "%v" + std::to_string(values.size());
        body += v + " = call " + type + " " + mangled +
                (number.hasAxis ? "(i32 " + std::to_string(axis) + ")\n" : "()\n");
        body += v + "w = zext " + type + " " + v + " to i128\n" + v + "n = trunc i128 " + v +
                "w to i32\n";
        values.push_back({&number, axis});
      }
    body += "%g = mul i64 %f, " + std::to_string(values.size()) + "\n";
    for (size_t i = 0; i < values.size(); ++i) {
      std::string n = std::to_string(i);
      body += "%i" + n + " = add i64 %g, " + n + "\n%p" + n +
              " = getelementptr i32, ptr addrspace(1) %out, i64 %i" + n + "\nstore i32 %v" + n +
              "n, ptr addrspace(1) %p" + n + "\n";
    }
    int64_t count = values.size();
    std::vector<ArgumentValue> arguments = {ints(24 * threads * count)};
    CompiledKernel kernel = makeIntelKernel(
        body + "ret void\n}\n" + declarations + "define void @unused() {\nret void\n", 2, lanes);
    Expected<void> done = Launcher().run(kernel, arguments, {2, 3, 4});
    ASSERT_TRUE(done) << render(done.error());
    const int32_t *out = std::get<HostArray>(arguments[0]).data<int32_t>();
    for (int z = 0; z < 4; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 2; ++x)
          for (int t = 0; t < threads; ++t)
            for (auto [number, axis] : values)
              ASSERT_EQ(*out++, number->expected(axis, {x, y, z}, t)) << number->name << axis;
  }
}

TEST(IntelPlace, AnAxisThatIsComputedOrThereIsNot) {
  HostArray out = intelLanes(16).run("declare i64 @_Z14get_local_sizej(i32)\n", R"(
    %n = call i64 @_Z14get_local_sizej(i32 %t)
    %l = call spir_func i64 @_Z12get_local_idj(i32 3)
    %s = add i64 %n, %l
    %r0 = trunc i64 %s to i32
  )");
  for (int lane = 0; lane < 16; ++lane)
    EXPECT_EQ(out.at(lane), lane == 0 ? 16 : 1);
}

TEST(IntelMemory, ConstantsStackAndGeneric) {
  std::vector<ArgumentValue> arguments = {ints(16)};
  Expected<void> done = Launcher().run(makeIntelKernel(R"(
    %buffer = alloca [4 x i32], align 4
    %i = and i32 %t, 3
    %from = getelementptr i32, ptr addrspace(2) @table, i32 %i
    %v = load i32, ptr addrspace(2) %from, align 4
    %slot = getelementptr i32, ptr %buffer, i32 %i
    store i32 %v, ptr %slot, align 4
    %s = load i32, ptr %slot, align 4
    %near = getelementptr i32, ptr addrspace(3) @shared, i32 %t
    %generic = addrspacecast ptr addrspace(3) %near to ptr addrspace(4)
    store i32 %s, ptr addrspace(4) %generic, align 4
    %w = load i32, ptr addrspace(3) %near, align 4
    %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
    %far = addrspacecast ptr addrspace(1) %to to ptr addrspace(4)
    store i32 %w, ptr addrspace(4) %far, align 4
    ret void
  )"),
                                       arguments);
  ASSERT_TRUE(done) << render(done.error());
  const int table[] = {5, 7, 11, 13};
  for (int t = 0; t < 16; ++t)
    EXPECT_EQ(std::get<HostArray>(arguments[0]).at(t), table[t % 4]);
}

TEST(IntelMemory, IsChecked) {
  auto access = [](const std::string &operation) {
    return intelError(operation + ", !dbg !1000\nret void\n");
  };
  EXPECT_THAT(access("%p = getelementptr i32, ptr addrspace(2) @table, i32 %t\n"
                     "%v = load i32, ptr addrspace(2) %p, align 4"),
              StartsWith("kernel.py:10:7: error: load of 4 bytes outside of the module's variable "
                         "@table"));
  EXPECT_THAT(access("%g = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)\n"
                     "%w = addrspacecast ptr addrspace(4) %g to ptr\n"
                     "%v = load i32, ptr %w, align 4"),
              StartsWith("kernel.py:10:7: error: load of 4 bytes outside of the thread's stack"));
  EXPECT_THAT(access("%p = getelementptr i32, ptr addrspace(1) %out, i32 256\n"
                     "store i32 1, ptr addrspace(1) %p, align 4"),
              HasSubstr("10:7: error: store of 4 bytes at offset 1024 ends 4 bytes past the end of "
                        "argument 'out'"));
  EXPECT_THAT(access("%p = getelementptr i32, ptr addrspace(3) @shared, i32 %t\n"
                     "%v = load i32, ptr addrspace(3) %p, align 4"),
              HasSubstr("load of 4 bytes of shared memory that nothing has been stored to"));
  EXPECT_THAT(access("%p = getelementptr i32, ptr addrspace(3) @shared, i32 256\n"
                     "%g = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)\n"
                     "store i32 1, ptr addrspace(4) %g, align 4"),
              HasSubstr("store of 4 bytes"));
}

/// Each of 64 threads writes its word and, after `between`, reads another's.
static std::string exchangeError(const std::string &between, int distance) {
  return intelError(R"(
    %mine = getelementptr i32, ptr addrspace(3) @shared, i32 %t
    store i32 %t, ptr addrspace(3) %mine, align 4, !dbg !1000
  )" + between + "\n%u = xor i32 %t, " +
                        std::to_string(distance) + R"(
    %other = getelementptr i32, ptr addrspace(3) @shared, i32 %u
    %v = load i32, ptr addrspace(3) %other, align 4, !dbg !2000
    %right = icmp eq i32 %v, %u
    call void @llvm.assume(i1 %right)
    ret void
  )",
                    4);
}

TEST(IntelBarrier, OfTheBlock) {
  for (const char *barrier : {
           "call spir_func void @_Z7barrierj(i32 1)",
           "call spir_func void @_Z7barrierj(i32 3)",
           "call spir_func void @_Z18work_group_barrierj12memory_scope(i32 1, i32 1)",
           "call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 784)",
       })
    EXPECT_EQ(exchangeError(barrier, 63), "no error") << barrier;
  // For global memory only, or without an order.
  for (const char *barrier : {
           "call spir_func void @_Z7barrierj(i32 2)",
           "call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 528)",
           "call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 256)",
       })
    EXPECT_THAT(exchangeError(barrier, 63), HasSubstr("do not order shared memory")) << barrier;
  EXPECT_THAT(exchangeError("", 63), HasSubstr("that nothing has been stored to"));
}

TEST(IntelBarrier, OfASubGroup) {
  for (const char *barrier : {
           "call spir_func void @_Z17sub_group_barrierj(i32 1)",
           "call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 3, i32 3, i32 272)",
       }) {
    EXPECT_EQ(exchangeError(barrier, 15), "no error") << barrier;
    EXPECT_THAT(exchangeError(barrier, 16), HasSubstr("that nothing has been stored to"))
        << barrier;
  }
  EXPECT_THAT(exchangeError("", 1), HasSubstr("that nothing has been stored to"));
}

TEST(IntelBarrier, Diverged) {
  EXPECT_THAT(intelError(R"(
    %low = icmp slt i32 %t, 20
    br i1 %low, label %a, label %b
  a:
    call spir_func void @_Z7barrierj(i32 1), !dbg !1000
    br label %b
  b:
    ret void
  )",
                         2),
              StartsWith("kernel.py:10:7: error: the threads of a block wait for each other for "
                         "ever: 20 threads wait at a barrier, the first is thread 0\n"));
}

//===--------------------------------------------------------------------------===//
// Sub-groups
//===--------------------------------------------------------------------------===//

TEST(IntelShuffle, ByIndexAndXor) {
  struct Case {
    const char *function;
    const char *parameters;
    /// Before the value, as SPIR-V has it.
    const char *scope;
    bool isXor;
  };
  const Case cases[] = {
      {"_Z23intel_sub_group_shuffleij", "i32, i32", "", false},
      {"_Z27intel_sub_group_shuffle_xorij", "i32, i32", "", true},
      {"_Z17sub_group_shuffleij", "i32, i32", "", false},
      {"_Z21sub_group_shuffle_xorij", "i32, i32", "", true},
      {"_Z30__spirv_GroupNonUniformShuffleiij", "i32, i32, i32", "i32 3, ", false},
      {"_Z33__spirv_GroupNonUniformShuffleXoriij", "i32, i32, i32", "i32 3, ", true},
      {"_Z28__spirv_SubgroupShuffleINTELij", "i32, i32", "", false},
      {"_Z31__spirv_SubgroupShuffleXorINTELij", "i32, i32", "", true},
  };
  for (int lanes : {16, 32}) {
    std::string declarations,
        body =
            "%v = add i32 %t, 1000\n%s = mul i32 %t, 7\n%s3 = add i32 %s, 3\n%to = and i32 %s3, " +
            std::to_string(lanes - 1) + "\n";
    int number = 0;
    for (const Case &test : cases) {
      declarations +=
          std::string("declare spir_func i32 @") + test.function + "(" + test.parameters + ")\n";
      body += "%r" + std::to_string(number++) + " = call spir_func i32 @" + test.function + "(" +
              test.scope + "i32 %v, i32 " + (test.isXor ? "5" : "%to") + ")\n";
    }
    HostArray out = intelLanes(lanes).run(declarations, body, number);
    for (int i = 0; i < number; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        ASSERT_EQ(out.at(i * lanes + lane),
                  1000 + (cases[i].isXor ? lane ^ 5 : (7 * lane + 3) % lanes))
            << cases[i].function << " lane " << lane << " of " << lanes;
  }
}

TEST(IntelShuffle, UpAndDown) {
  for (int lanes : {16, 32})
    for (int delta : {0, 1, 5, 15}) {
      std::string by = "i32 " + std::to_string(delta);
      HostArray out = intelLanes(lanes).run(R"(
        declare spir_func i32 @_Z26intel_sub_group_shuffle_upiij(i32, i32, i32)
        declare spir_func i32 @_Z28intel_sub_group_shuffle_downiij(i32, i32, i32)
        declare spir_func i32 @_Z20sub_group_shuffle_upij(i32, i32)
        declare spir_func i32 @_Z22sub_group_shuffle_downij(i32, i32)
        declare spir_func i32 @_Z16sub_group_rotateii(i32, i32))",
                                            R"(
        %first = add i32 %t, 1000
        %second = add i32 %t, 2000
        %r0 = call i32 @_Z26intel_sub_group_shuffle_upiij(i32 %first, i32 %second, )" +
                                                by +
                                                R"()
        %r1 = call i32 @_Z28intel_sub_group_shuffle_downiij(i32 %first, i32 %second, )" +
                                                by + R"()
        %r2 = call i32 @_Z20sub_group_shuffle_upij(i32 %first, )" +
                                                by + R"()
        %r3 = call i32 @_Z22sub_group_shuffle_downij(i32 %first, )" +
                                                by + R"()
        %r4 = call i32 @_Z16sub_group_rotateii(i32 %first, )" +
                                                by + ")\n",
                                            5);
      // The two values of all lanes side by side, seen through a window that moves.
      std::vector<int> both;
      for (int start : {1000, 2000})
        for (int lane = 0; lane < lanes; ++lane)
          both.push_back(start + lane);
      for (int lane = 0; lane < lanes; ++lane) {
        EXPECT_EQ(out.at(lane), both[lanes + lane - delta]);
        EXPECT_EQ(out.at(lanes + lane), both[lane + delta]);
        EXPECT_EQ(out.at(2 * lanes + lane), lane >= delta ? both[lane - delta] : -1);
        EXPECT_EQ(out.at(3 * lanes + lane), lane + delta < lanes ? both[lane + delta] : -1);
        EXPECT_EQ(out.at(4 * lanes + lane), both[(lane + delta) % lanes]);
      }
    }
}

TEST(IntelShuffle, TypesOfEverySize) {
  HostArray out = intelLanes(16).run(R"(
    declare spir_func half @_Z23intel_sub_group_shuffleDhj(half, i32)
    declare spir_func i8 @_Z23intel_sub_group_shufflecj(i8, i32)
    declare spir_func double @_Z27intel_sub_group_shuffle_xordj(double, i32)
    declare spir_func <4 x i32> @_Z27intel_sub_group_shuffle_xorDv4_ij(<4 x i32>, i32)
    declare spir_func <3 x i32> @_Z19sub_group_broadcastDv3_ij(<3 x i32>, i32))",
                                     R"(
    %mirror = xor i32 %t, 15
    %h = sitofp i32 %t to half
    %hs = call half @_Z23intel_sub_group_shuffleDhj(half %h, i32 %mirror)
    %r0 = fptosi half %hs to i32
    %b = trunc i32 %t to i8
    %bs = call i8 @_Z23intel_sub_group_shufflecj(i8 %b, i32 %mirror)
    %r1 = zext i8 %bs to i32
    %d = sitofp i32 %t to double
    %ds = call double @_Z27intel_sub_group_shuffle_xordj(double %d, i32 3)
    %r2 = fptosi double %ds to i32
    %w1 = insertelement <4 x i32> zeroinitializer, i32 %t, i32 0
    %w2 = insertelement <4 x i32> %w1, i32 %mirror, i32 3
    %ws = call <4 x i32> @_Z27intel_sub_group_shuffle_xorDv4_ij(<4 x i32> %w2, i32 1)
    %x0 = extractelement <4 x i32> %ws, i32 0
    %x3 = extractelement <4 x i32> %ws, i32 3
    %x3s = shl i32 %x3, 8
    %r3 = or i32 %x0, %x3s
    %u = insertelement <3 x i32> zeroinitializer, i32 %t, i32 2
    %us = call <3 x i32> @_Z19sub_group_broadcastDv3_ij(<3 x i32> %u, i32 9)
    %r4 = extractelement <3 x i32> %us, i32 2)",
                                     5);
  for (int lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(out.at(lane), 15 - lane);
    EXPECT_EQ(out.at(16 + lane), 15 - lane);
    EXPECT_EQ(out.at(32 + lane), lane ^ 3);
    EXPECT_EQ(out.at(48 + lane), (lane ^ 1) | (15 - (lane ^ 1)) << 8);
    EXPECT_EQ(out.at(64 + lane), 9);
  }
}

TEST(IntelShuffle, Errors) {
  const std::string declaration = "declare i32 @_Z23intel_sub_group_shuffleij(i32, i32)\n"
                                  "declare i32 @_Z19sub_group_broadcastij(i32, i32)\n";
  EXPECT_THAT(intelLanes(16).error(declaration,
                                   "%u = add i32 %t, 1\n%r0 = call i32 "
                                   "@_Z23intel_sub_group_shuffleij(i32 %t, i32 %u), !dbg !1000\n"),
              StartsWith("kernel.py:10:7: error: lane 15 shuffles a value from lane 16, which does "
                         "not take part"));
  EXPECT_THAT(intelLanes(16).error(declaration, "%r0 = call i32 @_Z19sub_group_broadcastij(i32 %t, "
                                                "i32 %t), !dbg !1000\n"),
              StartsWith("kernel.py:10:7: error: the lanes of a warp give sub_group_broadcast "
                         "different values where it takes one for all of them"));
  EXPECT_THAT(intelLanes(16).error(declaration, R"(
    %few = icmp slt i32 %t, 5
    br i1 %few, label %some, label %join
  some:
    %x = call i32 @_Z23intel_sub_group_shuffleij(i32 %t, i32 0), !dbg !1000
    br label %join
  join:
    %r0 = phi i32 [ 0, %0 ], [ %x, %some ])"),
              StartsWith("kernel.py:10:7: error: the threads of a block wait for each other for "
                         "ever: 5 threads wait at intel_sub_group_shuffle, the first is thread 0"));
}

TEST(IntelVote, AllAnyBallotElect) {
  for (int limit : {0, 5, 16}) {
    HostArray out = intelLanes(16).run(R"(
      declare spir_func i32 @_Z13sub_group_alli(i32)
      declare spir_func i32 @_Z13sub_group_anyi(i32)
      declare spir_func <4 x i32> @_Z16sub_group_balloti(i32)
      declare spir_func i32 @_Z15sub_group_electv()
      declare spir_func i1 @_Z16__spirv_GroupAllib(i32, i1))",
                                       "%c = icmp slt i32 %t, " + std::to_string(limit) + R"(
      %w = zext i1 %c to i32
      %r0 = call i32 @_Z13sub_group_alli(i32 %w)
      %r1 = call i32 @_Z13sub_group_anyi(i32 %w)
      %b = call <4 x i32> @_Z16sub_group_balloti(i32 %w)
      %b0 = extractelement <4 x i32> %b, i32 0
      %b1 = extractelement <4 x i32> %b, i32 1
      %r2 = add i32 %b0, %b1
      %r3 = call i32 @_Z15sub_group_electv()
      %s = call i1 @_Z16__spirv_GroupAllib(i32 3, i1 %c)
      %r4 = zext i1 %s to i32)",
                                       5);
    for (int lane = 0; lane < 16; ++lane) {
      EXPECT_EQ(out.at(lane), limit == 16);
      EXPECT_EQ(out.at(16 + lane), limit > 0);
      EXPECT_EQ(out.at(32 + lane), (1 << limit) - 1);
      EXPECT_EQ(out.at(48 + lane), lane == 0);
      EXPECT_EQ(out.at(64 + lane), limit == 16);
    }
  }
}

namespace {
/// A reduction as the test computes it: all in double, which holds what the tests use.
struct Combination {
  std::string operation;
  std::function<double(double, double)> combine;
  double neutral;
};
} // namespace

TEST(IntelReduce, OperationsTypesAndExtents) {
  struct Type {
    std::string llvm, mangled;
    /// Of the neutral elements of min and max.
    double lowest, largest;
  };
  const double infinity = HUGE_VAL;
  const Type types[] = {
      {"i32", "i", -0x1p31, 0x1p31 - 1},   {"i32", "j", 0, 0x1p32 - 1},
      {"i16", "s", -0x1p15, 0x1p15 - 1},   {"i16", "t", 0, 0x1p16 - 1},
      {"i64", "l", -0x1p62, 0x1p62},       {"float", "f", -infinity, infinity},
      {"half", "Dh", -infinity, infinity}, {"double", "d", -infinity, infinity},
  };
  const int lanes = 16;
  for (const Type &type : types) {
    bool isFloat = type.lowest == -infinity;
    std::vector<double> values;
    for (int lane = 0; lane < lanes; ++lane)
      values.push_back((lane * 11 + 7) % 23 - (type.lowest == 0 ? 0 : 9));
    const Combination combinations[] = {
        {"add", [](double a, double b) { return a + b; }, 0},
        {"min", [](double a, double b) { return std::min(a, b); }, type.largest},
        {"max", [](double a, double b) { return std::max(a, b); }, type.lowest},
    };
    const std::string offset = type.lowest == 0 ? "0" : "9";
    std::string declarations, body = "%x = mul i32 %t, 11\n%y = add i32 %x, 7\n"
                                     "%z = urem i32 %y, 23\n%n = sub i32 %z, " +
                                     offset + "\n";
    body += isFloat              ? "%v = sitofp i32 %n to " + type.llvm + "\n"
            : type.llvm == "i64" ? "%v = sext i32 %n to i64\n"
            : type.llvm == "i16" ? "%v = trunc i32 %n to i16\n"
                                 : "%v = add i32 %n, 0\n";
    int number = 0;
    for (const char *extent : {"reduce", "scan_inclusive", "scan_exclusive"})
      for (const Combination &combination : combinations) {
        std::string name = std::string("sub_group_") + extent + "_" + combination.operation;
        std::string function =
            type.llvm + " @_Z" + std::to_string(name.size()) + name + type.mangled;
        declarations += "declare spir_func " + function + "(" + type.llvm + ")\n";
        std::string n = std::to_string(number++);
        body += "%c" + n + " = call " + function + "(" + type.llvm + " %v)\n";
        // The result times 1 as a double, whose upper half tells enough.
        body += isFloat ? (type.llvm == "double"
                               ? "%d" + n + " = fadd double %c" + n + ", 0.0\n"
                               : "%d" + n + " = fpext " + type.llvm + " %c" + n + " to double\n")
                        : "%d" + n + (type.lowest == 0 ? " = uitofp " : " = sitofp ") + type.llvm +
                              " %c" + n + " to double\n";
        body += "%b" + n + " = bitcast double %d" + n + " to i64\n%s" + n + " = lshr i64 %b" + n +
                ", 32\n%r" + n + " = trunc i64 %s" + n + " to i32\n";
      }
    HostArray out = intelLanes(lanes).run(declarations, body, number);
    for (int i = 0; i < number; ++i) {
      const Combination &combination = combinations[i % 3];
      for (int lane = 0; lane < lanes; ++lane) {
        int end = i < 3 ? lanes : i < 6 ? lane + 1 : lane;
        double expected = combination.neutral;
        for (int other = 0; other < end; ++other)
          expected = other ? combination.combine(expected, values[other]) : values[0];
        // The test's i64 bounds are not the type's: only their signs are looked at.
        uint64_t bits = uint64_t(out.data<uint32_t>()[i * lanes + lane]) << 32;
        double got;
        memcpy(&got, &bits, 8);
        if (type.llvm == "i64" && end == 0 && i % 3 > 0)
          EXPECT_EQ(got < 0, expected < 0);
        else if (std::isinf(expected))
          EXPECT_EQ(got, expected);
        else
          EXPECT_NEAR(got, expected, std::abs(expected) * 1e-6)
              << combination.operation << " " << type.mangled << " " << i / 3 << " lane " << lane;
      }
    }
  }
}

TEST(IntelReduce, BitsAndSpirvNames) {
  HostArray out = intelLanes(32).run(R"(
    declare i32 @_Z32sub_group_non_uniform_reduce_xori(i32)
    declare i32 @_Z32sub_group_non_uniform_reduce_andi(i32)
    declare i32 @_Z39sub_group_non_uniform_reduce_logical_ori(i32)
    declare i32 @_Z32sub_group_non_uniform_reduce_muli(i32)
    declare i32 @_Z27__spirv_GroupNonUniformUMaxiii(i32, i32, i32)
    declare i32 @_Z17__spirv_GroupSMaxiii(i32, i32, i32)
    declare i32 @_Z17__spirv_GroupIAddiii(i32, i32, i32))",
                                     R"(
    %v = sub i32 %t, 20
    %r0 = call i32 @_Z32sub_group_non_uniform_reduce_xori(i32 %v)
    %bits = or i32 %t, 64
    %r1 = call i32 @_Z32sub_group_non_uniform_reduce_andi(i32 %bits)
    %r2 = call i32 @_Z39sub_group_non_uniform_reduce_logical_ori(i32 %t)
    %r3 = call i32 @_Z32sub_group_non_uniform_reduce_muli(i32 3)
    %r4 = call i32 @_Z27__spirv_GroupNonUniformUMaxiii(i32 3, i32 0, i32 %v)
    %r5 = call i32 @_Z17__spirv_GroupSMaxiii(i32 3, i32 0, i32 %v)
    %r6 = call i32 @_Z17__spirv_GroupIAddiii(i32 3, i32 2, i32 %t))",
                                     7);
  int all = 0;
  uint32_t product = 1;
  for (int lane = 0; lane < 32; ++lane) {
    all ^= lane - 20;
    product *= 3;
  }
  int before = 0;
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out.at(lane), all);
    EXPECT_EQ(out.at(32 + lane), 64);
    EXPECT_EQ(out.at(64 + lane), 1);
    EXPECT_EQ(static_cast<uint32_t>(out.at(96 + lane)), product);
    EXPECT_EQ(out.at(128 + lane), -1);
    EXPECT_EQ(out.at(160 + lane), 11);
    EXPECT_EQ(out.at(192 + lane), before);
    before += lane;
  }
}

TEST(IntelReduce, OtherScopesAreNotKnown) {
  EXPECT_THAT(intelLanes(16).error("declare i32 @_Z17__spirv_GroupIAddiii(i32, i32, i32)\n",
                                   "%r0 = call i32 @_Z17__spirv_GroupIAddiii(i32 2, i32 0, i32 "
                                   "%t), !dbg !1000\n"),
              StartsWith("kernel.py:10:7: error: the simulator does not know the function "
                         "'_Z17__spirv_GroupIAddiii'"));
}

TEST(IntelPrint, ValuesInOrder) {
  testing::internal::CaptureStdout();
  std::vector<ArgumentValue> arguments = {ints(16)};
  Expected<void> done = Launcher().run(makeIntelKernel(R"(
    %one = icmp ugt i32 %t, 13
    br i1 %one, label %print, label %end
  print:
    %wide = mul i64 %id, 10000000000
    %number = sitofp i32 %t to double
    %half = fmul double %number, 0.5
    %n = call i32 (ptr addrspace(2), ...) @_Z6printfPU3AS2Kcz(ptr addrspace(2) @format, i32 %t, i64 %wide, double %half, i32 -1)
    br label %end
  end:
    ret void
  )"),
                                       arguments);
  std::fflush(stdout);
  std::string text = testing::internal::GetCapturedStdout();
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(text, "14 140000000000 7.00 4294967295\n15 150000000000 7.50 4294967295\n");
}
