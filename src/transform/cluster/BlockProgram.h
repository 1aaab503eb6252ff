//===- BlockProgram.h - The program of one block of a cluster -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_CLUSTER_BLOCKPROGRAM_H
#define TILEWRIGHT_TRANSFORM_CLUSTER_BLOCKPROGRAM_H

#include "transform/cluster/Demands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilewright::transform {

class BlockProgram {
public:
  BlockProgram(const Demands &demands, unsigned bits, mlir::OpBuilder &builder)
      : demands(demands), bits(bits), builder(builder) {}

  /// Writes the body of `kernel` anew.
  void rewrite(tt::FuncOp kernel);

private:
  void clone(mlir::Block &block);
  void clone(mlir::Operation &op);
  void cloneLoop(mlir::scf::ForOp loop);
  void cloneBranch(mlir::scf::IfOp branch);
  void cloneLoop(mlir::scf::WhileOp loop);
  void cloneParts(mlir::Operation &op);
  /// The first of the blocks with the same part does it; all get its result.
  void cloneOnce(mlir::Operation &op, const ClusterSplit &split);
  /// The results of `op` where it is computed in `split`.
  llvm::SmallVector<mlir::Value> clonePart(mlir::Operation &op, const ClusterSplit &split);
  mlir::Value numberRange(tt::MakeRangeOp range, uint32_t dividing);
  /// `results` of the blocks that `split` divides the axis among, reduced.
  llvm::SmallVector<mlir::Value> reduceAcross(tt::ReduceOp reduce, mlir::ValueRange results,
                                              const ClusterSplit &split);
  void bindResults(mlir::Operation &op, mlir::ValueRange results, const ClusterSplit &split);
  void convertResults(mlir::Operation &op);

  /// Those parts of the values that are wanted, one after the other, with scalars as they are.
  llvm::SmallVector<mlir::Value> expand(mlir::ValueRange values, mlir::ValueRange carriers);
  /// `parts`, in that order, become the parts of `values`.
  void bind(mlir::ValueRange values, mlir::ValueRange parts);
  mlir::Value getPart(mlir::Value tile, const ClusterSplit &split) const;
  void setPart(mlir::Value tile, const ClusterSplit &split, mlir::Value part) {
    parts[tile].push_back({split, part});
  }

  /// `part` as another part of the same tile.
  mlir::Value convert(mlir::Value part, const ClusterSplit &from, const ClusterSplit &to);
  /// The scalar of the first block, in all.
  mlir::Value broadcast(mlir::Value scalar);
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  /// i1: whether the block is the first of those that differ in `mask` only.
  mlir::Value isFirst(uint32_t mask);
  /// The bits of the rank that are set in `mask`, as a number.
  mlir::Value getRankBits(uint32_t mask);

  const Demands &demands;
  const unsigned bits;
  mlir::OpBuilder &builder;
  mlir::Location loc = builder.getUnknownLoc();
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<ClusterSplit, mlir::Value>>> parts;
  mlir::Value rank;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_CLUSTER_BLOCKPROGRAM_H
