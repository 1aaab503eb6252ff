//===- ExpandDescriptorArguments.cpp - Descriptors made of tensors ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/DescriptorArguments.h"
#include "transform/tile/Passes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_EXPANDDESCRIPTORARGUMENTS
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// The element type of a descriptor's tensor: in memory integers have no sign.
Type elementTypeOf(tt::TensorDescType type) {
  Type element = type.getBlockType().getElementType();
  return element.isInteger() ? IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth())
                             : element;
}

/// Puts the tensor in the descriptor's place.
void expand(tt::FuncOp kernel, const tt::DescriptorArgument &argument) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  BlockArgument base = kernel.getArgument(argument.index);
  const Location loc = base.getLoc();
  const unsigned rank = argument.rank(), size = argument.index + 1, stride = size + rank;
  if (!argument.hasExtents)
    for (unsigned i = 0; i < 2 * rank; ++i)
      (void)kernel.insertArgument(size + i, builder.getIntegerType(i < rank ? 32 : 64),
                                  builder.getDictionaryAttr({}), loc);
  const Type element = elementTypeOf(argument.type);
  base.setType(tt::PointerType::get(element, 1));
  kernel.setFunctionType(builder.getFunctionType(kernel.getBody().front().getArgumentTypes(),
                                                 kernel.getResultTypes()));

  auto divideBy = [&](unsigned index, int64_t divisor) {
    kernel.setArgAttr(index, "tt.divisibility", builder.getI32IntegerAttr(divisor));
  };
  divideBy(argument.index, tt::descriptorAlignment);
  const int64_t rowElements = 8 * tt::descriptorAlignment / element.getIntOrFloatBitWidth();
  SmallVector<Value> sizes, strides;
  for (unsigned dim = 0; dim < rank; ++dim)
    sizes.push_back(kernel.getArgument(size + dim));
  for (unsigned dim = 0; dim + 1 < rank; ++dim) {
    strides.push_back(kernel.getArgument(stride + dim));
    divideBy(stride + dim, rowElements);
  }
  strides.push_back(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1)));
  const bool padsNan = static_cast<bool>(kernel.getArgAttr(argument.index, tt::padsNanAttrName));
  kernel.removeArgAttr(argument.index, tt::padsNanAttrName);
  auto made = tt::MakeTensorDescOp::create(builder, loc, argument.type, base, sizes, strides,
                                           padsNan ? tt::PaddingOption::PAD_NAN
                                                   : tt::PaddingOption::PAD_ZERO);
  base.replaceAllUsesExcept(made, made);
}

struct ExpandDescriptorArguments
    : transform::impl::ExpandDescriptorArgumentsBase<ExpandDescriptorArguments> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      if (!function.isPublic() || function.isExternal())
        continue;
      // From the last on: the places of those before do not change.
      for (unsigned index = tt::getSourceArgumentCount(function); index-- > 0;)
        if (auto argument = tt::getDescriptorArgument(function, index))
          expand(function, *argument);
    }
  }
};

} // namespace
