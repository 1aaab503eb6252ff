//===- CommonBaseTest.cpp - Bases and constants sum to the value --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Random addresses are taken apart, then computed for random numbers and compared with their parts.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/CommonBase.h"
#include "RandomAddress.h"
#include "target/Target.h"
#include "vendor/amd/emit/AmdgpuMachine.h"

#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

TEST(CommonBase, BaseAndConstantMakeTheAddress) {
  std::mt19937 random(12);
  std::shared_ptr<TargetMachine> machine =
      createAmdgpuMachine(*target::Target::find("hip:gfx1201"), {});
  unsigned withConstants = 0;
  for (int round = 0; round < 2000; ++round) {
    RandomAddress test(random, *machine);
    CommonBase bases(*test.function);
    const BaseAndConstant parts = bases.split(test.address);
    ASSERT_TRUE(parts.base);
    ASSERT_FALSE(verifyFunction(*test.function, &errs()));
    withConstants += parts.constant != 0;
    for (uint64_t program : {0u, 1u, 77u, 40000u, 0x7fffffffu, 0x80000001u})
      for (uint64_t lane : {0, 1, 200, 255}) {
        Evaluator evaluator;
        evaluator.values = {{test.function->getArg(0), 0x7f0012345600},
                            {test.function->getArg(1), uint32_t(test.pick(20000) - 10000)},
                            {test.lane, lane},
                            {test.program, program}};
        ASSERT_EQ(evaluator.valueOf(parts.base) + parts.constant, evaluator.valueOf(test.address))
            << "round " << round << ", program " << program << ", lane " << lane;
      }
  }
  EXPECT_GT(withConstants, 400u);
}

TEST(CommonBase, RowsShareTheirBase) {
  LLVMContext context;
  Module module("rows", context);
  module.setDataLayout("p1:64:64");
  IRBuilder<> builder(context);
  auto *type =
      FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(1), builder.getInt32Ty()}, false);
  Function *function = Function::Create(type, Function::ExternalLinkage, "kernel", module);
  builder.SetInsertPoint(BasicBlock::Create(context, "", function));
  Value *block = builder.CreateShl(function->getArg(1), 6);
  std::vector<Value *> rows;
  for (int row : {2, 5, 63}) {
    Value *number = builder.CreateOr(block, builder.getInt32(row), "", /*IsDisjoint=*/true);
    Value *wide = builder.CreateSExt(number, builder.getInt64Ty());
    rows.push_back(
        builder.CreateGEP(builder.getFloatTy(), function->getArg(0), builder.CreateShl(wide, 7)));
  }
  // The widened sum may wrap where nothing is known of its low bits.
  Value *sum = builder.CreateAdd(function->getArg(1), builder.getInt32(5));
  Value *far = builder.CreateGEP(builder.getFloatTy(), function->getArg(0),
                                 builder.CreateSExt(sum, builder.getInt64Ty()));
  builder.CreateRetVoid();
  CommonBase bases(*function);
  const Value *base = bases.split(rows[0]).base;
  EXPECT_NE(base, rows[0]);
  EXPECT_EQ(bases.split(rows[1]).base, base);
  EXPECT_EQ(bases.split(rows[2]).base, base);
  EXPECT_EQ(bases.split(rows[2]).constant, 63 * 128 * 4);
  EXPECT_EQ(bases.split(far).constant, 0);
  EXPECT_FALSE(verifyFunction(*function, &errs()));
}
