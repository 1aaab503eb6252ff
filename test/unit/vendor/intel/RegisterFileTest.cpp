//===- RegisterFileTest.cpp - Register demand of kernels ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/registers/RegisterFile.h"
#include "vendor/intel/emit/registers/UniformValues.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

static constexpr const char *declarations = R"(
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_group_idj(i32)
declare i32 @_Z23intel_sub_group_shuffleij(i32, i32)
declare i32 @_Z27intel_sub_group_shuffle_xorij(i32, i32)
declare i32 @_Z20sub_group_reduce_addi(i32)
)";

namespace {
struct Parsed {
  explicit Parsed(const std::string &text) {
    SMDiagnostic error;
    module = parseAssemblyString(declarations + text, error, context);
    EXPECT_NE(module, nullptr) << error.getMessage().str();
    kernel = module ? module->getFunction("k") : nullptr;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  Function *kernel = nullptr;
};
} // namespace

TEST(UniformValues, ByOperation) {
  const Parsed parsed(R"(define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
    %u.group = call i64 @_Z12get_group_idj(i32 0)
    %d.id = call i64 @_Z12get_local_idj(i32 0)
    %d.lane = trunc i64 %d.id to i32
    %u.warp = call i32 @_Z23intel_sub_group_shuffleij(i32 %d.lane, i32 0)
    %d.any = call i32 @_Z23intel_sub_group_shuffleij(i32 %d.lane, i32 %d.lane)
    %d.other = call i32 @_Z27intel_sub_group_shuffle_xorij(i32 %d.lane, i32 1)
    %u.sum = call i32 @_Z20sub_group_reduce_addi(i32 %d.lane)
    %u.where = getelementptr i32, ptr addrspace(1) %p, i64 %u.group
    %u.loaded = load i32, ptr addrspace(1) %u.where
    %d.where = getelementptr i32, ptr addrspace(1) %p, i64 %d.id
    %d.loaded = load i32, ptr addrspace(1) %d.where
    %d.old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
    %u.mixed = add i32 %u.loaded, %u.warp
    %d.mixed = add i32 %u.loaded, %d.loaded
    %d.test = icmp slt i32 %d.lane, %n
    br i1 %d.test, label %some, label %all
  some:
    br label %all
  all:
    %d.way = phi i32 [ 0, %some ], [ 1, %0 ]
    %u.test = icmp slt i32 %u.warp, %n
    br i1 %u.test, label %one, label %two
  one:
    br label %end
  two:
    br label %end
  end:
    %u.way = phi i32 [ 0, %one ], [ 1, %two ]
    ret void
  })");
  const UniformValues uniform(*parsed.kernel);
  EXPECT_TRUE(uniform.contains(*parsed.kernel->getArg(1)));
  for (const Instruction &instruction : instructions(*parsed.kernel))
    if (instruction.hasName())
      EXPECT_EQ(uniform.contains(instruction), instruction.getName().starts_with("u."))
          << instruction.getName().str();
}

// A kernel in which `count` f32 a lane are alive at one time, besides addresses.
static std::string kernelWith(unsigned count, unsigned lanes) {
  std::string text = "define spir_kernel void @k(ptr addrspace(1) %p) !intel_reqd_sub_group_size "
                     "!0 {\n%id = call i64 @_Z12get_local_idj(i32 0)\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += "%a" + n + " = getelementptr float, ptr addrspace(1) %p, i64 %id\n%v" + n +
            " = load volatile float, ptr addrspace(1) %a" + n + "\n";
  }
  for (unsigned i = 0; i < count; ++i)
    text += "store float %v" + std::to_string(i) + ", ptr addrspace(1) %p\n";
  return text + "ret void\n}\n!0 = !{i32 " + std::to_string(lanes) + "}\n";
}

TEST(RegisterFile, Estimate) {
  // The pointer is there once. At the ninth load: eight values, %id and the address.
  EXPECT_EQ(estimateRegisterBytes(*Parsed(kernelWith(10, 16)).kernel), 16 * (8 * 4 + 8 + 8) + 8u);
  EXPECT_EQ(estimateRegisterBytes(*Parsed(kernelWith(10, 32)).kernel), 32 * (8 * 4 + 8 + 8) + 8u);
  // A truth value is a bit a lane, an address of shared memory has 32 bits.
  EXPECT_EQ(estimateRegisterBytes(*Parsed(R"(
    define spir_kernel void @k(ptr addrspace(3) %p, i32 %n) !intel_reqd_sub_group_size !0 {
      %id = call i64 @_Z12get_local_idj(i32 0)
      %a = getelementptr float, ptr addrspace(3) %p, i64 %id
      %c = icmp slt i64 %id, 7
      %s = select i1 %c, ptr addrspace(3) %a, ptr addrspace(3) %p
      store volatile float 0.0, ptr addrspace(3) %s
      store volatile float 0.0, ptr addrspace(3) %a
      ret void
    }
    !0 = !{i32 16})")
                                       .kernel),
            4u + 16 * 8 + 16 * 4);
}

// A product that a sum is fused with takes nothing; one that others use does.
TEST(RegisterFile, FusedProducts) {
  auto estimate = [](const std::string &flags, const std::string &more) {
    return estimateRegisterBytes(*Parsed(R"(
      define spir_kernel void @k(ptr addrspace(3) %p) !intel_reqd_sub_group_size !0 {
        %id = call i64 @_Z12get_local_idj(i32 0)
        %a = getelementptr float, ptr addrspace(3) %p, i64 %id
        %x = load volatile float, ptr addrspace(3) %a
        %y = load volatile float, ptr addrspace(3) %a
        %z = load volatile float, ptr addrspace(3) %a
        %product = fmul )" + flags + R"( float %x, %x
        %sum = fadd )" + flags + R"( float %product, %y
        store volatile float %x, ptr addrspace(3) %a
        store volatile float %z, ptr addrspace(3) %a
        store volatile float %sum, ptr addrspace(3) %a
        )" + more + R"(
        ret void
      }
      !0 = !{i32 16})")
                                      .kernel);
  };
  const std::string use = "store volatile float %product, ptr addrspace(3) %a";
  // %a, %x, %y and %z; then %sum instead of %y.
  EXPECT_EQ(estimate("contract", ""), 16 * 4 * 4u);
  EXPECT_EQ(estimate("", ""), 16 * 5 * 4u);
  EXPECT_EQ(estimate("contract", use), 16 * 5 * 4u);
}

TEST(RegisterFile, LargeWhereTheSmallDoesNotDo) {
  const target::Target &pvc = *target::Target::find("xpu:pvc");
  // 128 registers of 64 bytes hold 128 values of 16 lanes, or 64 of 32.
  EXPECT_FALSE(needsLargeRegisterFile(*Parsed(kernelWith(120, 16)).kernel, pvc));
  EXPECT_TRUE(needsLargeRegisterFile(*Parsed(kernelWith(130, 16)).kernel, pvc));
  EXPECT_FALSE(needsLargeRegisterFile(*Parsed(kernelWith(56, 32)).kernel, pvc));
  EXPECT_TRUE(needsLargeRegisterFile(*Parsed(kernelWith(66, 32)).kernel, pvc));
}
