//===- DecomposeScaledDot.cpp - Scaled products as casts and a plain product --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Formats: OCP Microscaling Formats (MX) Specification 1.0. An element of e2m1 has a sign, two
// bits of exponent with bias 1 and one of mantissa; a scale of e8m0 is 2^(bits - 127), or NaN
// where all bits are set.
//
// Tensors that have layouts, as those of a given .ttgir, keep them where nothing moves; the
// operands of the plain product are converted to what the result's layout asks for.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/Inference.h"
#include "transform/matrix/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_DECOMPOSESCALEDDOT
#include "transform/matrix/Passes.h.inc"

namespace {

using Format = tt::ScaleDotElemType;

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Scales are floats of 8 bits, not exponents.
bool hasFloatScale(Value scale) { return scale && isa<FloatType>(typeOf(scale).getElementType()); }

/// The type that elements and scales are multiplied in, as Triton has it
/// (DecomposeScaledBlocked.cpp of 3.6): f16 where an operand is, with its range, and bf16
/// otherwise. Scales that are floats Triton only gives to units that take them; with these the
/// products are exact.
Type getComputeType(tt::DotScaledOp dot) {
  Builder builder(dot.getContext());
  const Format formats[] = {dot.getAElemType(), dot.getBElemType()};
  const Value scales[] = {dot.getAScale(), dot.getBScale()};
  if (llvm::is_contained(formats, Format::FP16)) {
    const bool fits = llvm::none_of(scales, hasFloatScale);
    return fits ? Type(builder.getF16Type()) : Type(builder.getF32Type());
  }
  // An element of e4m3 or less times a scale of e4m3 has 8 bits at most; bf16 has that many alone.
  for (auto [format, scale] : llvm::zip_equal(formats, scales))
    if (format == Format::BF16 && hasFloatScale(scale))
      return builder.getF32Type();
  return builder.getBF16Type();
}

class Decomposer {
public:
  Decomposer(tt::DotScaledOp dot)
      : dot(dot), builder(dot.getLoc(), dot), compute(getComputeType(dot)),
        rank(typeOf(dot.getD()).getRank()) {}

  /// Fails where the operands' layouts are of no use for what their shapes become.
  LogicalResult run() {
    Value a = widen(dot.getA(), dot.getAElemType(), rank - 1, dot.getLhsKPack());
    Value b = widen(dot.getB(), dot.getBElemType(), rank - 2, dot.getRhsKPack());
    if (dot.getAScale())
      a = scale(a, dot.getAScale(), rank - 1);
    if (dot.getBScale())
      b = scale(b, transposed(dot.getBScale(), rank - 2, rank - 1), rank - 2);
    if (lacksLayout)
      return dot.emitOpError("has operands in layouts in which they cannot be taken apart");
    Value product = tt::DotOp::create(builder, dot.getType(), asOperand(a, 0), asOperand(b, 1),
                                      dot.getC(), tt::InputPrecision::IEEE, 0);
    dot.replaceAllUsesWith(product);
    dot.erase();
    return success();
  }

private:
  //===------------------------------------------------------------------------===//
  // Tensors
  //===------------------------------------------------------------------------===//

  Value constant(Type type, TypedAttr value) {
    return arith::ConstantOp::create(builder,
                                     DenseElementsAttr::get(cast<ShapedType>(type), value));
  }
  Value integers(Type type, int64_t value) {
    return constant(type, builder.getIntegerAttr(typeOfElements(type), value));
  }
  static Type typeOfElements(Type type) { return tt::getElementTypeOrSelf(type); }

  /// The type of a result whose layout follows from that of `from`, if that has one.
  RankedTensorType inferred(RankedTensorType from, ArrayRef<int64_t> shape, Type element,
                            llvm::function_ref<Attribute(Attribute)> infer) {
    Attribute layout = from.getEncoding() ? infer(from.getEncoding()) : Attribute();
    lacksLayout |= from.getEncoding() && !layout;
    // Something that goes through until the error is said.
    return RankedTensorType::get(shape, element, layout);
  }

  Value permuted(Value value, ArrayRef<int32_t> order) {
    RankedTensorType type = typeOf(value);
    SmallVector<int64_t> shape;
    for (int32_t dim : order)
      shape.push_back(type.getDimSize(dim));
    auto infer = [&](Attribute layout) {
      return cast<tt::LayoutEncoding>(layout).inferTrans(type.getShape(), order);
    };
    return tt::TransOp::create(builder, inferred(type, shape, type.getElementType(), infer), value,
                               order);
  }

  Value transposed(Value value, unsigned first, unsigned second) {
    SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, typeOf(value).getRank()));
    std::swap(order[first], order[second]);
    return permuted(value, order);
  }

  Value reshaped(Value value, ArrayRef<int64_t> shape) {
    RankedTensorType type = typeOf(value);
    auto infer = [&](Attribute layout) {
      return ttg::inferReshape(type.getShape(), layout, shape);
    };
    return tt::ReshapeOp::create(builder, inferred(type, shape, type.getElementType(), infer),
                                 value, /*allow_reorder=*/false, /*efficient_layout=*/false);
  }

  Value convertedTo(Value value, RankedTensorType type) {
    return value.getType() == type ? value : ttg::ConvertLayoutOp::create(builder, type, value);
  }

  /// `value` as operand `number` of a product in the result's layout.
  Value asOperand(Value value, unsigned number) {
    auto parent = dyn_cast_or_null<ttg::DotOperandParent>(dot.getType().getEncoding());
    if (!parent)
      return value;
    RankedTensorType type = typeOf(value);
    const unsigned kWidth = isa<ttg::BlockedEncodingAttr>(parent)
                                ? 0
                                : 32 / type.getElementType().getIntOrFloatBitWidth();
    auto layout = ttg::DotOperandEncodingAttr::get(dot.getContext(), number, parent, kWidth);
    return convertedTo(value,
                       RankedTensorType::get(type.getShape(), type.getElementType(), layout));
  }

  /// A float as a float of another width, where nothing is lost.
  Value converted(Value value, Type element) {
    Type from = typeOfElements(value.getType()), to = tt::withElementType(value.getType(), element);
    if (from == element)
      return value;
    if (from.getIntOrFloatBitWidth() == 8)
      return tt::FpToFpOp::create(builder, to, value, tt::RoundingModeAttr());
    if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, to, value);
    if (from.isF32())
      return arith::TruncFOp::create(builder, to, value);
    return converted(converted(value, builder.getF32Type()), element);
  }

  //===------------------------------------------------------------------------===//
  // Elements
  //===------------------------------------------------------------------------===//

  /// The elements of an operand in the type to compute in.
  Value widen(Value value, Format format, unsigned kDim, bool alongK) {
    if (format == Format::E2M1)
      return unpack(value, alongK ? kDim : 2 * rank - 3 - kDim);
    Type element = typeOfElements(value.getType());
    if (element.isInteger(8)) {
      Type own = format == Format::E4M3 ? Type(Float8E4M3FNType::get(dot.getContext()))
                                        : Type(Float8E5M2Type::get(dot.getContext()));
      value = tt::BitcastOp::create(builder, tt::withElementType(value.getType(), own), value);
    }
    return converted(value, compute);
  }

  /// Bytes of two elements each, which are neighbours along `dim`, the first in the low half.
  Value unpack(Value bytes, unsigned dim) {
    Type type = bytes.getType();
    Value high = arith::ShRUIOp::create(builder, bytes, integers(type, 4));
    Value both =
        tt::JoinOp::create(builder, withPairs(typeOf(bytes)), fromE2M1(bytes), fromE2M1(high));
    SmallVector<int64_t> shape(typeOf(bytes).getShape());
    // The pair dimension directly follows the dimension that it extends.
    SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
    order.insert(order.begin() + dim + 1, rank);
    if (dim + 1 < rank)
      both = permuted(both, order);
    shape[dim] *= 2;
    return reshaped(both, shape);
  }
  RankedTensorType withPairs(RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(2);
    auto infer = [&](Attribute layout) { return ttg::inferJoin(type.getShape(), layout); };
    return inferred(type, shape, compute, infer);
  }

  /// The number in the low four bits of each byte. Its exponent and mantissa in f16's places are
  /// the number times 2^(1 - 15), subnormal ones included.
  Value fromE2M1(Value bytes) {
    Type word = tt::withElementType(bytes.getType(), builder.getI16Type());
    Type half = tt::withElementType(bytes.getType(), builder.getF16Type());
    auto field = [&](Value bits, int64_t mask, int64_t shift) -> Value {
      Value masked = arith::AndIOp::create(builder, bits, integers(word, mask));
      return arith::ShLIOp::create(builder, masked, integers(word, shift));
    };
    Value wide = arith::ExtUIOp::create(builder, word, bytes);
    Value bits = arith::OrIOp::create(builder, field(wide, 7, 9), field(wide, 8, 12));
    Value small = tt::BitcastOp::create(builder, half, bits);
    Value number =
        arith::MulFOp::create(builder, small, constant(half, builder.getF16FloatAttr(0x1p14f)));
    return converted(number, compute);
  }

  //===------------------------------------------------------------------------===//
  // Scales
  //===------------------------------------------------------------------------===//

  /// `value` times `scales`, each of which serves a group of neighbours along `kDim`.
  Value scale(Value value, Value scales, unsigned kDim) {
    Value factors = hasFloatScale(scales) ? converted(scales, compute) : fromE8M0(scales);
    SmallVector<int64_t> shape(typeOf(factors).getShape());
    const int64_t group = typeOf(value).getDimSize(kDim) / shape[kDim];
    shape.insert(shape.begin() + kDim + 1, 1);
    // Where there are layouts only a reshape infers one with a dimension more.
    if (typeOf(factors).getEncoding())
      factors = reshaped(factors, shape);
    else
      factors = tt::ExpandDimsOp::create(builder, RankedTensorType::get(shape, compute), factors,
                                         kDim + 1);
    shape[kDim + 1] = group;
    factors = tt::BroadcastOp::create(
        builder, RankedTensorType::get(shape, compute, typeOf(factors).getEncoding()), factors);
    factors = reshaped(factors, typeOf(value).getShape());
    return arith::MulFOp::create(builder, value, convertedTo(factors, typeOf(value)));
  }

  /// Exponents as powers of two: their bits are the exponent's of bf16 and f32, and those are
  /// rounded to f16. With fastMath the two that are different there are not looked after: the
  /// least, 2^-127, and NaN.
  Value fromE8M0(Value scales) {
    const bool single = !compute.isBF16();
    const Type wideFloat = single ? builder.getF32Type() : compute;
    Type integer = tt::withElementType(scales.getType(), single ? Type(builder.getI32Type())
                                                                : Type(builder.getI16Type()));
    const int64_t mantissa = single ? 23 : 7;
    Value wide = arith::ExtUIOp::create(builder, integer, scales);
    Value bits = arith::ShLIOp::create(builder, wide, integers(integer, mantissa));
    if (!dot.getFastMath()) {
      auto select = [&](int64_t exponent, int64_t value) {
        Value is = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, wide,
                                         integers(integer, exponent));
        bits = arith::SelectOp::create(builder, is, integers(integer, value), bits);
      };
      select(0, int64_t(1) << (mantissa - 1));
      select(255, int64_t(0x1ff) << (mantissa - 1));
    }
    return converted(
        tt::BitcastOp::create(builder, tt::withElementType(scales.getType(), wideFloat), bits),
        compute);
  }

  tt::DotScaledOp dot;
  ImplicitLocOpBuilder builder;
  Type compute;
  unsigned rank;
  /// Whether a layout was wanted that could not be inferred.
  bool lacksLayout = false;
};

class DecomposeScaledDot : public impl::DecomposeScaledDotBase<DecomposeScaledDot> {
public:
  void runOnOperation() override {
    SmallVector<tt::DotScaledOp> dots;
    getOperation().walk([&](tt::DotScaledOp dot) { dots.push_back(dot); });
    for (tt::DotScaledOp dot : dots)
      if (failed(Decomposer(dot).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace tilewright::transform
