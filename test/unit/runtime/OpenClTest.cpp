//===- OpenClTest.cpp - OpenCL devices, or the reason for none ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels run in test/e2e/numpy; here is what a device refuses.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Runtime.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::runtime;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// The header of a SPIR-V 1.2 module and nothing else: no kernel.
static const char emptyModule[] = "\x03\x02\x23\x07\x00\x02\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00"
                                  "\x00\x00\x00\x00";

static CompiledKernel addKernel(size_t lanes) {
  CompiledKernel kernel;
  kernel.metadata.name = "add";
  kernel.metadata.target = "xpu:bmg";
  kernel.metadata.numWarps = 1;
  kernel.metadata.threadsPerWarp = static_cast<int>(lanes);
  kernel.metadata.arguments = {{"x", "*fp32", 16, {}}, {"n", "i32", 1, {}}};
  kernel.nativeCode.assign(emptyModule, sizeof emptyModule - 1);
  return kernel;
}

TEST(OpenCl, IsThereOrSaysWhatIsMissing) {
  Expected<std::unique_ptr<Device>> device = createOpenClDevice();
  if (!device) {
    std::string error = render(device.error());
    EXPECT_THAT(error, AnyOf(HasSubstr("there is no OpenCL"),
                             HasSubstr("OpenCL has no device that takes SPIR-V"),
                             HasSubstr("cannot be used")));
    EXPECT_THAT(error, HasSubstr("run the kernel on the simulator"));
    GTEST_SKIP() << error;
  }
  EXPECT_NE((*device)->name(), "");
  EXPECT_THAT(render(createOpenClDevice(1000).error()),
              HasSubstr("there is no OpenCL device 1000"));
  EXPECT_THAT(render(createOpenClDevice(-1).error()), HasSubstr("there is no OpenCL device -1"));
}

TEST(OpenCl, Memory) {
  Expected<std::unique_ptr<Device>> device = createOpenClDevice();
  if (!device)
    GTEST_SKIP() << render(device.error());
  const std::string text = "some bytes";
  Expected<DevicePointer> first = (*device)->allocate(text.size(), "first");
  Expected<DevicePointer> second = (*device)->allocate(0, "second");
  ASSERT_TRUE(first) << render(first.error());
  ASSERT_TRUE(second) << render(second.error());
  EXPECT_EQ(first->address % 256, 0u);
  EXPECT_EQ(second->address % 256, 0u);
  EXPECT_NE(first->address, second->address);
  ASSERT_TRUE((*device)->copyIn(*first, text.data(), text.size()));
  std::string back(text.size(), '?');
  ASSERT_TRUE((*device)->copyOut(back.data(), *first, back.size()));
  EXPECT_EQ(back, text);
  EXPECT_TRUE((*device)->free(*first));
  EXPECT_THAT(render((*device)->free(*first).error()), HasSubstr("nothing begins there"));
  EXPECT_TRUE((*device)->free(*second));
}

TEST(OpenCl, RefusedKernels) {
  Expected<std::unique_ptr<Device>> device = createOpenClDevice();
  if (!device)
    GTEST_SKIP() << render(device.error());
  auto errorOf = [&](const CompiledKernel &kernel) {
    Expected<std::unique_ptr<Kernel>> loaded = (*device)->load(kernel);
    return loaded ? std::string() : render(loaded.error());
  };
  CompiledKernel kernel = addKernel(7);
  EXPECT_THAT(errorOf(kernel), HasSubstr("needs sub-groups of 7"));
  // A device whose kernels cannot choose refuses all of them so.
  kernel = addKernel(16);
  if (errorOf(kernel).find("sub-groups of 16") != std::string::npos)
    GTEST_SKIP() << errorOf(kernel);
  EXPECT_THAT(errorOf(kernel), HasSubstr("loading 'add' failed"));
  kernel.nativeCode = "nonsense";
  EXPECT_THAT(errorOf(kernel), HasSubstr("loading 'add' failed"));
  kernel.nativeCode.clear();
  EXPECT_THAT(errorOf(kernel), HasSubstr("there is no SPIR-V"));
  kernel = addKernel(16);
  kernel.metadata.target = "cuda:90";
  EXPECT_THAT(errorOf(kernel), HasSubstr("compiled for cuda:90"));
  kernel = addKernel(16);
  kernel.metadata.numWarps = 1 << 20;
  EXPECT_THAT(errorOf(kernel), HasSubstr("needs work-groups of 16777216"));
  kernel = addKernel(16);
  kernel.metadata.sharedBytes = 1 << 30;
  EXPECT_THAT(errorOf(kernel), HasSubstr("bytes of shared memory"));
}
