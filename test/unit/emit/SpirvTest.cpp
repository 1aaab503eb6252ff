//===- SpirvTest.cpp - Emitting SPIR-V in one process, many times -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <map>
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

/// A kernel that calls a function, `a`, `b` and `c` being the types of its operands.
static std::string callOf(const std::string &function, const std::string &a, const std::string &b,
                          const std::string &c) {
  return "declare spir_func " + c + " @" + function + "(" + a + ", " + b + ", " + c +
         ") convergent\ndefine spir_kernel void @multiply(ptr addrspace(1) %p) "
         "!intel_reqd_sub_group_size !0 {\n  %c = load " +
         c + ", ptr addrspace(1) %p, align 4\n  %d = call spir_func " + c + " @" + function + "(" +
         a + " zeroinitializer, " + b + " zeroinitializer, " + c + " %c)\n  store " + c +
         " %d, ptr addrspace(1) %p, align 4\n  ret void\n}\n!0 = !{i32 16}\n";
}

/// The words of each instruction of a module, its number of words and its code in the first.
static std::vector<std::vector<uint32_t>> instructionsOf(const std::string &spirv) {
  constexpr size_t headerWords = 5;
  const std::vector<uint32_t> words = wordsOf(spirv);
  std::vector<std::vector<uint32_t>> instructions;
  for (size_t at = headerWords; at < words.size();) {
    const size_t count = std::max<size_t>(1, words[at] >> 16);
    instructions.emplace_back(words.begin() + at,
                              words.begin() + std::min(words.size(), at + count));
    at += count;
  }
  return instructions;
}

// SPV_INTEL_2d_block_io: numbers of instructions and capabilities.
TEST(Spirv, BlockMessagesAsInstructions) {
  constexpr uint32_t opExtension = 10, opCapability = 17, opConstant = 43, opFunctionCall = 57;
  struct Case {
    std::string function, parameters;
    bool hasValues;
    uint32_t code, capability;
    /// Of an element; width, height, blocks.
    std::array<uint32_t, 4> numbers;
  };
  const Case cases[] = {
      {"read_16b_32r16x2c", "Pt", true, 6231, 6228, {2, 16, 32, 2}},
      {"read_transform_8b_32r16x4c", "Pj", true, 6232, 6229, {1, 16, 32, 4}},
      {"read_transpose_32b_16r8x1c", "Pj", true, 6233, 6230, {4, 8, 16, 1}},
      {"prefetch_16b_8r16x2c", "", false, 6234, 6228, {2, 16, 8, 2}},
      {"write_32b_4r16x1c", "Pj", true, 6235, 6228, {4, 16, 4, 1}},
  };
  for (const Case &each : cases) {
    const std::string name = "intel_sub_group_2d_block_" + each.function;
    SCOPED_TRACE(name);
    const std::string mangled =
        "_Z" + std::to_string(name.size()) + name + "PU3AS1viiiDv2_i" + each.parameters;
    const std::string values = each.hasValues ? ", ptr" : "";
    const std::string text =
        "declare spir_func void @" + mangled + "(ptr addrspace(1), i32, i32, i32, <2 x i32>" +
        values +
        ") convergent\ndefine spir_kernel void @move(ptr addrspace(1) %p, i32 %w, i32 %h, "
        "i32 %l, <2 x i32> %at) !intel_reqd_sub_group_size !0 {\n  %v = alloca [64 x i32], align "
        "64\n  call spir_func void @" +
        mangled + "(ptr addrspace(1) %p, i32 %w, i32 %h, i32 %l, <2 x i32> %at" + values +
        (each.hasValues ? " %v" : "") + ")\n  ret void\n}\n!0 = !{i32 16}\n";
    auto countOf = [](const auto &instructions, uint32_t code) {
      return std::count_if(instructions.begin(), instructions.end(),
                           [&](const auto &words) { return (words[0] & 0xffff) == code; });
    };
    const auto byName = instructionsOf(spirvOf(text.c_str()));
    EXPECT_EQ(countOf(byName, opFunctionCall), 1);
    EXPECT_EQ(countOf(byName, each.code), 0);

    const auto instructions = instructionsOf(spirvOf(text.c_str(), {.useExtensions = true}));
    EXPECT_EQ(countOf(instructions, opFunctionCall), 0);
    bool declaresCapability = false, declaresExtension = false;
    std::map<uint32_t, uint32_t> constants;
    std::vector<uint32_t> made;
    for (const std::vector<uint32_t> &words : instructions) {
      const uint32_t code = words[0] & 0xffff;
      if (code == opCapability)
        declaresCapability |= words[1] == each.capability;
      else if (code == opExtension)
        declaresExtension |=
            std::string_view(reinterpret_cast<const char *>(&words[1])) == "SPV_INTEL_2d_block_io";
      else if (code == opConstant)
        constants[words[2]] = words[3];
      else if (code == each.code)
        made = words;
    }
    EXPECT_TRUE(declaresCapability);
    EXPECT_TRUE(declaresExtension);
    // The four numbers, base, width, height, pitch, coordinate, and the values if there are any.
    ASSERT_EQ(made.size(), each.hasValues ? 11U : 10U);
    for (unsigned i = 0; i < each.numbers.size(); ++i)
      EXPECT_EQ(constants[made[1 + i]], each.numbers[i]) << i;
  }
}

// SPV_INTEL_subgroup_matrix_multiply_accumulate: numbers and flags. Validators of 2023 do not know
// them.
TEST(Spirv, ProductsAsInstructions) {
  constexpr uint32_t opExtension = 10, opCapability = 17, opConstant = 43, opFunctionCall = 57,
                     opMultiplyAccumulate = 6237, capability = 6236;
  struct Case {
    const char *function, *a, *b, *c;
    uint32_t k, flags;
  };
  const Case cases[] = {
      {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f", "<8 x i16>", "<8 x i32>",
       "<8 x float>", 16, 0x400 | 0x800},
      {"_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_iDh", "i16", "<8 x i32>", "half", 16,
       0x400 | 0x800},
      {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv4_sDv8_iDv4_f", "<4 x i16>", "<8 x i32>",
       "<4 x float>", 16, 0x1000 | 0x2000},
      {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iS_", "<8 x i16>", "<8 x i32>",
       "<8 x i16>", 16, 0x4 | 0x8 | 0x1000 | 0x2000},
      {"_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv4_fDv8_fS0_", "<4 x float>", "<8 x float>",
       "<8 x float>", 8, 0x100 | 0x200},
      {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_", "<8 x i16>", "<8 x i32>",
       "<8 x i32>", 32, 0x1 | 0x2 | 0x10 | 0x20},
      {"_Z36intel_sub_group_i8_u8_matrix_mad_k32Dv8_sDv8_jDv8_i", "<8 x i16>", "<8 x i32>",
       "<8 x i32>", 32, 0x1 | 0x10 | 0x20},
      {"_Z36intel_sub_group_u8_i8_matrix_mad_k32Dv8_tDv8_iS0_", "<8 x i16>", "<8 x i32>",
       "<8 x i32>", 32, 0x2 | 0x10 | 0x20},
      {"_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_tDv8_jDv8_i", "<8 x i16>", "<8 x i32>",
       "<8 x i32>", 32, 0x10 | 0x20},
  };
  for (const Case &each : cases) {
    SCOPED_TRACE(each.function);
    const std::string text = callOf(each.function, each.a, each.b, each.c);
    auto countOf = [](const auto &instructions, uint32_t code) {
      return std::count_if(instructions.begin(), instructions.end(),
                           [&](const auto &words) { return (words[0] & 0xffff) == code; });
    };
    const auto byName = instructionsOf(spirvOf(text.c_str()));
    EXPECT_EQ(countOf(byName, opFunctionCall), 1);
    EXPECT_EQ(countOf(byName, opMultiplyAccumulate), 0);

    const auto instructions = instructionsOf(spirvOf(text.c_str(), {.useExtensions = true}));
    EXPECT_EQ(countOf(instructions, opFunctionCall), 0);
    EXPECT_EQ(countOf(instructions, opMultiplyAccumulate), 1);
    uint32_t k = 0;
    bool declaresCapability = false, declaresExtension = false;
    std::map<uint32_t, uint32_t> constants;
    for (const std::vector<uint32_t> &words : instructions)
      switch (words[0] & 0xffff) {
      case opCapability:
        declaresCapability |= words[1] == capability;
        break;
      case opExtension:
        declaresExtension |= std::string_view(reinterpret_cast<const char *>(&words[1])) ==
                             "SPV_INTEL_subgroup_matrix_multiply_accumulate";
        break;
      case opConstant:
        constants[words[2]] = words[3];
        break;
      case opMultiplyAccumulate:
        // Type, result, K, A, B, C, flags.
        ASSERT_EQ(words.size(), 8U);
        k = words[3];
        EXPECT_EQ(words[7], each.flags);
      }
    EXPECT_TRUE(declaresCapability);
    EXPECT_TRUE(declaresExtension);
    EXPECT_EQ(constants[k], each.k);
  }
}
