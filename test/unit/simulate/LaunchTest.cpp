//===- LaunchTest.cpp - Whole kernels against plain references ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::ElementType;
using runtime::HostArray;

static HostArray randomArray(const std::string &name, int64_t size) {
  auto value =
      runtime::parseArgumentValue({name, "*fp32", 1, {}}, "rand(" + std::to_string(size) + ")");
  return std::get<HostArray>(*value);
}

// Four elements a thread by predicated vector accesses, as lowering emits them.
static const char vectorAdd[] = R"(
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1), i32, <4 x i1>)
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out, i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = mul i32 %block, 512
  %own = mul i32 %thread, 4
  %first = add i32 %base, %own
  %inside = icmp slt i32 %first, %n
  %one = insertelement <4 x i1> poison, i1 %inside, i32 0
  %mask = shufflevector <4 x i1> %one, <4 x i1> poison, <4 x i32> zeroinitializer
  %px = getelementptr float, ptr addrspace(1) %x, i32 %first
  %py = getelementptr float, ptr addrspace(1) %y, i32 %first
  %po = getelementptr float, ptr addrspace(1) %out, i32 %first
  %a = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) %px, i32 16, <4 x i1> %mask, <4 x float> zeroinitializer), !dbg !1000
  %b = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) %py, i32 16, <4 x i1> %mask, <4 x float> zeroinitializer), !dbg !1000
  %sum = fadd <4 x float> %a, %b
  call void @llvm.masked.store.v4f32.p1(<4 x float> %sum, ptr addrspace(1) %po, i32 16, <4 x i1> %mask), !dbg !2000
  ret void
}
)";

TEST(Launch, VectorAdd) {
  CompiledKernel kernel = makeKernel("x: *fp32, y: *fp32, out: *fp32, n: i32", vectorAdd, 4);
  constexpr int64_t n = 5 * 512 - 100;
  HostArray x = randomArray("x", n), y = randomArray("y", n);
  std::vector<ArgumentValue> arguments = {x, y, HostArray(ElementType::Float32, {n}), n};
  Expected<void> done = Launcher().run(kernel, arguments, {5});
  ASSERT_TRUE(done) << render(done.error());
  const HostArray &out = std::get<HostArray>(arguments[2]);
  for (int64_t i = 0; i < n; ++i)
    EXPECT_EQ(out.data<float>()[i], x.data<float>()[i] + y.data<float>()[i]) << i;
}

TEST(Launch, MemoryOfTheHostIsAccessedInPlace) {
  Launcher launcher;
  alignas(16) float x[1024], y[1024], out[1024];
  for (int i = 0; i < 1024; ++i)
    x[i] = static_cast<float>(i), y[i] = 0.5f, out[i] = -1;
  auto addressOf = [](const float *memory) { return reinterpret_cast<uint64_t>(memory); };
  ASSERT_TRUE(launcher.simulator->lend(addressOf(x), sizeof(x), /*isReadOnly=*/true, "x"));
  ASSERT_TRUE(launcher.simulator->lend(addressOf(y), sizeof(y), /*isReadOnly=*/true, "y"));
  ASSERT_TRUE(launcher.simulator->lend(addressOf(out), sizeof(out), /*isReadOnly=*/false, "out"));
  EXPECT_FALSE(launcher.simulator->lend(addressOf(x) + 4, 4, /*isReadOnly=*/false, "part of x"));
  EXPECT_FALSE(launcher.simulator->lend(addressOf(x) - 4, 8, /*isReadOnly=*/false, "around x"));
  auto kernel =
      launcher.simulator->load(makeKernel("x: *fp32, y: *fp32, out: *fp32, n: i32", vectorAdd, 4));
  ASSERT_TRUE(kernel);
  auto launch = [&](const float *to) {
    std::vector<runtime::LaunchArgument> arguments = {
        runtime::DevicePointer{addressOf(x)}, runtime::DevicePointer{addressOf(y)},
        runtime::DevicePointer{addressOf(to)}, int64_t(1000)};
    return launcher.simulator->launch(**kernel, {2}, arguments);
  };
  ASSERT_TRUE(launch(out));
  EXPECT_EQ(out[999], 999.5f);
  EXPECT_EQ(out[1000], -1);
  Expected<void> stored = launch(x);
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().message, "store of 16 bytes to 'x', which is read-only");
  EXPECT_EQ(x[1], 1.0f);
  ASSERT_TRUE(launcher.simulator->free({addressOf(out)}));
  EXPECT_FALSE(launch(out));
}

TEST(Launch, VectorAddIsTheSameEveryTime) {
  CompiledKernel kernel = makeKernel("x: *fp32, y: *fp32, out: *fp32, n: i32", vectorAdd, 4);
  std::string previous;
  for (int round = 0; round < 2; ++round) {
    HostArray x = randomArray("x", 2000);
    std::string error = errorOf(kernel, {x, x, x, int64_t(2048)}, {}, {4});
    EXPECT_NE(error, "no error");
    if (round == 1)
      EXPECT_EQ(error, previous);
    previous = error;
  }
}

// A sum over a block: shuffles within each warp, shared memory across warps.
static const char reduction[] = R"(
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %out) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = mul i32 %block, 256
  %own = add i32 %base, %thread
  %p = getelementptr float, ptr addrspace(1) %x, i32 %own
  %v0 = load float, ptr addrspace(1) %p, align 4
  %s16 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0, i32 16, i32 31)
  %v1 = fadd float %v0, %s16
  %s8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1, i32 8, i32 31)
  %v2 = fadd float %v1, %s8
  %s4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2, i32 4, i32 31)
  %v3 = fadd float %v2, %s4
  %s2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3, i32 2, i32 31)
  %v4 = fadd float %v3, %s2
  %s1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4, i32 1, i32 31)
  %v5 = fadd float %v4, %s1
  %warp = lshr i32 %thread, 5
  %lane = and i32 %thread, 31
  %first = icmp eq i32 %lane, 0
  %slot = getelementptr float, ptr addrspace(3) @global_smem, i32 %warp
  br i1 %first, label %put, label %meet
put:
  store float %v5, ptr addrspace(3) %slot, align 4
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %all = load <8 x float>, ptr addrspace(3) @global_smem, align 16
  %sum = call float @llvm.vector.reduce.fadd.v8f32(float 0.0, <8 x float> %all)
  %one = icmp eq i32 %thread, 77
  br i1 %one, label %write, label %done
write:
  %q = getelementptr float, ptr addrspace(1) %out, i32 %block
  store float %sum, ptr addrspace(1) %q, align 4
  br label %done
done:
  ret void
}
declare float @llvm.vector.reduce.fadd.v8f32(float, <8 x float>)
)";

TEST(Launch, Reduction) {
  constexpr int64_t blocks = 6;
  HostArray x(ElementType::Float32, {blocks * 256});
  for (size_t i = 0; i < x.size(); ++i)
    x.set(i, static_cast<double>(i * 37 % 101));
  std::vector<ArgumentValue> arguments = {x, HostArray(ElementType::Float32, {blocks})};
  Expected<void> done =
      Launcher().run(makeKernel("x: *fp32, out: *fp32", reduction, 8, 32), arguments, {blocks});
  ASSERT_TRUE(done) << render(done.error());
  // Whole numbers: every order of summation gives the same.
  for (int64_t block = 0; block < blocks; ++block) {
    const float *begin = x.data<float>() + block * 256;
    EXPECT_EQ(std::get<HostArray>(arguments[1]).at(block),
              std::accumulate(begin, begin + 256, 0.0));
  }
}

/// C = A B for 256x256 matrices in blocks of 128x64, 64 columns a thread: 65 loads and
/// 64 fused multiply-adds an iteration.
static std::string matmulText() {
  std::string text = R"(
declare float @llvm.fmuladd.f32(float, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row0 = mul i32 %by, 128
  %row = add i32 %row0, %t
  %column = mul i32 %bx, 64
  %rowOffset = mul i32 %row, 256
  %arow = getelementptr float, ptr addrspace(1) %a, i32 %rowOffset
  %crow0 = getelementptr float, ptr addrspace(1) %c, i32 %rowOffset
  %crow = getelementptr float, ptr addrspace(1) %crow0, i32 %column
  %bcolumn = getelementptr float, ptr addrspace(1) %b, i32 %column
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
)";
  auto each = [&](auto line) {
    for (int j = 0; j < 64; ++j)
      text += "  " + line(std::to_string(j)) + "\n";
  };
  using std::string;
  each([](string j) {
    return "%acc" + j + " = phi float [ 0.0, %entry ], [ %sum" + j + ", %loop ]";
  });
  text += R"(  %pa = getelementptr float, ptr addrspace(1) %arow, i32 %i
  %va = load float, ptr addrspace(1) %pa, align 4
  %brow = mul i32 %i, 256
  %pb = getelementptr float, ptr addrspace(1) %bcolumn, i32 %brow
)";
  each([](string j) {
    return "%pb" + j + " = getelementptr float, ptr addrspace(1) %pb, i32 " + j + "\n  %vb" + j +
           " = load float, ptr addrspace(1) %pb" + j + ", align 4\n  %sum" + j +
           " = call float @llvm.fmuladd.f32(float %va, float %vb" + j + ", float %acc" + j + ")";
  });
  text += R"(  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 256
  br i1 %more, label %loop, label %done
done:
)";
  each([](string j) {
    return "%pc" + j + " = getelementptr float, ptr addrspace(1) %crow, i32 " + j +
           "\n  store float %sum" + j + ", ptr addrspace(1) %pc" + j + ", align 4";
  });
  return text + "  ret void\n}\n";
}

TEST(Launch, MatrixProduct) {
  constexpr int64_t n = 256;
  HostArray a = randomArray("a", n * n), b = randomArray("b", n * n);
  std::vector<ArgumentValue> arguments = {a, b, HostArray(ElementType::Float32, {n, n})};
  Expected<void> done = Launcher().run(makeKernel("a: *fp32, b: *fp32, c: *fp32", matmulText(), 4),
                                       arguments, {4, 2});
  ASSERT_TRUE(done) << render(done.error());
  const HostArray &c = std::get<HostArray>(arguments[2]);
  for (int64_t row = 0; row < n; row += 17)
    for (int64_t column = 0; column < n; column += 13) {
      double sum = 0;
      for (int64_t k = 0; k < n; ++k)
        sum += a.at(row * n + k) * b.at(k * n + column);
      // 256 roundings of sums below 16 are within 256 * 2^-21 at the very worst.
      EXPECT_NEAR(c.at(row * n + column), sum, 1.3e-4);
    }
}
