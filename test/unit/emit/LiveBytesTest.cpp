//===- LiveBytesTest.cpp - Live bytes against exhaustive search ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/LiveBytes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <random>

using namespace llvm;
using namespace tilewright::emit;

static uint64_t bytesOf(const Value &value) { return value.getType()->getIntegerBitWidth() / 8; }

static uint64_t peakOf(const char *text) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  return module ? getPeakLiveBytes(*module->begin(), bytesOf) : 0;
}

TEST(LiveBytes, StraightLine) {
  // a, b; then b, c; then d.
  EXPECT_EQ(peakOf(R"(define i32 @f(i32 %a, i32 %b) {
    %c = add i32 %a, 1
    %d = add i32 %b, %c
    ret i32 %d
  })"),
            8u);
  // What nobody uses still has to be put somewhere.
  EXPECT_EQ(peakOf(R"(define i32 @f(i32 %a) {
    %unused = zext i32 %a to i64
    ret i32 %a
  })"),
            12u);
  EXPECT_EQ(peakOf("declare i32 @f(i32 %a)"), 0u);
}

TEST(LiveBytes, Loop) {
  // %a is used in the next iteration again: it is alive beside %i and %wide.
  EXPECT_EQ(peakOf(R"(define void @f(i32 %a) {
    br label %loop
  loop:
    %i = phi i32 [ 0, %0 ], [ %j, %loop ]
    %j = add i32 %i, %a
    %wide = zext i32 %j to i64
    %more = trunc i64 %wide to i8
    switch i8 %more, label %loop [ i8 0, label %done ]
  done:
    ret void
  })"),
            16u);
}

TEST(LiveBytes, BlocksThatAreNotReached) {
  EXPECT_EQ(peakOf(R"(define i32 @f(i32 %a) {
    ret i32 %a
  never:
    %b = zext i32 %a to i64
    %c = add i64 %b, 1
    ret i32 %a
  })"),
            4u);
}

//===--------------------------------------------------------------------------===//
// Brute force
//===--------------------------------------------------------------------------===//

namespace {
/// A point in a function: after that many instructions of a block.
struct Place {
  const BasicBlock *block;
  unsigned after;
};
} // namespace

/// Whether there is a way from `place` to a use of `value` that does not pass its definition.
static bool isAlive(const Value &value, Place place, DenseSet<const BasicBlock *> &seen) {
  unsigned number = 0;
  for (const Instruction &instruction : *place.block) {
    if (number++ < place.after)
      continue;
    if (!isa<PHINode>(instruction) && is_contained(instruction.operands(), &value))
      return true;
    if (&instruction == &value)
      return false;
  }
  for (const BasicBlock *next : successors(place.block)) {
    for (const PHINode &phi : next->phis())
      if (phi.getIncomingValueForBlock(place.block) == &value)
        return true;
    if (seen.insert(next).second && isAlive(value, {next, 0}, seen))
      return true;
  }
  return false;
}

static uint64_t peakByBruteForce(const Function &function) {
  SmallVector<const Value *> values;
  for (const Argument &argument : function.args())
    values.push_back(&argument);
  for (const BasicBlock *block : depth_first(&function))
    for (const Instruction &instruction : *block)
      if (!instruction.getType()->isVoidTy())
        values.push_back(&instruction);
  uint64_t peak = 0;
  for (const BasicBlock *block : depth_first(&function)) {
    const unsigned phis = std::distance(block->phis().begin(), block->phis().end());
    for (unsigned after = phis; after <= block->size(); ++after) {
      uint64_t sum = 0;
      for (const Value *value : values) {
        auto *instruction = dyn_cast<Instruction>(value);
        DenseSet<const BasicBlock *> seen;
        const bool isNew =
            instruction && instruction->getParent() == block &&
            (isa<PHINode>(instruction)
                 ? after == phis
                 : after > 0 && &*std::next(block->begin(), after - 1) == instruction);
        if (isNew || isAlive(*value, {block, after}, seen))
          sum += bytesOf(*value);
      }
      peak = std::max(peak, sum);
    }
  }
  return peak;
}

namespace {
/// Functions of a few blocks with random branches, phis and sums of 8 to 64 bits.
class RandomFunction {
public:
  RandomFunction(Module &module, unsigned seed) : random(seed), builder(module.getContext()) {
    Type *types[] = {builder.getInt8Ty(), builder.getInt16Ty(), builder.getInt32Ty(),
                     builder.getInt64Ty()};
    function = Function::Create(FunctionType::get(builder.getVoidTy(), types, false),
                                Function::ExternalLinkage, "f", module);
    makeBlocks();
    fillBlocks(types);
    makePhisComplete();
  }

  Function *function;

private:
  unsigned draw(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(random);
  }

  void makeBlocks() {
    const unsigned count = 1 + draw(6);
    SmallVector<BasicBlock *> blocks;
    for (unsigned i = 0; i < count; ++i)
      blocks.push_back(BasicBlock::Create(builder.getContext(), "", function));
    for (BasicBlock *block : blocks) {
      builder.SetInsertPoint(block);
      // The first block has no predecessors.
      auto target = [&] { return blocks[1 + draw(count - 1)]; };
      if (count == 1 || draw(4) == 0) {
        builder.CreateRetVoid();
      } else if (draw(3) == 0) {
        builder.CreateBr(target());
      } else {
        SwitchInst *branch = builder.CreateSwitch(function->getArg(0), target());
        branch->addCase(builder.getInt8(0), target());
      }
    }
  }

  /// A value of `type` that is available after `block`'s last instruction so far.
  Value *pick(Type *type, BasicBlock *block, const DominatorTree &tree) {
    SmallVector<Value *> choice = {ConstantInt::get(type, 1)};
    for (Argument &argument : function->args())
      choice.push_back(&argument);
    for (BasicBlock &other : *function)
      if (tree.dominates(&other, block))
        for (Instruction &instruction : other)
          choice.push_back(&instruction);
    erase_if(choice, [&](Value *value) { return value->getType() != type; });
    return choice[draw(choice.size())];
  }

  void fillBlocks(ArrayRef<Type *> types) {
    const DominatorTree tree(*function);
    // Each after those that dominate it.
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(function)) {
      builder.SetInsertPoint(block, block->begin());
      if (!pred_empty(block))
        for (unsigned i = draw(3); i > 0; --i)
          phis.push_back(builder.CreatePHI(types[draw(4)], 2));
      for (unsigned i = draw(8); i > 0; --i) {
        Type *type = types[draw(4)];
        builder.SetInsertPoint(block->getTerminator());
        Value *left = pick(type, block, tree), *right = pick(type, block, tree);
        builder.Insert(BinaryOperator::CreateAdd(left, right));
      }
    }
  }

  void makePhisComplete() {
    const DominatorTree tree(*function);
    for (PHINode *phi : phis)
      for (BasicBlock *from : predecessors(phi->getParent())) {
        const int known = phi->getBasicBlockIndex(from);
        phi->addIncoming(
            known >= 0 ? phi->getIncomingValue(known) : pick(phi->getType(), from, tree), from);
      }
  }

  std::mt19937 random;
  IRBuilder<> builder;
  SmallVector<PHINode *> phis;
};
} // namespace

TEST(LiveBytes, AgreesWithBruteForce) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    LLVMContext context;
    Module module("test", context);
    const RandomFunction random(module, seed);
    ASSERT_FALSE(verifyFunction(*random.function, &errs())) << seed;
    const uint64_t peak = peakByBruteForce(*random.function);
    EXPECT_EQ(getPeakLiveBytes(*random.function, bytesOf), peak) << "seed " << seed;
    // Below the peak any sum above the bound will do.
    EXPECT_EQ(getPeakLiveBytes(*random.function, bytesOf, peak), peak) << "seed " << seed;
    for (const uint64_t enough : {peak / 4, peak / 2, peak - 1}) {
      if (enough >= peak)
        continue;
      const uint64_t found = getPeakLiveBytes(*random.function, bytesOf, enough);
      EXPECT_GT(found, enough) << "seed " << seed;
      EXPECT_LE(found, peak) << "seed " << seed;
    }
  }
}
