//===- StructureBranches.cpp - Branches in regions of scalars -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/StructureBranches.h"

#include "ir/tt/Dialect.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tilewright;

namespace {
struct BranchesToSCF final : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &, Region &) override {
    return emitError(loc, "branches of tt.map_elementwise never come to its return");
  }
};
} // namespace

/// That the ops of a region are what the transformation takes.
static LogicalResult check(Region &region) {
  for (Block &block : region) {
    Operation *end = block.empty() ? nullptr : &block.back();
    if (!isa_and_nonnull<cf::BranchOp, cf::CondBranchOp, tt::MapElementwiseReturnOp>(end))
      return emitError(end ? end->getLoc() : region.getLoc(),
                       "a block of tt.map_elementwise ends in cf.br, cf.cond_br or "
                       "tt.map_elementwise.return");
    for (Operation &op : block)
      if (failed(verify(&op)))
        return failure();
  }
  return success();
}

LogicalResult compiler::structureBranches(ModuleOp module) {
  SmallVector<tt::MapElementwiseOp> maps;
  module.walk([&](tt::MapElementwiseOp op) {
    if (op->getNumRegions() == 1 && op.getScalarOp().getBlocks().size() > 1)
      maps.push_back(op);
  });
  if (maps.empty())
    return success();
  module.getContext()->loadDialect<arith::ArithDialect, scf::SCFDialect, ub::UBDialect>();
  BranchesToSCF transformation;
  for (tt::MapElementwiseOp op : maps) {
    Region &region = op.getScalarOp();
    if (failed(check(region)))
      return failure();
    DominanceInfo dominance(op);
    if (failed(transformCFGToSCF(region, transformation, dominance)))
      return failure();
  }
  return success();
}
