//===- CudaTest.cpp - CUDA devices, or the reason for none --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Runtime.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::runtime;
using ::testing::HasSubstr;

// 64 KiB of shared memory: each thread stores its number at one end and reads it back.
static const char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 16 .b8 shared[];
.visible .entry add(.param .u64 x, .param .u32 n, .param .f32 s)
{
  .reg .pred %p;
  .reg .f32 %f<4>;
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [x];
  ld.param.u32 %r0, [n];
  ld.param.f32 %f0, [s];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.f32 %f1, [%d2];
  add.f32 %f2, %f1, %f0;
  mov.u32 %r5, shared;
  mad.lo.u32 %r6, %r1, 4, %r5;
  st.shared.f32 [%r6+65024], %f2;
  ld.shared.f32 %f3, [%r6+65024];
  st.global.f32 [%d2], %f3;
done:
  ret;
}
)";

static CompiledKernel addKernel() {
  CompiledKernel kernel;
  kernel.metadata.name = "add";
  kernel.metadata.target = "cuda:70";
  kernel.metadata.sharedBytes = 65536;
  kernel.metadata.arguments = {{"x", "*fp32", 16, {}}, {"n", "i32", 1, {}}, {"s", "fp32", 1, {}}};
  kernel.nativeCode = ptx;
  return kernel;
}

TEST(Cuda, RunsOrSaysWhatIsMissing) {
  Expected<std::unique_ptr<Device>> device = createCudaDevice();
  if (!device) {
    std::string error = render(device.error());
    EXPECT_THAT(error, ::testing::AnyOf(HasSubstr("there is no CUDA d"),
                                        HasSubstr("the CUDA driver does not start")));
    EXPECT_THAT(error, HasSubstr("run the kernel on the simulator"));
    GTEST_SKIP() << error;
  }
  auto kernel = (*device)->load(addKernel());
  ASSERT_TRUE(kernel) << render(kernel.error());
  constexpr int64_t n = 1000;
  HostArray x(ElementType::Float32, {n + 1});
  for (size_t i = 0; i < x.size(); ++i)
    x.set(i, static_cast<double>(i));
  std::vector<ArgumentValue> arguments = {x, n, 0.5};
  Expected<void> done = run(**device, **kernel, {8}, arguments);
  ASSERT_TRUE(done) << render(done.error());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(std::get<HostArray>(arguments[0]).at(i), i < n ? i + 0.5 : i);

  Expected<std::vector<double>> times = measure(**device, **kernel, {8}, arguments, 2, 5);
  ASSERT_TRUE(times) << render(times.error());
  EXPECT_EQ(times->size(), 5u);
  for (double time : *times)
    EXPECT_TRUE(time > 0 && time < 1000);
}

TEST(Cuda, RefusedCode) {
  Expected<std::unique_ptr<Device>> device = createCudaDevice();
  if (!device)
    GTEST_SKIP() << render(device.error());
  CompiledKernel kernel = addKernel();
  kernel.nativeCode = ".version 7.0\n.target sm_70\n.address_size 64\nnonsense\n";
  EXPECT_THAT(render((*device)->load(kernel).error()), HasSubstr("nonsense"));
  kernel.nativeCode.clear();
  EXPECT_THAT(render((*device)->load(kernel).error()), HasSubstr("there is no PTX"));
  kernel = addKernel();
  kernel.metadata.name = "other";
  EXPECT_THAT(render((*device)->load(kernel).error()), HasSubstr("loading 'other' failed"));
  kernel = addKernel();
  kernel.metadata.target = "hip:gfx1100";
  EXPECT_THAT(render((*device)->load(kernel).error()), HasSubstr("compiled for hip:gfx1100"));
  kernel = addKernel();
  kernel.metadata.sharedBytes = 1 << 20;
  EXPECT_THAT(render((*device)->load(kernel).error()), HasSubstr("bytes of shared memory"));
}
