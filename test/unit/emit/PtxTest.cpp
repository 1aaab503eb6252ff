//===- PtxTest.cpp - Emitting PTX in one process, many times ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "vendor/nvidia/emit/NvptxMachine.h"

#include "gtest/gtest.h"

#include <thread>
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::emit::test;

static const std::string goodKernel = scaleKernel("ptx_kernel");

// An instruction that the targets before 9.0 do not have.
static constexpr const char *fatalKernel = R"(
define ptx_kernel void @fence() {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  ret void
}
)";

static std::string ptxOf(const std::string &text, const char *target,
                         const EmitOptions &options = {}) {
  return codeOf(target, text, options).nativeCode;
}

TEST(Ptx, SharedAddressesHave32Bits) {
  EXPECT_NE(nvidiaDataLayout().find("p3:32:32"), std::string::npos);
  EXPECT_NE(
      codeOf("cuda:80", goodKernel).llir.find("target datalayout = \"" + nvidiaDataLayout() + "\""),
      std::string::npos);
}

TEST(Ptx, FusionIsAnOption) {
  EXPECT_NE(ptxOf(goodKernel, "cuda:90").find("fma.rn.f32"), std::string::npos);
  std::string exact = ptxOf(goodKernel, "cuda:90", {.fuseMultiplyAdd = false});
  EXPECT_EQ(exact.find("fma"), std::string::npos);
  // Without a rounding mode the assembler would fuse them after all.
  EXPECT_NE(exact.find("mul.rn.f32"), std::string::npos);
  EXPECT_NE(exact.find("add.rn.f32"), std::string::npos);
}

/// What a fatal error costs is memory that is never freed (BackendFailure::isFatal); the leak
/// checker is not to report that.
static Expected<EmittedCode> emitFatalKernel(const char *target) {
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler noLeakCheck;
#endif
  return emitText(target, fatalKernel);
}

TEST(Ptx, FatalErrorsEndOneCompilationOnly) {
  std::string before = ptxOf(goodKernel, "cuda:80");
  for (int attempt = 0; attempt < 3; ++attempt) {
    Expected<EmittedCode> failed = emitFatalKernel("cuda:80");
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("wgmma.fence"), std::string::npos);
    EXPECT_EQ(ptxOf(goodKernel, "cuda:80"), before);
  }
}

TEST(Ptx, ThreadsDoNotDisturbEachOther) {
  std::string expected = ptxOf(goodKernel, "cuda:90");
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&result] {
      for (int run = 0; run < 10; ++run) {
        EXPECT_FALSE(emitFatalKernel("cuda:86"));
        result = ptxOf(goodKernel, "cuda:90");
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, expected);
}
