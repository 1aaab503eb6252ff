//===- SourceLane.cpp - Source lanes of shuffles ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/SourceLane.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// Whether the target moves words by this table in a cheaper way than by any lanes' numbers.
static bool hasFixedShuffle(const target::Target &target, ArrayRef<unsigned> sources) {
  auto *fixedShuffle = target.costs.fixedShuffle;
  return fixedShuffle && !fixedShuffle(sources).isIndexed;
}

SourceLane::SourceLane(LoweringBuilder &e, SmallVector<unsigned> table,
                       std::function<Value()> compute)
    : e(e), compute(std::move(compute)) {
  if (hasFixedShuffle(e.target.getTarget(), table))
    sources = std::move(table);
}

SourceLane::SourceLane(LoweringBuilder &e, const ThreadBases &bases, unsigned constant)
    : e(e), compute([&e, bases, constant] { return e.getIndex(bases, constant); }) {
  ArrayRef<uint64_t> images(bases);
  const unsigned laneBits = e.context.laneBits;
  if (llvm::any_of(images.drop_front(laneBits), [](uint64_t image) { return image != 0; }))
    return;
  for (unsigned lane = 0; lane < 1u << laneBits; ++lane) {
    uint64_t source = constant;
    for (unsigned bit = 0; bit < laneBits; ++bit)
      source ^= lane >> bit & 1 ? images[bit] : 0;
    sources.push_back(static_cast<unsigned>(source));
  }
  if (!hasFixedShuffle(e.target.getTarget(), sources))
    sources.clear();
}

Value SourceLane::shuffle(Value value) {
  return e.shuffle(value, [&](Value word) {
    if (!sources.empty())
      return e.target.shuffleFixed(e.builder, e.loc, word, sources);
    if (!lane)
      lane = compute();
    return e.target.shuffleIndexed(e.builder, e.loc, word, lane);
  });
}
