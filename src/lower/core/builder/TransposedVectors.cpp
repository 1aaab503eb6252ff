//===- TransposedVectors.cpp - Vectors across other vectors ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/TransposedVectors.h"

#include "lower/core/types/VectorValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

using Vectors = SmallVector<Value>;

namespace {
/// Vectors, by their addresses.
using Key = std::vector<void *>;

/// A row as the same element of as many vectors as it has elements.
struct Row {
  Vectors vectors;
  unsigned element = 0;
};
} // namespace

static std::optional<Row> findRow(ArrayRef<Value> values) {
  Row row;
  for (Value value : values) {
    const std::optional<VectorElement> element = findElement(value);
    if (!element || (!row.vectors.empty() && element->index != row.element) ||
        cast<VectorType>(element->vector.getType()).getNumElements() !=
            static_cast<int64_t>(values.size()))
      return std::nullopt;
    row.element = element->index;
    row.vectors.push_back(element->vector);
  }
  return row;
}

/// Exchanges bit `bit` of the vectors' numbers with that of the elements'.
static void exchangeBit(LoweringBuilder &e, Vectors &vectors, unsigned bit) {
  const auto size = static_cast<int32_t>(vectors.size());
  const auto distance = static_cast<int32_t>(1u << bit);
  SmallVector<int32_t> even, odd;
  for (int32_t i = 0; i < size; ++i) {
    const bool isSecond = i & distance;
    even.push_back(isSecond ? size + i - distance : i);
    odd.push_back(isSecond ? size + i : i + distance);
  }
  for (int32_t i = 0; i < size; ++i) {
    if (i & distance)
      continue;
    const Value first = vectors[i], second = vectors[i + distance];
    vectors[i] = e.create<LLVM::ShuffleVectorOp>(first, second, even);
    vectors[i + distance] = e.create<LLVM::ShuffleVectorOp>(first, second, odd);
  }
}

SmallVector<Value> lower::packTransposed(LoweringBuilder &e, ArrayRef<SmallVector<Value>> rows) {
  SmallVector<Value> packed(rows.size());
  const size_t size = rows.empty() ? 0 : rows.front().size();
  if (!e.target.hasVectorArithmetic() || size < 4 || !llvm::isPowerOf2_64(size))
    return packed;
  // By the vectors that rows are taken of, which row has which element.
  constexpr size_t none = ~size_t(0);
  struct Block {
    Vectors vectors;
    SmallVector<size_t> rows;
  };
  llvm::MapVector<Key, Block, std::map<Key, unsigned>> blocks;
  for (auto [number, values] : llvm::enumerate(rows)) {
    const std::optional<Row> row = findRow(values);
    if (!row)
      continue;
    Key key;
    for (Value vector : row->vectors)
      key.push_back(vector.getAsOpaquePointer());
    Block &block =
        blocks.try_emplace(key, Block{row->vectors, SmallVector<size_t>(size, none)}).first->second;
    block.rows[row->element] = number;
  }
  for (auto &[key, block] : blocks) {
    if (llvm::is_contained(block.rows, none))
      continue;
    for (unsigned bit = 0; bit < llvm::Log2_64(size); ++bit)
      exchangeBit(e, block.vectors, bit);
    for (auto [row, vector] : llvm::zip_equal(block.rows, block.vectors))
      packed[row] = vector;
  }
  return packed;
}
