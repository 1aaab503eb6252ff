//===- RegisterWords.cpp - Vector elements in PTX registers -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/RegisterWords.h"

#include "emit/VectorElements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

RegisterWords tilewright::emit::getRegisterWords(Type *element, unsigned elementBytes,
                                                 unsigned count) {
  const unsigned bytes = count * elementBytes;
  const unsigned wordBytes = std::max(elementBytes, std::min(4u, bytes));
  const unsigned elementsEach = wordBytes / elementBytes;
  Type *type = element;
  // PTX has no 8-bit registers; a byte lies in a 16-bit one.
  if (elementsEach > 1 || !(element->isFloatTy() || element->isDoubleTy()))
    type = Type::getIntNTy(element->getContext(), std::max(wordBytes, 2u) * 8);
  return {wordBytes, bytes / wordBytes, elementsEach, type};
}

Value *tilewright::emit::packWord(ArrayRef<Value *> elements, Type *word, IRBuilderBase &builder) {
  if (elements.size() > 1)
    return builder.CreateBitCast(makeVector(elements, builder), word);
  Value *value = elements.front();
  Type *element = value->getType();
  if (element->isPointerTy())
    return builder.CreatePtrToInt(value, word);
  if (element == word)
    return value;
  value = builder.CreateBitCast(value, builder.getIntNTy(element->getPrimitiveSizeInBits()));
  return builder.CreateZExt(value, word);
}

void tilewright::emit::unpackWord(Value *word, Type *element, unsigned count,
                                  SmallVectorImpl<Value *> &elements, IRBuilderBase &builder) {
  if (count > 1) {
    Value *vector = builder.CreateBitCast(word, FixedVectorType::get(element, count));
    for (unsigned index = 0; index < count; ++index)
      elements.push_back(builder.CreateExtractElement(vector, index));
    return;
  }
  if (element->isPointerTy()) {
    elements.push_back(builder.CreateIntToPtr(word, element));
    return;
  }
  if (word->getType() != element) {
    word = builder.CreateTrunc(word, builder.getIntNTy(element->getPrimitiveSizeInBits()));
    word = builder.CreateBitCast(word, element);
  }
  elements.push_back(word);
}

/// The bits of a constant of `bits` bits.
static std::optional<APInt> constantBits(const Value *element, unsigned bits) {
  if (isa<UndefValue>(element) || isa<ConstantPointerNull>(element))
    return APInt(bits, 0);
  if (auto *integer = dyn_cast<ConstantInt>(element))
    return integer->getValue();
  if (auto *fp = dyn_cast<ConstantFP>(element))
    return fp->getValueAPF().bitcastToAPInt();
  return std::nullopt;
}

std::optional<APInt> tilewright::emit::packConstants(ArrayRef<Value *> elements, unsigned bits) {
  APInt word(bits, 0);
  for (auto [index, element] : enumerate(elements)) {
    Type *type = element->getType();
    const unsigned elementBits = type->isPointerTy() ? bits : type->getPrimitiveSizeInBits();
    std::optional<APInt> constant = constantBits(element, elementBits);
    if (!constant)
      return std::nullopt;
    word |= constant->zext(bits) << (index * elementBits);
  }
  return word;
}
