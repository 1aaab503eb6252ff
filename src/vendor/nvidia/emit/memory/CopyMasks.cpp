//===- CopyMasks.cpp - Masks of asynchronous copies as one comparison ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/CopyMasks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <array>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright;

/// The operand of an asynchronous copy that says how many bytes are read.
static constexpr unsigned sizeOperand = 2;

/// For fewer comparisons ptxas makes code that is as long, and slower.
static constexpr size_t minComparisons = 3;

static bool isSizedCopy(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_ca_shared_global_4_s:
  case Intrinsic::nvvm_cp_async_ca_shared_global_8_s:
  case Intrinsic::nvvm_cp_async_ca_shared_global_16_s:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16_s:
    return true;
  default:
    return false;
  }
}

/// Adds what `condition` is the conjunction of to `terms`.
static void addTerms(Value *condition, SmallVectorImpl<Value *> &terms) {
  Value *left, *right;
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))) {
    addTerms(left, terms);
    addTerms(right, terms);
  } else if (!is_contained(terms, condition)) {
    terms.push_back(condition);
  }
}

/// `term` if it is a comparison that is false for one value of either side.
static ICmpInst *getStrictCompare(Value *term) {
  auto *compare = dyn_cast<ICmpInst>(term);
  return compare && compare->getOperand(0)->getType()->isIntegerTy() && compare->isRelational() &&
                 ICmpInst::isStrictPredicate(compare->getPredicate())
             ? compare
             : nullptr;
}

namespace {

/// A copy of `bytes` bytes where all of `terms` are true, and of none elsewhere.
struct MaskedCopy {
  CallInst *call;
  Value *bytes;
  SmallVector<Value *, 3> terms;
  /// The term that the fewest copies share, and which of its operands most of them share.
  ICmpInst *compare = nullptr;
  unsigned boundOperand = 1;

  explicit MaskedCopy(CallInst &call) : call(&call), bytes(call.getArgOperand(sizeOperand)) {
    Value *condition, *taken;
    while (match(bytes, m_Select(m_Value(condition), m_Value(taken), m_Zero()))) {
      addTerms(condition, terms);
      bytes = taken;
    }
  }

  Value *getBound() const { return compare->getOperand(boundOperand); }
};

/// The copies of one function.
class CopyMasks {
public:
  explicit CopyMasks(Function &function) {
    for (Instruction &instruction : instructions(function))
      if (isSizedCopy(instruction))
        copies.emplace_back(cast<CallInst>(instruction));
    // How many copies have a term, and how often a value is a side of a comparison.
    DenseMap<Value *, unsigned> uses;
    for (const MaskedCopy &copy : copies)
      for (Value *term : copy.terms) {
        ++uses[term];
        if (auto *compare = getStrictCompare(term))
          for (Value *side : compare->operands())
            ++uses[side];
      }
    for (MaskedCopy &copy : copies) {
      if (copy.terms.size() == 1)
        continue;
      for (Value *term : copy.terms)
        if (ICmpInst *compare = getStrictCompare(term);
            compare && (!copy.compare || uses[compare] < uses[copy.compare]))
          copy.compare = compare;
      if (!copy.compare)
        continue;
      copy.boundOperand =
          uses[copy.compare->getOperand(0)] > uses[copy.compare->getOperand(1)] ? 0 : 1;
      compares[{copy.call->getParent(), copy.getBound()}].insert(copy.compare);
    }
  }

  void run() {
    for (MaskedCopy &copy : copies)
      if (copy.compare &&
          compares[{copy.call->getParent(), copy.getBound()}].size() >= minComparisons)
        copy.call->setArgOperand(sizeOperand, join(copy));
  }

private:
  /// The size of `copy` with one comparison.
  Value *join(const MaskedCopy &copy) {
    IRBuilder<> builder(copy.call);
    ICmpInst *compare = copy.compare;
    Value *others = nullptr;
    for (Value *term : copy.terms)
      if (term != compare)
        others = others ? getOnce(builder, {others, term, nullptr},
                                  [&] { return builder.CreateAnd(others, term); })
                        : term;
    ConstantInt *never = getNever(*compare, copy.boundOperand == 0);
    Value *limit = getOnce(builder, {others, copy.getBound(), never},
                           [&] { return builder.CreateSelect(others, copy.getBound(), never); });
    Value *holds = getOnce(builder, {compare, limit, nullptr}, [&] {
      auto *limited = cast<ICmpInst>(builder.Insert(compare->clone()));
      limited->setOperand(copy.boundOperand, limit);
      return limited;
    });
    return getOnce(builder, {holds, copy.bytes, nullptr},
                   [&] { return builder.CreateSelect(holds, copy.bytes, builder.getInt32(0)); });
  }

  /// The value of the side `isLeft` for which `compare` is false, whatever the other side is.
  static ConstantInt *getNever(const ICmpInst &compare, bool isLeft) {
    auto *type = cast<IntegerType>(compare.getOperand(0)->getType());
    const unsigned bits = type->getBitWidth();
    // Nothing is less than the least, and nothing greater than the greatest.
    const bool isLeast = isLeft == ICmpInst::isGT(compare.getPredicate());
    APInt value = compare.isSigned()
                      ? (isLeast ? APInt::getSignedMinValue(bits) : APInt::getSignedMaxValue(bits))
                      : (isLeast ? APInt::getMinValue(bits) : APInt::getMaxValue(bits));
    return ConstantInt::get(type->getContext(), value);
  }

  using Key = std::tuple<BasicBlock *, Value *, Value *, Value *>;

  /// The result of `create` for `operands`, once in a block: copies are taken in their order.
  Value *getOnce(IRBuilder<> &builder, std::array<Value *, 3> operands,
                 function_ref<Value *()> create) {
    Value *&value = created[Key(builder.GetInsertBlock(), operands[0], operands[1], operands[2])];
    if (!value)
      value = create();
    return value;
  }

  std::vector<MaskedCopy> copies;
  /// The comparisons with a bound that the copies of a block depend on.
  DenseMap<std::pair<BasicBlock *, Value *>, SmallPtrSet<ICmpInst *, 8>> compares;
  DenseMap<Key, Value *> created;
};

} // namespace

void emit::joinCopyMasks(Function &function) { CopyMasks(function).run(); }
