//===- LaunchTensorMaps.cpp - Tensor maps that the launch makes ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A map that the launch passes by value costs the kernel nothing: no memory, no fence, no time
// before its first copy. The launch can make it where the tensor's address is an argument of the
// kernel and its sizes and strides are products of arguments and constants; and it may where the
// kernel would make it whatever its arguments are, since there is no map of a tensor without
// elements.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/DescriptorArguments.h"
#include "vendor/nvidia/plan/TensorBox.h"
#include "vendor/nvidia/transform/Passes.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIALAUNCHTENSORMAPS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;
using vendor::nvidia::TensorBox;

namespace {

/// `factor`, and after it the numbers of the arguments by which it is multiplied.
using LaunchValue = SmallVector<int64_t>;

std::optional<unsigned> getKernelArgument(Value value, tt::FuncOp kernel) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

/// Integers whose product overflows are no sizes of a tensor: widths make no difference.
std::optional<LaunchValue> getLaunchValue(Value value, tt::FuncOp kernel) {
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return LaunchValue{constant.getSExtValue()};
  if (std::optional<unsigned> argument = getKernelArgument(value, kernel))
    return LaunchValue{1, *argument};
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtSIOp, arith::TruncIOp>(op))
    return getLaunchValue(op->getOperand(0), kernel);
  if (!isa_and_nonnull<arith::MulIOp>(op))
    return std::nullopt;
  std::optional<LaunchValue> product = getLaunchValue(op->getOperand(0), kernel);
  std::optional<LaunchValue> other = getLaunchValue(op->getOperand(1), kernel);
  if (!product || !other || llvm::MulOverflow(product->front(), other->front(), product->front()))
    return std::nullopt;
  product->append(other->begin() + 1, other->end());
  return product;
}

/// Whether the op runs whenever the kernel does, but for loops without iterations.
bool runsAlways(Operation *op, tt::FuncOp kernel) {
  for (; op->getParentOp() != kernel; op = op->getParentOp())
    if (!isa<scf::ForOp>(op->getParentOp()))
      return false;
  return op->getBlock() == &kernel.getBody().front();
}

/// The recipe of a map, as tt::tensorMapsAttrName has it; null if the launch cannot make it.
DictionaryAttr getRecipe(tt::MakeTensorDescOp make, tt::FuncOp kernel) {
  RankedTensorType block = make.getResult().getType().getBlockType();
  std::optional<unsigned> address = getKernelArgument(make.getBase(), kernel);
  Result<TensorBox> box = vendor::nvidia::getTensorBox(block);
  std::optional<StringRef> element =
      vendor::nvidia::getTensorMapElementName(block.getElementType());
  if (!address || !box || !element)
    return {};
  Builder builder(make.getContext());
  SmallVector<Attribute> sizes, strides;
  for (Value size : llvm::reverse(make.getShape())) {
    std::optional<LaunchValue> value = getLaunchValue(size, kernel);
    if (!value)
      return {};
    sizes.push_back(builder.getDenseI64ArrayAttr(*value));
  }
  if (!matchPattern(make.getStrides().back(), m_One()))
    return {};
  for (Value stride : llvm::reverse(make.getStrides().drop_back())) {
    std::optional<LaunchValue> value = getLaunchValue(stride, kernel);
    if (!value || llvm::MulOverflow<int64_t>(value->front(), box->elementBytes, value->front()))
      return {};
    strides.push_back(builder.getDenseI64ArrayAttr(*value));
  }
  const bool fillsNan = make.getPadding() == tt::PaddingOption::PAD_NAN;
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("address", builder.getI32IntegerAttr(static_cast<int32_t>(*address))),
       builder.getNamedAttr(
           "box", builder.getDenseI64ArrayAttr(llvm::to_vector(llvm::reverse(box->shape)))),
       builder.getNamedAttr("element", builder.getStringAttr(*element)),
       builder.getNamedAttr("fills_nan", builder.getBoolAttr(fillsNan)),
       builder.getNamedAttr("sizes", builder.getArrayAttr(sizes)),
       builder.getNamedAttr("strides", builder.getArrayAttr(strides)),
       builder.getNamedAttr("swizzle_bytes",
                            builder.getI32IntegerAttr(static_cast<int32_t>(box->swizzleBytes)))});
}

/// Constant strides that no map can have: says so.
LogicalResult checkStrides(tt::MakeTensorDescOp make) {
  RankedTensorType block = make.getResult().getType().getBlockType();
  const int64_t bits = tt::getStorageBits(block.getElementType());
  for (auto [dim, stride] : llvm::enumerate(make.getStrides().drop_back())) {
    APInt constant;
    if (!matchPattern(stride, m_ConstantInt(&constant)))
      continue;
    const int64_t bytes = constant.getSExtValue() * bits / 8;
    if (bytes % tt::descriptorAlignment != 0 || bytes < 0)
      return make.emitError() << "stride " << dim << " of this descriptor is " << bytes
                              << " bytes; rows of its tensor begin at multiples of "
                              << tt::descriptorAlignment << " bytes";
  }
  return success();
}

struct NvidiaLaunchTensorMaps
    : vendor::nvidia::impl::NvidiaLaunchTensorMapsBase<NvidiaLaunchTensorMaps> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tt::FuncOp>())
      if (kernel.isPublic() && !kernel.isExternal() && failed(run(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult run(tt::FuncOp kernel) {
    SmallVector<tt::MakeTensorDescOp> makes;
    kernel.walk([&](tt::MakeTensorDescOp make) {
      if (make.getResult().getType().getBlockType().getEncoding())
        makes.push_back(make);
    });
    SmallVector<Attribute> recipes;
    if (auto known = getOperation()->getAttrOfType<ArrayAttr>(tt::tensorMapsAttrName))
      llvm::append_range(recipes, known);
    // Descriptors with one recipe have blocks of one box, but may differ in their types.
    SmallVector<std::pair<Attribute, Type>> made;
    const unsigned first = kernel.getNumArguments();
    for (tt::MakeTensorDescOp make : makes) {
      if (make.use_empty()) {
        make.erase();
        continue;
      }
      if (failed(checkStrides(make)))
        return failure();
      if (!runsAlways(make, kernel))
        continue;
      DictionaryAttr recipe = getRecipe(make, kernel);
      if (!recipe)
        continue;
      auto *found = llvm::find(made, std::pair<Attribute, Type>(recipe, make.getType()));
      const auto index = static_cast<unsigned>(found - made.begin());
      if (found == made.end()) {
        made.emplace_back(recipe, make.getType());
        recipes.push_back(recipe);
        Location loc = NameLoc::get(StringAttr::get(&getContext(), "tensor_map"), make.getLoc());
        if (failed(kernel.insertArgument(first + index, make.getType(),
                                         DictionaryAttr::get(&getContext()), loc)))
          return failure();
      }
      make.getResult().replaceAllUsesWith(kernel.getArgument(first + index));
      make.erase();
    }
    if (!made.empty())
      getOperation()->setAttr(tt::tensorMapsAttrName, ArrayAttr::get(&getContext(), recipes));
    return success();
  }
};

} // namespace
