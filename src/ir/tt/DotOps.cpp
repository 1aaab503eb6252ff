//===- DotOps.cpp - Verifiers of matrix products ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/EncodingRules.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

static RankedTensorType tensorOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isFloat8(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

/// Ranks, and that the encodings are there for all tensors or for none.
static LogicalResult verifyOperands(Operation *op, RankedTensorType a, RankedTensorType b,
                                    RankedTensorType d) {
  if (a.getRank() != b.getRank() || a.getRank() != d.getRank() || a.getRank() < 2 ||
      a.getRank() > 3)
    return op->emitOpError() << "needs operands and a result with 2 dimensions each, or 3 with a "
                                "batch, but they have "
                             << a.getRank() << ", " << b.getRank() << " and " << d.getRank();
  if (bool(a.getEncoding()) != bool(d.getEncoding()) ||
      bool(b.getEncoding()) != bool(d.getEncoding()))
    return op->emitOpError("needs layouts on the operands and the result, or on none of them");
  return success();
}

/// The sizes that must agree, with those of a and b counted in elements.
static LogicalResult verifySizes(Operation *op, ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                                 ArrayRef<int64_t> d) {
  const size_t rank = a.size(), m = rank - 2, n = rank - 1;
  if (a[n] != b[m])
    return op->emitOpError() << "sums over " << a[n] << " elements of a row of a, but over " << b[m]
                             << " of a column of b";
  SmallVector<int64_t> product(a);
  product[n] = b[n];
  if ((rank == 3 && a[0] != b[0]) || ArrayRef(product) != d) {
    auto error = op->emitOpError() << "has a result of [";
    llvm::interleaveComma(d, error);
    error << "], but the product of its operands is [";
    llvm::interleaveComma(product, error);
    return error << "]";
  }
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = tensorOf(getA()), b = tensorOf(getB()), d = tensorOf(getD());
  if (failed(verifyOperands(*this, a, b, d)) ||
      failed(verifySizes(*this, a.getShape(), b.getShape(), d.getShape())))
    return failure();
  Type left = a.getElementType(), right = b.getElementType(), sum = d.getElementType();
  for (Type type : {left, right, sum})
    if (!isa<FloatType, IntegerType>(type))
      return emitOpError() << "multiplies numbers, not " << type;
  if (left != right && !(isFloat8(left) && isFloat8(right)))
    return emitOpError() << "multiplies elements of one type, or of two types of 8-bit floats, not "
                         << left << " and " << right;
  if (isa<FloatType>(left) != isa<FloatType>(sum) || isFloat8(sum) ||
      sum.getIntOrFloatBitWidth() < left.getIntOrFloatBitWidth())
    return emitOpError() << "cannot sum products of " << left << " in " << sum;
  const EncodingRules *rules = EncodingRules::of(d.getEncoding());
  return rules ? rules->verifyDot(*this) : success();
}

/// The shape of an operand in elements: those of e2m1 come two in a byte.
static FailureOr<SmallVector<int64_t>>
elementShape(DotScaledOp op, Value operand, ScaleDotElemType format, unsigned kDim, bool alongK) {
  RankedTensorType type = tensorOf(operand);
  Type element = type.getElementType();
  SmallVector<int64_t> shape(type.getShape());
  auto isOneOf = [&](bool fits) -> LogicalResult {
    if (fits)
      return success();
    return op->emitOpError() << "has elements of type " << element << " for the format "
                             << stringifyScaleDotElemType(format);
  };
  LogicalResult fits = success();
  switch (format) {
  case ScaleDotElemType::E4M3:
    fits = isOneOf(isa<Float8E4M3FNType>(element) || element.isInteger(8));
    break;
  case ScaleDotElemType::E5M2:
    fits = isOneOf(isa<Float8E5M2Type>(element) || element.isInteger(8));
    break;
  case ScaleDotElemType::E2M1:
    fits = isOneOf(element.isInteger(8));
    shape[alongK ? kDim : 2 * shape.size() - 3 - kDim] *= 2;
    break;
  case ScaleDotElemType::BF16:
    fits = isOneOf(element.isBF16());
    break;
  case ScaleDotElemType::FP16:
    fits = isOneOf(element.isF16());
    break;
  default:
    fits = op->emitOpError() << "has the format " << stringifyScaleDotElemType(format)
                             << "; there are e4m3, e5m2, e2m1, bf16 and fp16";
  }
  if (failed(fits))
    return failure();
  if (!alongK && format != ScaleDotElemType::E2M1)
    return op->emitOpError("packs elements along K in all formats but e2m1");
  return shape;
}

/// The scales of an operand whose batches, rows (columns of b) and sums are of these sizes.
static LogicalResult verifyScale(DotScaledOp op, Value scale, StringRef name,
                                 ArrayRef<int64_t> batches, int64_t rows, int64_t k) {
  if (!scale)
    return success();
  RankedTensorType type = tensorOf(scale);
  const bool isFloat = isa<Float8E4M3FNType>(type.getElementType());
  if (!isFloat && !type.getElementType().isInteger(8))
    return op->emitOpError() << "has " << type.getElementType() << " for " << name
                             << "; scales are 8-bit exponents (i8) or e4m3";
  const int64_t group = isFloat ? 16 : 32;
  SmallVector<int64_t> shape(batches);
  shape.append({rows, k / group});
  if (k % group != 0 || type.getShape() != ArrayRef(shape)) {
    auto error = op->emitOpError() << "needs a scale for each " << group << " of " << k
                                   << " elements in " << rows << " rows: " << name << " is [";
    llvm::interleaveComma(shape, error);
    return error << "] then, not " << type;
  }
  return success();
}

LogicalResult DotScaledOp::verify() {
  RankedTensorType a = tensorOf(getA()), b = tensorOf(getB()), d = tensorOf(getD());
  if (failed(verifyOperands(*this, a, b, d)))
    return failure();
  const unsigned rank = a.getRank();
  FailureOr<SmallVector<int64_t>> left =
      elementShape(*this, getA(), getAElemType(), rank - 1, getLhsKPack());
  if (failed(left))
    return failure();
  FailureOr<SmallVector<int64_t>> right =
      elementShape(*this, getB(), getBElemType(), rank - 2, getRhsKPack());
  if (failed(right) || failed(verifySizes(*this, *left, *right, d.getShape())))
    return failure();
  if (!isa<FloatType>(d.getElementType()) || d.getElementType().getIntOrFloatBitWidth() < 16)
    return emitOpError() << "cannot sum its products in " << d.getElementType();
  const int64_t k = left->back();
  ArrayRef<int64_t> batches = a.getShape().drop_back(2);
  if (failed(verifyScale(*this, getAScale(), "a_scale", batches, (*left)[rank - 2], k)))
    return failure();
  return verifyScale(*this, getBScale(), "b_scale", batches, right->back(), k);
}
