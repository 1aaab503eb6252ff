#!/usr/bin/env python3
"""Fits the polynomials of src/lower/math and prints Coefficients.h.

    python3 -m venv venv && venv/bin/pip install mpmath
    venv/bin/python bench/math/fit_polynomials.py > src/lower/math/Coefficients.h

Each polynomial interpolates its function, divided by what the formula around it
multiplies with, in the Chebyshev nodes of its interval, with 60 digits. That is within a
small factor of the best uniform approximation (L. N. Trefethen, Approximation Theory and
Approximation Practice, theorem 16.1). The rounding of coefficients does no harm: each
polynomial is the small correction to a leading term that is exact.
"""

import struct

from mpmath import mp, mpf, cos, pi

mp.dps = 60


def to_single(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_double(x):
    return mpf(float(x))


def interpolate(f, low, high, degree):
    """The coefficients, lowest first, of the interpolant in the Chebyshev nodes."""
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * cos((2 * i + 1) * pi / (2 * count))
             for i in range(count)]
    # Newton's divided differences, expanded.
    table = [f(x) for x in nodes]
    for level in range(1, count):
        for i in range(count - 1, level - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - level])
    coefficients = [mpf(0)] * count
    for i in range(count - 1, -1, -1):
        shifted = [mpf(0)] + coefficients[:-1]
        coefficients = [s - nodes[i] * c for s, c in zip(shifted, coefficients)]
        coefficients[0] += table[i]
    return coefficients


def fit(f, low, high, degree, rounded):
    return [rounded(c) for c in interpolate(f, mpf(low), mpf(high), degree)]


def near_zero(f, series):
    """f, by the first terms of its series where f's formula cancels."""
    return lambda x: f(x) if abs(x) > mpf(10) ** -8 else sum(
        c * x ** i for i, c in enumerate(series))


def taylor(f, terms):
    return [c for c in mp.taylor(f, 0, terms)]


def in_square(f):
    """g with g(z) = f(sqrt z)."""
    return lambda z: f(mp.sqrt(z))


HALF_LN2 = mp.log(2) / 2
QUARTER_TURN = pi / 4

# Name, what it stands for, function, interval, degree for f32 and for f64.
POLYNOMIALS = [
    ("exponential", "(e^r - 1 - r) / r^2 in r, |r| <= ln 2 / 2",
     lambda r: (mp.expm1(r) - r) / r ** 2, [mpf(1) / mp.factorial(i + 2) for i in range(8)],
     -HALF_LN2 * 1.001, HALF_LN2 * 1.001, 5, 10),
    ("logarithm", "(ln(1 + f) - f) / f^2 in f, 2/3 <= 1 + f <= 4/3",
     lambda f: (mp.log1p(f) - f) / f ** 2, [mpf((-1) ** (i + 1)) / (i + 2) for i in range(8)],
     -mpf(1) / 3, mpf(1) / 3, 8, None),
    ("areaTangent", "(artanh s - s) / s^3 in s^2, |s| <= 3 - 2 sqrt 2",
     in_square(lambda s: (mp.atanh(s) - s) / s ** 3), [mpf(1) / (2 * i + 3) for i in range(8)],
     0, mpf("0.02945"), None, 7),
    ("areaTangentRest", "(artanh s - s - s^3 / 3) / s^5 in s^2, |s| <= 3 - 2 sqrt 2",
     in_square(lambda s: (mp.atanh(s) - s - s ** 3 / 3) / s ** 5),
     [mpf(1) / (2 * i + 5) for i in range(8)],
     0, mpf("0.02945"), 3, 8),
    ("sine", "(sin r - r) / r^3 in r^2, |r| <= pi / 4",
     in_square(lambda r: (mp.sin(r) - r) / r ** 3),
     [(-1) ** (i + 1) / mp.factorial(2 * i + 3) for i in range(8)],
     0, QUARTER_TURN ** 2 * mpf("1.01"), 3, 6),
    ("cosine", "(cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi / 4",
     in_square(lambda r: (mp.cos(r) - 1 + r ** 2 / 2) / r ** 4),
     [(-1) ** i / mp.factorial(2 * i + 4) for i in range(8)],
     0, QUARTER_TURN ** 2 * mpf("1.01"), 3, 6),
    ("arcSine", "(arcsin x - x) / x^3 in x^2, |x| <= 1/2",
     in_square(lambda x: (mp.asin(x) - x) / x ** 3),
     [c for c in mp.taylor(mp.asin, 0, 17)[3::2]],
     0, mpf(1) / 4, 5, 12),
    ("arcTangent", "(arctan x - x) / x^3 in x^2, |x| <= 1",
     in_square(lambda x: (mp.atan(x) - x) / x ** 3),
     [mpf((-1) ** (i + 1)) / (2 * i + 3) for i in range(8)],
     0, 1, 9, 21),
    ("errorFunction", "(erf x - x) / x in x^2, |x| <= 1",
     in_square(lambda x: (mp.erf(x) - x) / x),
     [2 / mp.sqrt(pi) * (-1) ** i / (mp.factorial(i) * (2 * i + 1)) - (i == 0) for i in range(8)],
     0, 1, 6, 12),
    ("logComplement", "log2 erfc x in x - 5/2, 1 <= x <= 4",
     lambda t: mp.log(mp.erfc(t + mpf(5) / 2)) / mp.log(2), None,
     -mpf(3) / 2, mpf(3) / 2, 8, None),
    ("hyperbolicTangent", "(tanh x - x) / x^3 in x^2, |x| <= 0.6",
     in_square(lambda x: (mp.tanh(x) - x) / x ** 3), [c for c in mp.taylor(mp.tanh, 0, 17)[3::2]],
     0, mpf("0.36"), 5, None),
]


def scaled_complement(t):
    """(1 + 2 x) e^(x^2) erfc x, where t = (x - 4) / (x + 4)."""
    if t >= 1:
        return 2 / mp.sqrt(pi)
    x = 4 * (1 + t) / (1 - t)
    if x > 1000:
        tail = sum((-1) ** k * mp.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(8))
        return (1 + 2 * x) / (x * mp.sqrt(pi)) * tail
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def print_array(name, coefficients):
    words = [float(c).hex() for c in coefficients]
    print(f"inline constexpr double {name}[] = {{")
    for word in words:
        mantissa, exponent = word.split("p")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        print(f"    {mantissa}p{exponent},")
    print("};")


def main():
    print("""//===- Coefficients.h - Polynomials of mathematical functions -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Printed by bench/math/fit_polynomials.py, which says how they are fitted. Lowest
// coefficients come first.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATH_COEFFICIENTS_H
#define TILEWRIGHT_LOWER_MATH_COEFFICIENTS_H

namespace tilewright::lower::coefficients {

// clang-format off: a coefficient a line, as printed.""")
    for name, text, f, series, low, high, single, double in POLYNOMIALS:
        f = near_zero(f, series) if series else f
        print(f"/// {text}.")
        for suffix, degree, rounded in (("F32", single, to_single), ("F64", double, to_double)):
            if degree is not None:
                print_array(name + suffix, fit(f, low, high, degree, rounded))
        print()
    print("/// (1 + 2 x) e^(x^2) erfc x in t = (x - 4) / (x + 4), x >= 0.")
    for suffix, degree, rounded in (("F32", 13, to_single), ("F64", 27, to_double)):
        coefficients = fit(scaled_complement, -1, 1, degree, rounded)
        print_array("scaledComplement" + suffix, coefficients)
    print("""// clang-format on

} // namespace tilewright::lower::coefficients

#endif // TILEWRIGHT_LOWER_MATH_COEFFICIENTS_H""")


if __name__ == "__main__":
    main()
