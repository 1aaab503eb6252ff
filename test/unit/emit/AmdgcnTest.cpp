//===- AmdgcnTest.cpp - Emitting code objects in one process, many times ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "gtest/gtest.h"

#include <thread>

using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::emit::test;

static const std::string goodKernel = scaleKernel("amdgpu_kernel");

// A function that the linker does not find.
static constexpr const char *incompleteKernel = R"(
define amdgpu_kernel void @caller() {
  call void @missing()
  ret void
}
declare void @missing()
)";

static constexpr const char *nvidiaKernel = R"(
define ptx_kernel void @clear(ptr addrspace(1) %x) {
  store float 0.0, ptr addrspace(1) %x
  ret void
}
)";

TEST(Amdgcn, TextAndCodeObject) {
  EmittedCode code = codeOf("hip:gfx1100", goodKernel);
  EXPECT_NE(code.assembly.find(".amdhsa_kernel scale"), std::string::npos);
  EXPECT_NE(code.assembly.find(".amdhsa_code_object_version 5"), std::string::npos);
  EXPECT_EQ(code.nativeCode.substr(0, 4), "\x7f"
                                          "ELF");
}

TEST(Amdgcn, FusionIsAnOption) {
  auto isFused = [](const EmittedCode &code) {
    return code.assembly.find("fma") != std::string::npos;
  };
  EXPECT_TRUE(isFused(codeOf("hip:gfx1201", goodKernel)));
  EmittedCode exact = codeOf("hip:gfx1201", goodKernel, {.fuseMultiplyAdd = false});
  EXPECT_FALSE(isFused(exact));
  EXPECT_NE(exact.assembly.find("mul_f32"), std::string::npos);
}

// LLVM's linker would set all of LLVM's options back, also that for short pointers.
TEST(Amdgcn, LinkerLeavesOptionsOfOtherTargetsAlone) {
  const std::string before = codeOf("cuda:90", nvidiaKernel).llir;
  EXPECT_NE(before.find("p3:32:32"), std::string::npos);
  codeOf("hip:gfx1100", goodKernel);
  EXPECT_EQ(codeOf("cuda:90", nvidiaKernel).llir, before);
}

TEST(Amdgcn, ThreadsDoNotDisturbEachOther) {
  const std::string hsaco = codeOf("hip:gfx1100", goodKernel).nativeCode;
  const std::string ptx = codeOf("cuda:90", nvidiaKernel).nativeCode;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&] {
      for (int run = 0; run < 10; ++run) {
        Expected<EmittedCode> failed = emitText("hip:gfx1201", incompleteKernel);
        ASSERT_FALSE(failed);
        EXPECT_NE(failed.error().message.find("undefined symbol: missing"), std::string::npos);
        EXPECT_EQ(codeOf("hip:gfx1100", goodKernel).nativeCode, hsaco);
        EXPECT_EQ(codeOf("cuda:90", nvidiaKernel).nativeCode, ptx);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
