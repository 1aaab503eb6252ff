//===- ProgramScopeTest.cpp - Which program of the launch code is -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/ProgramScope.h"
#include "ir/Dialects.h"
#include "ir/ttg/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

namespace {

/// A loop that runs the program of its counter, of as many as 100 + axis.
struct LoopOfPrograms : tt::ProgramScope::ExternalModel<LoopOfPrograms, scf::ForOp> {
  Value createProgramId(Operation *op, OpBuilder &, Location, unsigned) const {
    return cast<scf::ForOp>(op).getInductionVar();
  }
  Value createNumPrograms(Operation *, OpBuilder &builder, Location loc, unsigned axis) const {
    return arith::ConstantIntOp::create(builder, loc, 100 + axis, 32);
  }
};

constexpr const char *source = R"(
tt.func @k(%n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.if %c {
    }
  }
  tt.return
})";

struct ProgramScopeTest : testing::Test {
  ProgramScopeTest() : context(registryOfAll(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(source, &context);
  }
  static DialectRegistry registryOfAll() {
    DialectRegistry registry;
    ir::registerDialects(registry);
    return registry;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(ProgramScopeTest, AFunctionIsTheProgramOfTheBlocksPlaceInTheGrid) {
  ASSERT_TRUE(module);
  tt::FuncOp function = *module->getOps<tt::FuncOp>().begin();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (unsigned axis : {0, 1, 2}) {
    auto id =
        tt::createProgramId(builder, function.getLoc(), axis).getDefiningOp<tt::GetProgramIdOp>();
    auto count = tt::createNumPrograms(builder, function.getLoc(), axis)
                     .getDefiningOp<tt::GetNumProgramsOp>();
    ASSERT_TRUE(id && count);
    EXPECT_EQ(id.getAxis(), tt::ProgramIDDim(axis));
    EXPECT_EQ(count.getAxis(), tt::ProgramIDDim(axis));
  }
}

TEST_F(ProgramScopeTest, TheInnermostOpAroundAnswers) {
  scf::ForOp::attachInterface<LoopOfPrograms>(context);
  ASSERT_TRUE(module);
  scf::IfOp inner;
  module->walk([&](scf::IfOp op) { inner = op; });
  auto loop = inner->getParentOfType<scf::ForOp>();
  OpBuilder builder = OpBuilder::atBlockBegin(inner.thenBlock());
  EXPECT_EQ(tt::createProgramId(builder, inner.getLoc(), 1), loop.getInductionVar());
  Value count = tt::createNumPrograms(builder, inner.getLoc(), 2);
  EXPECT_EQ(count.getDefiningOp<arith::ConstantIntOp>().value(), 102);
  // Outside of the loop the function answers.
  builder.setInsertionPoint(loop);
  EXPECT_TRUE(tt::createProgramId(builder, loop.getLoc(), 0).getDefiningOp<tt::GetProgramIdOp>());
}
