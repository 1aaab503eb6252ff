//===- Combiner.h - Emission of a combining region ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Reductions and scans combine *items*: one value for each operand of the op. How two are
// combined is said by the op's region, which is emitted in place for each pair. The regions of
// tt.map_elementwise are emitted in the same way, for each group of elements.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COLLECTIVE_COMBINER_H
#define TILEWRIGHT_LOWER_COLLECTIVE_COMBINER_H

#include "lower/core/Patterns.h"

#include <vector>

namespace tilewright::lower {

/// One value for each operand.
using Item = llvm::SmallVector<mlir::Value, 2>;

class Combiner {
public:
  /// `region` takes the values of two items and ends with those of one: its blocks branch with
  /// cf, or end with an op that returns. `rewriter` is the emitter's builder; its block may be
  /// split.
  Combiner(mlir::Region &region, LoweringBuilder &emitter, const ScalarOps &scalarOps,
           const mlir::TypeConverter &converter, mlir::ConversionPatternRewriter &rewriter)
      : region(region), e(emitter), scalarOps(scalarOps), converter(converter), rewriter(rewriter) {
  }

  /// The op of the region that cannot be emitted, or null.
  mlir::Operation *findUnsupported();

  /// The instructions that combine two items, about: a division is as long as eight others.
  unsigned countInstructions() const;

  Item combine(llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b);
  /// The results of the region for `arguments`: as many values as `results`, its types before the
  /// conversion.
  Item run(llvm::ArrayRef<mlir::Value> arguments, mlir::TypeRange results);
  /// Combines all items, neighbours first, as a balanced tree: short chains of dependent ops.
  Item combineAll(llvm::SmallVector<Item> items);
  /// Combines all items of each list, as above, or one after the other where they are sums, and so
  /// many that their chains overlap; elements of vectors together, where the target has
  /// arithmetic on vectors. `registers` says for each item in which register of the thread it is:
  /// items are combined in the order of these, which is that in which loads fill them, so that few
  /// are kept. The lists have one length.
  llvm::SmallVector<Item> combineAll(llvm::SmallVector<llvm::SmallVector<Item>> lists,
                                     llvm::ArrayRef<std::vector<unsigned>> registers);

  /// The region's operation, if it is one on integers or f32 that a warp may do as one.
  std::optional<WarpReduction> getWarpReduction();

  /// An op that the target could not compute, or null.
  mlir::Operation *failedOp = nullptr;
  /// Where it is false, an i1, what is combined next are no items, and the region's assertions have
  /// nothing to say of them; null: everywhere items are combined.
  mlir::Value areItems;

private:
  using Values = llvm::SmallDenseMap<mlir::Value, mlir::Value, 16>;

  bool isEmittableAssembly(mlir::Operation &op);
  bool takesVectors() const;
  llvm::SmallVector<Item> combineInStep(llvm::SmallVector<llvm::SmallVector<Item>> lists);
  llvm::SmallVector<Item> combineVectors(llvm::ArrayRef<Item> a, llvm::ArrayRef<Item> b);
  mlir::Value lookUp(const Values &values, mlir::Value value);
  Item lookUpAll(const Values &values, mlir::ValueRange range);
  void emitOp(mlir::Operation &op, Values &values);
  Item emitBlocks(Values &values, mlir::TypeRange resultTypes);

  mlir::Region &region;
  LoweringBuilder &e;
  const ScalarOps &scalarOps;
  const mlir::TypeConverter &converter;
  mlir::ConversionPatternRewriter &rewriter;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COLLECTIVE_COMBINER_H
