//===- DotOps.cpp - Verifiers of warp-group and tensor-memory products --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Verification.h"
#include "ir/ttng/Verification.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;

/// The shape of an operand, in registers or in memory.
static ArrayRef<int64_t> shapeOf(Type type) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return memory.getShape();
  return cast<RankedTensorType>(type).getShape();
}

static Type elementOf(Type type) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return memory.getElementType();
  return cast<RankedTensorType>(type).getElementType();
}

/// Whether a (M x K) times b (K x N) can be d (M x N). `packed`: a byte may hold two elements,
/// along K or the other dimension; then only the ranks are known.
static LogicalResult verifyShapes(Operation *op, Type a, Type b, Type d, bool packed = false) {
  ArrayRef<int64_t> left = shapeOf(a), right = shapeOf(b), result = shapeOf(d);
  if (left.size() != 2 || right.size() != 2 || result.size() != 2)
    return op->emitOpError() << "multiplies matrices, but has " << a << ", " << b << " and " << d;
  if (packed)
    return success();
  if (left[0] != result[0] || right[1] != result[1] || left[1] != right[0])
    return op->emitOpError() << "needs M x K, K x N and M x N elements, but has " << a << ", " << b
                             << " and " << d;
  return success();
}

//===--------------------------------------------------------------------------===//
// Groups of four warps
//===--------------------------------------------------------------------------===//

void WarpGroupDotOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addRead(getAMutable(), effects);
  addRead(getBMutable(), effects);
}

/// Whether a tensor in registers is where the left operand of a product in layout `result` has to
/// be: by its map. A parent that differs in N has the same one.
static bool isLeftOperand(RankedTensorType a, Attribute result) {
  auto operand = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(a.getEncoding());
  if (operand && operand.getOpIdx() == 0 && operand.getParent() == result)
    return true;
  if (!tt::getLayoutEncoding(a))
    return false;
  const unsigned kWidth = operand ? operand.getKWidth() : 32 / tt::getElementBits(a);
  auto wanted = ttg::DotOperandEncodingAttr::get(a.getContext(), 0,
                                                 cast<ttg::DotOperandParent>(result), kWidth);
  auto type = RankedTensorType::get(a.getShape(), a.getElementType(), wanted);
  return tt::getLayoutEncoding(type) && ttg::toLinearLayout(a) == ttg::toLinearLayout(type);
}

LogicalResult WarpGroupDotOp::verify() {
  auto d = cast<RankedTensorType>(getType());
  Type a = getA().getType();
  ttg::MemDescType b = getB().getType();
  if (failed(verifyShapes(*this, a, b, d)))
    return failure();
  if (!b.inSharedMemory())
    return emitOpError() << "needs its right operand in shared memory, got " << b;
  Type left = elementOf(a), right = b.getElementType();
  if (!left.isIntOrFloat() || !right.isIntOrFloat() ||
      left.getIntOrFloatBitWidth() != right.getIntOrFloatBitWidth())
    return emitOpError() << "needs operands of one width, but has " << a << " and " << b;
  if (!d.getEncoding())
    return success();
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(d.getEncoding());
  if (!mma || mma.getLayout().versionMajor != 3)
    return emitOpError() << "gives #ttg.nvidia_mma with versionMajor = 3, not " << d.getEncoding();
  if (auto registers = dyn_cast<RankedTensorType>(a);
      registers && !isLeftOperand(registers, d.getEncoding()))
    return emitOpError() << "needs its left operand in shared memory or where #ttg.dot_op of the "
                            "result's layout has it, got "
                         << a;
  // A word of a register has 32 bits along K (PTX ISA, "Register fragments for wgmma").
  if (auto registers = dyn_cast<RankedTensorType>(a)) {
    auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(registers.getEncoding());
    const unsigned wanted = 32 / left.getIntOrFloatBitWidth();
    if (operand && operand.getKWidth() != wanted)
      return emitOpError() << "needs its left operand with kWidth = " << wanted << ", as " << left
                           << " has it, not " << operand.getKWidth();
  }
  return success();
}

LogicalResult WarpGroupDotWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                                   ValueRange operands, DictionaryAttr,
                                                   OpaqueProperties, RegionRange,
                                                   SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult WarpGroupDotWaitOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs something to wait for");
  if (int32_t count = getPendings(); count < 0)
    return emitOpError() << "has `pendings` = " << count
                         << "; the number of products is not negative";
  return success();
}

LogicalResult PackedArithOp::verify() {
  size_t wanted = getOpKind() == PackedArithKind::FMA ? 3 : 2;
  if (getOperands().size() != wanted)
    return emitOpError() << stringifyPackedArithKind(getOpKind()) << " takes " << wanted
                         << " operands, got " << getOperands().size();
  for (Type type : getOperandTypes())
    if (type != getType())
      return emitOpError() << "needs operands of the result's type, " << getType() << ", got "
                           << type;
  // PTX ISA: add, sub, mul and fma of .f32x2; min and max of .f16x2 and .bf16x2 alone.
  auto result = cast<RankedTensorType>(getType());
  const unsigned bits = result.getElementTypeBitWidth();
  if (isa<Float8E4M3FNType, Float8E5M2Type>(result.getElementType()) || bits == 32)
    if (getOpKind() == PackedArithKind::MIN || getOpKind() == PackedArithKind::MAX)
      return emitOpError() << "has no " << stringifyPackedArithKind(getOpKind()) << " of "
                           << result.getElementType();
  const unsigned packed = bits == 8 ? 4 : 2;
  if (!tt::getLayoutEncoding(result))
    return success();
  const uint64_t elements = ttg::toLinearLayout(result)
                                .removeZeroBasesAlong(layout::dims::Register)
                                .inSize(layout::dims::Register);
  if (elements < packed)
    return emitOpError() << "takes " << packed << " elements of a thread at once, of which "
                         << result << " gives it " << elements;
  return success();
}

//===--------------------------------------------------------------------------===//
// Tensor memory
//===--------------------------------------------------------------------------===//

template <typename Op>
static void addGen5Effects(Op op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addRead(op.getAMutable(), effects);
  addRead(op.getBMutable(), effects);
  addRead(op.getDMutable(), effects);
  addWrite(op.getDMutable(), effects);
  for (OpOperand &barrier : op.getBarriersMutable())
    addWrite(barrier, effects);
}

/// Whether products of `left` are summed in `sum` (PTX ISA, tcgen05.mma, .kind).
static bool canSum(Type left, Type sum) {
  if (left.isF16() || isa<Float8E4M3FNType, Float8E5M2Type>(left))
    return sum.isF16() || sum.isF32();
  if (left.isBF16() || left.isF32())
    return sum.isF32();
  return true;
}

template <typename Op> static LogicalResult verifyGen5(Op op, bool packed) {
  ttg::MemDescType a = op.getA().getType(), b = op.getB().getType(), d = op.getD().getType();
  if (failed(verifyTensorMemory(op, d)) || failed(verifyShapes(op, a, b, d, packed)))
    return failure();
  if (!b.inSharedMemory())
    return op.emitOpError() << "needs its right operand in shared memory, got " << b;
  if (op.getBarriers().size() != op.getBarrierPreds().size())
    return op.emitOpError() << "has " << op.getBarriers().size() << " barriers and "
                            << op.getBarrierPreds().size() << " predicates for them";
  for (Value barrier : op.getBarriers())
    if (failed(verifyBarrier(op, cast<ttg::MemDescType>(barrier.getType()))))
      return failure();
  if (!canSum(a.getElementType(), d.getElementType()))
    return op.emitOpError() << "cannot sum products of " << a.getElementType() << " in "
                            << d.getElementType();
  if (!op.getIsAsync() && !op.getBarriers().empty())
    return op.emitOpError("tells a barrier when it is done, and so must be `is_async`");
  if (op.getAccDep() && !op.getToken())
    return op.emitOpError("waits for a token and so must give one");
  return success();
}

void TCGen5MMAOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addGen5Effects(*this, effects);
}

LogicalResult TCGen5MMAOp::verify() { return verifyGen5(*this, /*packed=*/false); }

void TCGen5MMAScaledOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addGen5Effects(*this, effects);
  addRead(getAScaleMutable(), effects);
  addRead(getBScaleMutable(), effects);
}

LogicalResult TCGen5MMAScaledOp::verify() {
  bool packed =
      getAType() == tt::ScaleDotElemType::E2M1 || getBType() == tt::ScaleDotElemType::E2M1;
  for (auto [name, scale] : {std::pair<StringRef, Value>{"A", getAScale()}, {"B", getBScale()}}) {
    auto layout = dyn_cast<TensorMemoryScalesEncodingAttr>(
        cast<ttg::MemDescType>(scale.getType()).getEncoding());
    if (layout && layout.getBlockRepOrder() == "kThenMn")
      return emitOpError() << "reads the scales of " << name
                           << " with blockRepOrder = mnThenK, not kThenMn";
  }
  return verifyGen5(*this, packed);
}

LogicalResult TCGen5CommitOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }
