//===- ExpandOperationsTest.cpp - Operations that OpenCL SPIR-V lacks ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/ExpandOperations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace llvm;
using namespace tilewright::emit;

namespace {

class ExpandOperations : public ::testing::Test {
protected:
  /// A function that returns `type` and is `body` after its first line, expanded.
  Function &expand(StringRef declarations, StringRef type, StringRef parameters, StringRef body) {
    const std::string text =
        (declarations + "\ndefine " + type + " @f(" + parameters + ") {\n" + body + "}\n").str();
    SMDiagnostic error;
    module = parseAssemblyString(text, error, context);
    EXPECT_NE(module, nullptr) << error.getMessage().str();
    Function &function = *module->getFunction("f");
    expandOperations(function);
    EXPECT_FALSE(verifyModule(*module, &errs()));
    return function;
  }

  /// The value that `function`, which has one block, returns for these arguments.
  Constant *evaluate(Function &function, ArrayRef<Constant *> arguments) {
    DenseMap<Value *, Constant *> values;
    for (auto [parameter, argument] : zip_equal(function.args(), arguments))
      values[&parameter] = argument;
    auto valueOf = [&](Value *value) {
      Constant *constant = dyn_cast<Constant>(value);
      return constant ? constant : values.lookup(value);
    };
    for (Instruction &instruction : instructions(function)) {
      if (auto *returned = dyn_cast<ReturnInst>(&instruction))
        return valueOf(returned->getReturnValue());
      SmallVector<Constant *> operands;
      for (Value *operand : instruction.operands())
        operands.push_back(valueOf(operand));
      values[&instruction] =
          ConstantFoldInstOperands(&instruction, operands, module->getDataLayout());
      EXPECT_NE(values[&instruction], nullptr);
    }
    return nullptr;
  }

  Constant *number(float value) { return ConstantFP::get(Type::getFloatTy(context), value); }
  Constant *integer(unsigned bits, uint64_t value) {
    return ConstantInt::get(context,
                            APInt(bits, value, /*isSigned=*/false, /*implicitTrunc=*/true));
  }

  static unsigned countCalls(Function &function, StringRef name) {
    return count_if(instructions(function), [&](Instruction &instruction) {
      auto *call = dyn_cast<CallInst>(&instruction);
      return call && call->getCalledFunction()->getName() == name;
    });
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
};

const float numbers[] = {0.0f,
                         -0.0f,
                         1.0f,
                         -1.0f,
                         1.5f,
                         3.0f,
                         -7.25f,
                         1e-40f,
                         -3e-45f,
                         3e38f,
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::quiet_NaN()};

TEST_F(ExpandOperations, MinimumAndMaximumOfNaNsAndZeros) {
  for (bool isMinimum : {true, false}) {
    const std::string name = isMinimum ? "llvm.minimum.f32" : "llvm.maximum.f32";
    Function &function =
        expand("declare float @" + name + "(float, float)", "float", "float %a, float %b",
               "  %r = call float @" + name + "(float %a, float %b)\n  ret float %r\n");
    EXPECT_EQ(countCalls(function, name), 0u);
    for (float a : numbers)
      for (float b : numbers) {
        APFloat expected =
            isMinimum ? minimum(APFloat(a), APFloat(b)) : maximum(APFloat(a), APFloat(b));
        APFloat got = cast<ConstantFP>(evaluate(function, {number(a), number(b)}))->getValueAPF();
        if (expected.isNaN())
          EXPECT_TRUE(got.isNaN()) << a << ", " << b;
        else
          EXPECT_TRUE(got.bitwiseIsEqual(expected)) << a << ", " << b;
      }
  }
}

TEST_F(ExpandOperations, QuotientsRoundOnce) {
  Function &function =
      expand("", "float", "float %a, float %b", "  %r = fdiv float %a, %b\n  ret float %r\n");
  EXPECT_TRUE(none_of(instructions(function), [](Instruction &instruction) {
    return instruction.getOpcode() == Instruction::FDiv && instruction.getType()->isFloatTy();
  }));
  for (uint32_t i = 0; i < 20000; ++i) {
    // Numbers of all sizes, subnormal quotients among them.
    auto random = [&](uint32_t seed) {
      uint32_t bits = (i * 2654435761u + seed) * 2246822519u;
      return APFloat(APFloat::IEEEsingle(), APInt(32, bits ^ (bits >> 15))).convertToFloat();
    };
    const float a = random(1), b = random(77777), expected = a / b;
    APFloat got = cast<ConstantFP>(evaluate(function, {number(a), number(b)}))->getValueAPF();
    EXPECT_TRUE(std::isnan(expected) ? got.isNaN() : got.bitwiseIsEqual(APFloat(expected)))
        << a << " / " << b;
  }
}

TEST_F(ExpandOperations, WhatMayBeApproximateStays) {
  Function &function =
      expand("declare float @llvm.sqrt.f32(float)", "float", "float %a, float %b",
             "  %q = fdiv afn float %a, %b\n  %r = call afn float @llvm.sqrt.f32(float %q)\n"
             "  ret float %r\n");
  EXPECT_EQ(function.getInstructionCount(), 3u);
}

TEST_F(ExpandOperations, RootsAreComputedInDouble) {
  Function &function = expand("declare float @llvm.sqrt.f32(float)", "float", "float %a",
                              "  %r = call float @llvm.sqrt.f32(float %a)\n  ret float %r\n");
  EXPECT_EQ(countCalls(function, "llvm.sqrt.f32"), 0u);
  EXPECT_EQ(countCalls(function, "llvm.sqrt.f64"), 1u);
}

TEST_F(ExpandOperations, BitsAreReversedInEachWidth) {
  for (unsigned bits : {3u, 4u, 8u, 13u, 16u, 32u, 64u}) {
    const std::string type = "i" + utostr(bits), name = "llvm.bitreverse." + type;
    Function &function =
        expand("declare " + type + " @" + name + "(" + type + ")", type, "i64 %a",
               bits == 64 ? "  %r = call i64 @" + name + "(i64 %a)\n  ret i64 %r\n"
                          : "  %t = trunc i64 %a to " + type + "\n  %r = call " + type + " @" +
                                name + "(" + type + " %t)\n  ret " + type + " %r\n");
    EXPECT_EQ(countCalls(function, name), 0u);
    for (uint64_t value : {uint64_t(0), uint64_t(1), uint64_t(6), uint64_t(0xb5),
                           uint64_t(0x123456789abcdef), ~uint64_t(0)}) {
      APInt expected = APInt(bits, value, false, /*implicitTrunc=*/true).reverseBits();
      EXPECT_EQ(cast<ConstantInt>(evaluate(function, {integer(64, value)}))->getValue(), expected);
    }
  }
}

TEST_F(ExpandOperations, SumsAndDifferencesOfAllBytes) {
  for (StringRef operation : {"sadd", "uadd", "ssub", "usub"}) {
    const std::string name = ("llvm." + operation + ".with.overflow.i8").str();
    for (unsigned part : {0u, 1u}) {
      const char *type = part ? "i1" : "i8";
      Function &function = expand("declare {i8, i1} @" + name + "(i8, i8)", type, "i8 %a, i8 %b",
                                  "  %p = call {i8, i1} @" + name +
                                      "(i8 %a, i8 %b)\n  %r = extractvalue {i8, i1} "
                                      "%p, " +
                                      utostr(part) + "\n  ret " + type + " %r\n");
      EXPECT_EQ(countCalls(function, name), 0u);
      for (unsigned a = 0; a < 256; a += 3)
        for (unsigned b = 0; b < 256; b += 5) {
          APInt x(8, a), y(8, b);
          bool overflows;
          APInt result = operation == "sadd"   ? x.sadd_ov(y, overflows)
                         : operation == "uadd" ? x.uadd_ov(y, overflows)
                         : operation == "ssub" ? x.ssub_ov(y, overflows)
                                               : x.usub_ov(y, overflows);
          APInt expected = part ? APInt(1, overflows) : result;
          EXPECT_EQ(
              cast<ConstantInt>(evaluate(function, {integer(8, a), integer(8, b)}))->getValue(),
              expected)
              << operation.str() << " " << a << ", " << b;
        }
    }
  }
}

TEST_F(ExpandOperations, OpenCLsFunctionsByTheirNames) {
  Function &function = expand("declare <2 x float> @llvm.exp10.v2f32(<2 x float>)\n"
                              "declare double @llvm.ldexp.f64.i32(double, i32)",
                              "double", "<2 x float> %a, double %x, i32 %n",
                              "  %v = call <2 x float> @llvm.exp10.v2f32(<2 x float> %a)\n"
                              "  %e = extractelement <2 x float> %v, i64 0\n"
                              "  %r = call double @llvm.ldexp.f64.i32(double %x, i32 %n)\n"
                              "  %w = fpext float %e to double\n"
                              "  %s = fadd double %r, %w\n  ret double %s\n");
  EXPECT_EQ(countCalls(function, "_Z5exp10f"), 2u);
  EXPECT_EQ(countCalls(function, "_Z5ldexpdi"), 1u);
}

} // namespace
