#!/usr/bin/env python3
"""Fits the polynomials of the special functions in src/lower/math and prints
SpecialCoefficients.h.

    venv/bin/python bench/math/fit_special_functions.py > src/lower/math/SpecialCoefficients.h

See fit_polynomials.py for how a polynomial is fitted. Here each one is in t, the middle of its
interval at 0 and its ends at -1 and 1, so that Horner's rule does not lose bits to terms that
cancel. Zeros of a function are divided out first: what is fitted has none.
"""

from mpmath import mp, mpf, pi

from fit_polynomials import interpolate, print_array, to_double, to_single

mp.dps = 50


def zero(f, near):
    return mp.findroot(f, mpf(near))


def near(f, x, value):
    """f, or `value` where f's formula divides 0 by 0."""
    return lambda at: value if abs(at - x) < mpf(10) ** -20 else f(at)


# Zeros of J0, J1, Y0, Y1 below 8.
J0 = [zero(lambda x: mp.besselj(0, x), z) for z in (2.4, 5.5)]
J1 = [zero(lambda x: mp.besselj(1, x), z) for z in (3.8, 7.0)]
Y0 = [zero(lambda x: mp.bessely(0, x), z) for z in (0.9, 4.0, 7.1)]
Y1 = [zero(lambda x: mp.bessely(1, x), z) for z in (2.2, 5.4)]


def over(f, root):
    return lambda x: f(x) / (x - root)


def y0_rest(z):
    """(Y0 x - 2 / pi ln(x / r) J0 x) / (x^2 - r^2) in z = x^2; r is the first zero."""
    x, r = mp.sqrt(z), Y0[0]
    return (mp.bessely(0, x) - 2 / pi * mp.log(x / r) * mp.besselj(0, x)) / (z - r * r)


def y1_rest(z):
    """(Y1 x - 2 / pi (ln(x / r) J1 x - (1 - z / r^2) / x)) / (x (z - r^2)) in z = x^2."""
    x, r = mp.sqrt(z), Y1[0]
    part = 2 / pi * (mp.log(x / r) * mp.besselj(1, x) - (1 - z / (r * r)) / x)
    return (mp.bessely(1, x) - part) / (x * (z - r * r))


def hankel(order, imaginary):
    """P or Q 8 / x of Hankel's asymptotic forms, in w = (8 / x)^2."""
    def value(w):
        if w < mpf(10) ** -12:
            mu = 4 * order * order
            return mpf(1) if not imaginary else mpf(mu - 1) / 64
        x = 8 / mp.sqrt(w)
        chi = x - (2 * order + 1) * pi / 4
        scale = mp.sqrt(pi * x / 2)
        j, y = mp.besselj(order, x) * scale, mp.bessely(order, x) * scale
        if not imaginary:
            return j * mp.cos(chi) + y * mp.sin(chi)
        return (y * mp.cos(chi) - j * mp.sin(chi)) / mp.sqrt(w)
    return value


def inverse_error(w):
    """erfinv x / x, where w = -ln(1 - x^2)."""
    if w < mpf(10) ** -20:
        return mp.sqrt(pi) / 2
    power = mp.exp(-w)
    x = mp.sqrt(1 - power)
    if w < 6:
        return mp.erfinv(x) / x
    # erfc v = 1 - x, by Newton's method on its logarithm.
    goal = mp.log(power / (1 + x))
    v = mp.sqrt(w - mp.log(pi * w) / 2)
    for _ in range(8):
        complement = mp.erfc(v)
        slope = -2 / mp.sqrt(pi) * mp.exp(-v * v) / complement
        v -= (mp.log(complement) - goal) / slope
    return v / x


def stirling_rest(u):
    """x (lgamma x - (x - 1/2) (ln x - 1) - (ln 2 pi - 1) / 2) in u = 1 / x^2."""
    if u == 0:
        return mpf(1) / 12
    x = 1 / mp.sqrt(u)
    return x * (mp.loggamma(x) - (x - mpf(1) / 2) * (mp.log(x) - 1) - (mp.log(2 * pi) - 1) / 2)


def gamma_rest(u):
    """x^(3/2 - x) e^x Gamma x / sqrt(2 pi) - x in u = 1 / x."""
    if u == 0:
        return mpf(1) / 12
    x = 1 / u
    return x * (mp.exp(mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x) / mp.sqrt(2 * pi) - 1)


def square_root(f):
    return lambda s: f(s * s)


# Name, what it stands for, function, interval, degree for f32 and for f64.
POLYNOMIALS = [
    ("inverseErrorCentral", "erfinv x / x in w = -ln(1 - x^2), 0 <= w <= 6.25",
     inverse_error, 0, "6.25", 10, 23),
    ("inverseErrorMiddle", "erfinv x / x in sqrt w, 6.25 <= w <= 36",
     square_root(inverse_error), "2.5", 6, 11, 27),
    ("inverseErrorFar", "erfinv x / x in sqrt w, 36 <= w <= 169",
     square_root(inverse_error), 6, 13, 9, 23),
    ("inverseErrorFarthest", "erfinv x / x in sqrt w, 169 <= w <= 784",
     square_root(inverse_error), 13, 28, None, 23),
    ("logGammaAtOne", "lgamma x / ((x - 1) (x - 2)) in x, 1/2 <= x <= 3/2",
     near(lambda x: mp.loggamma(x) / ((x - 1) * (x - 2)), 1, mp.euler), "0.5", "1.5", None, 28),
    ("logGammaAtTwo", "lgamma x / ((x - 1) (x - 2)) in x, 3/2 <= x <= 4",
     near(lambda x: mp.loggamma(x) / ((x - 1) * (x - 2)), 2, 1 - mp.euler), "1.5", 4, None, 27),
    ("logGammaRest",
     "x (lgamma x - (x - 1/2) (ln x - 1) - (ln 2 pi - 1) / 2) in 1 / x^2, x >= 4",
     stirling_rest, 0, mpf(1) / 16, None, 10),
    ("gamma", "Gamma x in x, 1 <= x <= 2", mp.gamma, 1, 2, None, 22),
    ("gammaRest", "x (Gamma x / (sqrt(2 pi) x^(x - 1/2) e^-x) - 1) in 1 / x, x >= 10",
     gamma_rest, 0, mpf(1) / 10, None, 10),
    ("besselJ0Low", "J0 x / (x^2 - r^2) in x^2, x <= 4, r the first zero",
     lambda z: mp.besselj(0, mp.sqrt(z)) / (z - J0[0] ** 2), 0, 16, None, 13),
    ("besselJ0High", "J0 x / (x - r) in x, 4 <= x <= 8, r the second zero",
     over(lambda x: mp.besselj(0, x), J0[1]), 4, 8, None, 18),
    ("besselJ1Low", "J1 x / (x (x^2 - r^2)) in x^2, x <= 5, r the first zero",
     near(lambda z: mp.besselj(1, mp.sqrt(z)) / (mp.sqrt(z) * (z - J1[0] ** 2)), 0,
          -1 / (2 * J1[0] ** 2)), 0, 25, None, 16),
    ("besselJ1High", "J1 x / (x - r) in x, 5 <= x <= 8, r the second zero",
     over(lambda x: mp.besselj(1, x), J1[1]), 5, 8, None, 16),
    ("besselY0Low", "(Y0 x - 2 / pi ln(x / r) J0 x) / (x^2 - r^2) in x^2, x <= 3, r the first zero",
     near(y0_rest, 0, (mp.euler - mp.log(2) + mp.log(Y0[0])) * 2 / pi / -(Y0[0] ** 2)),
     0, 9, None, 12),
    ("besselY0Middle", "Y0 x / (x - r) in x, 3 <= x <= 5.5, r the second zero",
     over(lambda x: mp.bessely(0, x), Y0[1]), 3, "5.5", None, 22),
    ("besselY0High", "Y0 x / (x - r) in x, 5.5 <= x <= 8, r the third zero",
     over(lambda x: mp.bessely(0, x), Y0[2]), "5.5", 8, None, 17),
    ("besselY1Low",
     "(Y1 x - 2 / pi (ln(x / r) J1 x - (1 - x^2 / r^2) / x)) / (x (x^2 - r^2)) in x^2, x <= 4, "
     "r the first zero", y1_rest, mpf(10) ** -16, 16, None, 15),
    ("besselY1High", "Y1 x / (x - r) in x, 4 <= x <= 8, r the second zero",
     over(lambda x: mp.bessely(1, x), Y1[1]), 4, 8, None, 25),
    ("hankelP0", "P of Hankel's form of J0 and Y0 in (8 / x)^2, x >= 8",
     hankel(0, False), 0, 1, None, 13),
    ("hankelQ0", "x / 8 Q of Hankel's form of J0 and Y0 in (8 / x)^2, x >= 8",
     hankel(0, True), 0, 1, None, 13),
    ("hankelP1", "P of Hankel's form of J1 and Y1 in (8 / x)^2, x >= 8",
     hankel(1, False), 0, 1, None, 13),
    ("hankelQ1", "x / 8 Q of Hankel's form of J1 and Y1 in (8 / x)^2, x >= 8",
     hankel(1, True), 0, 1, None, 13),
    ("besselI0Low", "e^-x I0 x in x, x <= 8",
     lambda x: mp.exp(-x) * mp.besseli(0, x), 0, 8, None, 29),
    ("besselI0High", "sqrt x e^-x I0 x in 8 / x, x >= 8",
     near(lambda u: mp.sqrt(8 / u) * mp.exp(-8 / u) * mp.besseli(0, 8 / u), 0,
          1 / mp.sqrt(2 * pi)), 0, 1, None, 25),
    ("besselI1Low", "e^-x I1 x / x in x, x <= 8",
     near(lambda x: mp.exp(-x) * mp.besseli(1, x) / x, 0, mpf(1) / 2), 0, 8, None, 30),
    ("besselI1High", "sqrt x e^-x I1 x in 8 / x, x >= 8",
     near(lambda u: mp.sqrt(8 / u) * mp.exp(-8 / u) * mp.besseli(1, 8 / u), 0,
          1 / mp.sqrt(2 * pi)), 0, 1, None, 25),
]


def centred(f, low, high, degree):
    low, high = mpf(low), mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    return interpolate(lambda t: f(middle + half * t), mpf(-1), mpf(1), degree)


def error(f, low, high, coefficients):
    """The greatest relative error of the rounded polynomial, at some points."""
    low, high = mpf(low), mpf(high)
    worst = mpf(0)
    for i in range(1, 60):
        t = mp.cos(i * pi / 60)
        x = (low + high) / 2 + (high - low) / 2 * t
        value = mp.polyval(list(reversed(coefficients)), t)
        worst = max(worst, abs(value / f(x) - 1))
    return worst


def print_zero(name, root):
    """A number, rounded, and what it lacks."""
    high = mpf(float(root))
    low = mpf(float(root - high))
    print(f"inline constexpr double {name}[] = {{{float(high).hex()}, {float(low).hex()}}};")


def main():
    print("""//===- SpecialCoefficients.h - Polynomials of special functions -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Printed by bench/math/fit_special_functions.py, which says how they are fitted. Lowest
// coefficients come first; the variable is 0 in the middle of the interval, -1 and 1 at its
// ends.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATH_SPECIALCOEFFICIENTS_H
#define TILEWRIGHT_LOWER_MATH_SPECIALCOEFFICIENTS_H

namespace tilewright::lower::coefficients {

// clang-format off: a coefficient a line, as printed.
// Zeros of Bessel functions: each rounded, and what it lacks.""")
    for name, roots in (("zerosJ0", J0), ("zerosJ1", J1), ("zerosY0", Y0), ("zerosY1", Y1)):
        for i, root in enumerate(roots):
            print_zero(f"{name}_{i + 1}", root)
    print()
    for name, text, f, low, high, single, double in POLYNOMIALS:
        if f is None:
            continue
        print(f"/// {text}.")
        for suffix, degree, rounded in (("F32", single, to_single), ("F64", double, to_double)):
            if degree is None:
                continue
            coefficients = [rounded(c) for c in centred(f, low, high, degree)]
            print_array(name + suffix, coefficients)
            bits = -mp.log(error(f, low, high, coefficients), 2)
            print(f"{name + suffix}: {float(bits):.1f} bits", file=__import__("sys").stderr)
        print()
    print("""// clang-format on

} // namespace tilewright::lower::coefficients

#endif // TILEWRIGHT_LOWER_MATH_SPECIALCOEFFICIENTS_H""")


if __name__ == "__main__":
    main()
