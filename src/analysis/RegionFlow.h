//===- RegionFlow.h - Values that flow between regions --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The values that flow into arguments of regions and results of ops with regions, as
// RegionBranchOpInterface says, and what a loop carries, as LoopLikeOpInterface says. The latter
// is asked first: RegionBranchOpInterface leaves out edges that constant bounds rule out (a loop
// of one iteration has no edge back), while a loop's types are tied along all of them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_REGIONFLOW_H
#define TILEWRIGHT_ANALYSIS_REGIONFLOW_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::transform {

/// The values that may flow into `value`: first those from outside of its op, then those that
/// ends of regions pass on, in the order of the regions. None where `value` is not an argument of
/// a region or a result that an op with regions passes values on to, as an induction variable.
llvm::SmallVector<mlir::Value, 2> getIncomingValues(mlir::Value value);

/// The argument of a region of the result's op that gets what the result gets: for a result of a
/// loop the argument that carries it. Null where there is none, as for a branch.
mlir::BlockArgument getTiedArgument(mlir::OpResult result);

/// Whether `region` is carried out once at most each time that its op is.
bool runsAtMostOnce(mlir::Region &region);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_REGIONFLOW_H
