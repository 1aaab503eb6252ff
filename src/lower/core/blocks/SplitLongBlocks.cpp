//===- SplitLongBlocks.cpp - Division of long blocks before conversion --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/blocks/SplitLongBlocks.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// Ops of a piece before the lowering; each may become some hundreds.
static constexpr unsigned pieceLength = 48;

void lower::splitLongBlocks(tt::FuncOp function) {
  // The pieces are appended after the block they come from; each is cut in its turn.
  for (Block &block : function.getBody()) {
    unsigned count = 0;
    for (Operation &op : block) {
      if (++count <= pieceLength || op.hasTrait<OpTrait::IsTerminator>())
        continue;
      Block *rest = block.splitBlock(&op);
      OpBuilder builder = OpBuilder::atBlockEnd(&block);
      cf::BranchOp::create(builder, rest->front().getLoc(), rest);
      break;
    }
  }
}

void lower::joinBlocks(LLVM::LLVMFuncOp function) {
  for (Block &block : function.getBody()) {
    while (auto branch = dyn_cast<LLVM::BrOp>(block.getTerminator())) {
      Block *next = branch.getDest();
      if (next == &block || next->getSinglePredecessor() != &block || next->getNumArguments() != 0)
        break;
      branch.erase();
      block.getOperations().splice(block.end(), next->getOperations());
      next->erase();
    }
  }
}
