//===- DescriptorArguments.cpp - Tensor descriptors that kernels take ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/DescriptorArguments.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

/// The name that an argument's location gives it; null if it gives none.
static StringAttr nameOf(Value argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName() : StringAttr();
}

unsigned tt::getSourceArgumentCount(FuncOp kernel) {
  auto maps = kernel->getParentOfType<ModuleOp>()->getAttrOfType<ArrayAttr>(tensorMapsAttrName);
  return kernel.getNumArguments() -
         std::min<unsigned>(maps ? maps.size() : 0, kernel.getNumArguments());
}

std::optional<DescriptorArgument> tt::getDescriptorArgument(FuncOp kernel, unsigned index) {
  auto type = dyn_cast<TensorDescType>(kernel.getArgument(index).getType());
  if (!type)
    return std::nullopt;
  DescriptorArgument argument{index, type, /*hasExtents=*/true};
  const unsigned rank = argument.rank();
  const StringAttr name = nameOf(kernel.getArgument(index));
  for (unsigned i = 0; i < 2 * rank && argument.hasExtents; ++i) {
    const unsigned extent = index + 1 + i;
    argument.hasExtents = extent < kernel.getNumArguments() &&
                          kernel.getArgument(extent).getType().isInteger(i < rank ? 32 : 64) &&
                          nameOf(kernel.getArgument(extent)) == name;
  }
  return argument;
}
