//===- Formulas.h - Mathematical functions as formulas --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Functions of f32 and f64 that hardware does not have, or not accurately. They take and
// give what IEEE 754 and C's <math.h> say, for infinities, NaNs, zeros and subnormals
// too. docs/math.md lists their errors.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATH_FORMULAS_H
#define TILEWRIGHT_LOWER_MATH_FORMULAS_H

#include "lower/math/Expr.h"

namespace tilewright::lower::formulas {

// Exponential.cpp
Expr exp(Expr x);
Expr exp2(Expr x);
Expr exp10(Expr x);
Expr expm1(Expr x);
Expr sinh(Expr x);
Expr cosh(Expr x);
Expr tanh(Expr x);

// Logarithm.cpp
Expr log(Expr x);
Expr log2(Expr x);
Expr log10(Expr x);
Expr log1p(Expr x);
Expr asinh(Expr x);
Expr acosh(Expr x);
Expr atanh(Expr x);

// Circular.cpp
Expr sin(Expr x);
Expr cos(Expr x);
Expr tan(Expr x);
Expr sinpi(Expr x);
Expr cospi(Expr x);
/// sin, cos and tan of large numbers, by Payne's and Hanek's reduction.
Expr sinOfLarge(Expr x);
Expr cosOfLarge(Expr x);
Expr tanOfLarge(Expr x);

// InverseCircular.cpp
Expr asin(Expr x);
Expr acos(Expr x);
Expr atan(Expr x);
Expr atan2(Expr y, Expr x);

// ErrorFunction.cpp
Expr erf(Expr x);
Expr erfc(Expr x);
/// e^(x^2) erfc x.
Expr erfcx(Expr x);
/// The normal distribution: erfc(-x / sqrt 2) / 2.
Expr normcdf(Expr x);

// InverseErrorFunction.cpp
Expr erfinv(Expr x);
Expr erfcinv(Expr y);
/// The inverse of normcdf: -sqrt 2 erfcinv(2 p).
Expr normcdfinv(Expr p);

// Gamma.cpp
/// ln |Gamma x|.
Expr lgamma(Expr x);
Expr tgamma(Expr x);

// Bessel.cpp
Expr j0(Expr x);
Expr j1(Expr x);
Expr y0(Expr x);
Expr y1(Expr x);
/// Functions of order n, an i32.
Expr jn(Expr x, Expr n);
Expr yn(Expr x, Expr n);
Expr cylBesselI0(Expr x);
Expr cylBesselI1(Expr x);

// Power.cpp
Expr pow(Expr x, Expr y);
/// n is an i32.
Expr powi(Expr x, Expr n);
Expr cbrt(Expr x);
Expr rcbrt(Expr x);
Expr rsqrt(Expr x);
Expr hypot(Expr x, Expr y);
Expr rhypot(Expr x, Expr y);
/// sqrt(x^2 + y^2 + ..) or 1 over it, without overflow in between.
Expr norm(llvm::ArrayRef<Expr> x);
Expr reciprocalNorm(llvm::ArrayRef<Expr> x);

// Rounding.cpp
/// To the nearest integer, halves away from zero.
Expr round(Expr x);
Expr fmod(Expr x, Expr y);
Expr remainder(Expr x, Expr y);
Expr fdim(Expr x, Expr y);
Expr nextafter(Expr x, Expr y);
/// x 2^n; n is an i32.
Expr ldexp(Expr x, Expr n);
/// The exponent of x as an i32: the least i32 for 0, the greatest for infinities; for a
/// NaN the least.
Expr ilogb(Expr x);
Expr logb(Expr x);

} // namespace tilewright::lower::formulas

#endif // TILEWRIGHT_LOWER_MATH_FORMULAS_H
