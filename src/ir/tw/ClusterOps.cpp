//===- ClusterOps.cpp - The blocks of a cluster -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/ClusterSplit.h"
#include "ir/tw/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tw;

LogicalResult ClusterConvertOp::verify() {
  const RankedTensorType src = getSrc().getType(), result = getResult().getType();
  if (src.getElementType() != result.getElementType() || src.getRank() != result.getRank())
    return emitOpError("gives a tile of another rank or of other elements");
  if (getFrom().size() != getTo().size())
    return emitOpError("has splits for clusters of two sizes");
  for (ArrayRef<int32_t> dims : {getFrom(), getTo()})
    for (int32_t dim : dims)
      if (dim < ClusterSplit::Nothing || dim >= src.getRank())
        return emitOpError() << "divides dimension " << dim << ", but its tile has "
                             << src.getRank();
  if (ClusterSplit(getFrom()).shapeOfTile(src.getShape()) !=
      ClusterSplit(getTo()).shapeOfTile(result.getShape()))
    return emitOpError("has parts of two different tiles");
  return success();
}
