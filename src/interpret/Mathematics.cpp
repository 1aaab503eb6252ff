//===- Mathematics.cpp - Floating-point arithmetic and functions ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Elements.h"

#include "ir/tt/Dialect.h"
#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringSwitch.h"

#include <bit>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

using Bits = ArrayRef<uint64_t>;
using Numbers = ArrayRef<double>;

template <double (*fn)(double)> static void exactUnary(Machine &machine, Operation *op) {
  mapFloats(machine, op, [](Numbers in) { return fn(in[0]); });
}

template <double (*fn)(double, double)> static void exactBinary(Machine &machine, Operation *op) {
  mapFloats(machine, op, [](Numbers in) { return fn(in[0], in[1]); });
}

/// A function that targets approximate.
template <double (*fn)(double)> static void approximateUnary(Machine &machine, Operation *op) {
  mapApproximate(machine, op, 4, 1.0, [](Numbers in) { return fn(in[0]); });
}

static double plus(double a, double b) { return a + b; }
static double minus(double a, double b) { return a - b; }
static double rest(double a, double b) { return std::fmod(a, b); }
static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }
/// If one of two operands is not a number, the result is the other one.
static double greaterNumber(double a, double b) { return std::fmax(a, b); }
static double lesserNumber(double a, double b) { return std::fmin(a, b); }
static double greater(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : std::fmax(a, b);
}
static double lesser(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : std::fmin(a, b);
}

/// A product, which may become one operation with the sum it goes into: then it is not rounded.
static void multiply(Machine &machine, Operation *op) {
  mapApproximate(machine, op, 1, 0, [](Numbers in) { return in[0] * in[1]; });
}

static void divide(Machine &machine, Operation *op) {
  mapApproximate(machine, op, 2, 0, [](Numbers in) { return in[0] / in[1]; });
}

static void multiplyAdd(Machine &machine, Operation *op) {
  const bool isSingle = elementOf(op->getResult(0).getType()).isF32();
  mapFloats(machine, op, [=](Numbers in) {
    return isSingle
               ? static_cast<double>(std::fmaf(static_cast<float>(in[0]), static_cast<float>(in[1]),
                                               static_cast<float>(in[2])))
               : std::fma(in[0], in[1], in[2]);
  });
}

static void clamp(Machine &machine, tt::ClampFOp op) {
  const bool propagates = op.getPropagateNan() == tt::PropagateNan::ALL;
  mapFloats(machine, op, [=](Numbers in) {
    if (propagates && std::isnan(in[0]))
      return in[0];
    return std::fmin(std::fmax(in[0], in[1]), in[2]);
  });
}

static void negate(Machine &machine, arith::NegFOp op) {
  const unsigned width = widthOf(elementOf(op.getType()));
  mapElements(machine, op, [=](Bits in, bool &) { return in[0] ^ (uint64_t(1) << (width - 1)); });
}

static void absoluteFloat(Machine &machine, math::AbsFOp op) {
  const unsigned width = widthOf(elementOf(op.getType()));
  mapElements(machine, op, [=](Bits in, bool &) { return lowBits(in[0], width - 1); });
}

static void absoluteInteger(Machine &machine, math::AbsIOp op) {
  const unsigned width = widthOf(elementOf(op.getType()));
  mapElements(machine, op, [=](Bits in, bool &) {
    const int64_t number = signExtend(in[0], width);
    return lowBits(number < 0 ? 0 - in[0] : in[0], width);
  });
}

static void powerOf(Machine &machine, math::PowFOp op) {
  mapApproximate(machine, op, 64, 1.0, [](Numbers in) { return std::pow(in[0], in[1]); });
}

template <int (*fn)(uint64_t, unsigned)> static void countBits(Machine &machine, Operation *op) {
  const unsigned width = widthOf(elementOf(op->getResult(0).getType()));
  mapElements(machine, op,
              [=](Bits in, bool &) { return static_cast<uint64_t>(fn(in[0], width)); });
}

static int onesOf(uint64_t bits, unsigned) { return std::popcount(bits); }
static int leadingZerosOf(uint64_t bits, unsigned width) {
  return std::countl_zero(bits) - static_cast<int>(64 - width);
}
static int trailingZerosOf(uint64_t bits, unsigned width) {
  return std::min(std::countr_zero(bits), static_cast<int>(width));
}

/// The name of a function of a device library without what libraries put around it.
static StringRef plainName(StringRef symbol) {
  for (StringRef prefix : {"__nv_", "__ocml_", "__imf_", "__devicelib_imf_"})
    if (symbol.consume_front(prefix))
      break;
  if (symbol.consume_back("_f32") || symbol.consume_back("_f64"))
    return symbol;
  if (!symbol.ends_with("erf") || symbol.ends_with("erff"))
    symbol.consume_back("f");
  return symbol;
}

static void library(Machine &machine, tt::ExternElementwiseOp op) {
  using Unary = double (*)(double);
  auto unary = llvm::StringSwitch<Unary>(plainName(op.getSymbol()))
                   .Case("exp", std::exp)
                   .Case("exp2", std::exp2)
                   .Case("expm1", std::expm1)
                   .Case("log", std::log)
                   .Case("log2", std::log2)
                   .Case("log1p", std::log1p)
                   .Case("sqrt", std::sqrt)
                   .Case("rsqrt", reciprocalRoot)
                   .Case("sin", std::sin)
                   .Case("cos", std::cos)
                   .Case("tan", std::tan)
                   .Case("tanh", std::tanh)
                   .Case("erf", std::erf)
                   .Case("asin", std::asin)
                   .Case("acos", std::acos)
                   .Case("atan", std::atan)
                   .Default(nullptr);
  if (!unary || op.getSrcs().size() != 1 || !isa<FloatType>(elementOf(op.getType())))
    return machine.refuse(op, "of " + op.getSymbol().str());
  mapApproximate(machine, op, 8, 1.0, [=](Numbers in) { return unary(in[0]); });
}

static void packed(Machine &machine, ttng::PackedArithOp op) {
  switch (op.getOpKind()) {
  case ttng::PackedArithKind::ADD:
    return exactBinary<plus>(machine, op);
  case ttng::PackedArithKind::SUB:
    return exactBinary<minus>(machine, op);
  case ttng::PackedArithKind::MUL:
    return multiply(machine, op);
  case ttng::PackedArithKind::FMA:
    return multiplyAdd(machine, op);
  case ttng::PackedArithKind::MIN:
    return exactBinary<lesserNumber>(machine, op);
  case ttng::PackedArithKind::MAX:
    return exactBinary<greaterNumber>(machine, op);
  }
}

void interpret::addMathematics(Handlers &handlers) {
  handlers.addAll<arith::AddFOp>(exactBinary<plus>);
  handlers.addAll<arith::SubFOp>(exactBinary<minus>);
  handlers.addAll<arith::MulFOp>(multiply);
  handlers.addAll<arith::DivFOp>(divide);
  handlers.addAll<tt::PreciseDivFOp>([](Machine &machine, Operation *op) {
    mapFloats(machine, op, [](Numbers in) { return in[0] / in[1]; });
  });
  handlers.addAll<arith::RemFOp>(exactBinary<rest>);
  handlers.addAll<arith::MaxNumFOp>(exactBinary<greaterNumber>);
  handlers.addAll<arith::MinNumFOp>(exactBinary<lesserNumber>);
  handlers.addAll<arith::MaximumFOp>(exactBinary<greater>);
  handlers.addAll<arith::MinimumFOp>(exactBinary<lesser>);
  handlers.addAll<math::FmaOp>(multiplyAdd);
  handlers.add<tt::ClampFOp>(clamp);
  handlers.add<arith::NegFOp>(negate);
  handlers.add<math::AbsFOp>(absoluteFloat);
  handlers.add<math::AbsIOp>(absoluteInteger);
  handlers.addAll<math::CountLeadingZerosOp>(countBits<leadingZerosOf>);
  handlers.addAll<math::CountTrailingZerosOp>(countBits<trailingZerosOf>);
  handlers.addAll<math::CtPopOp>(countBits<onesOf>);
  handlers.addAll<tt::PreciseSqrtOp>(exactUnary<std::sqrt>);
  handlers.addAll<math::FloorOp>(exactUnary<std::floor>);
  handlers.addAll<math::CeilOp>(exactUnary<std::ceil>);
  handlers.addAll<math::TruncOp>(exactUnary<std::trunc>);
  handlers.addAll<math::RoundOp>(exactUnary<std::round>);
  handlers.addAll<math::RoundEvenOp>(exactUnary<std::nearbyint>);
  handlers.addAll<math::SqrtOp>(approximateUnary<std::sqrt>);
  handlers.addAll<math::RsqrtOp>(approximateUnary<reciprocalRoot>);
  handlers.addAll<math::ExpOp>(approximateUnary<std::exp>);
  handlers.addAll<math::Exp2Op>(approximateUnary<std::exp2>);
  handlers.addAll<math::ExpM1Op>(approximateUnary<std::expm1>);
  handlers.addAll<math::LogOp>(approximateUnary<std::log>);
  handlers.addAll<math::Log2Op>(approximateUnary<std::log2>);
  handlers.addAll<math::Log10Op>(approximateUnary<std::log10>);
  handlers.addAll<math::Log1pOp>(approximateUnary<std::log1p>);
  handlers.addAll<math::SinOp>(approximateUnary<std::sin>);
  handlers.addAll<math::CosOp>(approximateUnary<std::cos>);
  handlers.addAll<math::TanOp>(approximateUnary<std::tan>);
  handlers.addAll<math::TanhOp>(approximateUnary<std::tanh>);
  handlers.addAll<math::ErfOp>(approximateUnary<std::erf>);
  handlers.add<math::PowFOp>(powerOf);
  handlers.add<tt::ExternElementwiseOp>(library);
  handlers.add<ttng::PackedArithOp>(packed);
}
