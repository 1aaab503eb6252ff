//===- RandomTest.cpp - Random numbers against a plain Philox -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <array>

using namespace tilewright::test;

namespace {

/// Philox of four words of type T; `Wide` holds a product.
template <typename T, typename Wide>
std::array<T, 4> philox(std::array<T, 4> c, T k0, T k1, int rounds) {
  constexpr bool wide = sizeof(T) == 8;
  constexpr T a = static_cast<T>(wide ? 0xD2E7470EE14C6C93 : 0xD2511F53);
  constexpr T b = static_cast<T>(wide ? 0xCA5A826395121157 : 0xCD9E8D57);
  for (int i = 0; i < rounds; ++i) {
    Wide first = static_cast<Wide>(a) * c[0], second = static_cast<Wide>(b) * c[2];
    auto high = [](Wide product) { return static_cast<T>(product >> (8 * sizeof(T))); };
    c = {static_cast<T>(high(second) ^ c[1] ^ k0), static_cast<T>(second),
         static_cast<T>(high(first) ^ c[3] ^ k1), static_cast<T>(first)};
    k0 += static_cast<T>(wide ? 0x9E3779B97F4A7C15 : 0x9E3779B9);
    k1 += static_cast<T>(wide ? 0xBB67AE8584CAA73B : 0xBB67AE85);
  }
  return c;
}

using Words32 = std::array<uint32_t, 4>;
using Words64 = std::array<uint64_t, 4>;
using Product64 = unsigned __int128;

/// The words of an offset under a seed.
Words32 wordsOf(uint64_t seed, uint64_t offset, int rounds = 10) {
  return philox<uint32_t, uint64_t>(
      {static_cast<uint32_t>(offset), static_cast<uint32_t>(offset >> 32), 0, 0},
      static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), rounds);
}

float uniform(uint32_t word) {
  auto number = static_cast<int32_t>(word);
  return static_cast<float>(number < 0 ? -number - 1 : number) * 4.6566127342e-10f;
}

double normal(uint32_t first, uint32_t second, bool sine) {
  double angle = 6.283185307179586 * uniform(second);
  return std::sqrt(-2 * std::log(std::max(1e-7, double(uniform(first))))) *
         (sine ? std::sin(angle) : std::cos(angle));
}

// The known answers that Random123 publishes for ten rounds (kat_vectors).
TEST(Random, ReferenceGivesThePublishedNumbers) {
  noteRun();
  EXPECT_EQ((philox<uint32_t, uint64_t>({0, 0, 0, 0}, 0, 0, 10)),
            (Words32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ((philox<uint32_t, uint64_t>({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                        0xa4093822, 0x299f31d0, 10)),
            (Words32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
  EXPECT_EQ(
      (philox<uint64_t, Product64>({0, 0, 0, 0}, 0, 0, 10)),
      (Words64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
}

// Odd sizes, masks, several programs and numbers of warps.
TEST(Random, Dropout) {
  const int64_t n = 1003, seed = 12345;
  const float p = 0.3f;
  auto x = randomValues<float>(n, 61, -3, 3);
  std::vector<double> expected(n);
  for (int64_t i = 0; i < n; ++i)
    expected[i] = uniform(wordsOf(seed, i)[0]) > p ? x[i] / (1.0f - p) : 0.0f;
  for (int numWarps : {1, 2, 4, 8}) {
    auto arguments =
        runOnSimulator({.source = exampleSource("elementwise.py"),
                        .signature = "*fp32:16, *fp32:16, i32, fp32, i32, 256",
                        .arguments = {toArray(x), unwritten<float>(n), n, double(p), seed},
                        .grid = {4},
                        .numWarps = numWarps,
                        .kernel = "dropout"});
    expectClose(fromArray<float>(arguments[1]), expected, 1e-6);
  }
}

/// Words of 64 offsets that start at `offset`, for a seed and an offset of the given types.
void testWords(int64_t seed, const std::string &seedType, int64_t offset,
               const std::string &offsetType, int rounds, int numWarps) {
  SCOPED_TRACE("seed " + std::to_string(seed) + " " + seedType + ", offset " +
               std::to_string(offset) + " " + offsetType);
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(out_ptr, seed, start, ROUNDS: tl.constexpr):
    o = tl.arange(0, 64)
    a, b, c, d = tl.randint4x(seed, start + o, ROUNDS)
    tl.store(out_ptr + o, a)
    tl.store(out_ptr + 64 + o, b)
    tl.store(out_ptr + 128 + o, c)
    tl.store(out_ptr + 192 + o, d)
    tl.store(out_ptr + 256 + o, tl.randint(seed, start + o, n_rounds=ROUNDS))
)";
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*u32:16, " + seedType + ", " + offsetType + ", " + std::to_string(rounds),
       .arguments = {unwritten<uint32_t>(320), seed, offset},
       .numWarps = numWarps});
  auto words = fromArray<uint32_t>(arguments[0]);
  // A seed or offset of 32 bits is extended as its sign says.
  auto key = static_cast<uint64_t>(seed);
  for (int i = 0; i < 64; ++i) {
    auto place = static_cast<uint64_t>(offset + i);
    Words32 expected = wordsOf(key, offsetType == "i64" ? place : uint32_t(place), rounds);
    for (int word = 0; word < 4; ++word)
      ASSERT_EQ(words[word * 64 + i], expected[word]) << "word " << word << " of offset " << i;
    ASSERT_EQ(words[256 + i], expected[0]);
  }
}

TEST(Random, WordsOfSeedsAndOffsets) {
  testWords(0, "i32", 0, "i32", 10, 4);
  testWords(-7, "i32", -32, "i32", 10, 1);
  testWords(0x123456789abcdef, "i64", 5, "i32", 10, 2);
  testWords(-1, "i64", 0x7fffffff0, "i64", 10, 8);
  testWords(3, "u32", -100, "i64", 7, 4);
  testWords(3, "i32", 9, "i32", 1, 4);
  testWords(3, "i32", 9, "i32", 0, 4);
}

// Every function that makes floats of words.
TEST(Random, UniformAndNormal) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(out_ptr, seed, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(out_ptr + o, tl.rand(seed, o))
    a, b, c, d = tl.rand4x(seed, o)
    tl.store(out_ptr + 1 * B + o, a)
    tl.store(out_ptr + 2 * B + o, b)
    tl.store(out_ptr + 3 * B + o, c)
    tl.store(out_ptr + 4 * B + o, d)
    tl.store(out_ptr + 5 * B + o, tl.randn(seed, o))
    a, b, c, d = tl.randn4x(seed, o)
    tl.store(out_ptr + 6 * B + o, a)
    tl.store(out_ptr + 7 * B + o, b)
    tl.store(out_ptr + 8 * B + o, c)
    tl.store(out_ptr + 9 * B + o, d)
    u = tl.uint_to_uniform_float(tl.randint(seed, o).to(tl.int32, bitcast=True))
    a, b = tl.pair_uniform_to_normal(u, u)
    tl.store(out_ptr + 10 * B + o, a)
    tl.store(out_ptr + 11 * B + o, b)
)";
  const int block = 128, seed = 99;
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp32:16, i32, 128",
                                   .arguments = {unwritten<float>(12 * block), int64_t(seed)}});
  auto values = fromArray<float>(arguments[0]);
  for (int i = 0; i < block; ++i) {
    Words32 words = wordsOf(seed, i);
    auto got = [&](int row) { return values[row * block + i]; };
    EXPECT_EQ(got(0), uniform(words[0]));
    for (int word = 0; word < 4; ++word)
      EXPECT_EQ(got(1 + word), uniform(words[word]));
    // The logarithm, the square root, the sine and the products round once each.
    const double tolerance = 4e-6;
    EXPECT_NEAR(got(5), normal(words[0], words[1], false), tolerance);
    EXPECT_NEAR(got(6), normal(words[0], words[1], false), tolerance);
    EXPECT_NEAR(got(7), normal(words[0], words[1], true), tolerance);
    EXPECT_NEAR(got(8), normal(words[2], words[3], false), tolerance);
    EXPECT_NEAR(got(9), normal(words[2], words[3], true), tolerance);
    EXPECT_NEAR(got(10), normal(words[0], words[0], false), tolerance);
    EXPECT_NEAR(got(11), normal(words[0], words[0], true), tolerance);
  }
}

// Words of 64 bits, the key apart, and the greatest floats that words make.
TEST(Random, WideWordsAndBounds) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(out_ptr, u_ptr, seed):
    o = tl.arange(0, 32)
    a, b, c, d = tl.philox(seed, o.to(tl.int64), 7, 0, o.to(tl.uint64) << 40)
    tl.store(out_ptr + o, a)
    tl.store(out_ptr + 32 + o, b)
    tl.store(out_ptr + 64 + o, c)
    tl.store(out_ptr + 96 + o, d)
    e, f, g, h = tl.philox_impl(o.to(tl.uint64), 0, 3, 0, a, b, 2)
    tl.store(out_ptr + 128 + o, e)
    tl.store(out_ptr + 160 + o, h)
    tl.store(u_ptr + o, tl.uint_to_uniform_float(a))
    tl.store(u_ptr + 32, tl.uint_to_uniform_float(tl.full((), 0x7fffffff, tl.int32)))
    tl.store(u_ptr + 33, tl.uint_to_uniform_float(tl.full((), 0x7fffffffffffffff, tl.int64)))
    tl.store(u_ptr + 34, tl.uint_to_uniform_float(tl.full((), -1, tl.int32)))
)";
  const int64_t seed = -5;
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*i64:16, *fp32:16, i32",
                      .arguments = {unwritten<int64_t>(192), unwritten<float>(35), seed}});
  auto words = fromArray<int64_t>(arguments[0]);
  auto floats = fromArray<float>(arguments[1]);
  for (uint64_t i = 0; i < 32; ++i) {
    auto got = [&](int row) { return static_cast<uint64_t>(words[row * 32 + i]); };
    Words64 expected =
        philox<uint64_t, Product64>({i, 7, 0, i << 40}, static_cast<uint64_t>(seed), 0, 10);
    for (int word = 0; word < 4; ++word)
      ASSERT_EQ(got(word), expected[word]) << "word " << word << " of " << i;
    Words64 keyed = philox<uint64_t, Product64>({i, 0, 3, 0}, expected[0], expected[1], 2);
    ASSERT_EQ(got(4), keyed[0]);
    ASSERT_EQ(got(5), keyed[3]);
    auto number = static_cast<int64_t>(expected[0]);
    EXPECT_EQ(floats[i],
              static_cast<float>(number < 0 ? ~number : number) * 1.0842020432385337e-19f);
  }
  EXPECT_LT(floats[32], 1.0f);
  EXPECT_LT(floats[33], 1.0f);
  EXPECT_EQ(floats[34], 0.0f);
}

} // namespace
