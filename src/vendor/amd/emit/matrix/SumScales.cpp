//===- SumScales.cpp - Sums of products that a loop scales --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/matrix/SumScales.h"

#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

/// A branch costs as much as a few products.
static constexpr unsigned minProducts = 16;

namespace {
/// A vector of sums, each times one factor: the loop's sums, and the insertions and products that
/// make the scaled ones.
struct ScaledSums {
  Value *factor = nullptr;
  /// The factor as the products take it.
  Value *copy = nullptr;
  PHINode *sums = nullptr;
  Instruction *scaled = nullptr;
  SmallVector<Instruction *> instructions;
};
} // namespace

/// The value of which `value` is a copy in one of two registers (DualOperands.h), or `value`
/// itself.
static Value *getOriginal(Value *value) {
  Value *pair;
  if (!match(value, m_ExtractElt(m_Value(pair), m_ConstantInt())))
    return value;
  auto *copy = dyn_cast<CallInst>(pair);
  Value *splat = copy && copy->isInlineAsm() ? getSplatValue(copy->getArgOperand(0)) : nullptr;
  return splat ? splat : value;
}

/// Whether `value` is a power of the difference of what the loop carries and something else.
static bool isPowerOfDifference(const Value *value) {
  const Value *exponent, *old;
  if (!match(value, m_CombineOr(m_Intrinsic<Intrinsic::exp2>(m_Value(exponent)),
                                m_Intrinsic<Intrinsic::amdgcn_exp2>(m_Value(exponent)))))
    return false;
  match(exponent, m_FMul(m_Value(exponent), m_Constant()));
  return match(exponent, m_FSub(m_Value(old), m_Value())) && isa<PHINode>(old);
}

/// Takes apart `vector`, whose elements are all sums of one vector of the loop's times one factor.
static std::optional<ScaledSums> matchScaledSums(Value *vector) {
  ScaledSums result;
  result.scaled = dyn_cast<Instruction>(vector);
  auto *type = dyn_cast<FixedVectorType>(vector->getType());
  if (!result.scaled || !type)
    return std::nullopt;
  unsigned count = 0;
  while (auto *insertion = dyn_cast<InsertElementInst>(vector)) {
    Value *sum, *factor, *sums;
    uint64_t to, from;
    auto *product = dyn_cast<Instruction>(insertion->getOperand(1));
    if (!product || !product->hasOneUse() || (vector != result.scaled && !vector->hasOneUse()) ||
        !match(insertion->getOperand(2), m_ConstantInt(to)) ||
        !match(product, m_FMul(m_Value(sum), m_Value(factor))))
      return std::nullopt;
    if (!isPowerOfDifference(getOriginal(factor)))
      std::swap(sum, factor);
    result.copy = factor;
    factor = getOriginal(factor);
    if (!match(sum, m_ExtractElt(m_Value(sums), m_ConstantInt(from))) || from != to ||
        !isa<PHINode>(sums) || (result.sums && (result.sums != sums || result.factor != factor)))
      return std::nullopt;
    result.sums = cast<PHINode>(sums);
    result.factor = factor;
    result.instructions.append({insertion, product});
    if (auto *extraction = cast<Instruction>(sum); extraction->hasOneUse())
      result.instructions.push_back(extraction);
    vector = insertion->getOperand(0);
    ++count;
  }
  if (!isa<UndefValue>(vector) || count != type->getNumElements() ||
      !isPowerOfDifference(result.factor))
    return std::nullopt;
  return result;
}

/// The scaled sums of `block` by factor: operands of its products that are all made in it.
static MapVector<Value *, SmallVector<ScaledSums>> findScaledSums(BasicBlock &block) {
  MapVector<Value *, SmallVector<ScaledSums>> found;
  SmallPtrSet<Value *, 16> seen;
  for (Instruction &instruction : block) {
    if (!isProduct(&instruction))
      continue;
    for (Value *operand : instruction.operands()) {
      if (!isa<InsertElementInst>(operand) || !seen.insert(operand).second)
        continue;
      std::optional<ScaledSums> sums = matchScaledSums(operand);
      if (sums && all_of(sums->instructions,
                         [&](const Instruction *part) { return part->getParent() == &block; }))
        found[sums->factor].push_back(std::move(*sums));
    }
  }
  return found;
}

/// Moves the products of `all`, which have one factor, into a branch of their own, after the
/// factor and what else they take.
static void moveToBranch(BasicBlock &block, ArrayRef<ScaledSums> all) {
  SmallSetVector<Instruction *, 32> moved;
  for (const ScaledSums &sums : all)
    moved.insert_range(sums.instructions);
  SmallVector<Instruction *> inOrder;
  for (Instruction &instruction : block)
    if (moved.contains(&instruction))
      inOrder.push_back(&instruction);

  // From the first product on: the extractions before it take nothing of this block. Roundings
  // before it (EarlyRoundings.h) stay with the products that take them: LLVM would move them there,
  // after the branch.
  Instruction *place = *find_if(
      inOrder, [](const Instruction *part) { return part->getOpcode() == Instruction::FMul; });
  auto *copy = dyn_cast<Instruction>(all.front().copy);
  const BasicBlock::iterator begin =
      copy && copy->getParent() == &block ? std::next(copy->getIterator()) : block.begin();
  place = &*std::find_if(begin, place->getIterator(), llvm::IsaPred<FPTruncInst>);
  IRBuilder<> builder(place);
  // It is of a copy: the factor itself has no register of its own then.
  Value *differs =
      builder.CreateFCmpUNE(all.front().copy, ConstantFP::get(all.front().copy->getType(), 1.0));
  Value *lanes =
      builder.CreateIntrinsic(Intrinsic::amdgcn_ballot, {builder.getInt32Ty()}, {differs});
  Value *isWanted = builder.CreateICmpNE(lanes, builder.getInt32(0));
  BasicBlock *rest = block.splitBasicBlock(place);
  BasicBlock *scaling =
      BasicBlock::Create(block.getContext(), "", block.getParent(), /*InsertBefore=*/rest);
  block.getTerminator()->eraseFromParent();
  builder.SetInsertPoint(&block);
  builder.CreateCondBr(isWanted, scaling, rest);
  builder.SetInsertPoint(scaling);
  Instruction *end = builder.CreateBr(rest);
  for (Instruction *part : inOrder)
    part->moveBefore(end->getIterator());
  for (const ScaledSums &sums : all) {
    builder.SetInsertPoint(rest, rest->begin());
    PHINode *either = builder.CreatePHI(sums.scaled->getType(), 2);
    sums.scaled->replaceAllUsesWith(either);
    either->addIncoming(sums.scaled, scaling);
    either->addIncoming(sums.sums, &block);
  }
}

void tilewright::emit::skipScalesOfOne(Function &function) {
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock &block : function)
    if (hasProducts(block))
      blocks.push_back(&block);
  for (BasicBlock *block : blocks)
    for (const auto &entry : findScaledSums(*block)) {
      const SmallVector<ScaledSums> &all = entry.second;
      unsigned products = 0;
      for (const ScaledSums &sums : all)
        products += cast<FixedVectorType>(sums.scaled->getType())->getNumElements();
      if (products >= minProducts) {
        moveToBranch(*block, all);
        break; // The block is another one now.
      }
    }
}
