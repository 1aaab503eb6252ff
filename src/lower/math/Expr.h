//===- Expr.h - Formulas that emit code -----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A mathematical function is written once, as a formula on Exprs, for f32 and f64: building
// the formula emits LLVM-dialect ops in the type of its operands.
//
//   Expr t = expm1(x);            // numbers in a formula take the type of the other operand
//   return t / (t + 2);
//
// Products and sums are emitted as they stand and round each. Back ends may fuse a product
// and a sum into one instruction. A formula whose error analysis needs the rounded
// product - x y - round(x y) is computed exactly by fma - must use roundedProduct, which
// no back end may fuse.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATH_EXPR_H
#define TILEWRIGHT_LOWER_MATH_EXPR_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <concepts>

namespace tilewright::lower {

/// The place where a formula's ops go: the end of a block of a function.
struct Code {
  mlir::OpBuilder builder;
  mlir::Location loc;

  template <typename Op, typename... Args> Op create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
};

/// A scalar of a formula: f16, bf16, f32, f64, or an integer, which has no sign of its own;
/// i1 is a condition. Or a vector of such, which formulas without branches and calls take element
/// by element: then a type that a function is given is that of an element.
class Expr {
public:
  Expr(Code &code, mlir::Value value) : code(&code), ssa(value) {}

  mlir::Value value() const { return ssa; }
  mlir::Type type() const { return ssa.getType(); }
  mlir::Type elementType() const { return mlir::getElementTypeOrSelf(type()); }
  /// The vector of as many elements of `element` as this has; `element` where this is a scalar.
  mlir::Type typeOf(mlir::Type element) const;
  Code &at() const { return *code; }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(elementType()); }
  bool isDouble() const { return elementType().isF64(); }
  unsigned bits() const { return elementType().getIntOrFloatBitWidth(); }

  /// A number in this type. Integers take the low bits.
  Expr like(double number) const;
  Expr like(int64_t number) const;
  template <std::integral T> Expr like(T number) const {
    return isFloat() ? like(static_cast<double>(number)) : like(static_cast<int64_t>(number));
  }
  /// `single` in formulas of f32, `wide` in formulas of f64.
  Expr like(double single, double wide) const { return like(isDouble() ? wide : single); }

private:
  Code *code;
  mlir::Value ssa;
};

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
/// Correctly rounded for floats; signed for integers.
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
/// `!` of a condition, bitwise complement of an integer.
Expr operator~(Expr a);
Expr operator<<(Expr a, Expr b);
/// Brings in copies of the sign.
Expr operator>>(Expr a, Expr b);
/// Brings in zeros.
Expr shiftRightLogical(Expr a, Expr b);

// Ordered, or signed.
Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator==(Expr a, Expr b);
/// True for a NaN.
Expr operator!=(Expr a, Expr b);
Expr unsignedLess(Expr a, Expr b);

#define TILEWRIGHT_WITH_NUMBER(op)                                                                 \
  template <Number T> Expr operator op(Expr a, T b) { return a op a.like(b); }                     \
  template <Number T> Expr operator op(T a, Expr b) { return b.like(a) op b; }
TILEWRIGHT_WITH_NUMBER(+)
TILEWRIGHT_WITH_NUMBER(-)
TILEWRIGHT_WITH_NUMBER(*)
TILEWRIGHT_WITH_NUMBER(/)
TILEWRIGHT_WITH_NUMBER(&)
TILEWRIGHT_WITH_NUMBER(|)
TILEWRIGHT_WITH_NUMBER(^)
TILEWRIGHT_WITH_NUMBER(<<)
TILEWRIGHT_WITH_NUMBER(>>)
TILEWRIGHT_WITH_NUMBER(<)
TILEWRIGHT_WITH_NUMBER(<=)
TILEWRIGHT_WITH_NUMBER(>)
TILEWRIGHT_WITH_NUMBER(>=)
TILEWRIGHT_WITH_NUMBER(==)
TILEWRIGHT_WITH_NUMBER(!=)
#undef TILEWRIGHT_WITH_NUMBER

/// Both are computed.
Expr select(Expr condition, Expr yes, Expr no);
template <Number T> Expr select(Expr condition, T yes, Expr no) {
  return select(condition, no.like(yes), no);
}
template <Number T> Expr select(Expr condition, Expr yes, T no) {
  return select(condition, yes, yes.like(no));
}

/// `rare()` where the condition holds, else `usual`: with a branch, so that what is rare
/// costs nothing otherwise. `rare` may move the code's place.
llvm::SmallVector<Expr> branch(Expr condition, llvm::ArrayRef<Expr> usual,
                               llvm::function_ref<llvm::SmallVector<Expr>()> rare);

/// Values that a loop changes: `step` gives the next ones, until `proceed` is false of the
/// ones it has, which are the result.
llvm::SmallVector<Expr>
loopWhile(llvm::ArrayRef<Expr> start, llvm::function_ref<Expr(llvm::ArrayRef<Expr>)> proceed,
          llvm::function_ref<llvm::SmallVector<Expr>(llvm::ArrayRef<Expr>)> step);

/// a b + c, rounded once.
Expr fma(Expr a, Expr b, Expr c);
template <Number T> Expr fma(Expr a, T b, Expr c) { return fma(a, a.like(b), c); }
template <Number T> Expr fma(Expr a, Expr b, T c) { return fma(a, b, a.like(c)); }
Expr abs(Expr x);
Expr copysign(Expr size, Expr sign);
/// Correctly rounded.
Expr sqrt(Expr x);
/// To integers, ties to even.
Expr roundEven(Expr x);
Expr trunc(Expr x);
Expr floor(Expr x);
Expr ceil(Expr x);
/// The one that is a number, if one is not.
Expr minNumber(Expr a, Expr b);
Expr maxNumber(Expr a, Expr b);

Expr isNan(Expr x);
Expr isInfinite(Expr x);
/// Neither NaN nor infinite.
Expr isFinite(Expr x);
/// Also of -0 and of NaNs.
Expr isNegative(Expr x);

/// The bits of a float as an integer, and back.
Expr toBits(Expr x);
Expr fromBits(Expr x);
/// The same bits in a type of the same size.
Expr bitcast(Expr x, mlir::Type type);
/// The lowest bits of an integer, or zeros or the sign in front.
Expr resize(Expr x, unsigned bits, bool isSigned);
/// An integer as a float of the type of `like`.
Expr toFloat(Expr x, Expr like, bool isSigned);
/// A float as a signed integer, toward zero; undefined where it does not fit.
Expr toInteger(Expr x, unsigned bits);
/// Floats of another width, rounded to nearest even.
Expr extend(Expr x, mlir::Type type);
Expr truncate(Expr x, mlir::Type type);

/// Layout of the float types: bits of the fraction, bias of the exponent.
inline unsigned fractionBits(Expr x) { return x.isDouble() ? 52 : 23; }
inline int exponentBias(Expr x) { return x.isDouble() ? 1023 : 127; }

/// c0 + c1 x + c2 x^2 + .. by Horner's rule.
Expr polynomial(Expr x, llvm::ArrayRef<double> coefficients);
/// One of two polynomials by the type of x.
Expr polynomial(Expr x, llvm::ArrayRef<double> single, llvm::ArrayRef<double> wide);

/// Likewise, in the variable that is -1 at x = low and 1 at x = high.
Expr polynomialIn(Expr x, double low, double high, llvm::ArrayRef<double> single,
                  llvm::ArrayRef<double> wide);

/// f(x), computed in f64 whatever the type of x is.
Expr inDouble(Expr x, llvm::function_ref<Expr(Expr)> f);

/// round(a b), which is not fused with a sum: fma(a, b, +0). The sign of a zero is lost.
Expr roundedProduct(Expr a, Expr b);

/// An unevaluated sum: high + low, where high is the sum rounded.
struct Pair {
  Expr high, low;
};
/// a + b exactly (Knuth, The Art of Computer Programming 2, 4.2.2).
Pair exactSum(Expr a, Expr b);
/// a + b exactly, if |a| >= |b| or a = 0 (Dekker, Numerische Mathematik 18, 1971).
Pair exactFastSum(Expr a, Expr b);
/// a b exactly.
Pair exactProduct(Expr a, Expr b);

/// 2^k for |k| less than the bias.
Expr powerOfTwo(Expr k, Expr like);
/// x 2^k for an i32 k, rounded once where the result is subnormal; |k| less than twice
/// the bias.
Expr scaleByPower(Expr x, Expr k);

/// x as the nearest integer, as a float and as an i32. |x| below 2^21 for f32, 2^30 for f64;
/// the i32 of anything else is some number.
struct Rounded {
  Expr number, integer;
};
Rounded nearestInteger(Expr x);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MATH_EXPR_H
