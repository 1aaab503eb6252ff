//===- Dialect.cpp - The tt dialect and its types -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

#include "ir/tt/BlockPointer.h"
#include "ir/tt/DescriptorBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

#include "ir/tt/Dialect.cpp.inc"
#include "ir/tt/Enums.cpp.inc"
#include "ir/tt/Interfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tt/Types.cpp.inc"

namespace {

/// Functions may be inlined anywhere; what they return takes the place of the call.
struct TritonInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool) const final {
    // Regions that combine elements are lowered element by element, and calls cannot be.
    if (call->getParentOfType<ReduceOp>() || call->getParentOfType<ScanOp>() ||
        call->getParentOfType<MapElementwiseOp>())
      return true;
    auto noinline = callable->getAttrOfType<BoolAttr>("noinline");
    return !noinline || !noinline.getValue();
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *next) const final {
    auto ret = dyn_cast<ReturnOp>(op);
    if (!ret)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), next, ret.getOperands());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [result, value] : llvm::zip_equal(results, cast<ReturnOp>(op).getOperands()))
      result.replaceAllUsesWith(value);
  }
};

} // namespace

void TritonDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/tt/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/tt/Ops.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/tt/BlockPointerOps.cpp.inc"
      >();
  addInterfaces<TritonInlinerInterface>();
  attachForeignLayoutRules(*getContext());
}

Operation *TritonDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===--------------------------------------------------------------------------===//
// PointerType
//===--------------------------------------------------------------------------===//

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee,
                                  int addressSpace) {
  auto block = dyn_cast<RankedTensorType>(pointee);
  if (!isa<IntegerType, FloatType>(block ? block.getElementType() : pointee))
    return emitError() << "!tt.ptr points to an integer or a floating-point number, or to a tensor "
                          "of them, not to "
                       << pointee;
  for (int64_t size : block ? block.getShape() : ArrayRef<int64_t>())
    if (size <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size)))
      return emitError() << "!tt.ptr has a block of " << block
                         << "; every size must be a power of two";
  if (addressSpace < 0)
    return emitError() << "an address space is not negative, got " << addressSpace;
  return success();
}

Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  int addressSpace = 1;
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(parser.getContext(), pointee, addressSpace);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << '<' << getPointeeType();
  if (getAddressSpace() != 1)
    printer << ", " << getAddressSpace();
  printer << '>';
}

//===--------------------------------------------------------------------------===//
// TensorDescType
//===--------------------------------------------------------------------------===//

LogicalResult TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                     RankedTensorType block) {
  if (!isa<IntegerType, FloatType>(block.getElementType()))
    return emitError() << "!tt.tensordesc describes integers or floating-point numbers, not "
                       << block.getElementType();
  if (block.getRank() == 0)
    return emitError() << "!tt.tensordesc needs a block of at least one dimension";
  for (int64_t size : block.getShape())
    if (size <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size)))
      return emitError() << "!tt.tensordesc has a block of " << block
                         << "; every size must be a power of two";
  return success();
}

RankedTensorType tt::parseBlock(AsmParser &parser, StringRef name) {
  llvm::SMLoc start = parser.getCurrentLocation();
  Type whole;
  OptionalParseResult hasWhole = parser.parseOptionalType(whole);
  if (hasWhole.has_value()) {
    auto block = succeeded(*hasWhole) ? dyn_cast<RankedTensorType>(whole) : RankedTensorType();
    if (succeeded(*hasWhole) && !block)
      parser.emitError(start) << name
                              << " takes the block as a tensor type, such as tensor<128x64xf16>, "
                                 "not "
                              << whole;
    return block;
  }
  SmallVector<int64_t> shape;
  Type element;
  Attribute encoding;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
      (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding)))
    return {};
  return RankedTensorType::getChecked([&] { return parser.emitError(start); }, shape, element,
                                      encoding);
}

Type TensorDescType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  llvm::SMLoc start = parser.getCurrentLocation();
  RankedTensorType block = parseBlock(parser, "!tt.tensordesc");
  if (!block || parser.parseGreater())
    return {};
  return TensorDescType::getChecked([&] { return parser.emitError(start); }, parser.getContext(),
                                    block);
}

void TensorDescType::print(AsmPrinter &printer) const { printer << '<' << getBlockType() << '>'; }

//===--------------------------------------------------------------------------===//
// Questions about types
//===--------------------------------------------------------------------------===//

Type tt::getElementTypeOrSelf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

Type tt::withElementType(Type type, Type elementType) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.clone(elementType) : elementType;
}

Type tt::getPointeeType(Type type) {
  auto pointer = dyn_cast<PointerType>(tt::getElementTypeOrSelf(type));
  return pointer ? withElementType(type, pointer.getPointeeType()) : Type();
}

Type tt::getMaskType(Type type) {
  return withElementType(type, IntegerType::get(type.getContext(), 1));
}

unsigned tt::getElementBits(Type type) {
  Type element = tt::getElementTypeOrSelf(type);
  return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

unsigned tt::getStorageBits(Type elementType) { return std::max(8u, getElementBits(elementType)); }

LayoutEncoding tt::getLayoutEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_or_null<LayoutEncoding>(tensor.getEncoding()) : LayoutEncoding();
  return layout && layout.isLinear(tensor.getShape()) ? layout : LayoutEncoding();
}

bool tt::isUndecided(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<UndecidedEncoding>(tensor.getEncoding());
}
