//===- SinkOperandsTest.cpp - Operands next to the products that take them ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/registers/SinkOperands.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tilewright::emit;

/// The names of the values of the kernel @k in their order after sinking; instructions without one
/// by what they are.
static std::vector<std::string> orderOf(const std::string &body) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(
      "declare <8 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, "
      "<8 x i32>, <8 x float>) memory(none)\ndeclare void @barrier()\ndefine void @k(ptr "
      "addrspace(3) %p, ptr addrspace(3) %q, <8 x float> %c) {\n" +
          body + "  ret void\n}\n",
      error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  if (!module)
    return {};
  Function &kernel = *module->getFunction("k");
  sinkProductOperands(kernel);
  EXPECT_FALSE(verifyFunction(kernel, &errs()));
  std::vector<std::string> names;
  for (const Instruction &instruction : instructions(kernel))
    names.push_back(instruction.hasName() ? instruction.getName().str()
                                          : instruction.getOpcodeName());
  return names;
}

static std::string product(const std::string &name, const std::string &a, const std::string &b,
                           const std::string &c) {
  return "  %" + name +
         " = call <8 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> "
         "%" +
         a + ", <8 x i32> %" + b + ", <8 x float> %" + c + ")\n";
}

using Names = std::vector<std::string>;

TEST(SinkOperands, ToTheFirstProductThatTakesThem) {
  EXPECT_EQ(orderOf("  %h0 = load <8 x half>, ptr addrspace(3) %p\n"
                    "  %h1 = load <8 x half>, ptr addrspace(3) %q\n"
                    "  %b0 = load <8 x i32>, ptr addrspace(3) %p\n"
                    "  %b1 = load <8 x i32>, ptr addrspace(3) %q\n"
                    "  %a1 = bitcast <8 x half> %h1 to <8 x i16>\n"
                    "  %a0 = bitcast <8 x half> %h0 to <8 x i16>\n" +
                    product("d0", "a0", "b0", "c") + product("d1", "a1", "b0", "c") +
                    product("d2", "a0", "b1", "d0")),
            (Names{"h0", "a0", "b0", "d0", "h1", "a1", "d1", "b1", "d2", "ret"}));
}

TEST(SinkOperands, LoadsStayBeforeWhatMayWrite) {
  EXPECT_EQ(orderOf("  %a = load <8 x i16>, ptr addrspace(3) %p\n"
                    "  %b = load <8 x i32>, ptr addrspace(3) %q\n"
                    "  call void @barrier()\n"
                    "  %b2 = load <8 x i32>, ptr addrspace(3) %q\n"
                    "  %n = add i32 1, 2\n" +
                    product("d", "a", "b", "c") + product("e", "a", "b2", "d")),
            (Names{"a", "b", "call", "n", "d", "b2", "e", "ret"}));
}

// What is computed of a sum, as in attention, would keep the sum for longer; volatile loads stay,
// and nothing moves past them or to another block.
TEST(SinkOperands, OthersStay) {
  EXPECT_EQ(orderOf("  %b = load <8 x i32>, ptr addrspace(3) %q\n"
                    "  %v = load volatile <8 x i16>, ptr addrspace(3) %p\n" +
                    product("d", "v", "b", "c") +
                    "  %t = fptrunc <8 x float> %d to <8 x half>\n"
                    "  %a = bitcast <8 x half> %t to <8 x i16>\n"
                    "  %u = load <8 x i32>, ptr addrspace(3) %q\n"
                    "  br label %next\nnext:\n" +
                    product("e", "a", "u", "d")),
            (Names{"b", "v", "d", "t", "a", "u", "br", "e", "ret"}));
}
