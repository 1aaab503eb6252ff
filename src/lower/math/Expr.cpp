//===- Expr.cpp - Formulas that emit code -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Expr.h"

#include "lower/core/types/VectorValues.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

template <typename Op> static Expr emit(Expr a) {
  return {a.at(), a.at().create<Op>(a.type(), a.value())};
}

template <typename Op> static Expr emit(Expr a, Expr b) {
  return {a.at(), a.at().create<Op>(a.type(), a.value(), b.value())};
}

template <typename FloatOp, typename IntOp> static Expr emitEither(Expr a, Expr b) {
  return a.isFloat() ? emit<FloatOp>(a, b) : emit<IntOp>(a, b);
}

Type Expr::typeOf(Type element) const { return withElement(type(), element); }

/// `number` as a constant of `type`: of a vector, each element.
static Expr constant(Code &code, Type type, TypedAttr number) {
  if (auto vector = dyn_cast<VectorType>(type))
    number = SplatElementsAttr::get(vector, Attribute(number));
  return {code, code.create<LLVM::ConstantOp>(type, number)};
}

Expr Expr::like(double number) const {
  if (!isFloat())
    return like(static_cast<int64_t>(number));
  return constant(*code, type(), FloatAttr::get(elementType(), number));
}

Expr Expr::like(int64_t number) const {
  if (isFloat())
    return like(static_cast<double>(number));
  APInt value(bits(), static_cast<uint64_t>(number), /*isSigned=*/false, /*implicitTrunc=*/true);
  return constant(*code, type(), IntegerAttr::get(elementType(), value));
}

Expr lower::operator+(Expr a, Expr b) { return emitEither<LLVM::FAddOp, LLVM::AddOp>(a, b); }
Expr lower::operator-(Expr a, Expr b) { return emitEither<LLVM::FSubOp, LLVM::SubOp>(a, b); }
Expr lower::operator*(Expr a, Expr b) { return emitEither<LLVM::FMulOp, LLVM::MulOp>(a, b); }
Expr lower::operator/(Expr a, Expr b) { return emitEither<LLVM::FDivOp, LLVM::SDivOp>(a, b); }
Expr lower::operator-(Expr a) { return a.isFloat() ? emit<LLVM::FNegOp>(a) : a.like(0) - a; }
Expr lower::operator&(Expr a, Expr b) { return emit<LLVM::AndOp>(a, b); }
Expr lower::operator|(Expr a, Expr b) { return emit<LLVM::OrOp>(a, b); }
Expr lower::operator^(Expr a, Expr b) { return emit<LLVM::XOrOp>(a, b); }
Expr lower::operator~(Expr a) { return a ^ -1; }
Expr lower::operator<<(Expr a, Expr b) { return emit<LLVM::ShlOp>(a, b); }
Expr lower::operator>>(Expr a, Expr b) { return emit<LLVM::AShrOp>(a, b); }
Expr lower::shiftRightLogical(Expr a, Expr b) { return emit<LLVM::LShrOp>(a, b); }

static Expr compare(Expr a, Expr b, LLVM::FCmpPredicate floats, LLVM::ICmpPredicate integers) {
  if (a.isFloat())
    return {a.at(), a.at().create<LLVM::FCmpOp>(floats, a.value(), b.value())};
  return {a.at(), a.at().create<LLVM::ICmpOp>(integers, a.value(), b.value())};
}

Expr lower::operator<(Expr a, Expr b) {
  return compare(a, b, LLVM::FCmpPredicate::olt, LLVM::ICmpPredicate::slt);
}
Expr lower::operator<=(Expr a, Expr b) {
  return compare(a, b, LLVM::FCmpPredicate::ole, LLVM::ICmpPredicate::sle);
}
Expr lower::operator>(Expr a, Expr b) {
  return compare(a, b, LLVM::FCmpPredicate::ogt, LLVM::ICmpPredicate::sgt);
}
Expr lower::operator>=(Expr a, Expr b) {
  return compare(a, b, LLVM::FCmpPredicate::oge, LLVM::ICmpPredicate::sge);
}
Expr lower::operator==(Expr a, Expr b) {
  return compare(a, b, LLVM::FCmpPredicate::oeq, LLVM::ICmpPredicate::eq);
}
Expr lower::operator!=(Expr a, Expr b) {
  return compare(a, b, LLVM::FCmpPredicate::une, LLVM::ICmpPredicate::ne);
}
Expr lower::unsignedLess(Expr a, Expr b) {
  return {a.at(), a.at().create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ult, a.value(), b.value())};
}

Expr lower::select(Expr condition, Expr yes, Expr no) {
  return {yes.at(), yes.at().create<LLVM::SelectOp>(condition.value(), yes.value(), no.value())};
}

//===--------------------------------------------------------------------------===//
// Control flow
//===--------------------------------------------------------------------------===//

static SmallVector<Value> valuesOf(ArrayRef<Expr> exprs) {
  SmallVector<Value> values;
  for (Expr expr : exprs)
    values.push_back(expr.value());
  return values;
}

/// A block at the end of the function, with arguments like `exprs`.
static Block *appendBlock(Code &code, ArrayRef<Expr> exprs) {
  OpBuilder::InsertionGuard guard(code.builder);
  SmallVector<Type> types;
  for (Expr expr : exprs)
    types.push_back(expr.type());
  Region *region = code.builder.getBlock()->getParent();
  return code.builder.createBlock(region, region->end(), types,
                                  SmallVector<Location>(types.size(), code.loc));
}

static SmallVector<Expr> argumentsOf(Code &code, Block *block) {
  SmallVector<Expr> exprs;
  for (BlockArgument argument : block->getArguments())
    exprs.push_back({code, argument});
  return exprs;
}

SmallVector<Expr> lower::branch(Expr condition, ArrayRef<Expr> usual,
                                llvm::function_ref<SmallVector<Expr>()> rare) {
  Code &code = condition.at();
  Block *then = appendBlock(code, {}), *after = appendBlock(code, usual);
  code.create<LLVM::CondBrOp>(condition.value(), then, ValueRange(), after, valuesOf(usual));
  code.builder.setInsertionPointToEnd(then);
  SmallVector<Expr> results = rare();
  code.create<LLVM::BrOp>(valuesOf(results), after);
  code.builder.setInsertionPointToEnd(after);
  return argumentsOf(code, after);
}

SmallVector<Expr> lower::loopWhile(ArrayRef<Expr> start,
                                   llvm::function_ref<Expr(ArrayRef<Expr>)> proceed,
                                   llvm::function_ref<SmallVector<Expr>(ArrayRef<Expr>)> step) {
  Code &code = start.front().at();
  Block *header = appendBlock(code, start), *body = appendBlock(code, {});
  Block *after = appendBlock(code, start);
  code.create<LLVM::BrOp>(valuesOf(start), header);
  code.builder.setInsertionPointToEnd(header);
  SmallVector<Expr> current = argumentsOf(code, header);
  Expr condition = proceed(current);
  code.create<LLVM::CondBrOp>(condition.value(), body, ValueRange(), after, valuesOf(current));
  code.builder.setInsertionPointToEnd(body);
  code.create<LLVM::BrOp>(valuesOf(step(current)), header);
  code.builder.setInsertionPointToEnd(after);
  return argumentsOf(code, after);
}

//===--------------------------------------------------------------------------===//
// Functions that hardware has
//===--------------------------------------------------------------------------===//

Expr lower::fma(Expr a, Expr b, Expr c) {
  return {a.at(), a.at().create<LLVM::FMAOp>(a.type(), a.value(), b.value(), c.value())};
}
Expr lower::abs(Expr x) { return emit<LLVM::FAbsOp>(x); }
Expr lower::copysign(Expr size, Expr sign) { return emit<LLVM::CopySignOp>(size, sign); }
Expr lower::sqrt(Expr x) { return emit<LLVM::SqrtOp>(x); }
Expr lower::roundEven(Expr x) { return emit<LLVM::RoundEvenOp>(x); }
Expr lower::trunc(Expr x) { return emit<LLVM::FTruncOp>(x); }
Expr lower::floor(Expr x) { return emit<LLVM::FFloorOp>(x); }
Expr lower::ceil(Expr x) { return emit<LLVM::FCeilOp>(x); }
Expr lower::minNumber(Expr a, Expr b) { return emit<LLVM::MinNumOp>(a, b); }
Expr lower::maxNumber(Expr a, Expr b) { return emit<LLVM::MaxNumOp>(a, b); }

Expr lower::isNan(Expr x) { return x != x; }
Expr lower::isInfinite(Expr x) { return abs(x) == HUGE_VAL; }
Expr lower::isFinite(Expr x) { return abs(x) < HUGE_VAL; }
Expr lower::isNegative(Expr x) { return toBits(x) < 0; }

//===--------------------------------------------------------------------------===//
// Representations
//===--------------------------------------------------------------------------===//

Expr lower::bitcast(Expr x, Type type) {
  return {x.at(), x.at().create<LLVM::BitcastOp>(x.typeOf(type), x.value())};
}

Expr lower::toBits(Expr x) { return bitcast(x, x.at().builder.getIntegerType(x.bits())); }

Expr lower::fromBits(Expr x) {
  Builder &builder = x.at().builder;
  return bitcast(x, x.bits() == 64   ? Type(builder.getF64Type())
                    : x.bits() == 32 ? Type(builder.getF32Type())
                                     : Type(builder.getF16Type()));
}

Expr lower::resize(Expr x, unsigned bits, bool isSigned) {
  Code &code = x.at();
  Type type = x.typeOf(code.builder.getIntegerType(bits));
  if (bits == x.bits())
    return x;
  if (bits < x.bits())
    return {code, code.create<LLVM::TruncOp>(type, x.value())};
  if (isSigned)
    return {code, code.create<LLVM::SExtOp>(type, x.value())};
  return {code, code.create<LLVM::ZExtOp>(type, x.value())};
}

Expr lower::toFloat(Expr x, Expr like, bool isSigned) {
  Type type = x.typeOf(like.elementType());
  if (isSigned)
    return {x.at(), x.at().create<LLVM::SIToFPOp>(type, x.value())};
  return {x.at(), x.at().create<LLVM::UIToFPOp>(type, x.value())};
}

Expr lower::toInteger(Expr x, unsigned bits) {
  Type type = x.typeOf(x.at().builder.getIntegerType(bits));
  return {x.at(), x.at().create<LLVM::FPToSIOp>(type, x.value())};
}

Expr lower::extend(Expr x, Type type) {
  return {x.at(), x.at().create<LLVM::FPExtOp>(x.typeOf(type), x.value())};
}

Expr lower::truncate(Expr x, Type type) {
  return {x.at(), x.at().create<LLVM::FPTruncOp>(x.typeOf(type), x.value())};
}

//===--------------------------------------------------------------------------===//
// Building blocks of formulas
//===--------------------------------------------------------------------------===//

Expr lower::polynomial(Expr x, ArrayRef<double> coefficients) {
  Expr sum = x.like(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, coefficient);
  return sum;
}

Expr lower::polynomial(Expr x, ArrayRef<double> single, ArrayRef<double> wide) {
  return polynomial(x, x.isDouble() ? wide : single);
}

Expr lower::polynomialIn(Expr x, double low, double high, ArrayRef<double> single,
                         ArrayRef<double> wide) {
  Expr t = (x - (low + high) / 2) * (2 / (high - low));
  return polynomial(t, single, wide);
}

Expr lower::inDouble(Expr x, llvm::function_ref<Expr(Expr)> f) {
  if (x.isDouble())
    return f(x);
  return truncate(f(extend(x, x.at().builder.getF64Type())), x.type());
}

Expr lower::roundedProduct(Expr a, Expr b) { return fma(a, b, 0.0); }

Pair lower::exactSum(Expr a, Expr b) {
  Expr sum = a + b;
  Expr bPart = sum - a;
  Expr aPart = sum - bPart;
  return {sum, (a - aPart) + (b - bPart)};
}

Pair lower::exactFastSum(Expr a, Expr b) {
  Expr sum = a + b;
  return {sum, b - (sum - a)};
}

Pair lower::exactProduct(Expr a, Expr b) {
  Expr product = roundedProduct(a, b);
  return {product, fma(a, b, -product)};
}

Expr lower::powerOfTwo(Expr k, Expr like) {
  Expr exponent = resize(k, like.bits(), /*isSigned=*/true) + exponentBias(like);
  return fromBits(exponent << fractionBits(like));
}

Expr lower::scaleByPower(Expr x, Expr k) {
  Expr half = k >> 1;
  return x * powerOfTwo(half, x) * powerOfTwo(k - half, x);
}

Rounded lower::nearestInteger(Expr x) {
  // Numbers of this size have no bits after the binary point: adding it rounds, and leaves the
  // integer in the low bits.
  double shift = x.isDouble() ? 0x1.8p52 : 0x1.8p23;
  Expr shifted = x + shift;
  Expr offset = x.isDouble() ? x.like(0.0) : x.like(shift);
  Expr integer = resize(toBits(shifted), 32, true) - resize(toBits(offset), 32, true);
  return {shifted - shift, integer};
}
