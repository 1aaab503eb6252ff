//===- WarpValues.cpp - Exchange of values between warps ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/WarpValues.h"

#include "lower/core/builder/IndexMaps.h"
#include "lower/core/builder/Scratch.h"
#include "lower/layout/EmitConversion.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

uint64_t lower::getExchangeBytes(const plan::WarpExchange &plan, ArrayRef<Type> elements) {
  uint64_t bytes = 0;
  for (Type element : elements)
    bytes += llvm::alignTo(plan.elements * tt::getStorageBits(element) / 8, sharedMemoryAlignment);
  return bytes;
}

/// The byte at which the values of each operand begin, for scratch that begins at `scratch`.
static SmallVector<uint64_t> getBegins(LoweringBuilder &e, const plan::WarpExchange &plan,
                                       uint64_t scratch, const Item &item) {
  SmallVector<uint64_t> begins;
  for (Value value : item) {
    begins.push_back(scratch);
    scratch +=
        llvm::alignTo(plan.elements * e.getMemoryBytes(value.getType()), sharedMemoryAlignment);
  }
  return begins;
}

/// Stores the partials and meets at a barrier of the block.
static void storePartials(LoweringBuilder &e, const plan::WarpExchange &plan,
                          ArrayRef<uint64_t> begins, ArrayRef<Item> partials) {
  Value isStoring = testCondition(e, plan.storing);
  for (auto [i, begin] : llvm::enumerate(begins)) {
    unsigned bytes = e.getMemoryBytes(partials[0][i].getType());
    ThreadOffsets pointers(e, plan.storeBases, bytes, begin);
    for (unsigned k = 0; k < partials.size(); k += plan.partialVector) {
      SmallVector<Value> values;
      for (const Item &partial : partials.slice(k, plan.partialVector))
        values.push_back(e.toMemory(partial[i]));
      e.target.emitStore(e.builder, e.loc, e.packVector(values), pointers.get(plan.storeOffsets[k]),
                         bytes * plan.partialVector, isStoring, {});
    }
  }
  e.emitSharedBarrier();
}

SmallVector<SmallVector<Item>> lower::exchangeAcrossWarps(LoweringBuilder &e,
                                                          const plan::WarpExchange &plan,
                                                          uint64_t scratch,
                                                          ArrayRef<Item> partials) {
  const unsigned operands = partials[0].size();
  const SmallVector<uint64_t> begins = getBegins(e, plan, scratch, partials[0]);
  storePartials(e, plan, begins, partials);

  const unsigned warps = plan.warpOffsets.size();
  SmallVector<SmallVector<Item>> items(partials.size(), SmallVector<Item>(warps, Item(operands)));
  for (unsigned i = 0; i < operands; ++i) {
    Type type = partials[0][i].getType();
    unsigned bytes = e.getMemoryBytes(type);
    ThreadOffsets pointers(e, plan.loadBases, bytes, begins[i]);
    const unsigned vector = plan.partialVector * plan.warpVector;
    auto vectorType = VectorType::get(vector, e.getMemoryType(type));
    for (unsigned k = 0; k < partials.size(); k += plan.partialVector)
      for (unsigned w = 0; w < warps; w += plan.warpVector) {
        Value loaded = e.target.emitLoad(e.builder, e.loc, vectorType,
                                         pointers.get(plan.loadOffsets[k] ^ plan.warpOffsets[w]),
                                         bytes * vector, Value(), Value(), {});
        // One of the two vector sizes is 1.
        for (auto [j, value] : llvm::enumerate(e.unpackVector(loaded)))
          items[k + (plan.partialVector > 1 ? j : 0)][w + (plan.warpVector > 1 ? j : 0)][i] =
              e.fromMemory(value, type);
      }
  }
  return items;
}

SmallVector<Item> lower::exchangeWithLanes(LoweringBuilder &e, const plan::WarpExchange &plan,
                                           uint64_t scratch, ArrayRef<Item> partials) {
  const SmallVector<uint64_t> begins = getBegins(e, plan, scratch, partials[0]);
  storePartials(e, plan, begins, partials);

  plan::ThreadMap bases = plan.loadBases;
  for (unsigned bit = 0; (1u << bit) < plan.warpOffsets.size(); ++bit)
    bases[bit] ^= plan.warpOffsets[1u << bit];
  SmallVector<Item> items(partials.size());
  for (auto [i, begin] : llvm::enumerate(begins)) {
    const Type type = partials[0][i].getType();
    const unsigned bytes = e.getMemoryBytes(type);
    ThreadOffsets pointers(e, bases, bytes, begin);
    const auto vectorType = VectorType::get(1, e.getMemoryType(type));
    for (auto [item, offset] : llvm::zip_equal(items, plan.loadOffsets)) {
      Value loaded = e.target.emitLoad(e.builder, e.loc, vectorType, pointers.get(offset), bytes,
                                       Value(), Value(), {});
      item.push_back(e.fromMemory(e.unpackVector(loaded)[0], type));
    }
  }
  return items;
}
