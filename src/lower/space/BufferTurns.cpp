//===- BufferTurns.cpp - Buffers that iterations take in turn -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/space/BufferTurns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

/// The number that `value` follows, by one and modulo `buffers`; null if it is no such successor.
static Value getPredecessor(Value value, unsigned buffers) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::sge ||
      getConstant(compare.getRhs()) != int64_t(buffers) || getConstant(select.getTrueValue()) != 0)
    return {};
  auto sum = select.getFalseValue().getDefiningOp<arith::AddIOp>();
  if (!sum || compare.getLhs() != sum || getConstant(sum.getRhs()) != 1)
    return {};
  return sum.getLhs();
}

/// What `predecessor` gives to argument `number` of `block`; null if that is not one value.
static Value getPassed(Block *predecessor, Block *block, unsigned number) {
  auto branch = dyn_cast<BranchOpInterface>(predecessor->getTerminator());
  if (!branch)
    return {};
  Value passed;
  for (auto [i, successor] : llvm::enumerate(predecessor->getSuccessors())) {
    if (successor != block)
      continue;
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    if (passed || operands.isOperandProduced(number))
      return {};
    passed = operands[number];
  }
  return passed;
}

/// An argument of the head of a loop that begins as a constant and is followed by its successor.
static BufferTurn findCounter(BlockArgument argument, unsigned buffers) {
  Block *block = argument.getOwner();
  BufferTurn turn;
  for (Block *predecessor : block->getPredecessors()) {
    Value passed = getPassed(predecessor, block, argument.getArgNumber());
    if (!passed)
      return {};
    if (getPredecessor(passed, buffers) == argument) {
      if (turn.latch)
        return {};
      turn.latch = predecessor;
      continue;
    }
    const std::optional<int64_t> first = getConstant(passed);
    if (turn.buffers || !first || *first < -1 || *first >= buffers)
      return {};
    turn.buffers = buffers;
    turn.number = static_cast<unsigned>(*first + buffers) % buffers;
    turn.loop = block;
  }
  return turn.latch ? turn : BufferTurn();
}

static BufferTurn findTurn(Value index, unsigned buffers) {
  unsigned steps = 0;
  while (Value before = getPredecessor(index, buffers)) {
    index = before;
    ++steps;
  }
  BufferTurn turn;
  if (auto argument = dyn_cast<BlockArgument>(index))
    turn = findCounter(argument, buffers);
  else if (std::optional<int64_t> constant = getConstant(index);
           constant && *constant >= 0 && *constant < buffers)
    turn = {buffers, static_cast<unsigned>(*constant)};
  if (turn.buffers)
    turn.number = (turn.number + steps) % buffers;
  return turn;
}

BufferTurn lower::findBufferTurn(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
      auto alloc = index.getSrc().getDefiningOp<ttg::LocalAllocOp>();
      const int64_t buffers = index.getSrc().getType().getShape().front();
      if (!alloc || index.getSrc().getType().getBufferShape().size() != 1 || buffers < 2)
        return {};
      return findTurn(index.getIndex(), static_cast<unsigned>(buffers));
    }
    if (!isa<ttg::MemDescSubsliceOp, ttg::MemDescTransOp, ttg::MemDescReshapeOp>(op))
      return {};
    view = op->getOperand(0);
  }
  return {};
}

BufferTurn lower::passEdge(BufferTurn turn, Block *from, Block *to,
                           const llvm::DenseMap<Block *, Block *> &latches) {
  Block *latch = latches.lookup(to);
  if (!turn.buffers || !latch)
    return turn;
  if (turn.loop == to) {
    // Another run of the loop begins to count anew.
    if (from != latch)
      return {};
    turn.number = (turn.number + turn.buffers - 1) % turn.buffers;
  } else if (!turn.loop && from != latch) {
    turn.loop = to;
    turn.latch = latch;
  }
  return turn;
}
