//===- NumbersTest.cpp - Numbers that C++ has no type for ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What generated functions take: numbers of 8 and 16 bits, pointers to them, and their words.
// Prints what is not as it should be, and exits with 1 then.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Expect.h"
#include "tilewright/EmbeddedKernels.h"

#include <cmath>
#include <type_traits>

/// A type of a toolkit's, of the same bits.
struct Half {
  uint16_t bits;
};
template <> struct tilewright::IsElement<tilewright::fp16, Half> : std::true_type {};

using namespace tilewright;

// Only what is meant becomes such a number.
static_assert(sizeof(fp16) == 2 && sizeof(fp8e5) == 1);
static_assert(std::is_convertible_v<Half, fp16> && std::is_convertible_v<Half *, Pointer<fp16>>);
static_assert(!std::is_convertible_v<float, fp16> && !std::is_convertible_v<int, fp8e4nv>);
static_assert(!std::is_convertible_v<bf16, fp16> && !std::is_convertible_v<Half, bf16>);
static_assert(!std::is_convertible_v<uint16_t, bf16>);
static_assert(!std::is_convertible_v<bf16 *, Pointer<fp16>>);

static void testRounding() {
  EXPECT(fp16().bits == 0);
  EXPECT(fp16(1.5).bits == 0x3e00);
  EXPECT(fp16(1e9).bits == 0x7c00);
  EXPECT(bf16(-2.0f).bits == 0xc000);
  EXPECT(fp8e5(0.25).bits == 0x34);
  EXPECT(fp8e4nv(0.25).bits == 0x28);
  EXPECT((fp8e4nv(std::nan("")).bits & 0x7f) == 0x7f);
  EXPECT(bf16::fromBits(0x1234).bits == 0x1234);
}

static void testWords() {
  embedded::Words<4> words;
  words.add(fp16(Half{0xabcd}));
  words.add(bf16(1.0));
  words.add(fp8e5::fromBits(0xff));
  words.add(fp8e4nv(1.0));
  const uint64_t expected[4] = {0xabcd, 0x3f80, 0xff, 0x38};
  for (int i = 0; i < 4; ++i)
    EXPECT(words.data()[i] == expected[i]);
}

int main() {
  testRounding();
  testWords();
  return reportFailures();
}
