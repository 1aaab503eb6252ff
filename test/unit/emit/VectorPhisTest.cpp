//===- VectorPhisTest.cpp - Vectors that loops carry, in one piece ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/VectorPhis.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tilewright::emit;

namespace {

struct Counts {
  unsigned vectorPhis = 0, scalarPhis = 0, inserts = 0;
  bool operator==(const Counts &) const = default;
};

/// A loop that carries `second` (the index of the element in the latch) as the second of two
/// elements, begins with `first` and %start, and whose sum is used by a store after it.
Counts countsOf(const std::string &first, const std::string &second) {
  const std::string text = R"(
declare <2 x float> @product(<2 x float>)
define void @k(ptr %p, float %start, i1 %more) {
entry:
  br label %loop
loop:
  %p0 = phi float [ )" + first +
                           R"(, %entry ], [ %d0, %loop ]
  %p1 = phi float [ %d1, %loop ], [ %start, %entry ]
  %c0 = insertelement <2 x float> poison, float %p0, i32 0
  %c = insertelement <2 x float> %c0, float %p1, i32 1
  %d = call <2 x float> @product(<2 x float> %c)
  %d0 = extractelement <2 x float> %d, i32 0
  %d1 = extractelement <2 x float> %d, i32 )" +
                           second + R"(
  br i1 %more, label %loop, label %done
done:
  %s = fadd float %p0, %d1
  store float %s, ptr %p
  ret void
}
)";
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  Counts counts;
  if (!module)
    return counts;
  Function &kernel = *module->getFunction("k");
  joinVectorPhis(kernel);
  EXPECT_FALSE(verifyFunction(kernel, &errs()));
  for (const Instruction &instruction : instructions(kernel)) {
    counts.inserts += isa<InsertElementInst>(instruction);
    if (isa<PHINode>(instruction))
      ++(instruction.getType()->isVectorTy() ? counts.vectorPhis : counts.scalarPhis);
  }
  return counts;
}

// What comes from elsewhere is put together there: %start into a constant.
TEST(VectorPhis, OfASum) {
  EXPECT_EQ(countsOf("0.0", "1"), (Counts{.vectorPhis = 1, .scalarPhis = 0, .inserts = 1}));
}

// Not all elements, or one in another place.
TEST(VectorPhis, OtherPhisStay) {
  EXPECT_EQ(countsOf("0.0", "0"), (Counts{.vectorPhis = 0, .scalarPhis = 2, .inserts = 2}));
}

} // namespace
