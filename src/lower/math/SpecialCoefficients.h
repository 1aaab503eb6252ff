//===- SpecialCoefficients.h - Polynomials of special functions -----*- C++ -*-===//
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
// Zeros of Bessel functions: each rounded, and what it lacks.
inline constexpr double zerosJ0_1[] = {0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53};
inline constexpr double zerosJ0_2[] = {0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54};
inline constexpr double zerosJ1_1[] = {0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53};
inline constexpr double zerosJ1_2[] = {0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54};
inline constexpr double zerosY0_1[] = {0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};
inline constexpr double zerosY0_2[] = {0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54};
inline constexpr double zerosY0_3[] = {0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54};
inline constexpr double zerosY1_1[] = {0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55};
inline constexpr double zerosY1_2[] = {0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52};

/// erfinv x / x in w = -ln(1 - x^2), 0 <= w <= 6.25.
inline constexpr double inverseErrorCentralF32[] = {
    0x1.a755e8p+0,
    0x1.8040cap-1,
    -0x1.e2b1d4p-5,
    -0x1.72597p-6,
    0x1.23cfc2p-6,
    -0x1.0f3b1ap-8,
    -0x1.50e864p-10,
    0x1.44c144p-10,
    -0x1.e94a3p-13,
    -0x1.12a31cp-13,
    0x1.042992p-14,
};
inline constexpr double inverseErrorCentralF64[] = {
    0x1.a755e7c99ae86p+0,
    0x1.8040caa12786bp-1,
    -0x1.e2b19456a0d5cp-5,
    -0x1.7259eca3a0e6ap-6,
    0x1.23c5aee6d7623p-6,
    -0x1.0f249df1e0f4cp-8,
    -0x1.4d5dd2f601d97p-10,
    0x1.4316b4de70ff3p-10,
    -0x1.153c9cea11803p-12,
    -0x1.ea4472a80be62p-14,
    0x1.879bf9b660a9p-14,
    -0x1.f83eaa8301e2fp-17,
    -0x1.79ad54de00827p-17,
    0x1.de7b6e9c9a48dp-18,
    -0x1.712e9bbf5975bp-21,
    -0x1.1c4e17253da66p-20,
    0x1.24f0792b27f89p-21,
    -0x1.65c703ccb827bp-27,
    -0x1.c39d8ba95df48p-24,
    0x1.51b6d83b10caep-25,
    0x1.37b6d2ede04acp-27,
    -0x1.286d931b525f7p-27,
    -0x1.7943526054c85p-34,
    0x1.ace756859e33ap-31,
};

/// erfinv x / x in sqrt w, 6.25 <= w <= 36.
inline constexpr double inverseErrorMiddleF32[] = {
    0x1.05e6fep+2,
    0x1.c47862p+0,
    0x1.1d48d6p-9,
    -0x1.aa599ep-9,
    0x1.0e16c2p-9,
    -0x1.24c12ep-10,
    0x1.6f7786p-12,
    -0x1.14e424p-12,
    0x1.fee616p-11,
    -0x1.f26a5p-11,
    0x1.2d8b48p-13,
    0x1.bd5ff8p-14,
};
inline constexpr double inverseErrorMiddleF64[] = {
    0x1.05e6fd13251afp+2,
    0x1.c478637ea2f3ap+0,
    0x1.1e1a81aa22eap-9,
    -0x1.ab060f3e9c2a7p-9,
    0x1.04d4d54e1af98p-9,
    -0x1.152c01e29142bp-10,
    0x1.4b0015b86c343p-11,
    -0x1.0cbe2fc0f7a76p-11,
    0x1.0bd26cc36a2b9p-11,
    -0x1.032937fc41cbep-11,
    0x1.a4f008337ad92p-12,
    -0x1.fd6cbf188fa0ap-13,
    0x1.42d001170fa2ep-14,
    0x1.36488ea830608p-15,
    -0x1.3f694aab147dbp-14,
    0x1.f227de8d73197p-15,
    -0x1.8e4f6790bc6fap-16,
    -0x1.518ed942f1a64p-19,
    0x1.704e9570f64a3p-17,
    -0x1.05f933d0046ddp-17,
    0x1.47ce8b1a40b02p-19,
    0x1.7e07a24f3063fp-22,
    -0x1.df7f30a3c516cp-21,
    0x1.542f4cde5c4b9p-21,
    -0x1.da22e5bf6d632p-23,
    -0x1.a0232315e6b29p-25,
    0x1.3988b47e3ee9dp-24,
    -0x1.3e6f6af06daf4p-26,
};

/// erfinv x / x in sqrt w, 36 <= w <= 169.
inline constexpr double inverseErrorFarF32[] = {
    0x1.2c66aep+3,
    0x1.c2d666p+1,
    -0x1.2ffa9cp-8,
    0x1.bc8ca2p-11,
    -0x1.3b147ep-14,
    -0x1.543df8p-15,
    0x1.f8c942p-16,
    -0x1.1f9dfep-16,
    0x1.db65cp-17,
    -0x1.8e71eep-18,
};
inline constexpr double inverseErrorFarF64[] = {
    0x1.2c66aec509226p+3,
    0x1.c2d665c31f72p+1,
    -0x1.2ff6b1433a3b1p-8,
    0x1.bc80490d1dc63p-11,
    -0x1.42cb4e44e68f4p-14,
    -0x1.4e298deb08555p-15,
    0x1.26140bc4a8dcdp-15,
    -0x1.408355de31bf1p-16,
    0x1.2b89e3268458ap-17,
    -0x1.0341026b841aep-18,
    0x1.ac618004d0d5cp-20,
    -0x1.56e24eb131b5fp-21,
    0x1.0c160fd6610dp-22,
    -0x1.9b99e6e4dd40ap-24,
    0x1.378b441b4c9d4p-25,
    -0x1.d1095dfd0eec5p-27,
    0x1.52f1af7e6fec8p-28,
    -0x1.ee9edf55fd15cp-30,
    0x1.87b73f9ed9723p-31,
    -0x1.1931b3ee8b454p-32,
    0x1.b519e037d4048p-35,
    -0x1.2b8e340ff53eap-36,
    0x1.77a2b74a7af84p-36,
    -0x1.0603cea1f389fp-37,
};

/// erfinv x / x in sqrt w, 169 <= w <= 784.
inline constexpr double inverseErrorFarthestF64[] = {
    0x1.46de0b53687e4p+4,
    0x1.e1169990bb9e6p+2,
    -0x1.2d6a3c2a4ca45p-8,
    0x1.51a9f6e8576bdp-10,
    -0x1.7cdb6bf3967a9p-12,
    0x1.a8f77b7906b61p-14,
    -0x1.ccc1c3ace16eep-16,
    0x1.d8978afb9011p-18,
    -0x1.b216bef02ab8fp-20,
    0x1.2d95c9cd46b12p-22,
    -0x1.09fd811e8b66p-30,
    -0x1.1dc8cdc7cba54p-25,
    0x1.90ff4c5de66ep-26,
    -0x1.a5b3cb5c3e7d1p-27,
    0x1.8bfd7bfae332p-28,
    -0x1.5b8ee9c30e69bp-29,
    0x1.1c28a42f57941p-30,
    -0x1.d3db7b52e82eap-32,
    0x1.c50183021f3fcp-33,
    -0x1.64699548ca0c9p-34,
    0x1.3311c045458bbp-37,
    -0x1.fc6e67fc8d975p-39,
    0x1.655ab5f95c634p-37,
    -0x1.0e93516aa0bfbp-38,
};

/// lgamma x / ((x - 1) (x - 2)) in x, 1/2 <= x <= 3/2.
inline constexpr double logGammaAtOneF64[] = {
    0x1.2788cfc6fb619p-1,
    -0x1.f6465978d46e7p-4,
    0x1.3e54520481ec4p-5,
    -0x1.d7a3e6a8f2a68p-7,
    0x1.79cf9c4c5a59cp-8,
    -0x1.3cb1f9d377d48p-9,
    0x1.115549e5d166ap-10,
    -0x1.e182471c85003p-12,
    0x1.ae8a9a122706ep-13,
    -0x1.857925e213823p-14,
    0x1.639f31f35241p-15,
    -0x1.47373956b0613p-16,
    0x1.2f057b33aca6ap-17,
    -0x1.1a1afa5186379p-18,
    0x1.07efc09e6cc89p-19,
    -0x1.f168c7468981dp-21,
    0x1.d512073646001p-22,
    -0x1.ae6879f32e808p-23,
    0x1.9816cff6e9853p-24,
    -0x1.da55f42a656e1p-25,
    0x1.c5a62358a757ap-26,
    -0x1.3ede1cc8f0b1bp-30,
    0x1.0d06539c336p-31,
    -0x1.3f2f797032719p-27,
    0x1.3529f8d94a087p-28,
    0x1.5d80fe8a4cee4p-29,
    -0x1.540224206abafp-30,
    -0x1.d417e698cb75p-31,
    0x1.c6141581778c5p-32,
};

/// lgamma x / ((x - 1) (x - 2)) in x, 3/2 <= x <= 4.
inline constexpr double logGammaAtTwoF64[] = {
    0x1.72c2097ce3928p-2,
    -0x1.5088c55a4a0eap-4,
    0x1.9a64baa308362p-6,
    -0x1.1ad8e5cabbc42p-7,
    0x1.a0ee163ce3673p-9,
    -0x1.40736d2924f99p-10,
    0x1.facbd63afa09ap-12,
    -0x1.98fca79331b35p-13,
    0x1.4f18a5c0b5ce8p-14,
    -0x1.15c6ddd1c9a1dp-15,
    0x1.d0c992424bd92p-17,
    -0x1.87c124785473dp-18,
    0x1.4c3838f82538ep-19,
    -0x1.1b2f8638ed8acp-20,
    0x1.e5108d56d3bd4p-22,
    -0x1.a0d712ebe394p-23,
    0x1.659ed3673469ep-24,
    -0x1.352d8dba5703cp-25,
    0x1.1823f4f429987p-26,
    -0x1.e71a1683c7df2p-28,
    0x1.3294ce9b267b9p-29,
    -0x1.0a44a2a4e34ffp-30,
    0x1.379934682e24bp-30,
    -0x1.11fb6c331632bp-31,
    -0x1.70b5ef0a7e88fp-33,
    0x1.4711dd4471797p-34,
    0x1.8f8c1d220e364p-34,
    -0x1.607d0be9624d1p-35,
};

/// x (lgamma x - (x - 1/2) (ln x - 1) - (ln 2 pi - 1) / 2) in 1 / x^2, x >= 4.
inline constexpr double logGammaRestF64[] = {
    0x1.54fb1b05463bbp-4,
    -0x1.65cdb07ad2b78p-14,
    0x1.8529ecfb84f16p-21,
    -0x1.0913ffe227388p-26,
    0x1.415a4162db13cp-31,
    -0x1.25c4410679c2fp-35,
    0x1.6ee040c620023p-39,
    -0x1.248e4fade834cp-42,
    0x1.1cf8a73b694eep-45,
    -0x1.6714514c73c56p-48,
    0x1.e56f28716ad87p-51,
};

/// Gamma x in x, 1 <= x <= 2.
inline constexpr double gammaF64[] = {
    0x1.c5bf891b4ef6bp-1,
    0x1.08ea88ee5619cp-6,
    0x1.a8c4dba620d58p-4,
    -0x1.b77ac1ca2dcabp-7,
    0x1.283bd374eadabp-7,
    -0x1.3d88cfe56716ep-9,
    0x1.e022b743d0702p-11,
    -0x1.374fd5a85a843p-12,
    0x1.a752c67eb605dp-14,
    -0x1.1a2c30f8def74p-15,
    0x1.7991e760184a3p-17,
    -0x1.f7fa735e7333ep-19,
    0x1.504d6f0e1fffep-20,
    -0x1.c0c9137946e79p-22,
    0x1.2b48ecb68cfadp-23,
    -0x1.8cf2aff0a8622p-25,
    0x1.08a9773a0b118p-26,
    -0x1.74558a9281aefp-28,
    0x1.f076f989ef31p-30,
    -0x1.bbd59618e79efp-32,
    0x1.27e540fa0105ep-33,
    -0x1.1123e91f561a5p-33,
    0x1.6c3032e6c6f69p-35,
};

/// x (Gamma x / (sqrt(2 pi) x^(x - 1/2) e^-x) - 1) in 1 / x, x >= 10.
inline constexpr double gammaRestF64[] = {
    0x1.560452ebffb97p-4,
    0x1.4fd579ce3f51cp-13,
    -0x1.c5a6037f470b8p-18,
    -0x1.36f2a071d6b08p-27,
    0x1.4ec03aaf809a1p-28,
    -0x1.2036deb014755p-35,
    -0x1.301eefb00b136p-37,
    0x1.cea9aa4436c9fp-43,
    0x1.d8cb683c31149p-46,
    -0x1.9a0a79b14609dp-50,
    -0x1.e7dfdb60902f6p-54,
};

/// J0 x / (x^2 - r^2) in x^2, x <= 4, r the first zero.
inline constexpr double besselJ0LowF64[] = {
    -0x1.6b2948e843e2bp-4,
    0x1.08d902d0bf62p-4,
    -0x1.17057235d9c2bp-6,
    0x1.33fa04134f0abp-9,
    -0x1.a4b2380ccc27cp-13,
    0x1.87a4ac4403eadp-17,
    -0x1.08c62125cd7ccp-21,
    0x1.0fff1f802cd5ap-26,
    -0x1.b72e65761156cp-32,
    0x1.1e14059c5f4fbp-37,
    -0x1.331d43b76f489p-43,
    0x1.146a1fcf8a7e8p-49,
    -0x1.a7599375e929dp-56,
    0x1.17078ec29d56cp-62,
};

/// J0 x / (x - r) in x, 4 <= x <= 8, r the second zero.
inline constexpr double besselJ0HighF64[] = {
    0x1.416dc96e57c0ep-2,
    -0x1.3d97028754e55p-3,
    -0x1.63c76276a6e68p-3,
    0x1.15618767e6bcbp-4,
    0x1.bb360f4dac2d9p-6,
    -0x1.307fa1bf6ef62p-7,
    -0x1.104aed84764ecp-9,
    0x1.52a757fbd7e21p-11,
    0x1.949f159a254d2p-14,
    -0x1.cd44e14464459p-16,
    -0x1.950ff5bdf577bp-19,
    0x1.aab888538caf4p-21,
    0x1.2469e66e0fe85p-24,
    -0x1.1e6a8f03d8ea4p-26,
    -0x1.3f29d8485eb4bp-30,
    0x1.23cdb358d9cb6p-32,
    0x1.107bff3869212p-36,
    -0x1.be8dc6e9a8d76p-39,
    -0x1.677378958bc8dp-43,
};

/// J1 x / (x (x^2 - r^2)) in x^2, x <= 5, r the first zero.
inline constexpr double besselJ1LowF64[] = {
    -0x1.041c9423ec767p-6,
    0x1.acf566aaededbp-7,
    -0x1.15e32ff822fa4p-8,
    0x1.8bf87b5439002p-11,
    -0x1.686a2a3c3f229p-14,
    0x1.c95360babe447p-18,
    -0x1.ac92400b19c1bp-22,
    0x1.35278ce08063ep-26,
    -0x1.623701d9e7b15p-31,
    0x1.4a45c53aef423p-36,
    -0x1.ff29e950d60d7p-42,
    0x1.4da784cfde5c5p-47,
    -0x1.746b626cd9afap-53,
    0x1.678a1ae03ac89p-59,
    -0x1.2f37c9e099bebp-65,
    0x1.c2d642ee6f1c4p-72,
    -0x1.297023f52ff9cp-78,
};

/// J1 x / (x - r) in x, 5 <= x <= 8, r the second zero.
inline constexpr double besselJ1HighF64[] = {
    0x1.318ace8aae254p-2,
    0x1.5c67b06e36c06p-5,
    -0x1.bd6b6f23541dbp-4,
    -0x1.3993bd7c84784p-8,
    0x1.73c697d436ea8p-7,
    0x1.66de71685e3eap-13,
    -0x1.25d41487e9c55p-11,
    -0x1.06b59da715c5ap-19,
    0x1.102a538f6b5c3p-16,
    -0x1.0a9242b022c3p-25,
    -0x1.4c3bbce496c2bp-22,
    0x1.8a587b9e4b91p-30,
    0x1.1fdaa4c5c9484p-28,
    -0x1.bd869bf582a0cp-36,
    -0x1.74982214224c8p-35,
    0x1.37e8725f3dd68p-42,
    0x1.6cab817068ccbp-42,
};

/// (Y0 x - 2 / pi ln(x / r) J0 x) / (x^2 - r^2) in x^2, x <= 3, r the first zero.
inline constexpr double besselY0LowF64[] = {
    0x1.e0812c72a76a9p-4,
    -0x1.c3a7c81926668p-5,
    0x1.245e12e0a7f6p-7,
    -0x1.8364add06171bp-11,
    0x1.394053885a0c4p-15,
    -0x1.561b585249f8ap-20,
    0x1.0d93703d2e963p-25,
    -0x1.413a415de64afp-31,
    0x1.2bb448b2d3159p-37,
    -0x1.c1e5694534ba9p-44,
    0x1.159740e116645p-50,
    -0x1.1ea949897128ap-57,
    0x1.f6a92b59da22ep-65,
};

/// Y0 x / (x - r) in x, 3 <= x <= 5.5, r the second zero.
inline constexpr double besselY0MiddleF64[] = {
    -0x1.880cffe3a0941p-2,
    0x1.a97e8a303c5f3p-4,
    0x1.4946015d2bd39p-4,
    -0x1.26dee75fb283cp-6,
    -0x1.25f6a396f3bedp-8,
    0x1.b89c7f707e816p-11,
    0x1.41802f9e10ef3p-13,
    -0x1.bfd4d1f9f1836p-16,
    -0x1.d17f1f46d05f9p-20,
    0x1.3b2542017e279p-23,
    0x1.a161f213815eep-24,
    -0x1.796eab81974ddp-26,
    0x1.39400484aff22p-28,
    -0x1.65d03f8381373p-30,
    0x1.9893fdfab634ap-32,
    -0x1.c35bf35b32c8ap-34,
    0x1.f5007e3b522fp-36,
    -0x1.1c1aa8f63b90cp-37,
    0x1.3de00e04844cbp-39,
    -0x1.31589dae658f3p-41,
    0x1.569aa208e52b1p-43,
    -0x1.63f8cab7ae0f3p-44,
    0x1.91f961d423a6cp-46,
};

/// Y0 x / (x - r) in x, 5.5 <= x <= 8, r the third zero.
inline constexpr double besselY0HighF64[] = {
    0x1.34eee4b2f27c7p-2,
    0x1.e6eea30e390bp-7,
    -0x1.3f0b6a143d0e3p-4,
    0x1.150879f13dd6cp-11,
    0x1.7503673705617p-8,
    -0x1.11fcc038695c5p-13,
    -0x1.9337e0e7b159bp-13,
    0x1.50ab147977d4bp-18,
    0x1.015dfadcaa47ep-18,
    -0x1.be5e1364a2bd1p-24,
    -0x1.ab9c08a6a8deep-25,
    0x1.54874e6a29a05p-30,
    0x1.05f06e735e097p-31,
    -0x1.d0661544f05f7p-37,
    -0x1.9fb842cd33bc9p-39,
    0x1.a35f1edba14b9p-46,
    0x1.f89838f78f48ap-46,
    -0x1.47db30d122b13p-49,
};

/// (Y1 x - 2 / pi (ln(x / r) J1 x - (1 - x^2 / r^2) / x)) / (x (x^2 - r^2)) in x^2, x <= 4, r the first zero.
inline constexpr double besselY1LowF64[] = {
    0x1.bc6c06abc2284p-8,
    -0x1.d59a66b9c14e8p-8,
    0x1.deda9b69590d9p-10,
    -0x1.ebd1c094fc19fp-13,
    0x1.37607571d907bp-16,
    -0x1.0d92dedf33231p-20,
    0x1.54925d7eaf703p-25,
    -0x1.487399d29ae89p-30,
    0x1.f41003046da2ep-36,
    -0x1.34590ecc1669fp-41,
    0x1.3a72613161aeep-47,
    -0x1.0dada89ea7163p-53,
    0x1.8a8869232765p-60,
    -0x1.f2351239ef28cp-67,
    0x1.125e4b4429795p-73,
    -0x1.09d1297ff84bap-80,
};

/// Y1 x / (x - r) in x, 4 <= x <= 8, r the second zero.
inline constexpr double besselY1HighF64[] = {
    -0x1.3a3a8cefc7efcp-2,
    0x1.579152b20729fp-3,
    0x1.4739eeba02f89p-3,
    -0x1.155cf697f3ad5p-4,
    -0x1.94a78f4d6fc97p-6,
    0x1.266b1555b44fdp-7,
    0x1.005abac2f7c61p-9,
    -0x1.4c0230a6c772p-11,
    -0x1.72fed37834eabp-14,
    0x1.b0fa0ee22b744p-16,
    0x1.a8744507fd69fp-19,
    -0x1.d368e80d29e1ep-21,
    -0x1.1256977b298cbp-25,
    0x1.562ed21ae0a7cp-28,
    0x1.513530c7f412ep-28,
    -0x1.a5317681e6cc7p-30,
    0x1.c5e5205a14892p-32,
    -0x1.3461173ff13fdp-33,
    0x1.a39a6e859fef5p-35,
    -0x1.18a518694f3bep-36,
    0x1.99fe90ddc5315p-38,
    -0x1.12438603c1d5ep-39,
    0x1.8d4aacc2038b1p-42,
    -0x1.09c930293ea23p-43,
    0x1.42d52ea267a2p-43,
    -0x1.af3a9fc5f950ap-45,
};

/// P of Hankel's form of J0 and Y0 in (8 / x)^2, x >= 8.
inline constexpr double hankelP0F64[] = {
    0x1.ffb8dd328503dp-1,
    -0x1.193600c1deb26p-11,
    0x1.9be00160d9ffcp-18,
    -0x1.b8d2d6f6d1924p-23,
    0x1.b7ef139549b9p-27,
    -0x1.4d2f36bc01a81p-30,
    0x1.54dc7927ee76fp-33,
    -0x1.b5c2a350da351p-36,
    0x1.50d7edcf22f5fp-38,
    -0x1.2ae31a562ef2fp-40,
    0x1.145dcbd329e7dp-42,
    -0x1.2797e7ef5db94p-44,
    0x1.2c5aa153e987cp-45,
    -0x1.98d0ed70244fep-47,
};

/// x / 8 Q of Hankel's form of J0 and Y0 in (8 / x)^2, x >= 8.
inline constexpr double hankelQ0F64[] = {
    -0x1.fdb5c0b2f3d5cp-7,
    0x1.1e9a6138fee49p-14,
    -0x1.8c843528088fbp-20,
    0x1.3135a89cfc056p-24,
    -0x1.858d1fbd6f898p-28,
    0x1.61a5694a5fffcp-31,
    -0x1.a07cee2f84454p-34,
    0x1.2b9b4634733bp-36,
    -0x1.fb562b19f0284p-39,
    0x1.e7f90f6d6505cp-41,
    -0x1.d8d2d71045733p-43,
    0x1.0b0f12563492ap-44,
    -0x1.3343c46009016p-45,
    0x1.b76054a4a96p-47,
};

/// P of Hankel's form of J1 and Y1 in (8 / x)^2, x >= 8.
inline constexpr double hankelP1F64[] = {
    0x1.003b716033732p+0,
    0x1.d73b8ea3c123ap-11,
    -0x1.0b1541bfbc13fp-17,
    0x1.077626416f421p-22,
    -0x1.f96172c47413bp-27,
    0x1.75eafce017fadp-30,
    -0x1.78b76d6581c18p-33,
    0x1.de9966a570cb7p-36,
    -0x1.6d4884b3bfe27p-38,
    0x1.421781e3d6dbp-40,
    -0x1.28af91c81f6bp-42,
    0x1.3c1b9e16a3b12p-44,
    -0x1.3ee57b0814a06p-45,
    0x1.b0cdcd57181bfp-47,
};

/// x / 8 Q of Hankel's form of J1 and Y1 in (8 / x)^2, x >= 8.
inline constexpr double hankelQ1F64[] = {
    0x1.7f323705062fbp-5,
    -0x1.938da0a0a69a1p-14,
    0x1.e8e009ca4b3fp-20,
    -0x1.64231277700dfp-24,
    0x1.b9302ecff655cp-28,
    -0x1.8922ebf1b41e9p-31,
    0x1.c9279847a2b37p-34,
    -0x1.45d8148c07f84p-36,
    0x1.11ee2566ac854p-38,
    -0x1.060412bc3216ap-40,
    0x1.fa39003a26b44p-43,
    -0x1.1cf38d60b0b64p-44,
    0x1.458174013aedcp-45,
    -0x1.d03cbf5a70a98p-47,
};

/// e^-x I0 x in x, x <= 8.
inline constexpr double besselI0LowF64[] = {
    0x1.a7f09f8eedf5ap-3,
    -0x1.cedda0048620cp-4,
    0x1.8322d1d8a3bbbp-4,
    -0x1.6cb8d0c91588fp-4,
    0x1.65c235bfeaa72p-4,
    -0x1.5c028fe647844p-4,
    0x1.44b6196a78062p-4,
    -0x1.1cd73a8e6cd6ep-4,
    0x1.d11e10f60db14p-5,
    -0x1.602411e2b84cbp-5,
    0x1.ee6f564cfa915p-6,
    -0x1.427b099142586p-6,
    0x1.87e867ba41db8p-7,
    -0x1.bd258ef81b1b7p-8,
    0x1.da1a9fb31a327p-9,
    -0x1.daf9ae8ac58f3p-10,
    0x1.c0f4afe538061p-11,
    -0x1.918057560fb5p-12,
    0x1.5496c575b16e4p-13,
    -0x1.12c45b18c205dp-14,
    0x1.a6d2ef17e0495p-16,
    -0x1.3666062a15f5fp-17,
    0x1.b170d36b55864p-19,
    -0x1.246102354dd25p-20,
    0x1.8aa9ed99d4de8p-22,
    -0x1.e70761a76cf5bp-24,
    0x1.c35f7ef8ecfc7p-26,
    -0x1.0e148b0af9254p-27,
    0x1.332208b1b904p-28,
    -0x1.409665a03765ap-30,
};

/// sqrt x e^-x I0 x in 8 / x, x >= 8.
inline constexpr double besselI0HighF64[] = {
    0x1.9bd428ad249a5p-2,
    0x1.b87969bb93bd2p-9,
    0x1.1daa72b5e22b2p-13,
    0x1.75e5ee6fabb85p-17,
    0x1.8e513a7ddffecp-20,
    0x1.3f49af1ca6576p-22,
    0x1.7d0f0727d6a9dp-24,
    0x1.51cb3832a6046p-25,
    0x1.723509510cd4ap-26,
    0x1.03fa571f405c2p-27,
    -0x1.cfe4f8bebe7e4p-28,
    -0x1.ceb2c3f3c2085p-27,
    -0x1.72b4495699537p-28,
    0x1.09d8aa3fc68bp-27,
    0x1.fcf3dd682ab36p-28,
    -0x1.0c5d8b2e86f47p-28,
    -0x1.9683a45b51615p-28,
    0x1.2159f0c508719p-29,
    0x1.ee943d682b9f4p-29,
    -0x1.3ab3b1c19a518p-30,
    -0x1.b5e3e7f99d058p-30,
    0x1.1998ba2c8ef47p-31,
    0x1.ec7656d43152ap-32,
    -0x1.4b4eae130efc2p-33,
    -0x1.03b4aa8a9e407p-34,
    0x1.6e48b56608f9p-36,
};

/// e^-x I1 x / x in x, x <= 8.
inline constexpr double besselI1LowF64[] = {
    0x1.6e14eb8e5d319p-5,
    -0x1.f4bb071a7752bp-5,
    0x1.16c390ddb08edp-4,
    -0x1.1881379ffb5cp-4,
    0x1.0530f817ff9e3p-4,
    -0x1.c4daa51341ceap-5,
    0x1.6df95e8be1468p-5,
    -0x1.13d5f358a4558p-5,
    0x1.84125b0cffdc8p-6,
    -0x1.fe3d9c01c09f5p-7,
    0x1.3a0c1a03d0da2p-7,
    -0x1.6ab6a38604d3ap-8,
    0x1.89f8a64417cbap-9,
    -0x1.936826ab0afbcp-10,
    0x1.8656c6ab4a224p-11,
    -0x1.65bf648eb643fp-12,
    0x1.3742ce2bd5d5fp-13,
    -0x1.01a443506f74dp-14,
    0x1.96974463730b7p-16,
    -0x1.32695d3fbf58dp-17,
    0x1.b9e7eae5ee304p-19,
    -0x1.31857471923b9p-20,
    0x1.955617b8519b5p-22,
    -0x1.01921170e0c91p-23,
    0x1.3c8fbf3130626p-25,
    -0x1.81a7a9d5b8c21p-27,
    0x1.b66e81b793ebdp-29,
    -0x1.90222c5b8acd9p-31,
    0x1.b58f082092a88p-33,
    -0x1.a208bbb058b12p-34,
    0x1.97d2d234d1fa3p-36,
};

/// sqrt x e^-x I1 x in 8 / x, x >= 8.
inline constexpr double besselI1HighF64[] = {
    0x1.8ebe783a8403p-2,
    -0x1.3f796198ee63fp-7,
    -0x1.cbc54df1e894cp-13,
    -0x1.f89c230446f74p-17,
    -0x1.ec8e107bd7eaap-20,
    -0x1.7613865ea6e9ap-22,
    -0x1.ad8d43e5d60bep-24,
    -0x1.727702ec186d3p-25,
    -0x1.9191ff33370adp-26,
    -0x1.21f47a4eb566bp-27,
    0x1.ceff3cea7c3a4p-28,
    0x1.e413f0678e137p-27,
    0x1.99d190fe908dap-28,
    -0x1.0c96c7afcb02cp-27,
    -0x1.0e2bb88351649p-27,
    0x1.05656ba38c1b6p-28,
    0x1.aa440cf09ce3p-28,
    -0x1.11c9f66d690fcp-29,
    -0x1.01ef463d9c576p-28,
    0x1.268bd450a314cp-30,
    0x1.c7aed1ee533f7p-30,
    -0x1.07d06c81c1d24p-31,
    -0x1.fff33f3b3e75ap-32,
    0x1.37bea5c8dbcccp-33,
    0x1.0ddc7620a9205p-34,
    -0x1.5a29b473f1663p-36,
};

// clang-format on

} // namespace tilewright::lower::coefficients

#endif // TILEWRIGHT_LOWER_MATH_SPECIALCOEFFICIENTS_H
