//===- LoadRunsTest.cpp - Grouping of loads -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/LoadRuns.h"
#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tilewright::emit;

/// The names of the values of `body`, in their order after the pass; "|" is the scheduler's
/// barrier, "#" one that nothing passes, "=" a store.
static std::string orderOf(const std::string &body) {
  LLVMContext context;
  SMDiagnostic error;
  const std::string text =
      "define void @f(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(3) %s) {\n" + body +
      "ret void\n}\n";
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  if (!module) {
    error.print("", errs());
    return "no module";
  }
  Function &function = *module->getFunction("f");
  joinLoadRuns(function);
  if (verifyFunction(function, &errs()))
    return "not valid";
  std::string order;
  for (const Instruction &instruction : instructions(function)) {
    const auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == Intrinsic::amdgcn_sched_barrier)
      order += cast<ConstantInt>(call->getArgOperand(0))->isZero() ? "#" : "|";
    else if (isa<StoreInst>(instruction))
      order += "=";
    else
      order += instruction.getName();
  }
  return order;
}

static constexpr const char *first = "%a = load float, ptr addrspace(1) %x\n"
                                     "%b = fneg float %a\n";
static constexpr const char *second = "%c = load float, ptr addrspace(1) %y\n"
                                      "%d = fneg float %c\n";

TEST(LoadRuns, WhatDependsOnALoadComesBehindTheLast) {
  EXPECT_EQ(orderOf(std::string(first) + second), "ac|bd");
  EXPECT_EQ(orderOf(std::string(first) + "%e = fadd float %b, 1.0\n" + second +
                    "%g = fadd float %e, %d\n"),
            "ac|bedg");
}

TEST(LoadRuns, WhatDoesNotDependStays) {
  EXPECT_EQ(orderOf(std::string(first) + "%p = getelementptr i8, ptr addrspace(1) %y, i32 4\n" +
                    "%c = load float, ptr addrspace(1) %p\n"),
            "apc|b");
}

TEST(LoadRuns, AssumptionsComeAlong) {
  EXPECT_EQ(orderOf("%a = load i32, ptr addrspace(1) %x\n"
                    "%b = icmp slt i32 %a, 4\n"
                    "call void @llvm.assume(i1 %b)\n"
                    "%c = load i32, ptr addrspace(1) %y\n"
                    "%d = add i32 %a, %c\n"),
            "ac|bd");
}

TEST(LoadRuns, NothingToDo) {
  EXPECT_EQ(orderOf("%a = load float, ptr addrspace(1) %x\n"
                    "%b = load float, ptr addrspace(1) %y\n"
                    "%c = fadd float %a, %b\n"),
            "abc");
}

TEST(LoadRuns, OneLoadIsNoRun) { EXPECT_EQ(orderOf(first), "ab"); }

TEST(LoadRuns, StoresAreNotPassed) {
  EXPECT_EQ(orderOf(std::string(first) + "store float %b, ptr addrspace(1) %y\n" + second),
            "ab=cd");
  EXPECT_EQ(orderOf(std::string(first) + "store float 1.0, ptr addrspace(3) %s\n" + second),
            "ab=cd");
}

TEST(LoadRuns, LoadsThatNeedAnotherComeBehindIt) {
  EXPECT_EQ(orderOf("%a = load i32, ptr addrspace(1) %x\n"
                    "%p = getelementptr i8, ptr addrspace(1) %y, i32 %a\n"
                    "%b = load i32, ptr addrspace(1) %p\n"
                    "%c = load i32, ptr addrspace(1) %y\n"
                    "%d = add i32 %b, %c\n"),
            "apbcd");
}

// What is read of LDS at an address that has been loaded keeps its place among stores there.
TEST(LoadRuns, OtherMemoryEndsARun) {
  EXPECT_EQ(orderOf("%a = load i32, ptr addrspace(1) %x\n"
                    "%p = getelementptr i8, ptr addrspace(3) %s, i32 %a\n"
                    "%b = load i32, ptr addrspace(3) %p\n" +
                    std::string(second)),
            "apbcd");
  EXPECT_EQ(orderOf("%a = load volatile float, ptr addrspace(1) %x\n"
                    "%b = fneg float %a\n" +
                    std::string(second)),
            "abcd");
}

TEST(LoadRuns, SixtyFourRegistersAtOnce) {
  std::string body;
  for (std::string name : {"a", "b", "c", "d", "e", "f"})
    body += "%" + name + " = load <16 x i32>, ptr addrspace(1) %x\n%n" + name +
            " = add <16 x i32> %" + name + ", splat (i32 1)\n";
  EXPECT_EQ(orderOf(body), "abcd|nanbncndef|nenf");
}

// Barriers that some instructions pass cost LLVM's scheduler time as the square of the block's
// length.
TEST(LoadRuns, NothingPassesTheBarriersOfLongBlocks) {
  std::string rest;
  for (int i = 0; i < 2048; ++i)
    rest += "store float 1.0, ptr addrspace(1) %y\n";
  EXPECT_EQ(orderOf(first + std::string(second) + rest).substr(0, 5), "ac#bd");
}
