//===- CastTest.cpp - Casts between all element types -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Floats of 8 and 16 bits go through all their codes, wider ones through all exponents with
// the fractions at which rounding turns.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "runtime/arrays/SmallFloat.h"

#include <bit>
#include <optional>

using namespace tilewright;
using namespace tilewright::test;

namespace {

/// A float type of the language: its code is that many bits of an integer.
struct FloatFormat {
  std::string signature, language;
  unsigned bits;
  std::optional<runtime::SmallFloatFormat> small;
  ElementType element;
};

const FloatFormat e4m3 = {"fp8e4nv", "tl.float8e4nv", 8, runtime::float8E4M3,
                          ElementType::Float8E4M3};
const FloatFormat e5m2 = {"fp8e5", "tl.float8e5", 8, runtime::float8E5M2, ElementType::Float8E5M2};
const FloatFormat f16 = {"fp16", "tl.float16", 16, runtime::float16, ElementType::Float16};
const FloatFormat bf16 = {"bf16", "tl.bfloat16", 16, runtime::bfloat16, ElementType::BFloat16};
const FloatFormat f32 = {"fp32", "tl.float32", 32, {}, ElementType::Float32};
const FloatFormat f64 = {"fp64", "tl.float64", 64, {}, ElementType::Float64};

double valueOf(const FloatFormat &format, uint64_t code) {
  if (format.small)
    return runtime::decode(*format.small, static_cast<uint16_t>(code));
  if (format.bits == 32)
    return std::bit_cast<float>(static_cast<uint32_t>(code));
  return std::bit_cast<double>(code);
}

unsigned fractionBits(const FloatFormat &format) {
  return format.small ? format.small->mantissaBits : format.bits == 32 ? 23 : 52;
}

uint64_t largestFinite(const FloatFormat &format) {
  uint64_t sign = uint64_t(1) << (format.bits - 1), code = sign - 1;
  while (!std::isfinite(valueOf(format, code)))
    code -= code == sign - 1 && format.bits > 8 ? uint64_t(1) << fractionBits(format) : 1;
  return code;
}

/// The code nearest to `value`, by search: codes of one sign are in the order of their values.
uint64_t nearest(const FloatFormat &format, double value, bool towardZero) {
  uint64_t sign = uint64_t(std::signbit(value)) << (format.bits - 1);
  uint64_t most = largestFinite(format);
  bool isSmall = format.bits == 8;
  if (std::isnan(value))
    return isSmall ? 0x7f : (uint64_t(1) << (format.bits - 1)) - 1; // any NaN
  double size = std::fabs(value);
  if (std::isinf(size))
    return sign | (isSmall && (!towardZero || !format.small->hasInfinity) ? most : most + 1);
  uint64_t low = 0, high = most;
  while (low < high) {
    uint64_t middle = low + (high - low + 1) / 2;
    if (valueOf(format, middle) <= size)
      low = middle;
    else
      high = middle - 1;
  }
  if (towardZero)
    return sign | low;
  double below = valueOf(format, low);
  // The step beyond the largest number is as wide as the one before it.
  double above =
      low == most ? below + (below - valueOf(format, low - 1)) : valueOf(format, low + 1);
  bool up = size - below > above - size || (size - below == above - size && (low & 1));
  if (up && low == most && isSmall)
    up = false;
  return sign | (low + up);
}

std::vector<uint64_t> inputs(const FloatFormat &format, const FloatFormat &to) {
  std::vector<uint64_t> codes;
  if (format.bits <= 16) {
    for (uint64_t code = 0; code < uint64_t(1) << format.bits; ++code)
      codes.push_back(code);
    return codes;
  }
  // Near the ends of the range of `to` all exponents, with ties, their neighbours and more.
  unsigned fraction = fractionBits(format), kept = fractionBits(to);
  int bias = format.bits == 32 ? 127 : 1023;
  std::mt19937_64 random(5);
  for (int exponent = 0; exponent <= 2 * bias + 1; ++exponent) {
    bool inRange = std::abs(exponent - bias) < 160 || exponent < 3 || exponent > 2 * bias - 2;
    for (int i = 0; i < 12 && inRange; ++i) {
      uint64_t tail = uint64_t(1) << (fraction - std::min(fraction, kept + i % 4 + 1));
      uint64_t bits = (random() << (fraction - std::min(fraction, kept + i % 4)));
      bits = (bits | tail) + (i / 4 - 1);
      codes.push_back((bits & ((uint64_t(1) << fraction) - 1)) | (uint64_t(exponent) << fraction) |
                      uint64_t(i & 1) << (format.bits - 1));
    }
  }
  while (codes.size() % 256)
    codes.push_back(0);
  return codes;
}

HostArray pack(const FloatFormat &format, const std::vector<uint64_t> &codes) {
  HostArray array;
  array.type = format.element;
  array.shape = {static_cast<int64_t>(codes.size())};
  for (uint64_t code : codes)
    for (unsigned byte = 0; byte < format.bits / 8; ++byte)
      array.bytes.push_back(static_cast<std::byte>(code >> 8 * byte));
  return array;
}

uint64_t codeAt(const FloatFormat &format, const HostArray &array, size_t index) {
  uint64_t code = 0;
  std::memcpy(&code, array.bytes.data() + index * format.bits / 8, format.bits / 8);
  return code;
}

void check(const FloatFormat &from, const FloatFormat &to, bool towardZero = false,
           int numWarps = 4) {
  SCOPED_TRACE(from.signature + " to " + to.signature + (towardZero ? ", toward zero" : ""));
  std::vector<uint64_t> codes = inputs(from, to);
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(out_ptr + offs, x.to()" +
                       to.language + (towardZero ? ", fp_downcast_rounding='rtz'" : "") +
                       "), mask=offs < n)\n";
  unsigned block = 1024;
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*" + from.signature + ":16, *" + to.signature + ":16, i32, 1024",
       .arguments = {pack(from, codes), pack(to, std::vector<uint64_t>(codes.size(), 0x55)),
                     int64_t(codes.size())},
       .grid = {static_cast<uint32_t>((codes.size() + block - 1) / block)},
       .numWarps = numWarps});
  const HostArray &out = std::get<HostArray>(arguments[1]);
  size_t wrong = 0;
  for (size_t i = 0; i < codes.size() && wrong < 5; ++i) {
    double value = valueOf(from, codes[i]);
    uint64_t result = codeAt(to, out, i);
    uint64_t expected = nearest(to, value, towardZero);
    bool bothNan = std::isnan(value) && std::isnan(valueOf(to, result));
    if (bothNan ? to.bits == 8 && (result & 0x7f) != 0x7f : result != expected) {
      ++wrong;
      ADD_FAILURE() << value << " (" << std::hex << codes[i] << ") became " << result << ", not "
                    << expected;
    }
  }
}

TEST(Casts, EveryPairOfFloats) {
  for (const FloatFormat &from : {e4m3, e5m2, f16, bf16, f32, f64})
    for (const FloatFormat &to : {e4m3, e5m2, f16, bf16, f32, f64})
      if (from.signature != to.signature)
        check(from, to);
}

TEST(Casts, TowardsZero) {
  for (const FloatFormat &from : {f16, bf16, f32, f64})
    for (const FloatFormat &to : {e4m3, e5m2, f16, bf16, f32})
      if (from.bits > to.bits)
        check(from, to, /*towardZero=*/true);
}

TEST(Casts, InSeveralLayouts) {
  for (int numWarps : {1, 2, 8}) {
    check(f32, e4m3, false, numWarps);
    check(e5m2, bf16, false, numWarps);
  }
}

/// out[i] = EXPRESSION(x[i]) for all x, compared with `reference`.
template <typename In, typename Out>
void checkValues(const std::string &expression, const std::string &inType,
                 const std::string &outType, std::vector<In> x,
                 const std::function<Out(In)> &reference) {
  SCOPED_TRACE(expression + " of " + inType);
  x.resize(256, x.back());
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    tl.store(out_ptr + offs, )" +
                       expression + ")\n";
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*" + inType + ":16, *" + outType + ":16, 256",
                                   .arguments = {toArray(x), unwritten<Out>(x.size())}});
  std::vector<Out> out = fromArray<Out>(arguments[1]);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(out[i], reference(x[i])) << "element " << i << ": " << +x[i];
}

TEST(Casts, IntegersAndFloats) {
  std::vector<int32_t> integers = {0,   1,     -1,     127,      -128,      255,
                                   256, 65535, -65536, 16777217, INT32_MAX, INT32_MIN};
  for (int i = 0; i < 64; ++i)
    integers.push_back(static_cast<int32_t>(i * 2654435761u));
  checkValues<int32_t, float>("x.to(tl.float32)", "i32", "fp32", integers,
                              [](int32_t x) { return static_cast<float>(x); });
  checkValues<int32_t, double>("x.to(tl.float64)", "i32", "fp64", integers,
                               [](int32_t x) { return x; });
  checkValues<int32_t, float>("x.to(tl.uint32).to(tl.float32)", "i32", "fp32", integers,
                              [](int32_t x) { return static_cast<float>(uint32_t(x)); });
  checkValues<int32_t, int8_t>("x.to(tl.int8)", "i32", "i8", integers,
                               [](int32_t x) { return static_cast<int8_t>(x); });
  checkValues<int32_t, int64_t>("x.to(tl.int64)", "i32", "i64", integers,
                                [](int32_t x) { return x; });
  checkValues<int32_t, int64_t>("x.to(tl.uint32).to(tl.int64)", "i32", "i64", integers,
                                [](int32_t x) { return int64_t(uint32_t(x)); });
  checkValues<int32_t, int32_t>("x.to(tl.int1).to(tl.int32)", "i32", "i32", integers,
                                [](int32_t x) { return x != 0; });
  checkValues<int32_t, float>(
      "x.to(tl.float8e5).to(tl.float32)", "i32", "fp32", integers,
      [](int32_t x) { return static_cast<float>(valueOf(e5m2, nearest(e5m2, x, false))); });
  std::vector<float> floats = {0,      -0.0f,  0.5f,   -0.5f,   1.5f,    2.5f,
                               -2.99f, 1e-30f, 100.7f, -127.5f, 8388609, 2147483520};
  checkValues<float, int32_t>("x.to(tl.int32)", "fp32", "i32", floats,
                              [](float x) { return static_cast<int32_t>(x); });
  checkValues<float, int64_t>("x.to(tl.int64)", "fp32", "i64", floats,
                              [](float x) { return static_cast<int64_t>(x); });
  checkValues<float, int32_t>("x.to(tl.int1).to(tl.int32)", "fp32", "i32", floats,
                              [](float x) { return x != 0; });
  checkValues<float, int32_t>("x.to(tl.int32, bitcast=True)", "fp32", "i32", floats,
                              [](float x) { return std::bit_cast<int32_t>(x); });
}

// Every byte; also as the two integers of 4 bits in it.
TEST(Casts, BytesToHalfPrecision) {
  std::vector<int8_t> bytes;
  for (int i = -128; i < 128; ++i)
    bytes.push_back(static_cast<int8_t>(i));
  checkValues<int8_t, float>("x.to(tl.float16).to(tl.float32)", "i8", "fp32", bytes,
                             [](int8_t x) { return float(x); });
  checkValues<int8_t, float>("x.to(tl.uint8).to(tl.float16).to(tl.float32)", "i8", "fp32", bytes,
                             [](int8_t x) { return float(uint8_t(x)); });
  checkValues<int8_t, float>("(x >> 4).to(tl.float16).to(tl.float32)", "i8", "fp32", bytes,
                             [](int8_t x) { return float(x >> 4); });
  checkValues<int8_t, float>("((x << 4) >> 4).to(tl.float16).to(tl.float32)", "i8", "fp32", bytes,
                             [](int8_t x) { return float(int8_t(x << 4) >> 4); });
  // Other bits than the lowest ones.
  checkValues<int8_t, float>("((x << 2) >> 4).to(tl.float16).to(tl.float32)", "i8", "fp32", bytes,
                             [](int8_t x) { return float(int8_t(x << 2) >> 4); });
  checkValues<int8_t, float>("(x.to(tl.uint8) >> 4).to(tl.float16).to(tl.float32)", "i8", "fp32",
                             bytes, [](int8_t x) { return float(uint8_t(x) >> 4); });
}

// Arithmetic on bf16 is rounded to bf16; with f32 it promotes to f32.
TEST(Casts, ArithmeticOnSmallFloats) {
  std::vector<float> x;
  for (int i = 0; i < 256; ++i)
    x.push_back(static_cast<float>(i) / 16 - 7);
  auto round = [](const FloatFormat &format, double value) {
    return valueOf(format, nearest(format, value, false));
  };
  checkValues<float, float>("(x.to(tl.bfloat16) * x.to(tl.bfloat16)).to(tl.float32)", "fp32",
                            "fp32", x, [&](float value) {
                              double rounded = round(bf16, value);
                              return static_cast<float>(round(bf16, rounded * rounded));
                            });
  checkValues<float, float>("x.to(tl.bfloat16) + x", "fp32", "fp32", x, [&](float value) {
    return static_cast<float>(round(bf16, value) + value);
  });
  checkValues<float, int32_t>("(x.to(tl.float8e5) < x.to(tl.float8e4nv)).to(tl.int32)", "fp32",
                              "i32", x,
                              [&](float value) { return round(e5m2, value) < round(e4m3, value); });
}

} // namespace
