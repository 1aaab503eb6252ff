//===- MemoryOrder.cpp - Accesses of memory that keep their order -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/MemoryOrder.h"

#include "analysis/RegionFlow.h"
#include "ir/tt/Dialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Whether `value` is an address, a tensor of addresses or a descriptor.
static bool isAddress(Value value) {
  return isa<tt::PointerType>(tt::getElementTypeOrSelf(value.getType())) ||
         isa<tt::TensorDescType>(value.getType());
}

namespace {
/// Goes back from addresses to what they are computed from.
class BaseSearch {
public:
  explicit BaseSearch(llvm::SetVector<Value> &bases) : bases(bases) {}

  void follow(Value value) {
    if (!seen.insert(value).second)
      return;
    const SmallVector<Value, 2> incoming = getIncomingValues(value);
    llvm::for_each(incoming, [&](Value each) { follow(each); });
    if (incoming.empty())
      followOwner(value);
  }

private:
  void followOwner(Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (!op || !isPure(op) || op->getNumOperands() == 0) {
      bases.insert(value);
      return;
    }
    // An address that is computed from an integer may be of any value that the integer is of.
    const bool isOfAddresses = llvm::any_of(op->getOperands(), isAddress);
    for (Value operand : op->getOperands())
      if (!isOfAddresses || isAddress(operand))
        follow(operand);
  }

  llvm::SetVector<Value> &bases;
  llvm::DenseSet<Value> seen;
};
} // namespace

MemoryOrder::MemoryOrder(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    Accesses found;
    op.walk([&](Operation *inner) {
      if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(inner))
        return;
      auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
      const bool isWrite = !effects || effects.hasEffect<MemoryEffects::Write>();
      for (Value operand : inner->getOperands()) {
        if (!isAddress(operand))
          continue;
        BaseSearch(found.all).follow(operand);
        if (isWrite)
          BaseSearch(found.written).follow(operand);
      }
    });
    if (!found.all.empty())
      accesses.insert({&op, std::move(found)});
  }
}

bool MemoryOrder::mayConflict(const Accesses &a, const Accesses &b) {
  auto meets = [](const Bases &some, const Bases &others) {
    return llvm::any_of(some, [&](Value base) { return others.contains(base); });
  };
  return meets(a.written, b.all) || meets(b.written, a.all);
}

bool MemoryOrder::isKept(Operation *a, Operation *b) const {
  const auto *first = accesses.find(a), *second = accesses.find(b);
  return first != accesses.end() && second != accesses.end() &&
         mayConflict(first->second, second->second);
}

bool MemoryOrder::isKept(Operation *op) const {
  return llvm::any_of(
      accesses, [&](const auto &entry) { return entry.first != op && isKept(op, entry.first); });
}

void MemoryOrder::forEachPair(llvm::function_ref<void(Operation *, Operation *)> see) const {
  for (auto first = accesses.begin(); first != accesses.end(); ++first)
    for (auto second = std::next(first); second != accesses.end(); ++second)
      if (mayConflict(first->second, second->second))
        see(first->first, second->first);
}
