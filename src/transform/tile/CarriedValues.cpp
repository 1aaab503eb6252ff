//===- CarriedValues.cpp - What one loop of a nest carries of another ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/CarriedValues.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilewright;

namespace {

class Search {
public:
  Search(scf::ForOp outer, scf::ForOp inner) : outer(outer), inner(inner) {}

  transform::CarriedValues run() {
    for (Operation &op : *outer.getBody()) {
      if (&op == inner)
        break;
      for (Value value : op.getResults())
        if (isUsedLater(value))
          provide(value);
    }
    return std::move(result);
  }

private:
  bool isUsedLater(Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *ancestor = outer.getBody()->findAncestorOpInBlock(*user);
      return ancestor == inner || !ancestor->isBeforeInBlock(inner);
    });
  }

  /// The op before the inner loop that computes `value`; null if it is there in any case.
  Operation *getDefinition(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == outer.getBody() ? op : nullptr;
  }

  /// Whether a result of the op takes no more than registers that are there, or instructions for
  /// them that are as cheap as copies.
  static bool isCheap(Operation *op) {
    if (isa<tt::MakeRangeOp, tt::AddPtrOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      return true;
    return isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && isPure(op) &&
           !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
                arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
           llvm::all_of(op->getOperandTypes(),
                        [](Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); });
  }

  /// Whether `value`, of any type, can be computed from numbers by cheap ops.
  bool isOfNumbers(Value value) {
    Operation *op = getDefinition(value);
    if (!op || !isa<RankedTensorType>(value.getType()))
      return true;
    auto [entry, isNew] = ofNumbers.try_emplace(op, false);
    if (!isNew)
      return entry->second;
    const bool isOf = (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op) || isCheap(op)) &&
                      llvm::all_of(op->getOperands(), [&](Value v) { return isOfNumbers(v); });
    return ofNumbers[op] = isOf;
  }

  /// Has `value` carried or computed again.
  void provide(Value value) {
    Operation *op = getDefinition(value);
    if (!op || result.again.contains(op))
      return;
    const bool isSpread = isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op);
    if (!isa<RankedTensorType>(value.getType()) || (!isSpread && !isOfNumbers(value))) {
      result.carried.insert(value);
      return;
    }
    for (Value operand : op->getOperands())
      provide(operand);
    result.again.insert(op);
  }

  scf::ForOp outer, inner;
  llvm::DenseMap<Operation *, bool> ofNumbers;
  transform::CarriedValues result;
};

} // namespace

transform::CarriedValues transform::findCarriedValues(scf::ForOp outer, scf::ForOp inner) {
  return Search(outer, inner).run();
}
