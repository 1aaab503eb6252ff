//===- PadDepth.cpp - Operands that are short along K -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/PadDepth.h"

#include "ir/ttg/encoding/Inference.h"
#include "transform/matrix/Rearrangement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::transform {

Value padDepth(OpBuilder &builder, Location loc, Value operand, unsigned dim, int64_t depth) {
  while (true) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getDimSize(dim) >= depth)
      return operand;
    Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    SmallVector<int64_t> shape = llvm::to_vector(type.getShape()), pairs = shape;
    pairs.push_back(2);
    Value both =
        tt::JoinOp::create(builder, loc,
                           RankedTensorType::get(pairs, type.getElementType(),
                                                 ttg::inferJoin(shape, type.getEncoding())),
                           operand, zeros);
    // The zeros directly follow the dimension that they extend.
    const auto rank = static_cast<int32_t>(type.getRank());
    SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
    order.insert(order.begin() + dim + 1, rank);
    shape[dim] *= 2;
    operand = reshapeTo(builder, loc, permuteDims(builder, loc, both, order), shape);
  }
}

} // namespace tilewright::transform
