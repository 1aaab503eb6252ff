//===- WaitingValues.cpp - Tensors that a loop only keeps ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/WaitingValues.h"

#include "analysis/RegisterPressure.h"
#include "ir/ttg/Dialect.h"

#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace tilewright;

/// Whether `value` is computed from what a loop of its block gave.
static bool dependsOnLoop(Value value) {
  llvm::SetVector<Operation *> ops;
  ops.insert(value.getDefiningOp());
  for (unsigned next = 0; next < ops.size(); ++next) {
    if (isa<scf::ForOp>(ops[next]))
      return true;
    for (Value operand : ops[next]->getOperands())
      if (Operation *op = operand.getDefiningOp(); op && op->getBlock() == ops[0]->getBlock())
        ops.insert(op);
  }
  return false;
}

Operation *transform::findFirstUseBehind(Value value, scf::ForOp loop) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *op = loop->getBlock()->findAncestorOpInBlock(*user);
    if (op == loop)
      return nullptr;
    if (loop->isBeforeInBlock(op) && (!first || op->isBeforeInBlock(first)))
      first = op;
  }
  return first;
}

SmallVector<Value> transform::findWaitingValues(scf::ForOp loop) {
  std::multimap<unsigned, Value, std::greater<>> waiting;
  for (Operation &op : llvm::make_range(loop->getBlock()->begin(), loop->getIterator()))
    for (Value result : op.getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (type && type.getElementType().isIntOrFloat() && !type.getElementType().isInteger(1) &&
          tt::getLayoutEncoding(type) && findFirstUseBehind(result, loop) && dependsOnLoop(result))
        waiting.emplace(transform::getDistinctRegisters(type), result);
    }
  return llvm::to_vector(llvm::make_second_range(waiting));
}
