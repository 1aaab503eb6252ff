//===- TargetLoweringTest.cpp - Defaults of the vendor's lowering -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A vendor that has nothing but what the interface asks of all: the defaults of everything else.
//
//===--------------------------------------------------------------------------===//

#include "lower/core/TargetLowering.h"
#include "tilewright/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

class PlainLowering final : public TargetLowering {
public:
  PlainLowering() : TargetLowering(*target::Target::find(OptionDefaults::target)) {}

  void markKernel(LLVM::LLVMFuncOp, unsigned) const override {}
  Value getThreadId(OpBuilder &, Location, unsigned) const override { return {}; }
  Value getProgramId(OpBuilder &, Location, unsigned) const override { return {}; }
  Value getNumPrograms(OpBuilder &, Location, unsigned) const override { return {}; }
  void emitBlockBarrier(OpBuilder &builder, Location loc) const override {
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel);
  }
  void emitWarpBarrier(OpBuilder &, Location) const override {}
  Value shuffleXor(OpBuilder &, Location, Value, unsigned) const override { return {}; }
  Value shuffleIndexed(OpBuilder &, Location, Value, Value) const override { return {}; }
  Value emitMath(OpBuilder &, Location, MathFunction, ValueRange) const override { return {}; }
  llvm::StringRef getSyncScope(MemoryScope) const override { return ""; }
};

class TargetLoweringTest : public testing::Test {
protected:
  TargetLoweringTest() {
    context.loadDialect<LLVM::LLVMDialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    word = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(7));
    emitted = countOps();
  }

  size_t countOps() { return std::distance(module->getBody()->begin(), module->getBody()->end()); }
  /// Of ops since the test began.
  size_t newOps() { return countOps() - emitted; }

  MLIRContext context;
  OpBuilder builder{&context};
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module;
  Value word;
  size_t emitted = 0;
  PlainLowering lowering;
};

TEST_F(TargetLoweringTest, WhatIsUniformStaysAsItIs) {
  EXPECT_EQ(lowering.makeUniform(builder, loc, word), word);
  EXPECT_EQ(newOps(), 0u);
}

TEST_F(TargetLoweringTest, ABarrierForSharedMemoryIsOneForAll) {
  lowering.emitSharedBarrier(builder, loc);
  EXPECT_EQ(newOps(), 1u);
  EXPECT_TRUE(isa<LLVM::FenceOp>(module->getBody()->back()));
}

TEST_F(TargetLoweringTest, AtomicOperationsAreOfOneElement) {
  EXPECT_EQ(lowering.getMaxAtomicBits(LLVM::AtomicBinOp::fadd, builder.getF16Type()), 16u);
  EXPECT_EQ(lowering.getMaxAtomicBits(LLVM::AtomicBinOp::fadd, builder.getF32Type()), 32u);
  EXPECT_EQ(lowering.getMinAtomicBits(), 8u);
}

TEST_F(TargetLoweringTest, WhatATargetHasNotToHave) {
  EXPECT_FALSE(lowering.hasLibraryFunction("tanh"));
  EXPECT_FALSE(lowering.canPrint());
  EXPECT_FALSE(lowering.canFail());
  EXPECT_FALSE(lowering.hasInlineAssembly());
  EXPECT_FALSE(lowering.storesBf16AsI16());
}

TEST_F(TargetLoweringTest, AccessesAreLLVMsWithAMaskWhereThereIsAPredicate) {
  auto pointerType = LLVM::LLVMPointerType::get(&context, Global);
  Value pointer = LLVM::PoisonOp::create(builder, loc, pointerType);
  auto type = VectorType::get(4, builder.getF32Type());
  Value other = LLVM::PoisonOp::create(builder, loc, type);
  Value predicate = LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value plain = lowering.emitLoad(builder, loc, type, pointer, 16, {}, {}, {});
  EXPECT_TRUE(plain.getDefiningOp<LLVM::LoadOp>());
  Value masked = lowering.emitLoad(builder, loc, type, pointer, 16, predicate, other, {});
  EXPECT_TRUE(masked.getDefiningOp<LLVM::MaskedLoadOp>());
  lowering.emitStore(builder, loc, plain, pointer, 16, {}, {});
  EXPECT_TRUE(isa<LLVM::StoreOp>(module->getBody()->back()));
  lowering.emitStore(builder, loc, plain, pointer, 16, predicate, {});
  EXPECT_TRUE(isa<LLVM::MaskedStoreOp>(module->getBody()->back()));
}

} // namespace
