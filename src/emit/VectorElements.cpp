//===- VectorElements.cpp - Elementwise access to LLVM vectors ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/VectorElements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;
using namespace tilewright;

Value *emit::getElement(Value *vector, unsigned index, IRBuilderBase &builder) {
  if (!vector->getType()->isVectorTy())
    return vector;
  if (Value *element = findScalarElement(vector, index))
    return element;
  return builder.CreateExtractElement(vector, index);
}

SmallVector<Value *> emit::getElements(Value *vector, unsigned first, unsigned count,
                                       IRBuilderBase &builder) {
  SmallVector<Value *> elements;
  for (unsigned index = first; index < first + count; ++index)
    elements.push_back(getElement(vector, index, builder));
  return elements;
}

Value *emit::makeVector(ArrayRef<Value *> elements, IRBuilderBase &builder) {
  Value *vector =
      PoisonValue::get(FixedVectorType::get(elements.front()->getType(), elements.size()));
  for (auto [index, element] : enumerate(elements))
    vector = builder.CreateInsertElement(vector, element, index);
  return vector;
}

void emit::replaceByElements(Instruction &vector, function_ref<Value *(unsigned index)> element,
                             IRBuilderBase &builder, SmallVectorImpl<WeakTrackingVH> &dead) {
  SmallVector<Value *> elements(cast<FixedVectorType>(vector.getType())->getNumElements());
  auto get = [&](unsigned index) {
    if (!elements[index])
      elements[index] = element(index);
    return elements[index];
  };
  SmallVector<Instruction *> extractions;
  for (User *user : vector.users()) {
    auto *extraction = dyn_cast<ExtractElementInst>(user);
    auto *index = extraction ? dyn_cast<ConstantInt>(extraction->getIndexOperand()) : nullptr;
    if (index && index->getValue().ult(elements.size()))
      extractions.push_back(extraction);
  }
  for (Instruction *extraction : extractions) {
    auto *index = cast<ConstantInt>(extraction->getOperand(1));
    extraction->replaceAllUsesWith(get(index->getZExtValue()));
    extraction->setOperand(0, PoisonValue::get(vector.getType()));
  }
  dead.append(extractions.begin(), extractions.end());
  if (vector.use_empty())
    return;
  Value *whole = PoisonValue::get(vector.getType());
  for (unsigned index = 0; index < elements.size(); ++index)
    whole = builder.CreateInsertElement(whole, get(index), index);
  vector.replaceAllUsesWith(whole);
}
