//===- SpirvTest.cpp - Emitting SPIR-V in one process, many times -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "gtest/gtest.h"

#include <cstring>
#include <thread>

using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::emit::test;

// Two kernels with several blocks each: their labels have ids.
static constexpr const char *branches = R"(
define spir_kernel void @clamp(ptr addrspace(1) %x, float %a) {
  %v = load float, ptr addrspace(1) %x
  %c = fcmp ogt float %v, %a
  br i1 %c, label %greater, label %done
greater:
  store float %a, ptr addrspace(1) %x
  br label %done
done:
  ret void
}
)";

static constexpr const char *loop = R"(
define spir_kernel void @sum(ptr addrspace(1) %x, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %s = phi float [ 0.0, %0 ], [ %t, %loop ]
  %p = getelementptr float, ptr addrspace(1) %x, i32 %i
  %v = load volatile float, ptr addrspace(1) %p
  %t = fadd float %s, %v
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  store float %t, ptr addrspace(1) %x
  ret void
}
)";

static std::string spirvOf(const char *text, const EmitOptions &options = {}) {
  return codeOf("xpu:pvc", text, options).nativeCode;
}

/// SPIR-V 2.3, "Physical Layout of a SPIR-V Module": words of 32 bits.
static std::vector<uint32_t> wordsOf(const std::string &spirv) {
  std::vector<uint32_t> words(spirv.size() / 4);
  std::memcpy(words.data(), spirv.data(), words.size() * 4);
  return words;
}

TEST(Spirv, IsABinaryModuleOfVersion12) {
  std::vector<uint32_t> words = wordsOf(spirvOf(branches));
  ASSERT_GT(words.size(), 5u);
  EXPECT_EQ(words[0], 0x07230203u);
  EXPECT_EQ(words[1], 0x00010200u);
}

// No state that one module leaves in the back end reaches the next.
TEST(Spirv, ModulesDoNotDisturbEachOther) {
  const std::string first = spirvOf(branches), second = spirvOf(loop);
  for (int run = 0; run < 200; ++run) {
    ASSERT_EQ(spirvOf(branches), first);
    ASSERT_EQ(spirvOf(loop), second);
  }
}

TEST(Spirv, ThreadsDoNotDisturbEachOther) {
  const std::string expected[] = {spirvOf(branches), spirvOf(loop)};
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int run = 0; run < 50; ++run)
        wrong[thread] += spirvOf(thread % 2 ? loop : branches) != expected[thread % 2];
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(Spirv, FusionIsAnOption) {
  // OpExecutionMode is instruction 16, ContractionOff mode 31:.
  auto forbidsFusion = [](const std::string &spirv) {
    std::vector<uint32_t> words = wordsOf(spirv);
    for (size_t i = 5; i < words.size(); i += words[i] >> 16)
      if ((words[i] & 0xffff) == 16 && words[i + 2] == 31)
        return true;
    return false;
  };
  EXPECT_FALSE(forbidsFusion(spirvOf(branches)));
  EXPECT_TRUE(forbidsFusion(spirvOf(branches, {.fuseMultiplyAdd = false})));
}
