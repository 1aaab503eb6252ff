//===- WordPermutes.cpp - Words of narrow elements by byte permutes -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/WordPermutes.h"

#include "vendor/amd/emit/arith/PackedCasts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

static constexpr unsigned sharedSpace = 3, wordBytes = 4;

namespace {
/// A byte of a vector of whole words.
struct Byte {
  Value *vector = nullptr;
  unsigned index = 0;

  unsigned word() const { return index / wordBytes; }
};

/// A word: where its bytes come from, in order; a byte of no vector may be anything. Or two casts.
struct Word {
  std::array<Byte, wordBytes> bytes;
  std::array<std::optional<SmallIntegerCast>, 2> casts;
};

class WordPermuter {
public:
  explicit WordPermuter(Function &function) : function(function) {}

  /// Makes the vector `use` of words, if that is fewer instructions.
  void rewrite(Use &use);

private:
  bool findWords(Value *value, FixedVectorType *type, SmallVectorImpl<Word> &words);
  Value *getWord(const Byte &byte);
  Value *createWord(const Word &word, IRBuilderBase &builder);

  Value *permute(Value *high, Value *low, uint32_t selector, IRBuilderBase &builder);

  Function &function;
  /// The words of vectors, made right after these; those of arguments and constants at the entry.
  DenseMap<std::pair<Value *, unsigned>, Value *> wordsOf;
  /// Selectors by the condition, made right after it, and by what they are if it holds.
  DenseMap<std::pair<Value *, uint32_t>, Value *> selectorsOf;
};
} // namespace

/// Vectors of 8- or 16-bit elements that are whole words.
static FixedVectorType *getNarrowVectorType(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  const unsigned bits = vector ? vector->getScalarSizeInBits() : 0;
  return (bits == 8 || bits == 16) && bits * vector->getNumElements() % 32 == 0 ? vector : nullptr;
}

/// The vector and index that element `index` of `value` is taken from, through insertions,
/// extractions and shuffles, or the scalar that is inserted. Null for poison; nothing where that is
/// not known.
static std::optional<std::pair<Value *, unsigned>> traceElement(Value *value, unsigned index) {
  while (true) {
    if (isa<UndefValue>(value))
      return std::pair<Value *, unsigned>(nullptr, 0);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
      const int source = shuffle->getMaskValue(index);
      if (source < 0)
        return std::pair<Value *, unsigned>(nullptr, 0);
      const unsigned count =
          cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
      value = shuffle->getOperand(unsigned(source) < count ? 0 : 1);
      index = unsigned(source) % count;
      continue;
    }
    auto *insertion = dyn_cast<InsertElementInst>(value);
    if (!insertion)
      return std::pair(value, index);
    auto *position = dyn_cast<ConstantInt>(insertion->getOperand(2));
    if (!position)
      return std::nullopt;
    if (position->getZExtValue() != index) {
      value = insertion->getOperand(0);
      continue;
    }
    auto *extraction = dyn_cast<ExtractElementInst>(insertion->getOperand(1));
    auto *from = extraction ? dyn_cast<ConstantInt>(extraction->getIndexOperand()) : nullptr;
    if (!from)
      return std::pair(insertion->getOperand(1), 0u);
    value = extraction->getVectorOperand();
    index = from->getZExtValue();
  }
}

bool WordPermuter::findWords(Value *value, FixedVectorType *type, SmallVectorImpl<Word> &words) {
  const unsigned bytes = type->getScalarSizeInBits() / 8;
  words.resize(type->getNumElements() * bytes / wordBytes);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto source = traceElement(value, i);
    if (!source)
      return false;
    const unsigned at = i * bytes;
    Word &word = words[at / wordBytes];
    if (source->first && !source->first->getType()->isVectorTy()) {
      auto &cast = word.casts[i % 2];
      cast = matchSmallIntegerCast(source->first);
      if (!cast)
        return false;
      continue;
    }
    if (source->first && !getNarrowVectorType(source->first->getType()))
      return false;
    for (unsigned k = 0; k < bytes; ++k)
      word.bytes[at % wordBytes + k] = {source->first, source->second * bytes + k};
  }
  bool isMixed = false;
  for (const Word &word : words) {
    auto [low, high] = word.casts;
    if (low || high) {
      if (!low || !high || !canCastTogether(*low, *high))
        return false;
      isMixed = true;
    }
    SmallVector<std::pair<Value *, unsigned>, wordBytes> sources;
    for (const Byte &byte : word.bytes)
      if (std::pair source(byte.vector, byte.word()); byte.vector && !is_contained(sources, source))
        sources.push_back(source);
    if (sources.size() > 2)
      return false;
    isMixed |= sources.size() == 2;
  }
  return isMixed;
}

Value *WordPermuter::getWord(const Byte &byte) {
  Value *whole;
  if (match(byte.vector, m_BitCast(m_Value(whole))) && whole->getType()->isIntegerTy(32))
    return whole;
  Value *&word = wordsOf[{byte.vector, byte.word()}];
  if (word)
    return word;
  IRBuilder<> builder(byte.vector->getContext());
  if (auto *instruction = dyn_cast<Instruction>(byte.vector))
    builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(function.getEntryBlock().getFirstInsertionPt());
  auto *type = cast<FixedVectorType>(byte.vector->getType());
  const unsigned count = type->getNumElements() * type->getScalarSizeInBits() / 32;
  Value *words =
      builder.CreateBitCast(byte.vector, FixedVectorType::get(builder.getInt32Ty(), count));
  return word = builder.CreateExtractElement(words, byte.word());
}

/// The bytes that `selector` names: 0 to 3 are those of `low`, 4 to 7 of `high`. Where lanes have
/// the two the other way round, they have another selector.
Value *WordPermuter::permute(Value *high, Value *low, uint32_t selector, IRBuilderBase &builder) {
  Value *condition, *first, *second, *chosen = builder.getInt32(selector);
  if (match(low, m_Select(m_Value(condition), m_Value(first), m_Value(second))) &&
      match(high, m_Select(m_Specific(condition), m_Specific(second), m_Specific(first)))) {
    Value *&made = selectorsOf[{condition, selector}];
    if (!made) {
      IRBuilder<> early(builder.getContext());
      if (auto *instruction = dyn_cast<Instruction>(condition))
        early.SetInsertPoint(*instruction->getInsertionPointAfterDef());
      else
        early.SetInsertPoint(builder.GetInsertBlock()->getParent()->getEntryBlock().begin());
      constexpr uint32_t fromOther = 0x04040404;
      made = early.CreateSelect(condition, early.getInt32(selector),
                                early.getInt32(selector ^ fromOther));
    }
    chosen = made;
    low = first;
    high = second;
  }
  return builder.CreateIntrinsic(Intrinsic::amdgcn_perm, {}, {high, low, chosen});
}

/// v_perm_b32 takes bytes 0 to 3 from its second operand, and 4 to 7 from the first (RDNA3
/// Instruction Set Architecture, V_PERM_B32).
Value *WordPermuter::createWord(const Word &word, IRBuilderBase &builder) {
  if (auto [low, high] = word.casts; low)
    return createPackedCast(builder, getWord({low->vector, low->byte}), *low, *high);
  Value *low = nullptr, *high = nullptr;
  uint32_t selector = 0;
  bool isWhole = true;
  for (auto [i, byte] : enumerate(word.bytes)) {
    if (!byte.vector)
      continue;
    Value *source = getWord(byte);
    if (!low)
      low = source;
    if (source != low)
      high = source;
    const unsigned inWord = byte.index % wordBytes;
    selector |= (inWord + (source == low ? 0 : wordBytes)) << (8 * i);
    isWhole &= source == low && inWord == i;
  }
  if (!low)
    return PoisonValue::get(builder.getInt32Ty());
  return isWhole ? low : permute(high ? high : low, low, selector, builder);
}

void WordPermuter::rewrite(Use &use) {
  FixedVectorType *type = getNarrowVectorType(use->getType());
  SmallVector<Word> words;
  if (!type || !findWords(use, type, words))
    return;
  IRBuilder<> builder(cast<Instruction>(use.getUser()));
  Value *vector = PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), words.size()));
  for (auto [i, word] : enumerate(words))
    vector = builder.CreateInsertElement(vector, createWord(word, builder), i);
  use.set(builder.CreateBitCast(vector, type));
}

/// Stores to LDS, and operands of products.
static iterator_range<Use *> getOperands(Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (store && store->getPointerAddressSpace() == sharedSpace)
    return make_range(store->op_begin(), store->op_begin() + 1);
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && Intrinsic::getBaseName(call->getIntrinsicID()).starts_with("llvm.amdgcn.wmma"))
    return call->args();
  return make_range(instruction.op_end(), instruction.op_end());
}

void tilewright::emit::permuteWords(Function &function) {
  WordPermuter permuter(function);
  for (Instruction &instruction : instructions(function))
    for (Use &use : getOperands(instruction))
      permuter.rewrite(use);
}
