//===- Ops.cpp - The ops of the tw dialect: cooperative matrices --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tw;
using layout::MatrixUse;

#include "ir/tw/Enums.cpp.inc"
#define GET_OP_CLASSES
#include "ir/tw/Ops.cpp.inc"

static StringRef nameOf(MatrixUse use) { return layout::name(use); }

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

/// Whether the sizes that checks need are there, and `type` has what the pointer points to.
template <typename Op> static LogicalResult verifyPlace(Op op, CoopMatrixType type) {
  if (Type pointee = op.getBase().getType().getPointeeType(); pointee != type.getElementType())
    return op.emitOpError() << "accesses elements of " << type.getElementType()
                            << " through a pointer to " << pointee;
  if (size_t sizes = op.getShape().size(); sizes != 0 && sizes != 2)
    return op.emitOpError() << "takes the two sizes of the tensor in memory or none, not " << sizes;
  for (auto [isChecked, name] : {std::pair<bool, StringRef>(op.getRowsChecked(), "rows_checked"),
                                 std::pair<bool, StringRef>(op.getColsChecked(), "cols_checked")})
    if (isChecked && op.getShape().empty()) {
      auto error = op.emitOpError() << "has " << name << " without the sizes to check against";
      error.attachNote() << "give the sizes of the tensor in memory: shape(%rows, %columns)";
      return error;
    }
  return success();
}

LogicalResult CoopMatrixLoadOp::verify() { return verifyPlace(*this, getType()); }
LogicalResult CoopMatrixStoreOp::verify() { return verifyPlace(*this, getValue().getType()); }
LogicalResult CoopMatrixAtomicLoadOp::verify() { return verifyPlace(*this, getType()); }
LogicalResult CoopMatrixAtomicStoreOp::verify() { return verifyPlace(*this, getValue().getType()); }
LogicalResult CoopMatrixPrefetchOp::verify() {
  return verifyPlace(*this, cast<CoopMatrixType>(getMatrix()));
}

/// Whether a kind is for elements of this type.
template <typename Op> static LogicalResult verifyKind(Op op, CombineKind kind, Type elementType) {
  if (isa<FloatType>(elementType) && (kind == CombineKind::UMin || kind == CombineKind::UMax))
    return op.emitOpError() << "combines by " << stringifyCombineKind(kind)
                            << ", which is for integers, elements of " << elementType;
  return success();
}

LogicalResult CoopMatrixAtomicUpdateOp::verify() {
  CoopMatrixType type = getValue().getType();
  if (failed(verifyPlace(*this, type)) ||
      failed(verifyKind(*this, getKind(), type.getElementType())))
    return failure();
  if (type.getElementType().isInteger(8))
    return emitOpError("has no atomic operations on i8; use elements of 16 bits or more");
  return success();
}

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

void CoopMatrixLoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable(), tt::GlobalMemory::get());
}

void CoopMatrixStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getBaseMutable(), tt::GlobalMemory::get());
}

/// Reads and writes, so that it is neither removed nor moved past another access.
static void addReadAndWrite(OpOperand &base, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &base, tt::GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &base, tt::GlobalMemory::get());
}

void CoopMatrixAtomicLoadOp::getEffects(Effects &effects) {
  addReadAndWrite(getBaseMutable(), effects);
}
void CoopMatrixAtomicStoreOp::getEffects(Effects &effects) {
  addReadAndWrite(getBaseMutable(), effects);
}
void CoopMatrixAtomicUpdateOp::getEffects(Effects &effects) {
  addReadAndWrite(getBaseMutable(), effects);
}
void CoopMatrixPrefetchOp::getEffects(Effects &effects) {
  addReadAndWrite(getBaseMutable(), effects);
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

/// Whether products of two `from` may be summed in `to`.
static bool canSum(Type from, Type to) {
  if (from.isF16() || from.isBF16())
    return to.isF32() || to == from;
  if (from.isF32() || from.isF64())
    return to == from;
  return to.isInteger(32) || to.isInteger(64);
}

LogicalResult CoopMatrixMulAddOp::verify() {
  CoopMatrixType a = getA().getType(), b = getB().getType(), c = getC().getType();
  for (auto [type, use, name] :
       {std::tuple<CoopMatrixType, MatrixUse, StringRef>{a, MatrixUse::A, "A"},
        {b, MatrixUse::B, "B"},
        {c, MatrixUse::Accumulator, "C"}})
    if (type.getUse() != use) {
      auto error = emitOpError() << "takes a " << nameOf(use) << " as " << name << ", not a "
                                 << nameOf(type.getUse());
      if (type.getUse() == MatrixUse::Accumulator)
        error.attachNote() << "tw.coopmatrix_cast makes an operand of an accumulator";
      else
        error.attachNote() << "load it as " << nameOf(use);
      return error;
    }
  if (a.getElementType() != b.getElementType())
    return emitOpError() << "multiplies elements of one type, not " << a.getElementType() << " and "
                         << b.getElementType();
  if (!canSum(a.getElementType(), c.getElementType()))
    return emitOpError() << "cannot sum products of " << a.getElementType() << " in "
                         << c.getElementType();
  if ((getUnsignedA() || getUnsignedB()) && isa<FloatType>(a.getElementType()))
    return emitOpError() << "has floats for operands without a sign: " << a.getElementType();
  if (a.getColumns() != b.getRows() || a.getRows() != c.getRows() ||
      b.getColumns() != c.getColumns())
    return emitOpError() << "multiplies M x K by K x N and adds M x N; the shapes are "
                         << a.getShapeText() << ", " << b.getShapeText() << " and "
                         << c.getShapeText();
  return success();
}

LogicalResult CoopMatrixCastOp::verify() {
  CoopMatrixType from = getMatrix().getType(), to = getType();
  if (from.getRows() != to.getRows() || from.getColumns() != to.getColumns())
    return emitOpError() << "changes the type or the use, not the shape: " << from.getShapeText()
                         << " to " << to.getShapeText();
  if (from.getUse() != to.getUse() && from.getUse() != MatrixUse::Accumulator)
    return emitOpError() << "makes operands of accumulators, not a " << nameOf(to.getUse())
                         << " of a " << nameOf(from.getUse());
  if (getIsUnsigned() && isa<FloatType>(from.getElementType()) &&
      isa<FloatType>(to.getElementType()))
    return emitOpError() << "has is_unsigned, which is for integers, between "
                         << from.getElementType() << " and " << to.getElementType();
  return success();
}

OpFoldResult CoopMatrixCastOp::fold(FoldAdaptor) {
  return getMatrix().getType() == getType() ? getMatrix() : OpFoldResult();
}

//===--------------------------------------------------------------------------===//
// Components
//===--------------------------------------------------------------------------===//

/// Whether the tensor of an extract or insert fits the matrix.
template <typename Op>
static LogicalResult verifyComponent(Op op, CoopMatrixType matrix, RankedTensorType tensor) {
  const int64_t lanes = tensor.getRank() == 1 ? tensor.getShape()[0] : 0;
  if (lanes != 16 && lanes != 32)
    return op.emitOpError() << "has one element for each of the 16 or 32 lanes of a warp, not a "
                            << tensor;
  if (tensor.getElementType() != matrix.getElementType())
    return op.emitOpError() << "has elements of " << tensor.getElementType() << " for a matrix of "
                            << matrix.getElementType();
  layout::CooperativeMatrix layout = matrix.getMatrix(lanes);
  const int64_t count = layout.entryCount() * layout.channelCount();
  if (const int64_t component = op.getComponent(); component < 0 || component >= count)
    return op.emitOpError() << "names component " << component << " of " << count << ": "
                            << matrix.getShapeText() << " has as many in each of " << lanes
                            << " lanes";
  return success();
}

LogicalResult CoopMatrixExtractOp::verify() {
  return verifyComponent(*this, getMatrix().getType(), getType());
}

LogicalResult CoopMatrixInsertOp::verify() {
  return verifyComponent(*this, getMatrix().getType(), getValue().getType());
}

LogicalResult CoopMatrixApplyOp::verifyRegions() {
  CoopMatrixType from = getMatrix().getType(), to = getType();
  if (from.getRows() != to.getRows() || from.getColumns() != to.getColumns() ||
      from.getUse() != to.getUse())
    return emitOpError() << "keeps the shape and the use, and only they: " << from << " to " << to;
  Type i32 = IntegerType::get(getContext(), 32);
  const std::array<Type, 3> expected = {i32, i32, from.getElementType()};
  if (getBody().empty() || getBody().getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "has a region that takes a row, a column and an element: i32, i32, "
                         << from.getElementType();
  for (Block &block : getBody())
    if (auto terminator =
            dyn_cast_or_null<CoopMatrixApplyReturnOp>(block.empty() ? nullptr : &block.back());
        terminator && terminator.getValue().getType() != to.getElementType())
      return terminator.emitOpError() << "returns " << terminator.getValue().getType()
                                      << " for elements of " << to.getElementType();
  return success();
}

LogicalResult CoopMatrixReduceOp::verify() {
  CoopMatrixType from = getMatrix().getType(), to = getType();
  if (getAxis() != 0 && getAxis() != 1)
    return emitOpError() << "combines along axis 0 or 1, not " << getAxis();
  if (failed(verifyKind(*this, getKind(), from.getElementType())))
    return failure();
  auto expected = CoopMatrixType::get(getContext(), getAxis() == 0 ? 1 : from.getRows(),
                                      getAxis() == 1 ? 1 : from.getColumns(), from.getElementType(),
                                      from.getUse());
  if (to != expected)
    return emitOpError() << "along axis " << getAxis() << " of " << from << " gives " << expected
                         << ", not " << to;
  return success();
}
