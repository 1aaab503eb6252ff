//===- LegalizeIntegers.cpp - Integer widths that SPIR-V supports -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An integer of N bits becomes the integer of the next size, or two of 64 bits, with zeros above
// bit N.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/LegalizeIntegers.h"

#include "vendor/intel/emit/Builtins.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

namespace {

/// One integer in the sizes that there are; `high` is null up to 64 bits.
struct Words {
  Value *low = nullptr;
  Value *high = nullptr;
};

class IntegerLegalizer {
public:
  explicit IntegerLegalizer(Function &function)
      : function(function),
        builder(function.getContext(), InstSimplifyFolder(function.getDataLayout())) {}

  void run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : make_early_inc_range(*block))
        visit(instruction);
    for (PHINode *phi : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        Words from = get(phi->getIncomingValue(i)), to = words.lookup(phi);
        cast<PHINode>(to.low)->addIncoming(from.low, phi->getIncomingBlock(i));
        if (to.high)
          cast<PHINode>(to.high)->addIncoming(from.high, phi->getIncomingBlock(i));
      }
    // Those that have words are only used by each other.
    for (Instruction *instruction : replaced)
      instruction->dropAllReferences();
    for (Instruction *instruction : replaced)
      instruction->eraseFromParent();
  }

private:
  static bool isLegal(const Value *value) {
    auto *type = dyn_cast<IntegerType>(value->getType());
    if (!type)
      return true;
    unsigned bits = type->getBitWidth();
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits > 128;
  }

  static unsigned getBits(const Value *value) {
    return cast<IntegerType>(value->getType())->getBitWidth();
  }

  /// The type of the words of an integer of `bits` bits.
  Type *getWordType(unsigned bits) {
    return builder.getIntNTy(std::clamp<unsigned>(PowerOf2Ceil(bits), 8, 64));
  }

  Words get(Value *value) {
    Type *word = getWordType(getBits(value));
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
      const APInt bits = constant->getValue().zext(128);
      Words result{ConstantInt::get(word, bits.trunc(word->getIntegerBitWidth()))};
      if (getBits(value) > 64)
        result.high = ConstantInt::get(word, bits.extractBits(64, 64));
      return result;
    }
    if (isa<UndefValue>(value)) {
      Value *zero = Constant::getNullValue(word);
      return {zero, getBits(value) > 64 ? zero : nullptr};
    }
    return words.lookup(value);
  }

  /// `result` with zeros above bit `bits`.
  Words clear(Words result, unsigned bits) {
    Value *&top = result.high ? result.high : result.low;
    const unsigned size = top->getType()->getIntegerBitWidth();
    const unsigned kept = result.high ? bits - 64 : bits;
    top = builder.CreateAnd(top, APInt::getLowBitsSet(size, kept));
    return result;
  }

  /// `value` with copies of its sign above its own bits, in `bits` bits.
  Words extendSign(Value *value, unsigned bits) {
    Words from = isLegal(value) ? Words{value} : get(value);
    const unsigned own = getBits(value);
    Value *&top = from.high ? from.high : from.low;
    const unsigned size = top->getType()->getIntegerBitWidth();
    const unsigned unused = size - (from.high ? own - 64 : own);
    top = builder.CreateAShr(builder.CreateShl(top, unused), unused);
    return resize(from, bits, /*isSigned=*/true);
  }

  /// The words of an integer of `bits` bits.
  Words resize(Words from, unsigned bits, bool isSigned) {
    Type *word = getWordType(bits);
    Words result{builder.CreateIntCast(from.low, word, isSigned)};
    if (bits > 64) {
      result.high = from.high;
      if (!from.high)
        result.high = isSigned ? builder.CreateAShr(result.low, 63) : Constant::getNullValue(word);
    }
    return result;
  }

  /// The upper half of the product of two unsigned i64.
  Value *multiplyHigh(Value *a, Value *b) {
    if (match(a, PatternMatch::m_Zero()) || match(b, PatternMatch::m_Zero()))
      return builder.getInt64(0);
    return callBuiltin(builder, "_Z6mul_himm", builder.getInt64Ty(), {a, b});
  }

  /// A shift of two words by a constant.
  Words shift(Instruction::BinaryOps opcode, Words a, uint64_t distance) {
    const bool isLeft = opcode == Instruction::Shl;
    Value *zero = builder.getInt64(0);
    Value *fill = opcode == Instruction::AShr ? builder.CreateAShr(a.high, 63) : zero;
    if (distance == 0)
      return a;
    if (distance >= 64) {
      Value *moved =
          builder.CreateBinOp(opcode, isLeft ? a.low : a.high, builder.getInt64(distance - 64));
      return isLeft ? Words{zero, moved} : Words{moved, fill};
    }
    Value *by = builder.getInt64(distance), *rest = builder.getInt64(64 - distance);
    if (isLeft)
      return {builder.CreateShl(a.low, by),
              builder.CreateOr(builder.CreateShl(a.high, by), builder.CreateLShr(a.low, rest))};
    return {builder.CreateOr(builder.CreateLShr(a.low, by), builder.CreateShl(a.high, rest)),
            builder.CreateBinOp(opcode, a.high, by)};
  }

  /// An operation on two words each; nothing where that is not known.
  Words computeDouble(BinaryOperator &operation) {
    Words a = get(operation.getOperand(0)), b = get(operation.getOperand(1));
    switch (operation.getOpcode()) {
    case Instruction::Add: {
      Value *low = builder.CreateAdd(a.low, b.low);
      Value *carry = builder.CreateZExt(builder.CreateICmpULT(low, a.low), low->getType());
      return {low, builder.CreateAdd(builder.CreateAdd(a.high, b.high), carry)};
    }
    case Instruction::Sub: {
      Value *low = builder.CreateSub(a.low, b.low);
      Value *borrow = builder.CreateZExt(builder.CreateICmpULT(a.low, b.low), low->getType());
      return {low, builder.CreateSub(builder.CreateSub(a.high, b.high), borrow)};
    }
    case Instruction::Mul: {
      Value *crossed =
          builder.CreateAdd(builder.CreateMul(a.low, b.high), builder.CreateMul(a.high, b.low));
      return {builder.CreateMul(a.low, b.low),
              builder.CreateAdd(multiplyHigh(a.low, b.low), crossed)};
    }
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return {builder.CreateBinOp(operation.getOpcode(), a.low, b.low),
              builder.CreateBinOp(operation.getOpcode(), a.high, b.high)};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      auto *distance = dyn_cast<ConstantInt>(operation.getOperand(1));
      const unsigned bits = getBits(&operation);
      if (!distance || distance->getValue().uge(bits))
        return {};
      if (operation.getOpcode() == Instruction::AShr)
        a = extendSign(operation.getOperand(0), 128);
      return shift(operation.getOpcode(), a, distance->getZExtValue());
    }
    default:
      return {};
    }
  }

  Words computeSingle(BinaryOperator &operation) {
    Value *a = operation.getOperand(0), *b = operation.getOperand(1);
    switch (operation.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
      return {builder.CreateBinOp(operation.getOpcode(), extendSign(a, getBits(a)).low,
                                  extendSign(b, getBits(b)).low)};
    case Instruction::AShr:
      return {builder.CreateAShr(extendSign(a, getBits(a)).low, get(b).low)};
    default:
      return {builder.CreateBinOp(operation.getOpcode(), get(a).low, get(b).low)};
    }
  }

  /// The comparison as a truth value.
  Value *compare(ICmpInst &comparison) {
    Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    const unsigned bits = getBits(left);
    Words a = comparison.isSigned() ? extendSign(left, bits) : get(left);
    Words b = comparison.isSigned() ? extendSign(right, bits) : get(right);
    const CmpInst::Predicate predicate = comparison.getPredicate();
    if (!a.high)
      return builder.CreateICmp(predicate, a.low, b.low);
    Value *low = builder.CreateICmp(ICmpInst::getUnsignedPredicate(predicate), a.low, b.low);
    Value *equal = builder.CreateICmpEQ(a.high, b.high);
    if (predicate == CmpInst::ICMP_EQ)
      return builder.CreateAnd(low, equal);
    if (predicate == CmpInst::ICMP_NE)
      return builder.CreateOr(low, builder.CreateNot(equal));
    return builder.CreateSelect(equal, low, builder.CreateICmp(predicate, a.high, b.high));
  }

  /// Whether there may be ones above the bits of the result, of operands that have none there.
  static bool maySetHigherBits(Instruction::BinaryOps opcode) {
    return opcode == Instruction::Add || opcode == Instruction::Sub || opcode == Instruction::Mul ||
           opcode == Instruction::Shl || opcode == Instruction::AShr ||
           opcode == Instruction::SDiv || opcode == Instruction::SRem;
  }

  /// The words of what `instruction` gives; nothing where that is not known.
  Words compute(Instruction &instruction) {
    const unsigned bits = getBits(&instruction);
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      phis.push_back(phi);
      auto create = [&] {
        return builder.CreatePHI(getWordType(bits), phi->getNumIncomingValues());
      };
      return {create(), bits > 64 ? create() : nullptr};
    }
    if (auto *select = dyn_cast<SelectInst>(&instruction)) {
      Words a = get(select->getTrueValue()), b = get(select->getFalseValue());
      auto choose = [&](Value *x, Value *y) {
        return x ? builder.CreateSelect(select->getCondition(), x, y) : nullptr;
      };
      return {choose(a.low, b.low), choose(a.high, b.high)};
    }
    if (isa<FreezeInst>(instruction)) {
      Words a = get(instruction.getOperand(0));
      return {builder.CreateFreeze(a.low), a.high ? builder.CreateFreeze(a.high) : nullptr};
    }
    if (isa<SExtInst>(instruction))
      return clear(extendSign(instruction.getOperand(0), bits), bits);
    if (isa<ZExtInst, TruncInst>(instruction)) {
      Value *source = instruction.getOperand(0);
      Words result = resize(isLegal(source) ? Words{source} : get(source), bits, false);
      return isa<TruncInst>(instruction) ? clear(result, bits) : result;
    }
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
      Words result = bits > 64 ? computeDouble(*operation) : computeSingle(*operation);
      return result.low && maySetHigherBits(operation->getOpcode()) ? clear(result, bits) : result;
    }
    return {};
  }

  /// What `instruction` gives in a size that SPIR-V has, of operands that it has not; or null.
  Value *reduce(Instruction &instruction) {
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      return compare(*comparison);
    if (!isa<TruncInst, ZExtInst, SExtInst>(instruction))
      return nullptr;
    Value *source = instruction.getOperand(0);
    Words from = isa<SExtInst>(instruction) ? extendSign(source, getBits(source)) : get(source);
    return builder.CreateIntCast(from.low, instruction.getType(), isa<SExtInst>(instruction));
  }

  /// The lowest bit of an integer as a truth value. The back end's own truncation to i1 that is
  /// widened again makes an OpBitwiseAnd of operands of two widths.
  Value *lowestBit(Value *source) {
    Value *bit = builder.CreateAnd(source, ConstantInt::get(source->getType(), 1));
    return builder.CreateICmpNE(bit, Constant::getNullValue(source->getType()));
  }

  void visit(Instruction &instruction) {
    if (isa<TruncInst>(instruction) && instruction.getType()->isIntOrIntVectorTy(1) &&
        isLegal(instruction.getOperand(0)) &&
        any_of(instruction.users(), [](User *user) { return isa<ZExtInst, SExtInst>(user); })) {
      builder.SetInsertPoint(&instruction);
      instruction.replaceAllUsesWith(lowestBit(instruction.getOperand(0)));
      replaced.push_back(&instruction);
      return;
    }
    if (isLegal(&instruction) &&
        all_of(instruction.operands(), [](Value *value) { return isLegal(value); }))
      return;
    builder.SetInsertPoint(&instruction);
    if (!isLegal(&instruction)) {
      Words result = compute(instruction);
      if (!result.low) {
        reportUnsupported(instruction);
        result = get(PoisonValue::get(instruction.getType()));
      }
      words[&instruction] = result;
      replaced.push_back(&instruction);
    } else if (Value *result = reduce(instruction)) {
      instruction.replaceAllUsesWith(result);
      replaced.push_back(&instruction);
    } else {
      reportUnsupported(instruction);
    }
  }

  void reportUnsupported(const Instruction &instruction) {
    function.getContext().diagnose(
        DiagnosticInfoUnsupported(function,
                                  "operation on an integer of a size that SPIR-V has not: " +
                                      Twine(instruction.getOpcodeName()),
                                  instruction.getDebugLoc()));
  }

  Function &function;
  IRBuilder<InstSimplifyFolder> builder;
  DenseMap<Value *, Words> words;
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> replaced;
};

} // namespace

void tilewright::emit::legalizeIntegers(Function &function) {
  if (!function.isDeclaration())
    IntegerLegalizer(function).run();
}
