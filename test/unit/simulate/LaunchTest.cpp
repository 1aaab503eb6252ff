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
  auto value = runtime::parseArgumentValue({name, "*fp32", 1, {}},
                                           "rand(" + std::to_string(size) + ")");
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
