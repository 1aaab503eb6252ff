//===- BlockPointerOps.cpp - Block pointers and accesses through them ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/BlockPointer.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

bool tt::isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

Type tt::getBlockBaseType(Type type) {
  auto pointer = cast<PointerType>(type);
  Type element = cast<RankedTensorType>(pointer.getPointeeType()).getElementType();
  return PointerType::get(element, pointer.getAddressSpace());
}

static RankedTensorType blockOf(Value pointer) {
  return cast<RankedTensorType>(cast<PointerType>(pointer.getType()).getPointeeType());
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

/// `!tt.ptr<tensor<64x32xf16>>`, or without the name: `<tensor<64x32xf16>>`.
static ParseResult parseBlockPointer(OpAsmParser &parser, Type &type) {
  SMLoc start = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLess())) {
    if (parser.parseType(type))
      return failure();
    if (isBlockPointer(type))
      return success();
    return parser.emitError(start) << "a block pointer is a pointer to a tensor, such as "
                                      "!tt.ptr<tensor<64x32xf16>>, not "
                                   << type;
  }
  Type block;
  int addressSpace = 1;
  if (parser.parseType(block) ||
      (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace)) ||
      parser.parseGreater())
    return failure();
  if (!isa<RankedTensorType>(block))
    return parser.emitError(start) << "a block pointer points to a tensor, not to " << block;
  if (failed(PointerType::verify([&] { return parser.emitError(start); }, block, addressSpace)))
    return failure();
  type = PointerType::get(block, addressSpace);
  return success();
}

/// The form without the name, as Triton prints it.
static void printBlockPointer(OpAsmPrinter &printer, Operation *, Type type) {
  cast<PointerType>(type).print(printer);
}

#define GET_OP_CLASSES
#include "ir/tt/BlockPointerOps.cpp.inc"

//===--------------------------------------------------------------------------===//
// Verifiers
//===--------------------------------------------------------------------------===//

/// One value for each dimension of `block`.
static LogicalResult verifyCount(Operation *op, size_t count, StringRef what,
                                 RankedTensorType block) {
  if (count == static_cast<size_t>(block.getRank()))
    return success();
  return op->emitOpError() << "has " << count << ' ' << what << ", but " << block << " has "
                           << block.getRank()
                           << (block.getRank() == 1 ? " dimension" : " dimensions");
}

/// Each of `dims` is a dimension of `block`, and comes once.
static LogicalResult verifyDims(Operation *op, ArrayRef<int32_t> dims, StringRef name,
                                RankedTensorType block) {
  llvm::SmallBitVector seen(block.getRank());
  for (int32_t dim : dims) {
    if (dim < 0 || dim >= block.getRank())
      return op->emitOpError() << "has the dimension " << dim << " in `" << name << "`; " << block
                               << " has those from 0 to " << block.getRank() - 1;
    if (seen.test(dim))
      return op->emitOpError() << "has the dimension " << dim << " in `" << name << "` twice";
    seen.set(dim);
  }
  return success();
}

LogicalResult MakeTensorPtrOp::verify() {
  RankedTensorType block = blockOf(getResult());
  // The op divides its operands by three, and so does not know how many of each kind there were.
  if (getNumOperands() != 1 + 3 * static_cast<size_t>(block.getRank()))
    return emitOpError() << "needs a size, a stride and an offset for each dimension of " << block;
  if (failed(verifyCount(*this, getOrder().size(), "entries of `order`", block)))
    return failure();
  return verifyDims(*this, getOrder(), "order", block);
}

LogicalResult AdvanceOp::verify() {
  return verifyCount(*this, getOffsets().size(), "offsets", blockOf(getPtr()));
}

LogicalResult tt::verifyBlockAccess(Operation *op) {
  SmallVector<Value> notAllowed;
  ArrayRef<int32_t> checked;
  Value pointer;
  bool padsWithNan = false;
  if (auto load = dyn_cast<LoadOp>(op)) {
    pointer = load.getPtr();
    llvm::append_range(notAllowed, op->getOperands().drop_front(1));
    checked = load.getBoundaryCheck();
    padsWithNan = load.getPadding() == PaddingOption::PAD_NAN;
  } else {
    auto store = cast<StoreOp>(op);
    pointer = store.getPtr();
    llvm::append_range(notAllowed, op->getOperands().drop_front(2));
    checked = store.getBoundaryCheck();
  }
  RankedTensorType block = blockOf(pointer);
  if (!notAllowed.empty()) {
    auto error = op->emitOpError("has a mask or another value through a block pointer");
    error.attachNote() << "name the dimensions to check in boundaryCheck";
    return error;
  }
  if (padsWithNan && !isa<FloatType>(block.getElementType()))
    return op->emitOpError() << "pads with NaN, which " << block.getElementType()
                             << " does not have";
  return verifyDims(op, checked, "boundaryCheck", block);
}
