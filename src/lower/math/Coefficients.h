//===- Coefficients.h - Polynomials of mathematical functions -------*- C++ -*-===//
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

// clang-format off: a coefficient a line, as printed.
/// (e^r - 1 - r) / r^2 in r, |r| <= ln 2 / 2.
inline constexpr double exponentialF32[] = {
    0x1p-1,
    0x1.555556p-3,
    0x1.5554e8p-5,
    0x1.1110ep-7,
    0x1.6d43bp-10,
    0x1.a1256cp-13,
};
inline constexpr double exponentialF64[] = {
    0x1p-1,
    0x1.5555555555557p-3,
    0x1.5555555555556p-5,
    0x1.11111111100bep-7,
    0x1.6c16c16c162c3p-10,
    0x1.a01a01abf85abp-13,
    0x1.a01a01a6e1e2ap-16,
    0x1.71de01fdbf9cap-19,
    0x1.27e4db46cddd1p-22,
    0x1.af4e554377204p-26,
    0x1.1f7340dbc337ep-29,
};

/// (ln(1 + f) - f) / f^2 in f, 2/3 <= 1 + f <= 4/3.
inline constexpr double logarithmF32[] = {
    -0x1p-1,
    0x1.55552cp-2,
    -0x1.ffffb6p-3,
    0x1.99bf86p-3,
    -0x1.557832p-3,
    0x1.1fdcfp-3,
    -0x1.f75896p-4,
    0x1.1990bcp-3,
    -0x1.fcd036p-4,
};

/// (artanh s - s) / s^3 in s^2, |s| <= 3 - 2 sqrt 2.
inline constexpr double areaTangentF64[] = {
    0x1.5555555555555p-2,
    0x1.9999999999a38p-3,
    0x1.2492492476ba1p-3,
    0x1.c71c72017a15cp-4,
    0x1.745cf8f6c9119p-4,
    0x1.3b1c38474d3eep-4,
    0x1.0fbe478772696p-4,
    0x1.0c06cf14c641bp-4,
};

/// (artanh s - s - s^3 / 3) / s^5 in s^2, |s| <= 3 - 2 sqrt 2.
inline constexpr double areaTangentRestF32[] = {
    0x1.99999ap-3,
    0x1.24928ep-3,
    0x1.c6c0d8p-4,
    0x1.8797f2p-4,
};
inline constexpr double areaTangentRestF64[] = {
    0x1.999999999999ap-3,
    0x1.2492492492491p-3,
    0x1.c71c71c71cfdep-4,
    0x1.745d174512f5ep-4,
    0x1.3b13b1bcae4fap-4,
    0x1.1110df9bb9145p-4,
    0x1.e1f80050fe02dp-5,
    0x1.ac4a0689e4f11p-5,
    0x1.b8d8d83f51283p-5,
};

/// (sin r - r) / r^3 in r^2, |r| <= pi / 4.
inline constexpr double sineF32[] = {
    -0x1.555556p-3,
    0x1.11110ep-7,
    -0x1.a01388p-13,
    0x1.6db388p-19,
};
inline constexpr double sineF64[] = {
    -0x1.5555555555555p-3,
    0x1.111111111111p-7,
    -0x1.a01a01a0198dep-13,
    0x1.71de3a5455b9ap-19,
    -0x1.ae64540000f84p-26,
    0x1.6121703ee57b1p-33,
    -0x1.ab0f25d21fd92p-41,
};

/// (cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi / 4.
inline constexpr double cosineF32[] = {
    0x1.555556p-5,
    -0x1.6c16cp-10,
    0x1.a015aep-16,
    -0x1.251d4ap-22,
};
inline constexpr double cosineF64[] = {
    0x1.5555555555555p-5,
    -0x1.6c16c16c16c16p-10,
    0x1.a01a01a019ce2p-16,
    -0x1.27e4fb770e01dp-22,
    0x1.1eed8de33ebep-29,
    -0x1.9394ace29bd7bp-37,
    0x1.ab70a23137c25p-45,
};

/// (arcsin x - x) / x^3 in x^2, |x| <= 1/2.
inline constexpr double arcSineF32[] = {
    0x1.555554p-3,
    0x1.33343p-4,
    0x1.6d5bbap-5,
    0x1.fd8da2p-6,
    0x1.18f91ep-6,
    0x1.13fed4p-5,
};
inline constexpr double arcSineF64[] = {
    0x1.5555555555556p-3,
    0x1.3333333332ecap-4,
    0x1.6db6db6e31f13p-5,
    0x1.f1c71c1db0623p-6,
    0x1.6e8bb1c8209a2p-6,
    0x1.1c4d35cf95421p-6,
    0x1.c9cf07674736ap-7,
    0x1.782651caa6547p-7,
    0x1.52420b04b37bep-7,
    0x1.65a9c4dfcf8b2p-8,
    0x1.1d189408314eep-6,
    -0x1.e6aaa8a0a04ccp-7,
    0x1.d72b2bc8155f8p-6,
};

/// (arctan x - x) / x^3 in x^2, |x| <= 1.
inline constexpr double arcTangentF32[] = {
    -0x1.555556p-2,
    0x1.999956p-3,
    -0x1.248952p-3,
    0x1.c62cdap-4,
    -0x1.6dd8fep-4,
    0x1.2006f8p-4,
    -0x1.9115a4p-5,
    0x1.aefb2cp-6,
    -0x1.2ba6b6p-7,
    0x1.86406cp-10,
};
inline constexpr double arcTangentF64[] = {
    -0x1.5555555555555p-2,
    0x1.999999999997dp-3,
    -0x1.2492492491234p-3,
    0x1.c71c71c6882cdp-4,
    -0x1.745d1731e853fp-4,
    0x1.3b13af957f086p-4,
    -0x1.1110f9a06b09dp-4,
    0x1.e1e0069edf96ep-5,
    -0x1.af1a76061e434p-5,
    0x1.85c82bf04fbd6p-5,
    -0x1.62c464c86804fp-5,
    0x1.42a843b89b0ebp-5,
    -0x1.20f157ad652dfp-5,
    0x1.f0f041d3e2f5p-6,
    -0x1.8c59dbc673323p-6,
    0x1.198ad7e0bd0c6p-6,
    -0x1.552f78ddf9b3p-7,
    0x1.50ea3497605b5p-8,
    -0x1.0110cfd66bd22p-9,
    0x1.19e6b726893dp-11,
    -0x1.890e58e18ff08p-14,
    0x1.04a3628aee536p-17,
};

/// (erf x - x) / x in x^2, |x| <= 1.
inline constexpr double errorFunctionF32[] = {
    0x1.06eba8p-3,
    -0x1.81273ep-2,
    0x1.ce2d1p-4,
    -0x1.b7fabap-6,
    0x1.54127p-8,
    -0x1.a45088p-11,
    0x1.4a569p-14,
};
inline constexpr double errorFunctionF64[] = {
    0x1.06eba8214db69p-3,
    -0x1.812746b0379e6p-2,
    0x1.ce2f21a042b3p-4,
    -0x1.b82ce31284ep-6,
    0x1.565bcd0dbaa38p-8,
    -0x1.c02db3dac435fp-11,
    0x1.f9a321d5b8e1ep-14,
    -0x1.f4d1e3183f7aep-17,
    0x1.b9df224ca4b97p-20,
    -0x1.5f1ecb6f0764cp-23,
    0x1.f7b4bf3b13964p-27,
    -0x1.389d4f2641625p-30,
    0x1.05ffd737fb32ep-34,
};

/// log2 erfc x in x - 5/2, 1 <= x <= 4.
inline constexpr double logComplementF32[] = {
    -0x1.68694cp+3,
    -0x1.ee39eep+2,
    -0x1.5c9bb2p+0,
    -0x1.00aa24p-6,
    0x1.9973c6p-9,
    -0x1.3dc688p-11,
    0x1.d3b2aep-14,
    -0x1.424832p-16,
    0x1.3d029ep-19,
};

/// (tanh x - x) / x^3 in x^2, |x| <= 0.6.
inline constexpr double hyperbolicTangentF32[] = {
    -0x1.555556p-2,
    0x1.1110f6p-3,
    -0x1.ba0d94p-5,
    0x1.64fad8p-6,
    -0x1.1394cap-7,
    0x1.36bdb2p-9,
};

/// (1 + 2 x) e^(x^2) erfc x in t = (x - 4) / (x + 4), x >= 0.
inline constexpr double scaledComplementF32[] = {
    0x1.3ba592p+0,
    -0x1.1df1aep-3,
    0x1.f7f6dcp-7,
    0x1.16ece4p-4,
    -0x1.9ddd1ep-4,
    0x1.7feeb6p-4,
    -0x1.0fa482p-4,
    0x1.307152p-5,
    -0x1.09eb9cp-6,
    0x1.4a90dp-8,
    -0x1.73be94p-11,
    -0x1.c8e00ap-13,
    0x1.dee71cp-14,
    -0x1.3baa6ep-17,
};
inline constexpr double scaledComplementF64[] = {
    0x1.3ba5916e9fd7fp+0,
    -0x1.1df1ad154a28ep-3,
    0x1.f7f5df66fd7b4p-7,
    0x1.16ecefcfa5395p-4,
    -0x1.9ddb23c3e90c3p-4,
    0x1.7fee004e1257bp-4,
    -0x1.0fb06dfe490c3p-4,
    0x1.3079edf68211p-5,
    -0x1.0962388538971p-6,
    0x1.49c6728655506p-8,
    -0x1.8d4a999e8c9a9p-11,
    -0x1.a1df256980c3cp-13,
    0x1.3be033ce3982ap-13,
    -0x1.9959511d5ab6dp-16,
    -0x1.7881b584b07b2p-17,
    0x1.7f2a52ef41159p-18,
    0x1.38669fea939c7p-22,
    -0x1.bb468cf4dff69p-21,
    0x1.52c97e7ca5ff3p-24,
    0x1.dcfb7c98a8956p-24,
    -0x1.77ab5f11dc2d1p-26,
    -0x1.0b2374ec65be9p-26,
    0x1.0f6f8cf940387p-28,
    0x1.37c31c710d399p-29,
    -0x1.276d07fd3fd0ap-31,
    -0x1.46551477da1c3p-32,
    0x1.6f4b2c594b8f3p-35,
    0x1.9f3a824329015p-36,
};
// clang-format on

} // namespace tilewright::lower::coefficients

#endif // TILEWRIGHT_LOWER_MATH_COEFFICIENTS_H
