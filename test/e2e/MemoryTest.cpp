//===- MemoryTest.cpp - Loads and stores of every type ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Elements are random bits, so that nothing but a copy of them is right.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

struct StoredType {
  ElementType type;
  /// The bits of the number 3; of true for booleans.
  uint64_t three;
};

const StoredType storedTypes[] = {
    {ElementType::Bool, 1},
    {ElementType::Int8, 3},
    {ElementType::Int16, 3},
    {ElementType::Int32, 3},
    {ElementType::Int64, 3},
    {ElementType::UInt8, 3},
    {ElementType::UInt16, 3},
    {ElementType::UInt32, 3},
    {ElementType::UInt64, 3},
    {ElementType::Float8E4M3, 0x44},
    {ElementType::Float8E5M2, 0x42},
    {ElementType::Float16, 0x4200},
    {ElementType::BFloat16, 0x4040},
    {ElementType::Float32, 0x40400000},
    {ElementType::Float64, 0x4008000000000000},
};

HostArray arrayOf(ElementType type, int64_t count, int fill) {
  HostArray array;
  array.type = type;
  array.shape = {count};
  array.bytes.assign(count * sizeOf(type), static_cast<std::byte>(fill));
  return array;
}

HostArray randomBits(ElementType type, int64_t count) {
  HostArray array = arrayOf(type, count, 0);
  std::mt19937 generator(91);
  for (std::byte &byte : array.bytes)
    byte = static_cast<std::byte>(generator() & (type == ElementType::Bool ? 1 : 0xFF));
  return array;
}

/// The bits of an element.
uint64_t bitsOf(const HostArray &array, size_t index) {
  uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + index * sizeOf(array.type), sizeOf(array.type));
  return bits;
}

// An odd number of elements, masked: what is outside is `other` when loaded and is not stored.
TEST(Memory, MaskedBlocksOfEveryType) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, copy_ptr, all_ptr, n, N: tl.constexpr):
    offs = tl.program_id(0) * N + tl.arange(0, N)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=3)
    tl.store(copy_ptr + offs, x, mask=mask)
    tl.store(all_ptr + offs, x)
)";
  const int64_t count = 203, block = 128, all = 256;
  for (const StoredType &stored : storedTypes)
    for (int numWarps : {1, 2, 4, 8}) {
      // With wide accesses and without.
      std::string pointer =
          "*" + std::string(nameOf(stored.type)) + (numWarps % 4 ? ", " : ":16, ");
      SCOPED_TRACE(pointer + "warps " + std::to_string(numWarps));
      HostArray x = randomBits(stored.type, count);
      auto arguments = runOnSimulator(
          {.source = source,
           .signature = pointer + pointer + pointer + "i32, " + std::to_string(block),
           .arguments = {x, arrayOf(stored.type, all, 0x55), arrayOf(stored.type, all, 0x55),
                         count},
           .grid = {2},
           .numWarps = numWarps});
      const auto &copy = std::get<HostArray>(arguments[1]);
      const auto &whole = std::get<HostArray>(arguments[2]);
      const uint64_t untouched = bitsOf(arrayOf(stored.type, 1, 0x55), 0);
      for (int64_t i = 0; i < all; ++i) {
        ASSERT_EQ(bitsOf(copy, i), i < count ? bitsOf(x, i) : untouched) << "element " << i;
        ASSERT_EQ(bitsOf(whole, i), i < count ? bitsOf(x, i) : stored.three) << "element " << i;
      }
    }
}

// A matrix with odd rows, read by rows and written by columns.
TEST(Memory, StridedTilesOfEveryType) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R, C, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None]
    j = tl.arange(0, N)[None, :]
    mask = (i < R) & (j < C)
    x = tl.load(x_ptr + i * C + j, mask=mask)
    tl.store(out_ptr + j * R + i, x, mask=mask)
)";
  const int64_t rows = 13, columns = 29;
  for (const StoredType &stored : storedTypes)
    for (int numWarps : {1, 4}) {
      std::string pointer = "*" + std::string(nameOf(stored.type)) + ", ";
      SCOPED_TRACE(pointer + "warps " + std::to_string(numWarps));
      HostArray x = randomBits(stored.type, rows * columns);
      auto arguments = runOnSimulator(
          {.source = source,
           .signature = pointer + pointer + "i32, i32, 16, 32",
           .arguments = {x, arrayOf(stored.type, rows * columns, 0x55), rows, columns},
           .numWarps = numWarps});
      const auto &out = std::get<HostArray>(arguments[1]);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          ASSERT_EQ(bitsOf(out, j * rows + i), bitsOf(x, i * columns + j)) << i << ", " << j;
    }
}

// Scalars, with masks that hold and that do not.
TEST(Memory, ScalarsOfEveryType) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i, mask=i < n, other=3)
    tl.store(out_ptr + i, x)
    tl.store(out_ptr + 4 + i, tl.load(x_ptr), mask=i < n)
)";
  for (const StoredType &stored : storedTypes)
    for (int numWarps : {1, 4}) {
      std::string pointer = "*" + std::string(nameOf(stored.type)) + ", ";
      SCOPED_TRACE(pointer + "warps " + std::to_string(numWarps));
      HostArray x = randomBits(stored.type, 3);
      auto arguments = runOnSimulator({.source = source,
                                       .signature = pointer + pointer + "i32",
                                       .arguments = {x, arrayOf(stored.type, 8, 0x55), int64_t(3)},
                                       .grid = {4},
                                       .numWarps = numWarps});
      const auto &out = std::get<HostArray>(arguments[1]);
      const uint64_t untouched = bitsOf(arrayOf(stored.type, 1, 0x55), 0);
      for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(bitsOf(out, i), i < 3 ? bitsOf(x, i) : stored.three) << "element " << i;
        EXPECT_EQ(bitsOf(out, 4 + i), i < 3 ? bitsOf(x, 0) : untouched) << "element " << i;
      }
    }
}

// A value that is stored through a pointer to booleans becomes an i8, and not a truth value.
TEST(Memory, NumbersAsBytesOfBooleans) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, i_ptr, float_ptr, int_ptr, truth_ptr, N: tl.constexpr):
    offs = tl.arange(0, N)
    x = tl.load(x_ptr + offs)
    tl.store(float_ptr + offs, x)
    tl.store(int_ptr + offs, tl.load(i_ptr + offs))
    tl.store(truth_ptr + offs, x > 1)
    tl.debug_barrier()
    tl.store(truth_ptr + N + offs, tl.load(float_ptr + offs))
)";
  const std::vector<float> floats = {0, 0.5, 1, 1.5, 2, -0.5, -1, 100};
  const std::vector<int32_t> integers = {0, 1, 2, 128, 255, 256, 257, -1};
  const std::vector<uint64_t> ofFloats = {0, 0, 1, 1, 2, 0, 255, 100},
                              ofIntegers = {0, 1, 2, 128, 255, 0, 1, 255};
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*fp32, *i32, *i1, *i1, *i1, 8",
       .arguments = {toArray(floats), toArray(integers), arrayOf(ElementType::Bool, 8, 0x55),
                     arrayOf(ElementType::Bool, 8, 0x55), arrayOf(ElementType::Bool, 16, 0x55)},
       .numWarps = 1});
  for (size_t i = 0; i < floats.size(); ++i) {
    EXPECT_EQ(bitsOf(std::get<HostArray>(arguments[2]), i), ofFloats[i]) << floats[i];
    EXPECT_EQ(bitsOf(std::get<HostArray>(arguments[3]), i), ofIntegers[i]) << integers[i];
    EXPECT_EQ(bitsOf(std::get<HostArray>(arguments[4]), i), uint64_t(floats[i] > 1)) << floats[i];
    EXPECT_EQ(bitsOf(std::get<HostArray>(arguments[4]), 8 + i), uint64_t(ofFloats[i] != 0))
        << floats[i];
  }
}

// A table of addresses, as i64 in memory: scalars and tensors of pointers come from it.
TEST(Memory, PointersThroughIntegers) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, y_ptr, table_ptr, out_ptr, N: tl.constexpr):
    tl.store(table_ptr, x_ptr.to(tl.int64))
    tl.store(table_ptr + 1, y_ptr)
    tl.debug_barrier()
    offs = tl.arange(0, N)
    x = tl.load(table_ptr).to(tl.pointer_type(tl.float32))
    either = tl.load(table_ptr + offs % 2).to(tl.pointer_type(tl.float32))
    tl.store(out_ptr + offs, tl.load(x + offs))
    tl.store(out_ptr + N + offs, tl.load(either + offs, mask=offs < N - 3, other=-1))
)";
  const int count = 64;
  auto x = randomValues<float>(count, 92, -4, 4), y = randomValues<float>(count, 93, -4, 4);
  for (int numWarps : {1, 2, 4, 8}) {
    auto arguments = runOnSimulator(
        {.source = source,
         .signature = "*fp32, *fp32, *i64, *fp32, 64",
         .arguments = {toArray(x), toArray(y), unwritten<int64_t>(2), unwritten<float>(2 * count)},
         .numWarps = numWarps});
    auto out = fromArray<float>(arguments[3]);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(out[i], x[i]);
      EXPECT_EQ(out[count + i], i >= count - 3 ? -1 : i % 2 ? y[i] : x[i]);
    }
  }
}

// They say how memory is cached, and change no value.
TEST(Memory, CacheModifiersAndEvictionPolicies) {
  auto x = randomValues<float>(128, 94, -4, 4);
  auto test = [&](const std::string &load, const std::string &store, const std::string &target) {
    SCOPED_TRACE(load + " " + store + " " + target);
    auto arguments = runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, N: tl.constexpr):
    offs = tl.arange(0, N)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.5)" +
                                               load + R"()
    tl.store(out_ptr + offs, x)" + store + ")\n",
                                     .signature = "*fp32:16, *fp32:16, i32, 128",
                                     .arguments = {toArray(x), unwritten<float>(128), int64_t(101)},
                                     .target = target});
    auto out = fromArray<float>(arguments[1]);
    for (int i = 0; i < 128; ++i)
      ASSERT_EQ(out[i], i < 101 ? x[i] : 0.5f);
  };
  for (const std::string &target : onlyForNvidia({"cuda:80", "cuda:90"})) {
    for (const char *modifier : {"", ".ca", ".cg", ".cv"})
      test(", cache_modifier='" + std::string(modifier) + "'", "", target);
    for (const char *modifier : {"", ".wb", ".cg", ".cs", ".wt"})
      test("", ", cache_modifier='" + std::string(modifier) + "'", target);
    for (const char *policy : {"", "evict_normal", "evict_first", "evict_last"})
      test(", eviction_policy='" + std::string(policy) + "'",
           ", eviction_policy='" + std::string(policy) + "'", target);
    test(", volatile=True", "", target);
  }
}

} // namespace
