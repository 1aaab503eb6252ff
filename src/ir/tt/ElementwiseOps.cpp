//===- ElementwiseOps.cpp - Verifiers of external, inline-assembly and print ops -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

/// Tensors among the types have one shape.
static LogicalResult verifySameShape(Operation *op) {
  RankedTensorType first;
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    if (!first)
      first = tensor;
    if (tensor.getShape() != first.getShape())
      return op->emitOpError() << "works element by element and needs one shape, but has " << first
                               << " and " << tensor;
  }
  return success();
}

/// The number of elements that code takes at once.
static LogicalResult verifyPack(Operation *op, StringRef name, int32_t pack) {
  if (pack <= 0)
    return op->emitOpError() << "has `" << name << "` = " << pack << ", which must be positive";
  return success();
}

LogicalResult ExternElementwiseOp::verify() {
  if (getSymbol().empty())
    return emitOpError("needs the name of a function as `symbol`");
  return success();
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("needs a result");
  if (failed(verifyPack(*this, "packed_element", getPackedElement())))
    return failure();
  for (Type type : getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && tensor.getNumElements() % getPackedElement() != 0)
      return emitOpError() << "takes " << getPackedElement()
                           << " elements at once (`packed_element`), which do not divide "
                           << tensor;
  return success();
}

LogicalResult MapElementwiseOp::verify() {
  if (getSrcs().empty())
    return emitOpError("needs an operand");
  if (failed(verifyPack(*this, "pack", getPack())))
    return failure();
  return verifySameShape(*this);
}

/// The element type of each, `pack` times in a row.
static SmallVector<Type> packedElements(TypeRange types, int32_t pack) {
  SmallVector<Type> result;
  for (Type type : types)
    result.append(pack, tt::getElementTypeOrSelf(type));
  return result;
}

LogicalResult MapElementwiseOp::verifyRegions() {
  if (getScalarOp().empty())
    return emitOpError("needs a region");
  // A tensor has no more elements to pack; without a limit the lists below could have any length.
  const int32_t pack = getPack();
  if (pack > maxTensorElements)
    return emitOpError() << "has `pack` = " << pack << ", more than a tensor has elements";
  Block &entry = getScalarOp().front();
  if (entry.getNumArguments() != uint64_t(pack) * getSrcs().size() ||
      !llvm::equal(entry.getArgumentTypes(), packedElements(getSrcs().getTypes(), pack)))
    return emitOpError() << "needs a region that takes " << pack
                         << " elements of each operand, those of the first one first";
  // How often the region runs for an element is not said: layouts hold some of them twice.
  WalkResult stores = getScalarOp().walk([](StoreOp store) {
    store.emitOpError("cannot be in the region of tt.map_elementwise").attachNote()
        << "return the value, and store the tensor";
    return WalkResult::interrupt();
  });
  if (stores.wasInterrupted())
    return failure();
  for (Block &block : getScalarOp()) {
    Operation *end = block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    if (end && end->getNumSuccessors() > 0)
      continue;
    auto ret = dyn_cast_or_null<MapElementwiseReturnOp>(end);
    if (!ret || !llvm::equal(ret.getOperandTypes(), packedElements(getResultTypes(), pack)))
      return emitOpError() << "needs a region that ends in tt.map_elementwise.return of " << pack
                           << " elements of each result, those of the first one first";
  }
  return success();
}

LogicalResult PrintOp::verify() {
  // Triton gives a text alone an entry, too.
  if (!getArgs().empty() && getIsSigned().size() != getArgs().size())
    return emitOpError() << "needs an entry of `isSigned` for each operand, " << getArgs().size()
                         << ", got " << getIsSigned().size();
  return success();
}
