//===- VectorGroups.cpp - Elements computed together as vectors ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/elementwise/VectorGroups.h"

#include "lower/core/types/VectorValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// More than a vector may have, as masks read as numbers.
constexpr int64_t maxElements = 16;

/// The scalars of one operand of a group.
using Scalars = SmallVector<Value, 16>;

bool isConstant(Value value) { return value.getDefiningOp<LLVM::ConstantOp>() != nullptr; }

/// The elements that have all elements of a vector as operand number `operand`, in its order.
SmallVector<SmallVector<unsigned, 16>> findWholeVectors(ArrayRef<ElementOperands> elements,
                                                        const SmallVectorImpl<bool> &isTaken,
                                                        unsigned operand) {
  constexpr unsigned none = ~0u;
  llvm::MapVector<Value, SmallVector<unsigned, 16>> byVector;
  for (unsigned i = 0; i < elements.size(); ++i) {
    const std::optional<VectorElement> place = findElement(elements[i][operand]);
    if (isTaken[i] || !place)
      continue;
    const int64_t size = cast<VectorType>(place->vector.getType()).getNumElements();
    if (size > maxElements)
      continue;
    auto &users = byVector.try_emplace(place->vector, size, none).first->second;
    if (users[place->index] == none)
      users[place->index] = i;
  }
  SmallVector<SmallVector<unsigned, 16>> whole;
  for (auto &[vector, users] : byVector)
    if (!llvm::is_contained(users, none))
      whole.push_back(std::move(users));
  return whole;
}

Scalars getScalars(ArrayRef<ElementOperands> elements, ArrayRef<unsigned> group, unsigned operand) {
  return llvm::map_to_vector<16>(group, [&](unsigned i) { return elements[i][operand]; });
}

/// A vector of one value throughout.
Value createSplat(LoweringBuilder &e, Value value, unsigned size) {
  auto type = VectorType::get(size, value.getType());
  Value first = e.create<LLVM::PoisonOp>(type);
  first = e.create<LLVM::InsertElementOp>(first, value, e.getI32(0));
  return e.create<LLVM::ShuffleVectorOp>(first, first, SmallVector<int32_t>(size, 0));
}

/// The vectors of scalars that the groups of an op share.
class Vectors {
public:
  explicit Vectors(LoweringBuilder &e) : e(e) {}

  /// Says that a group needs this vector.
  void count(const Scalars &scalars) { ++entries[keyOf(scalars)].uses; }
  /// What it costs each group that needs it, in insertions.
  unsigned getCost(const Scalars &scalars) const {
    const bool isSplat = llvm::all_equal(scalars);
    if (findUnpacked(scalars) || (isSplat && isConstant(scalars.front())))
      return 0;
    const unsigned insertions = isSplat ? 2 : scalars.size();
    return llvm::divideCeil(insertions, entries.find(keyOf(scalars))->second.uses);
  }
  Value get(const Scalars &scalars) {
    Value &vector = entries[keyOf(scalars)].vector;
    if (!vector)
      vector = llvm::all_equal(scalars) && !isConstant(scalars.front())
                   ? createSplat(e, scalars.front(), scalars.size())
                   : e.packVector(scalars);
    return vector;
  }

private:
  struct Entry {
    unsigned uses = 0;
    Value vector;
  };
  static std::vector<void *> keyOf(const Scalars &scalars) {
    std::vector<void *> key;
    for (Value scalar : scalars)
      key.push_back(scalar.getAsOpaquePointer());
    return key;
  }

  LoweringBuilder &e;
  std::map<std::vector<void *>, Entry> entries;
};

} // namespace

SmallVector<VectorGroup> lower::findVectorGroups(LoweringBuilder &e,
                                                 ArrayRef<ElementOperands> elements) {
  SmallVector<VectorGroup> groups;
  if (!e.target.hasVectorArithmetic() || elements.empty())
    return groups;
  const unsigned operands = elements.front().size();
  SmallVector<bool> isTaken(elements.size(), false);
  Vectors vectors(e);
  for (unsigned operand = 0; operand < operands; ++operand) {
    const auto candidates = findWholeVectors(elements, isTaken, operand);
    for (const auto &candidate : candidates)
      for (unsigned other = 0; other < operands; ++other)
        vectors.count(getScalars(elements, candidate, other));
    for (const auto &candidate : candidates) {
      // An element may have elements of two vectors as one operand, by way of copies.
      if (llvm::any_of(candidate, [&](unsigned i) { return isTaken[i]; }))
        continue;
      unsigned cost = 0;
      for (unsigned other = 0; other < operands; ++other)
        cost += vectors.getCost(getScalars(elements, candidate, other));
      if (cost > candidate.size())
        continue;
      VectorGroup &group = groups.emplace_back();
      group.elements = candidate;
      for (unsigned other = 0; other < operands; ++other)
        group.operands.push_back(vectors.get(getScalars(elements, candidate, other)));
      for (unsigned i : candidate)
        isTaken[i] = true;
    }
  }
  return groups;
}
