//===- SquareLayouts.h - Layouts of loads that threads turn round *- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A matrix unit that takes its operands from registers wants neighbours along K in a thread. An
// operand whose rows in memory run along the other dimension, as B of a product of row-major
// matrices, is loaded from global memory by rows. If a thread loads pieces of several rows,
// neighbours along K,
//
//     thread 0 loads    b[0, 0..7]          and stores    b[0..7, 0]
//                       b[1, 0..7]                        b[0..7, 1]
//                       ..                                ..
//
// it turns them round in its registers, and what it stores to shared memory, and what is loaded
// from there, is as wide as what it loaded.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_SQUARELAYOUTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_SQUARELAYOUTS_H

#include "analysis/AxisInfo.h"
#include "target/Target.h"
#include "transform/layout/candidates/LayoutProvider.h"

namespace tilewright::transform {

/// The loads below `root` of operands that threads have to turn round; none where warps of
/// `target` load from shared memory together, each lane for another: then the hardware does.
llvm::SmallVector<tt::LoadOp> findTurnedLoads(mlir::Operation *root, const target::Target &target);

/// The elements of an access of shared memory that a load with such a result makes.
unsigned elementsOfSharedAccess(tt::LoadOp load, const target::Target &target);

/// A layout in which a thread has, of what it loads, neighbours in both dimensions: along the order
/// of the load's layout as many as it has there, and across it `rows`, a power of two, or fewer
/// where it has no more, but a word of them before it loads less at once. Null if `load` has none.
///
/// With fewer rows than an access of shared memory takes, what is then stored is narrower than what
/// is loaded from there. Neighbours of one access come from neighbouring lanes then: where these
/// store at different times, memory is swizzled by less than an access, and threads would have to
/// move what they have loaded.
mlir::Attribute getSquareLayout(tt::LoadOp load, const target::Target &target, unsigned rows);

/// The layout of a load of the whole warp which turns round (ttg/TransposingLoads.h): the rows that
/// a warp exchanges in neighbouring lanes, and of each of them a piece. Null where there is none.
mlir::Attribute getTransposingLayout(tt::LoadOp load, const target::Target &target,
                                     const AxisInfoAnalysis &axes);

/// Proposes for such loads squares of all heights.
class SquareLayouts final : public LayoutProvider {
public:
  SquareLayouts(tt::FuncOp function, const AxisInfoAnalysis &axes, const target::Target &target);
  void propose(mlir::Operation *op, llvm::SmallVectorImpl<LayoutProposal> &proposals) override;

private:
  const AxisInfoAnalysis &axes;
  const target::Target &target;
  llvm::SmallVector<tt::LoadOp> loads;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_SQUARELAYOUTS_H
