//===- Ops.cpp - Verifiers, builders and folders of tt ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

#define GET_OP_CLASSES
#include "ir/tt/Ops.cpp.inc"

//===--------------------------------------------------------------------------===//
// Traits
//===--------------------------------------------------------------------------===//

/// A name without that of a dialect is an attribute of the op itself. One that the op does not have
/// may ask for something, such as another block's barrier, so it is not passed over.
static LogicalResult verifyAttributeNames(Operation *op) {
  // A function has what callers and tools say of it.
  if (isa<FuncOp>(op))
    return success();
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (!attr.getName().getValue().contains('.')) {
      auto error = op->emitOpError() << "has no attribute '" << attr.getName().getValue() << "'";
      error.attachNote() << "leave it out, if the op means the same without it";
      return error;
    }
  return success();
}

LogicalResult tt::detail::verifyTileSizes(Operation *op) {
  if (failed(verifyAttributeNames(op)))
    return failure();
  auto check = [&](Type type, StringRef what, unsigned index) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (tensor.getEncoding() && !getLayoutEncoding(tensor) && !isUndecided(tensor))
      return op->emitOpError() << "has " << tensor << " as " << what << " #" << index
                               << ", whose encoding is no linear layout of a tensor in registers";
    int64_t count = 1;
    for (int64_t size : tensor.getShape()) {
      if (size <= 0 || !llvm::isPowerOf2_64(size))
        return op->emitOpError() << "has " << tensor << " as " << what << " #" << index
                                 << "; every size must be a power of two";
      // The size alone comes first: the product of two that pass is far from overflow.
      if (size > maxTensorElements || (count *= size) > maxTensorElements)
        return op->emitOpError() << what << " #" << index << " has more than " << maxTensorElements
                                 << " elements, the most a tensor may have";
    }
    return success();
  };
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check(type, "operand", index)))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check(type, "result", index)))
      return failure();
  return success();
}

LogicalResult tt::detail::verifySameEncoding(Operation *op) {
  Attribute encoding;
  bool seen = false;
  auto check = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return true;
    if (!std::exchange(seen, true)) {
      encoding = tensor.getEncoding();
      return true;
    }
    return tensor.getEncoding() == encoding;
  };
  if (!llvm::all_of(op->getOperandTypes(), check) || !llvm::all_of(op->getResultTypes(), check))
    return op->emitOpError("needs one layout for all its tensors; convert with "
                           "ttg.convert_layout where they differ");
  return success();
}

/// Whether two tensors put their elements at the same locations: equal encodings, or equal maps.
/// `shape` is the shape that both are asked about, for elements of `elementBits`.
static bool sameLayout(Attribute a, Attribute b, ArrayRef<int64_t> shape, unsigned elementBits) {
  if (a == b)
    return true;
  auto left = dyn_cast_or_null<LayoutEncoding>(a), right = dyn_cast_or_null<LayoutEncoding>(b);
  return left && right && left.isLinear(shape) && right.isLinear(shape) &&
         left.toLinearLayoutOf(shape, elementBits) == right.toLinearLayoutOf(shape, elementBits);
}

//===--------------------------------------------------------------------------===//
// Casts
//===--------------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  if (getElementBits(getSrc().getType()) != getElementBits(getType()))
    return emitOpError() << "cannot turn " << getSrc().getType() << " into " << getType()
                         << ": the widths differ";
  bool fromPointer = isa<PointerType>(tt::getElementTypeOrSelf(getSrc().getType()));
  bool toPointer = isa<PointerType>(tt::getElementTypeOrSelf(getType()));
  if (fromPointer != toPointer)
    return emitOpError("does not turn pointers into numbers or back; use tt.ptr_to_int or "
                       "tt.int_to_ptr");
  return success();
}

LogicalResult FpToFpOp::verify() {
  unsigned from = tt::getElementTypeOrSelf(getSrc().getType()).getIntOrFloatBitWidth();
  unsigned to = tt::getElementTypeOrSelf(getType()).getIntOrFloatBitWidth();
  if (to < from && !getRounding())
    return emitOpError() << "needs `rounding = rtne` or `rounding = rtz`, as " << getType()
                         << " is narrower than " << getSrc().getType();
  if (to > from && getRounding())
    return emitOpError("is exact when it widens: a rounding mode has no meaning");
  return success();
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other) {
  build(builder, state, getPointeeType(ptr.getType()), ptr, mask, other,
        builder.getDenseI32ArrayAttr({}), PaddingOptionAttr(),
        CacheModifierAttr::get(builder.getContext(), CacheModifier::NONE),
        EvictionPolicyAttr::get(builder.getContext(), EvictionPolicy::NORMAL),
        builder.getBoolAttr(false));
}

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  // A load that looks at memory anew each time may not be removed, repeated or moved.
  if (getIsVolatile() || getCache() == CacheModifier::CV)
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

void StoreOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getPtrMutable(), GlobalMemory::get());
}

/// Reads and writes, so that it is neither removed nor moved past another access.
static void addReadAndWrite(OpOperand &pointer,
                            SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &pointer, GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &pointer, GlobalMemory::get());
}

void AtomicRMWOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addReadAndWrite(getPtrMutable(), effects);
}

void AtomicCASOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addReadAndWrite(getPtrMutable(), effects);
}

void AtomicPollOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addReadAndWrite(getPtrMutable(), effects);
}

//===--------------------------------------------------------------------------===//
// External and inline code
//===--------------------------------------------------------------------------===//

/// Code that is not pure may do anything.
static void addUnknown(bool pure, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void ExternElementwiseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addUnknown(getPure(), effects);
}

void ElementwiseInlineAsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addUnknown(getPure(), effects);
}

//===--------------------------------------------------------------------------===//
// Creation and shapes
//===--------------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  if (type.getRank() != 1 || !type.getElementType().isInteger(32))
    return emitOpError() << "gives a one-dimensional tensor of i32, not " << type;
  if (end <= start)
    return emitOpError() << "needs start < end, got [" << start << ", " << end << ")";
  if (end - start != type.getShape()[0])
    return emitOpError() << "gives " << end - start << " elements, but its type has "
                         << type.getShape()[0];
  return success();
}

LogicalResult SplatOp::verify() {
  if (tt::getElementTypeOrSelf(getType()) != getSrc().getType())
    return emitOpError() << "of a " << getSrc().getType() << " cannot give " << getType();
  return success();
}

LogicalResult UnsplatOp::verify() {
  if (cast<RankedTensorType>(getSrc().getType()).getNumElements() != 1)
    return emitOpError() << "takes a tensor of one element, got " << getSrc().getType();
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis > src.getRank())
    return emitOpError() << "has axis " << axis << ", which is not in [0, " << src.getRank() << "]";
  SmallVector<int64_t> shape(src.getShape());
  shape.insert(shape.begin() + axis, 1);
  if (dst.getShape() != ArrayRef(shape))
    return emitOpError() << "of " << src << " at axis " << axis << " has shape " << shape
                         << ", not that of " << dst;
  auto from = getLayoutEncoding(src), to = getLayoutEncoding(dst);
  if ((!src.getEncoding() && !dst.getEncoding()) || isUndecided(src) || isUndecided(dst))
    return success();
  if (!from || !to)
    return emitOpError("needs a layout on both its tensors or on neither");
  if (!sameLayout(from, to.inferReduce(axis), src.getShape(), getElementBits(src)))
    return emitOpError() << "needs its operand in the layout of the result without dimension "
                         << axis << ", " << to.inferReduce(axis) << ", but has "
                         << src.getEncoding();
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  if (src.getNumElements() != dst.getNumElements())
    return emitOpError() << "keeps the number of elements, but " << src << " has "
                         << src.getNumElements() << " and " << dst << " has "
                         << dst.getNumElements();
  if (bool(src.getEncoding()) != bool(dst.getEncoding()))
    return emitOpError("needs a layout on both its tensors or on neither");
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  if (src.getRank() != dst.getRank())
    return emitOpError() << "keeps the rank, but " << src << " and " << dst << " differ in it";
  for (auto [axis, from, to] : llvm::enumerate(src.getShape(), dst.getShape()))
    if (from != to && from != 1)
      return emitOpError() << "repeats dimensions of size 1 only, but dimension " << axis
                           << " goes from " << from << " to " << to;
  return success();
}

LogicalResult TransOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int32_t>(0, src.getRank())))
    return emitOpError() << "has `order` = " << getOrder() << ", which is no permutation of 0 .. "
                         << src.getRank() - 1;
  SmallVector<int64_t> shape;
  for (int32_t dim : getOrder())
    shape.push_back(src.getShape()[dim]);
  if (dst.getShape() != ArrayRef(shape))
    return emitOpError() << "of " << src << " has shape " << shape << ", not that of " << dst;
  auto from = getLayoutEncoding(src), to = getLayoutEncoding(dst);
  if ((!src.getEncoding() && !dst.getEncoding()) || isUndecided(src) || isUndecided(dst))
    return success();
  if (!from || !to)
    return emitOpError("needs a layout on both its tensors or on neither");
  Attribute expected = from.inferTrans(src.getShape(), getOrder());
  if (!expected || !sameLayout(expected, to, dst.getShape(), getElementBits(dst)))
    return emitOpError() << "moves no data: the result's layout must be the operand's, permuted";
  return success();
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int axis) {
  SmallVector<Type> types;
  for (Value src : srcs) {
    auto type = cast<RankedTensorType>(src.getType());
    if (type.getRank() == 1) {
      types.push_back(type.getElementType());
      continue;
    }
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    Attribute encoding;
    if (auto layout = getLayoutEncoding(type))
      encoding = layout.inferReduce(axis);
    else if (isUndecided(type))
      encoding = type.getEncoding();
    types.push_back(RankedTensorType::get(shape, type.getElementType(), encoding));
  }
  build(builder, state, types, srcs, axis);
}

static SmallVector<Type> elementTypesOf(ValueRange tensors) {
  return llvm::map_to_vector(tensors.getTypes(),
                             [](Type type) { return tt::getElementTypeOrSelf(type); });
}

SmallVector<Type> ReduceOp::getElementTypes() { return elementTypesOf(getSrcs()); }

SmallVector<Type> ScanOp::getElementTypes() { return elementTypesOf(getSrcs()); }

/// The region of a reduction or scan: from two elements of each operand to one.
template <typename Op> static LogicalResult verifyCombination(Op op, Region &region) {
  using ReturnOp = std::conditional_t<std::is_same_v<Op, ReduceOp>, ReduceReturnOp, ScanReturnOp>;
  SmallVector<Type> types = op.getElementTypes();
  SmallVector<Type> twice(types);
  twice.append(types);
  if (!llvm::equal(region.front().getArgumentTypes(), twice))
    return op.emitOpError("needs a region that takes the left elements, then the right ones");
  for (Block &block : region) {
    // Control flow may have been lowered to branches.
    Operation *end = block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    if (end && end->getNumSuccessors() > 0)
      continue;
    auto ret = dyn_cast_or_null<ReturnOp>(end);
    if (!ret || !llvm::equal(ret.getOperandTypes(), types))
      return op.emitOpError() << "needs a region that ends in " << ReturnOp::getOperationName()
                              << " of one element an operand";
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getSrcs().empty())
    return emitOpError("needs an operand");
  if (getSrcs().size() != getNumResults())
    return emitOpError() << "has " << getSrcs().size() << " operands but " << getNumResults()
                         << " results; there is one result an operand";
  auto first = cast<RankedTensorType>(getSrcs().front().getType());
  int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis >= first.getRank())
    return emitOpError() << "has axis " << axis << ", but its operands have dimensions 0 .. "
                         << first.getRank() - 1;
  SmallVector<int64_t> shape(first.getShape());
  shape.erase(shape.begin() + axis);
  for (auto [src, result] : llvm::zip_equal(getSrcs().getTypes(), getResultTypes())) {
    auto type = cast<RankedTensorType>(src);
    if (type.getShape() != first.getShape() || type.getEncoding() != first.getEncoding())
      return emitOpError("needs operands of one shape and layout");
    if (tt::getElementTypeOrSelf(result) != type.getElementType())
      return emitOpError() << "of " << type << " cannot give " << result;
    auto reduced = dyn_cast<RankedTensorType>(result);
    if (shape.empty() != !reduced || (reduced && reduced.getShape() != ArrayRef(shape)))
      return emitOpError() << "of " << type << " along axis " << axis << " has shape " << shape
                           << ", not that of " << result;
    auto encoding = getLayoutEncoding(type);
    if (encoding && reduced &&
        !sameLayout(encoding.inferReduce(axis), reduced.getEncoding(), shape, getElementBits(type)))
      return emitOpError() << "of " << type << " along axis " << axis << " has layout "
                           << encoding.inferReduce(axis) << ", not that of " << result;
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombination(*this, getCombineOp()); }

LogicalResult ScanOp::verify() {
  if (getSrcs().empty())
    return emitOpError("needs an operand");
  if (!llvm::equal(getSrcs().getTypes(), getResultTypes()))
    return emitOpError("needs results of its operands' types, one an operand");
  auto first = cast<RankedTensorType>(getSrcs().front().getType());
  const int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis >= first.getRank())
    return emitOpError() << "has axis " << axis << ", but its operands have dimensions 0 .. "
                         << first.getRank() - 1;
  for (Type type : getSrcs().getTypes())
    if (cast<RankedTensorType>(type).getShape() != first.getShape() ||
        cast<RankedTensorType>(type).getEncoding() != first.getEncoding())
      return emitOpError("needs operands of one shape and layout");
  return success();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombination(*this, getCombineOp()); }

LogicalResult GatherOp::verify() {
  RankedTensorType src = getSrc().getType(), indices = getIndices().getType(),
                   result = getResult().getType();
  if (indices.getShape() != result.getShape() || indices.getEncoding() != result.getEncoding())
    return emitOpError("needs a result of its indices' shape and layout");
  if (src.getElementType() != result.getElementType())
    return emitOpError("needs a result of its source's element type");
  if (src.getRank() != indices.getRank())
    return emitOpError() << "has a source of rank " << src.getRank() << " and indices of rank "
                         << indices.getRank() << "; they must be equal";
  const int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis >= src.getRank())
    return emitOpError() << "has axis " << axis << ", but its operands have dimensions 0 .. "
                         << src.getRank() - 1;
  for (int64_t dim = 0; dim < src.getRank(); ++dim)
    if (dim != axis && src.getDimSize(dim) != indices.getDimSize(dim))
      return emitOpError() << "has a source of " << src.getDimSize(dim) << " and indices of "
                           << indices.getDimSize(dim) << " elements along dimension " << dim
                           << "; only along the axis, " << axis << ", may they differ";
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getResult().getType().getRank() != 1)
    return emitOpError("needs a result of one dimension");
  return success();
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs, ArrayRef<DictionaryAttr> argAttrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
  if (!argAttrs.empty())
    call_interface_impl::addArgAndResultAttrs(builder, state, argAttrs, {},
                                              getArgAttrsAttrName(state.name),
                                              getResAttrsAttrName(state.name));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls '" << getCallee() << "', which is no tt.func of this module";
  FunctionType type = callee.getFunctionType();
  if (!llvm::equal(getOperandTypes(), type.getInputs()) ||
      !llvm::equal(getResultTypes(), type.getResults()))
    return emitOpError() << "does not match the type of '" << getCallee() << "', " << type;
  return success();
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (!llvm::equal(getOperandTypes(), function.getResultTypes()))
    return emitOpError() << "does not match the results of '" << function.getName() << "', "
                         << function.getFunctionType();
  return success();
}
