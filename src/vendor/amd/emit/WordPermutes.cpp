//===- WordPermutes.cpp - Words of narrow elements by byte permutes -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/WordPermutes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

#include <array>

using namespace llvm;

static constexpr unsigned sharedSpace = 3, wordBytes = 4;

namespace {
/// A byte of a vector of whole words.
struct Byte {
  Value *vector = nullptr;
  unsigned index = 0;

  unsigned word() const { return index / wordBytes; }
};

/// A word: where its bytes come from, in order; a byte of no vector may be anything.
using Word = std::array<Byte, wordBytes>;

class WordPermuter {
public:
  void rewrite(StoreInst &store);

private:
  bool findWords(Value *value, FixedVectorType *type, SmallVectorImpl<Word> &words);
  Value *getWord(const Byte &byte);
  Value *createWord(const Word &word, IRBuilderBase &builder);

  /// The words of vectors, made right after these.
  DenseMap<std::pair<Value *, unsigned>, Value *> wordsOf;
};
} // namespace

/// Vectors of 8- or 16-bit elements that are whole words.
static FixedVectorType *getNarrowVectorType(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  const unsigned bits = vector ? vector->getScalarSizeInBits() : 0;
  return (bits == 8 || bits == 16) && bits * vector->getNumElements() % 32 == 0 ? vector : nullptr;
}

/// The vector and index that element `index` of `value` is taken from, through insertions,
/// extractions and shuffles. The vector is null for poison; nothing where there is no vector.
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
      return std::nullopt;
    value = extraction->getVectorOperand();
    index = from->getZExtValue();
  }
}

bool WordPermuter::findWords(Value *value, FixedVectorType *type, SmallVectorImpl<Word> &words) {
  const unsigned bytes = type->getScalarSizeInBits() / 8;
  words.resize(type->getNumElements() * bytes / wordBytes);
  bool isMixed = false;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto source = traceElement(value, i);
    if (!source || (source->first && !getNarrowVectorType(source->first->getType())))
      return false;
    for (unsigned k = 0; k < bytes; ++k) {
      const unsigned at = i * bytes + k;
      words[at / wordBytes][at % wordBytes] = {source->first, source->second * bytes + k};
    }
  }
  for (const Word &word : words) {
    SmallVector<std::pair<Value *, unsigned>, wordBytes> sources;
    for (const Byte &byte : word)
      if (std::pair source(byte.vector, byte.word()); byte.vector && !is_contained(sources, source))
        sources.push_back(source);
    if (sources.size() > 2)
      return false;
    isMixed |= sources.size() == 2;
  }
  return isMixed;
}

Value *WordPermuter::getWord(const Byte &byte) {
  Value *&word = wordsOf[{byte.vector, byte.word()}];
  if (word)
    return word;
  IRBuilder<> builder(byte.vector->getContext());
  if (auto *instruction = dyn_cast<Instruction>(byte.vector))
    builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(
        cast<Argument>(byte.vector)->getParent()->getEntryBlock().getFirstInsertionPt());
  auto *type = cast<FixedVectorType>(byte.vector->getType());
  const unsigned count = type->getNumElements() * type->getScalarSizeInBits() / 32;
  Value *words =
      builder.CreateBitCast(byte.vector, FixedVectorType::get(builder.getInt32Ty(), count));
  return word = builder.CreateExtractElement(words, byte.word());
}

/// v_perm_b32 takes bytes 0 to 3 from its second operand, and 4 to 7 from the first (RDNA3
/// Instruction Set Architecture, V_PERM_B32).
Value *WordPermuter::createWord(const Word &word, IRBuilderBase &builder) {
  Value *low = nullptr, *high = nullptr;
  uint32_t selector = 0;
  bool isWhole = true;
  for (auto [i, byte] : enumerate(word)) {
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
  return isWhole ? low
                 : builder.CreateIntrinsic(Intrinsic::amdgcn_perm, {},
                                           {high ? high : low, low, builder.getInt32(selector)});
}

void WordPermuter::rewrite(StoreInst &store) {
  FixedVectorType *type = getNarrowVectorType(store.getValueOperand()->getType());
  SmallVector<Word> words;
  if (!type || store.getPointerAddressSpace() != sharedSpace ||
      !findWords(store.getValueOperand(), type, words))
    return;
  IRBuilder<> builder(&store);
  Value *vector = PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), words.size()));
  for (auto [i, word] : enumerate(words))
    vector = builder.CreateInsertElement(vector, createWord(word, builder), i);
  store.setOperand(0, builder.CreateBitCast(vector, type));
}

void tilewright::emit::permuteStoredWords(Function &function) {
  WordPermuter permuter;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      permuter.rewrite(*store);
}
