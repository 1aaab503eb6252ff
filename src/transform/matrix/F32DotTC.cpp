//===- F32DotTC.cpp - f32 products on matrix units of lower precision ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A number x is the sum of parts, each the part type's nearest to what the ones before leave:
// bf16 has 8 bits, so two parts have 16 of f32's 24 and three have all; two tf32 of 11 bits
// have 22. Of the products of parts those are left out that are smaller than the last bits
// that count.
//
// Where a number is infinite, or becomes so when it is rounded, the later parts are no
// numbers: sums of the smaller products that are NaN count as zero, and the product of the
// first parts says what the result is.
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/Passes.h"
#include "transform/matrix/UnitChoice.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUF32DOTTC
#include "transform/matrix/Passes.h.inc"

namespace {

using tt::InputPrecision;

/// The products of parts (of a, of b) that are summed, the smallest first; the last one is that
/// of the first parts.
struct Scheme {
  unsigned parts;
  ArrayRef<std::pair<unsigned, unsigned>> products;
  /// Parts are bf16; f32 that a tf32 holds otherwise.
  bool bf16;
};

std::optional<Scheme> getScheme(InputPrecision precision, bool emulateTF32) {
  static constexpr std::pair<unsigned, unsigned> three[] = {{1, 0}, {0, 1}, {0, 0}};
  static constexpr std::pair<unsigned, unsigned> six[] = {{2, 0}, {1, 1}, {0, 2},
                                                          {1, 0}, {0, 1}, {0, 0}};
  switch (precision) {
  case InputPrecision::BF16x3:
    return Scheme{2, three, /*bf16=*/true};
  case InputPrecision::BF16x6:
    return Scheme{3, six, /*bf16=*/true};
  case InputPrecision::TF32x3:
    return emulateTF32 ? std::optional(Scheme{2, three, /*bf16=*/false}) : std::nullopt;
  case InputPrecision::TF32:
  case InputPrecision::IEEE:
    return std::nullopt;
  }
  return std::nullopt;
}

class Splitter {
public:
  explicit Splitter(ImplicitLocOpBuilder &builder) : builder(builder) {}

  SmallVector<Value> split(Value value, const Scheme &scheme) {
    SmallVector<Value> parts;
    for (unsigned i = 0; i < scheme.parts; ++i) {
      Value part, wide;
      if (scheme.bf16) {
        Type type = tt::withElementType(value.getType(), builder.getBF16Type());
        part = arith::TruncFOp::create(builder, type, value);
        wide = i + 1 < scheme.parts ? Value(arith::ExtFOp::create(builder, value.getType(), part))
                                    : Value();
      } else {
        part = wide = roundToTF32(value);
      }
      parts.push_back(part);
      if (i + 1 < scheme.parts)
        value = arith::SubFOp::create(builder, value, wide);
    }
    return parts;
  }

  Value zeroWhereNaN(Value value) {
    Value zero = constant(value.getType(), builder.getF32FloatAttr(0));
    Value isNumber = arith::CmpFOp::create(builder, arith::CmpFPredicate::ORD, value, value);
    return arith::SelectOp::create(builder, isNumber, value, zero);
  }

private:
  Value constant(Type type, TypedAttr value) {
    return arith::ConstantOp::create(builder,
                                     DenseElementsAttr::get(cast<ShapedType>(type), value));
  }

  /// To the nearest of 11 bits, away from zero in the middle. What is no number stays as it is.
  Value roundToTF32(Value value) {
    Type type = value.getType(), integer = tt::withElementType(type, builder.getI32Type());
    auto integerOf = [&](int32_t bits) {
      return constant(integer, builder.getI32IntegerAttr(bits));
    };
    constexpr int32_t half = 1 << 12, kept = ~((1 << 13) - 1);
    Value bits = tt::BitcastOp::create(builder, integer, value);
    Value up = arith::AddIOp::create(builder, bits, integerOf(half));
    Value rounded =
        tt::BitcastOp::create(builder, type, arith::AndIOp::create(builder, up, integerOf(kept)));
    Value isNumber = arith::CmpFOp::create(builder, arith::CmpFPredicate::ORD, value, value);
    return arith::SelectOp::create(builder, isNumber, rounded, value);
  }

  ImplicitLocOpBuilder &builder;
};

class F32DotTC : public impl::TritonGPUF32DotTCBase<F32DotTC> {
public:
  using TritonGPUF32DotTCBase::TritonGPUF32DotTCBase;

  void runOnOperation() override {
    SmallVector<tt::DotOp> dots;
    getOperation().walk([&](tt::DotOp dot) { dots.push_back(dot); });
    for (tt::DotOp dot : dots) {
      auto isF32 = [](Value value) { return tt::getElementTypeOrSelf(value.getType()).isF32(); };
      if (!isF32(dot.getA()) || !isF32(dot.getB()) || !isF32(dot.getC()))
        continue;
      std::optional<Scheme> scheme = getScheme(dot.getInputPrecision(), emuTF32);
      if (scheme && isTaken(dot, *scheme))
        replace(dot, *scheme);
    }
  }

private:
  /// Whether matrix units of the target, where one is named, take the products of the parts.
  static bool isTaken(tt::DotOp dot, const Scheme &scheme) {
    const target::Target *target = ttg::getTarget(dot);
    if (!target)
      return true;
    using target::MmaType;
    const MmaType part = scheme.bf16 ? MmaType::Bf16 : MmaType::Tf32;
    const std::optional<UnitChoice> choice =
        chooseUnit(dot, {part, part, MmaType::F32}, *target, /*forms=*/{}, scheme.products.size());
    // A unit of f32 takes the product as it is.
    return choice && choice->atom->a == part;
  }

  static void replace(tt::DotOp dot, const Scheme &scheme) {
    ImplicitLocOpBuilder builder(dot.getLoc(), dot);
    Splitter splitter(builder);
    SmallVector<Value> a = splitter.split(dot.getA(), scheme),
                       b = splitter.split(dot.getB(), scheme);
    // Products of bf16 need no precision; those of tf32 are what a matrix unit computes.
    auto precision = scheme.bf16 ? InputPrecision::IEEE : InputPrecision::TF32;
    auto multiply = [&](std::pair<unsigned, unsigned> parts, Value sum) -> Value {
      return tt::DotOp::create(builder, dot.getType(), a[parts.first], b[parts.second], sum,
                               precision, dot.getMaxNumImpreciseAcc());
    };
    auto type = cast<ShapedType>(dot.getType());
    Value sum = arith::ConstantOp::create(builder,
                                          DenseElementsAttr::get(type, builder.getF32FloatAttr(0)));
    for (std::pair<unsigned, unsigned> parts : scheme.products.drop_back())
      sum = multiply(parts, sum);
    sum = multiply(scheme.products.back(), splitter.zeroWhereNaN(sum));
    dot.replaceAllUsesWith(arith::AddFOp::create(builder, sum, dot.getC()).getResult());
    dot.erase();
  }
};

} // namespace
} // namespace tilewright::transform
