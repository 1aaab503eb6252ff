//===- MaskedBranchesTest.cpp - Masked memory access to branches --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/MaskedBranches.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tilewright::emit;

namespace {
/// A kernel after the expansion, as one line for each of its instructions that matters: blocks
/// by "-", conditional branches by the name of their condition, accesses by their type, calls by
/// their callee.
class MaskedBranches : public ::testing::Test {
protected:
  /// `body` has %p, %q (global pointers), %m, %n (masks of 4 lanes: splats of %a, %b), %x (4
  /// floats) and %i.
  std::string expand(StringRef body) {
    const std::string text = R"(
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), <4 x i1>, <4 x float>)
declare <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1), <1 x i1>, <1 x float>)
declare void @llvm.masked.store.v1f32.p1(<1 x float>, ptr addrspace(1), <1 x i1>)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1), <4 x i1>)
declare void @barrier()
declare void @llvm.assume(i1)
define void @kernel(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %a, i1 %b, i32 %i) {
  %m0 = insertelement <4 x i1> poison, i1 %a, i64 0
  %m = shufflevector <4 x i1> %m0, <4 x i1> poison, <4 x i32> zeroinitializer
  %n0 = insertelement <4 x i1> poison, i1 %b, i64 0
  %n = shufflevector <4 x i1> %n0, <4 x i1> poison, <4 x i32> zeroinitializer
)" + body.str() + "  ret void\n}\n";
    SMDiagnostic error;
    module = parseAssemblyString(text, error, context);
    EXPECT_NE(module, nullptr) << error.getMessage().str();
    if (!module)
      return {};
    Function &function = *module->getFunction("kernel");
    changed = expandMaskedAccessesToBranches(function);
    EXPECT_FALSE(verifyModule(*module, &errs()));
    return summarize(function);
  }

  static std::string summarize(Function &function) {
    std::string text;
    raw_string_ostream out(text);
    for (BasicBlock &block : function) {
      for (Instruction &instruction : block) {
        if (auto *branch = dyn_cast<BranchInst>(&instruction); branch && branch->isConditional())
          out << branch->getCondition()->getName() << "? ";
        else if (auto *load = dyn_cast<LoadInst>(&instruction))
          out << "load " << *load->getType() << ' ';
        else if (auto *store = dyn_cast<StoreInst>(&instruction))
          out << "store " << *store->getValueOperand()->getType() << ' ';
        else if (auto *call = dyn_cast<CallInst>(&instruction))
          out << call->getCalledFunction()->getName() << ' ';
        else if (isa<PHINode>(instruction))
          out << "phi ";
        else if (instruction.getOpcode() == Instruction::FAdd)
          out << "fadd ";
      }
      out << "- ";
    }
    return text;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  bool changed = false;
};

constexpr const char *loadP = "%x = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) "
                              "align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)\n";
std::string load(StringRef name, StringRef pointer, StringRef mask) {
  return ("%" + name +
          " = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %" + pointer +
          ", <4 x i1> %" + mask + ", <4 x float> zeroinitializer)\n")
      .str();
}
std::string store(StringRef value, StringRef pointer, StringRef mask) {
  return ("call void @llvm.masked.store.v4f32.p1(<4 x float> " + value +
          ", ptr addrspace(1) align 16 %" + pointer + ", <4 x i1> %" + mask + ")\n")
      .str();
}
} // namespace

TEST_F(MaskedBranches, LoadsUnderOneMaskShareABranch) {
  EXPECT_EQ(expand(std::string(loadP) + "%r = getelementptr float, ptr addrspace(1) %q, i32 %i\n" +
                   load("y", "r", "m") + "%s = fadd <4 x float> %x, %y\n" + store("%s", "q", "m")),
            "a? - load <4 x float> load <4 x float> - phi phi fadd a? - store <4 x float> - - ");
  EXPECT_TRUE(changed);
}

TEST_F(MaskedBranches, LoadsOfTwoMasksAreSortedByMask) {
  EXPECT_EQ(expand(load("x", "p", "m") + load("y", "q", "n") + load("z", "q", "m") +
                   "%s = fadd <4 x float> %x, %z\n%t = fadd <4 x float> %s, %y\n" +
                   "store <4 x float> %t, ptr addrspace(1) %p\n"),
            "a? - load <4 x float> load <4 x float> - phi phi b? - load <4 x float> - phi fadd "
            "fadd store <4 x float> - ");
}

TEST_F(MaskedBranches, RearrangementDoesNotPartLoadsButArithmeticDoes) {
  const std::string extract = "%e = extractelement <4 x float> %x, i64 0\n";
  const std::string last = "store <4 x float> %y, ptr addrspace(1) %q\n";
  EXPECT_EQ(expand(load("x", "p", "m") + extract + load("y", "q", "m") + last +
                   "store float %e, ptr addrspace(1) %p\n"),
            "a? - load <4 x float> load <4 x float> - phi phi store <4 x float> store float - ");
  EXPECT_EQ(expand(load("x", "p", "m") + "%e = fadd <4 x float> %x, %x\n" + load("y", "q", "m") +
                   last + "store <4 x float> %e, ptr addrspace(1) %p\n"),
            "a? - load <4 x float> - phi fadd a? - load <4 x float> - phi store <4 x float> store "
            "<4 x float> - ");
}

TEST_F(MaskedBranches, AddressFromALoadComesAfterIt) {
  EXPECT_EQ(expand(load("x", "p", "m") + "%e = extractelement <4 x float> %x, i64 0\n" +
                   "%o = fptosi float %e to i32\n" +
                   "%r = getelementptr float, ptr addrspace(1) %q, i32 %o\n" + load("y", "r", "m") +
                   "store <4 x float> %y, ptr addrspace(1) %q\n"),
            "a? - load <4 x float> - phi a? - load <4 x float> - phi store <4 x float> - ");
}

TEST_F(MaskedBranches, StoresKeepTheirOrder) {
  const std::string zero = "zeroinitializer";
  EXPECT_EQ(expand(store(zero, "p", "m") + store(zero, "q", "n") + store(zero, "p", "m")),
            "a? - store <4 x float> - b? - store <4 x float> - a? - store <4 x float> - - ");
  EXPECT_EQ(
      expand(store(zero, "p", "m") + "call void @llvm.assume(i1 %a)\n" + store(zero, "q", "m")),
      "llvm.assume a? - store <4 x float> store <4 x float> - - ");
}

TEST_F(MaskedBranches, WritesAndBarriersPartRuns) {
  EXPECT_EQ(expand(load("x", "p", "m") + "call void @barrier()\n" + load("y", "q", "m") +
                   "store <4 x float> %x, ptr addrspace(1) %q\n" +
                   "store <4 x float> %y, ptr addrspace(1) %q\n"),
            "a? - load <4 x float> - phi barrier a? - load <4 x float> - phi store <4 x float> "
            "store <4 x float> - ");
  EXPECT_EQ(expand(store("zeroinitializer", "p", "m") + "%v = load float, ptr addrspace(1) %q\n" +
                   store("zeroinitializer", "q", "m") + "store float %v, ptr addrspace(1) %p\n"),
            "a? - store <4 x float> - load float a? - store <4 x float> - store float - ");
}

TEST_F(MaskedBranches, KnownLanesNeedNoBranch) {
  EXPECT_EQ(expand("%k = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, "
                   "<4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x float> zeroinitializer)\n"
                   "store <4 x float> %k, ptr addrspace(1) %q\n"),
            "load <2 x float> load <1 x float> store <4 x float> - ");
  EXPECT_EQ(expand("call void @llvm.masked.store.v4f32.p1(<4 x float> zeroinitializer, ptr "
                   "addrspace(1) align 16 %p, <4 x i1> zeroinitializer)\n"),
            "- ");
}

TEST_F(MaskedBranches, EqualMasksInARowAreOneAccess) {
  EXPECT_EQ(expand("%w0 = insertelement <4 x i1> %m, i1 %b, i64 3\n"
                   "call void @llvm.masked.store.v4f32.p1(<4 x float> zeroinitializer, ptr "
                   "addrspace(1) align 16 %p, <4 x i1> %w0)\n"),
            "a? - store <3 x float> - b? - store float - - ");
}

TEST_F(MaskedBranches, OneElementIsAScalar) {
  EXPECT_EQ(expand("%o = insertelement <1 x i1> poison, i1 %a, i64 0\n"
                   "%v = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p, "
                   "<1 x i1> %o, <1 x float> zeroinitializer)\n"
                   "%e = extractelement <1 x float> %v, i64 0\n"
                   "store float %e, ptr addrspace(1) %q\n"),
            "a? - load float - phi store float - ");
}

TEST_F(MaskedBranches, RunsMayBeOperandsOfEachOther) {
  // A store of what has been loaded; a load under a mask from what has been loaded.
  EXPECT_EQ(expand("%o = insertelement <1 x i1> poison, i1 %a, i64 0\n"
                   "%v = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p, "
                   "<1 x i1> %o, <1 x float> zeroinitializer)\n"
                   "call void @llvm.masked.store.v1f32.p1(<1 x float> %v, ptr addrspace(1) align 4 "
                   "%q, <1 x i1> %o)\n"
                   "%e = extractelement <1 x float> %v, i64 0\n"
                   "%f = fcmp ogt float %e, 0.0\n"
                   "%k = insertelement <1 x i1> poison, i1 %f, i64 0\n"
                   "%w = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p, "
                   "<1 x i1> %k, <1 x float> %v)\n"
                   "call void @llvm.masked.store.v1f32.p1(<1 x float> %w, ptr addrspace(1) align 4 "
                   "%q, <1 x i1> %o)\n"),
            "a? - load float - phi a? - store float - f? - load float - phi a? - store float - - ");
}

TEST_F(MaskedBranches, MetadataAndAlignmentStay) {
  expand("%v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 8 %p, <4 x i1> "
         "%m, <4 x float> zeroinitializer), !nontemporal !{i32 1}\n"
         "store <4 x float> %v, ptr addrspace(1) %q\n");
  for (Instruction &instruction : instructions(*module->getFunction("kernel")))
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      EXPECT_EQ(load->getAlign(), Align(8));
      EXPECT_TRUE(load->hasMetadata(LLVMContext::MD_nontemporal));
    }
}

TEST_F(MaskedBranches, NothingToDo) {
  expand("store float 0.0, ptr addrspace(1) %p\n");
  EXPECT_FALSE(changed);
}
