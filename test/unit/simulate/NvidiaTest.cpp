//===- NvidiaTest.cpp - NVIDIA's operations against their definitions ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <cmath>
#include <cstdint>
#include <tuple>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::ElementType;
using runtime::HostArray;

/// What the PTX manual's pseudocode for shfl gives: the source lane and the predicate.
static std::pair<int, bool> referenceShuffle(const std::string &mode, int lane, int b, int c) {
  int bval = b & 0x1f, cval = c & 0x1f, segmask = c >> 8 & 0x1f;
  int maxLane = (lane & segmask) | (cval & ~segmask);
  int minLane = lane & segmask;
  int j = 0;
  bool p = false;
  if (mode == "up") {
    j = lane - bval;
    p = j >= maxLane;
  } else if (mode == "down") {
    j = lane + bval;
    p = j <= maxLane;
  } else if (mode == "bfly") {
    j = lane ^ bval;
    p = j <= maxLane;
  } else {
    j = minLane | (bval & ~segmask);
    p = j <= maxLane;
  }
  return {p ? j : lane, p};
}

TEST(Shift, DistancesPastTheWidthShiftAllOut) {
  CompiledKernel kernel = makeKernel("out: *i32, distance: *i32", R"(
      define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %distance) {
        %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %q = getelementptr i32, ptr addrspace(1) %distance, i32 %t
        %d = load i32, ptr addrspace(1) %q, align 4
        %l = shl i32 -1234567, %d
        %r = lshr i32 -1234567, %d
        %a = ashr i32 -1234567, %d
        %n = mul i32 %t, 3
        %p0 = getelementptr i32, ptr addrspace(1) %out, i32 %n
        %p1 = getelementptr i32, ptr addrspace(1) %p0, i32 1
        %p2 = getelementptr i32, ptr addrspace(1) %p0, i32 2
        store i32 %l, ptr addrspace(1) %p0, align 4
        store i32 %r, ptr addrspace(1) %p1, align 4
        store i32 %a, ptr addrspace(1) %p2, align 4
        ret void
      })");
  std::unique_ptr<Simulator> simulator = createSimulator();
  auto loaded = simulator->load(kernel);
  ASSERT_TRUE(loaded) << render(loaded.error());
  HostArray distances = ints(32);
  const int64_t interesting[] = {0, 1, 31, 32, 33, 63, 64, 255, -1};
  for (int i = 0; i < 32; ++i)
    distances.setInteger(i, i < 9 ? interesting[i] : i);
  std::vector<ArgumentValue> arguments = {ints(96), distances};
  Expected<void> done = runtime::run(*simulator, **loaded, {}, arguments);
  ASSERT_TRUE(done) << render(done.error());
  const HostArray &out = std::get<HostArray>(arguments[0]);
  for (int i = 0; i < 32; ++i) {
    uint32_t distance = uint32_t(int32_t(distances.at(i)));
    bool isWithin = distance < 32;
    EXPECT_EQ(int32_t(out.at(3 * i)), isWithin ? int32_t(uint32_t(-1234567) << distance) : 0);
    EXPECT_EQ(uint32_t(int32_t(out.at(3 * i + 1))), isWithin ? uint32_t(-1234567) >> distance : 0);
    EXPECT_EQ(int32_t(out.at(3 * i + 2)), -1234567 >> (isWithin ? distance : 31));
  }
}

TEST(Shuffle, AllModesAndParameters) {
  for (std::string mode : {"up", "down", "bfly", "idx"}) {
    CompiledKernel kernel = makeKernel("value: *i32, inside: *i32, b: *i32, c: i32",
                                       "declare {i32, i1} @llvm.nvvm.shfl.sync." + mode +
                                           R"(.i32p(i32, i32, i32, i32)
      define ptx_kernel void @k(ptr addrspace(1) %value, ptr addrspace(1) %inside, ptr addrspace(1) %pb, i32 %c) {
        %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %qb = getelementptr i32, ptr addrspace(1) %pb, i32 %t
        %b = load i32, ptr addrspace(1) %qb, align 4
        %mine = mul i32 %t, 1000
        %r = call {i32, i1} @llvm.nvvm.shfl.sync.)" +
                                           mode + R"(.i32p(i32 -1, i32 %mine, i32 %b, i32 %c)
        %v = extractvalue {i32, i1} %r, 0
        %p = extractvalue {i32, i1} %r, 1
        %w = zext i1 %p to i32
        %qv = getelementptr i32, ptr addrspace(1) %value, i32 %t
        store i32 %v, ptr addrspace(1) %qv, align 4
        %qi = getelementptr i32, ptr addrspace(1) %inside, i32 %t
        store i32 %w, ptr addrspace(1) %qi, align 4
        ret void
      })");
    std::unique_ptr<Simulator> simulator = createSimulator();
    auto loaded = simulator->load(kernel);
    ASSERT_TRUE(loaded) << render(loaded.error());
    for (int segment : {0, 0x10, 0x18, 0x1c, 0x1e, 0x1f})
      for (int clamp : {0, 3, 15, 31})
        for (int b = 0; b < 32; b += 3) {
          int c = segment << 8 | clamp;
          HostArray each = ints(32);
          // The index mode lets each lane choose; the others share one distance.
          for (int lane = 0; lane < 32; ++lane)
            each.setInteger(lane, mode == "idx" ? (b * 7 + lane * 5) & 31 : b);
          std::vector<ArgumentValue> arguments = {ints(32), ints(32), each, int64_t(c)};
          Expected<void> done = runtime::run(*simulator, **loaded, {}, arguments);
          ASSERT_TRUE(done) << render(done.error());
          for (int lane = 0; lane < 32; ++lane) {
            auto [source, inside] = referenceShuffle(mode, lane, int(each.at(lane)), c);
            EXPECT_EQ(std::get<HostArray>(arguments[0]).at(lane), source * 1000)
                << mode << " lane " << lane << " b " << b << " c " << c;
            EXPECT_EQ(std::get<HostArray>(arguments[1]).at(lane), inside);
          }
        }
  }
}

/// Runs `out[t] = f(t)` for one warp, where the body computes %r (an i32) from %t.
static HostArray mapThreads(const std::string &body, const std::string &declarations) {
  std::vector<ArgumentValue> arguments = {ints(32)};
  Expected<void> done = Launcher().run(
      makeKernel("out: *i32", declarations +
                                  "\ndefine ptx_kernel void @k(ptr addrspace(1) %out) {\n"
                                  "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                                  body + R"(
        %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
        store i32 %r, ptr addrspace(1) %p, align 4
        ret void
      })"),
      arguments);
  EXPECT_TRUE(done) << render(done.error());
  return std::get<HostArray>(arguments[0]);
}

TEST(Shuffle, Floats) {
  HostArray out = mapThreads(R"(
    %f = sitofp i32 %t to float
    %s = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %f, i32 5, i32 31)
    %r = fptosi float %s to i32)",
                             "declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out.at(lane), lane ^ 5);
}

TEST(Shuffle, PartsOfAWarp) {
  HostArray out = mapThreads(R"(
    %low = icmp slt i32 %t, 8
    br i1 %low, label %a, label %b
  a:
    %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 255, i32 %t, i32 1, i32 31)
    br label %c
  b:
    %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -256, i32 %t, i32 2, i32 31)
    br label %c
  c:
    %r = phi i32 [ %x, %a ], [ %y, %b ])",
                             "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out.at(lane), lane < 8 ? lane ^ 1 : lane ^ 2);
}

TEST(Vote, BallotAllAnyUniform) {
  const char *declarations = R"(
    declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
    declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
    declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
    declare i1 @llvm.nvvm.vote.uni.sync(i32, i1))";
  HostArray ballot = mapThreads(R"(
    %c = icmp slt i32 %t, 5
    %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c))",
                                declarations);
  EXPECT_EQ(ballot.at(17), 31);
  // all, any and uniform in bits 0, 1, 2, for t < limit.
  for (int limit : {0, 5, 32}) {
    HostArray out = mapThreads("%c = icmp slt i32 %t, " + std::to_string(limit) + R"(
      %a = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %c)
      %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %c)
      %d = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %c)
      %x = zext i1 %a to i32
      %y = select i1 %b, i32 2, i32 0
      %z = select i1 %d, i32 4, i32 0
      %xy = or i32 %x, %y
      %r = or i32 %xy, %z)",
                               declarations);
    EXPECT_EQ(out.at(3), limit == 0 ? 4 : limit == 5 ? 2 : 7);
  }
}

TEST(Reduce, Operations) {
  struct Case {
    const char *name;
    int expected;
  };
  // Of the values t - 16.
  for (Case test : {Case{"add", -16},
                    {"min", -16},
                    {"max", 15},
                    {"umin", 0},
                    {"umax", -1},
                    {"and", 0},
                    {"or", -1},
                    {"xor", 0}}) {
    std::string name = std::string("@llvm.nvvm.redux.sync.") + test.name;
    HostArray out = mapThreads("%v = sub i32 %t, 16\n%r = call i32 " + name + "(i32 %v, i32 -1)",
                               "declare i32 " + name + "(i32, i32)");
    EXPECT_EQ(out.at(9), test.expected) << test.name;
  }
}

TEST(Elect, OneLane) {
  HostArray out = mapThreads(R"(
    %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)
    %lane = extractvalue {i32, i1} %e, 0
    %is = extractvalue {i32, i1} %e, 1
    %bit = select i1 %is, i32 256, i32 0
    %r = or i32 %lane, %bit)",
                             "declare {i32, i1} @llvm.nvvm.elect.sync(i32)");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out.at(lane), lane == 0 ? 256 : 0);
}

TEST(Permute, BytesAndSigns) {
  auto permute = [](uint32_t selector) {
    return static_cast<uint32_t>(
        mapThreads("%r = call i32 @llvm.nvvm.prmt(i32 u0x84838281, i32 u0x08070605, i32 " +
                       std::to_string(static_cast<int32_t>(selector)) + ")",
                   "declare i32 @llvm.nvvm.prmt(i32, i32, i32)")
            .data<uint32_t>()[0]);
  };
  EXPECT_EQ(permute(0x3210), 0x84838281u);
  EXPECT_EQ(permute(0x7654), 0x08070605u);
  EXPECT_EQ(permute(0x0472), 0x81050883u);
  EXPECT_EQ(permute(0xc8b4), 0x00ffff05u);
}

TEST(Numbers, ThreadsAndBlocks) {
  std::vector<ArgumentValue> arguments = {ints(2 * 3 * 4 * 64 * 4)};
  Expected<void> done = Launcher().run(makeKernel("out: *i32", R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
    declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
    declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
    declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
    define ptx_kernel void @k(ptr addrspace(1) %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
      %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
      %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
      %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
      %nt = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
      %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
      %a = mul i32 %z, %ny
      %b = add i32 %a, %y
      %c = mul i32 %b, %nx
      %d = add i32 %c, %x
      %e = mul i32 %d, %nt
      %f = add i32 %e, %t
      %g = mul i32 %f, 4
      %p = getelementptr i32, ptr addrspace(1) %out, i32 %g
      %v0 = insertelement <4 x i32> poison, i32 %x, i32 0
      %v1 = insertelement <4 x i32> %v0, i32 %z, i32 1
      %v2 = insertelement <4 x i32> %v1, i32 %lane, i32 2
      %v3 = insertelement <4 x i32> %v2, i32 %warp, i32 3
      store <4 x i32> %v3, ptr addrspace(1) %p, align 16
      ret void
    })",
                                                  2),
                                       arguments, {2, 3, 4});
  ASSERT_TRUE(done) << render(done.error());
  const int32_t *out = std::get<HostArray>(arguments[0]).data<int32_t>();
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 2; ++x)
        for (int t = 0; t < 64; ++t, out += 4) {
          EXPECT_EQ(out[0], x);
          EXPECT_EQ(out[1], z);
          EXPECT_EQ(out[2], t % 32);
          EXPECT_EQ(out[3], t / 32);
        }
}

/// The function's value of the constants, with their text as LLVM takes it.
static float evaluate(const std::string &intrinsic, const std::vector<std::string> &operands) {
  std::string types, values;
  for (const std::string &operand : operands) {
    types += types.empty() ? "float" : ", float";
    values += (values.empty() ? "float " : ", float ") + operand;
  }
  HostArray out =
      mapThreads("%f = call float @" + intrinsic + "(" + values + ")\n%r = bitcast float %f to i32",
                 "declare float @" + intrinsic + "(" + types + ")");
  return out.data<float>()[0];
}

TEST(Arithmetic, Approximations) {
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.ex2.approx.f", {"3.5"}), std::exp2(3.5f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.ex2.approx.f32", {"3.5"}), std::exp2(3.5f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.ex2.approx.ftz.f", {"3.5"}), std::exp2(3.5f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.lg2.approx.f", {"10.0"}), std::log2(10.0f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.sin.approx.f", {"1.0"}), std::sin(1.0f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.cos.approx.ftz.f", {"1.0"}), std::cos(1.0f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.sqrt.approx.f", {"2.0"}), std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.sqrt.rn.ftz.f", {"2.0"}), std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.rsqrt.approx.f", {"2.0"}), 1 / std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.rcp.approx.ftz.f", {"8.0"}), 0.125f);
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.div.full", {"7.0", "8.0"}), 0.875f);
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.div.full.ftz", {"7.0", "8.0"}), 0.875f);
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.fma.rn.f", {"2.0", "3.0", "1.0"}), 7.0f);
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.saturate.f", {"1.5"}), 1.0f);
  EXPECT_FLOAT_EQ(evaluate("llvm.nvvm.saturate.f", {"-1.5"}), 0.0f);
}

TEST(Arithmetic, MinimumAndNotANumber) {
  const std::string nan = "0x7FF8000000000000";
  EXPECT_EQ(evaluate("llvm.nvvm.fmax.f", {nan, "2.0"}), 2.0f);
  EXPECT_EQ(evaluate("llvm.nvvm.fmin.ftz.f", {"3.0", "2.0"}), 2.0f);
  EXPECT_TRUE(std::isnan(evaluate("llvm.nvvm.fmax.nan.f", {nan, "2.0"})));
}

TEST(Arithmetic, DenormalsAreFlushedWhereAsked) {
  // 2^-130.
  const std::string denormal = "0x37D0000000000000";
  EXPECT_GT(evaluate("llvm.nvvm.fma.rn.f", {denormal, "1.0", "0.0"}), 0.0f);
  EXPECT_EQ(evaluate("llvm.nvvm.fma.rn.ftz.f", {denormal, "1.0", "0.0"}), 0.0f);
}

TEST(Products, SumsOfIntegersStopAtTheEndsOfI32) {
  // Factors of 127 and -128: sums of 32 products are 516,128 and -520,192.
  for (auto [factor, start, sum] :
       {std::tuple(0x7f7f7f7f, INT32_MAX - 516128, INT32_MAX),
        std::tuple(0x7f7f7f7f, INT32_MAX - 516127, INT32_MAX), std::tuple(0x7f7f7f7f, 5, 516133),
        std::tuple(int32_t(0x80808080), INT32_MIN + 520192, INT32_MIN),
        std::tuple(int32_t(0x80808080), INT32_MIN + 520191, INT32_MIN)}) {
    CompiledKernel kernel = makeKernel("out: *i32, a: i32, c: i32", R"(
      define ptx_kernel void @k(ptr addrspace(1) %out, i32 %a, i32 %c) {
        %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %r = call {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8(i32 %a, i32 %a, i32 %a, i32 %a, i32 2139062143, i32 2139062143, i32 %c, i32 %c, i32 %c, i32 %c)
        %v = extractvalue {i32, i32, i32, i32} %r, 3
        %q = getelementptr i32, ptr addrspace(1) %out, i32 %t
        store i32 %v, ptr addrspace(1) %q, align 4
        ret void
      })");
    std::unique_ptr<Simulator> simulator = createSimulator();
    auto loaded = simulator->load(kernel);
    ASSERT_TRUE(loaded) << render(loaded.error());
    std::vector<ArgumentValue> arguments = {ints(32), int64_t(factor), int64_t(start)};
    Expected<void> done = runtime::run(*simulator, **loaded, {}, arguments);
    ASSERT_TRUE(done) << render(done.error());
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(int32_t(std::get<HostArray>(arguments[0]).at(lane)), sum);
  }
}

TEST(Arithmetic, HighProducts) {
  HostArray out = mapThreads(R"(
    %a = call i32 @llvm.nvvm.mulhi.ui(i32 -1, i32 16)
    %b = call i32 @llvm.nvvm.mulhi.i(i32 -1, i32 16)
    %r = sub i32 %a, %b)",
                             "declare i32 @llvm.nvvm.mulhi.ui(i32, i32)\n"
                             "declare i32 @llvm.nvvm.mulhi.i(i32, i32)");
  EXPECT_EQ(out.at(0), 15 + 1);
}

TEST(Arithmetic, SixteenBitFloats) {
  HostArray out = mapThreads(R"(
    %f = sitofp i32 %t to float
    %g = fadd float %f, 0x3FB99999A0000000
    %h = fptrunc float %g to half
    %b = fptrunc float %g to bfloat
    %x = bitcast half %h to i16
    %y = bitcast bfloat %b to i16
    %xx = zext i16 %x to i32
    %yy = zext i16 %y to i32
    %hi = shl i32 %yy, 16
    %r = or i32 %xx, %hi)",
                             "");
  for (int lane = 0; lane < 32; ++lane) {
    HostArray half(ElementType::Float16, {1}), brain(ElementType::BFloat16, {1});
    half.set(0, float(lane) + 0.1f);
    brain.set(0, float(lane) + 0.1f);
    EXPECT_EQ(out.data<uint32_t>()[lane],
              half.data<uint16_t>()[0] | uint32_t(brain.data<uint16_t>()[0]) << 16);
  }
}
