//===- CollectiveTest.cpp - Scans, gathers, histograms against plain loops ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "KernelRunner.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::lower::test;
using runtime::ElementType;
using runtime::HostArray;

namespace {

/// Values that differ and whose sums tell their positions.
HostArray numbers(int64_t size, ElementType type = ElementType::Int32) {
  HostArray array(type, {size});
  for (int64_t i = 0; i < size; ++i)
    array.setInteger(i, (i * 7919) % 251 - 120);
  return array;
}

/// A random `#ttg.generic_linear` layout whose bits along the last dimension are mixed: one
/// register moves two coordinates at once.
std::string mixedLayout(std::mt19937 &random, int64_t rows, int64_t columns, unsigned warps) {
  std::vector<std::string> bases;
  for (int64_t value = 1; value < rows; value *= 2)
    bases.push_back("[" + std::to_string(value) + ", 0]");
  for (int64_t value = 1; value < columns; value *= 2)
    bases.push_back("[0, " +
                    std::to_string(value == 1 || random() % 2 ? value : value ^ (value / 2)) + "]");
  std::shuffle(bases.begin(), bases.end(), random);
  auto deal = [&](unsigned count) {
    std::string dealt;
    for (unsigned i = 0; i < count; ++i) {
      dealt += (i ? ", " : "") + (bases.empty() ? "[0, 0]" : bases.back());
      if (!bases.empty())
        bases.pop_back();
    }
    return "[" + dealt + "]";
  };
  std::string lanes = deal(5), warpBits = deal(std::countr_zero(warps));
  std::string registers = deal(static_cast<unsigned>(bases.size()));
  return "#ttg.generic_linear<{register = " + registers + ", lane = " + lanes +
         ", warp = " + warpBits + ", block = []}>";
}

//===----------------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------------===//

// x -> a x + b as pairs: composing them is associative and not commutative, so that it tells an
// element out of its order.
void expectScan(const std::vector<int64_t> &shape, int axis, bool reverse, unsigned warps,
                const std::string &layout) {
  SCOPED_TRACE("scan along " + std::to_string(axis) + (reverse ? " reversed, " : ", ") +
               std::to_string(warps) + " warps, " + layout);
  const int64_t rows = shape[0], columns = shape[1], size = rows * columns;
  std::string tensor = tensorType(shape, "i32", layout);
  std::string pointer = tensorType(shape, "!tt.ptr<i32>", layout);
  std::string body =
      pointersTo("a", "a", {shape, layout}, "i32") + pointersTo("b", "b", {shape, layout}, "i32") +
      pointersTo("c", "c", {shape, layout}, "i32") + pointersTo("d", "d", {shape, layout}, "i32") +
      "%x = tt.load %a_ptr : " + pointer + "\n%y = tt.load %b_ptr : " + pointer +
      "\n%s:2 = \"tt.scan\"(%x, %y) <{axis = " + std::to_string(axis) +
      " : i32, reverse = " + (reverse ? "true" : "false") +
      "}> ({\n^bb0(%p: i32, %q: i32, %r: i32, %t: i32):\n"
      "%u = arith.muli %p, %r : i32\n%v = arith.muli %r, %q : i32\n%w = arith.addi %v, %t : i32\n"
      "tt.scan.return %u, %w : i32, i32\n}) : (" +
      tensor + ", " + tensor + ") -> (" + tensor + ", " + tensor + ")\n" +
      "tt.store %c_ptr, %s#0 : " + pointer + "\ntt.store %d_ptr, %s#1 : " + pointer + "\n";
  std::vector<HostArray> values = {numbers(size), numbers(size),
                                   HostArray(ElementType::Int32, {size}),
                                   HostArray(ElementType::Int32, {size})};
  for (int64_t i = 0; i < size; ++i)
    values[0].setInteger(i, values[0].at(i) * 2 + 1);
  ASSERT_EQ(runKernel("a: *i32, b: *i32, c: *i32, d: *i32", body, warps, values), "");
  const int64_t length = shape[axis], stride = axis ? 1 : columns;
  for (int64_t line = 0; line < shape[1 - axis]; ++line) {
    uint32_t slope = 1, offset = 0;
    for (int64_t k = 0; k < length; ++k) {
      int64_t i = line * (axis ? columns : 1) + (reverse ? length - 1 - k : k) * stride;
      auto a = static_cast<uint32_t>(static_cast<int64_t>(values[0].at(i)));
      auto b = static_cast<uint32_t>(static_cast<int64_t>(values[1].at(i)));
      offset = a * offset + b;
      slope *= a;
      ASSERT_EQ(static_cast<uint32_t>(static_cast<int64_t>(values[2].at(i))), slope) << "at " << i;
      ASSERT_EQ(static_cast<uint32_t>(static_cast<int64_t>(values[3].at(i))), offset) << "at " << i;
    }
  }
}

TEST(Scan, RandomLinearLayouts) {
  std::mt19937 random(21);
  const std::vector<int64_t> shapes[] = {{16, 32}, {64, 16}, {4, 256}, {1, 512}};
  for (int i = 0; i < 24; ++i) {
    unsigned warps = 1 << random() % 4;
    const std::vector<int64_t> &shape = shapes[i % 4];
    expectScan(shape, i % 3 ? 1 : 0, random() % 2, warps, randomLayout(random, shape, warps));
  }
}

TEST(Scan, BlockedLayouts) {
  std::mt19937 random(22);
  for (int i = 0; i < 8; ++i)
    expectScan({16, 64}, i % 2, i % 3 == 0, 4, randomBlocked(random, 2, 4));
}

// A tensor larger than what the block covers at once, and one smaller.
TEST(Scan, RepetitionsAndCopies) {
  const std::string layout = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], "
                             "warpsPerCTA = [1, 2], order = [1, 0]}>";
  for (bool reverse : {false, true}) {
    expectScan({1, 1024}, 1, reverse, 2, layout);
    expectScan({2, 16}, 1, reverse, 2, layout);
    expectScan({4, 1}, 0, reverse, 2, layout);
  }
}

// Coordinates that depend on a register and a lane at once.
TEST(Scan, MixedLayouts) {
  std::mt19937 random(23);
  for (int i = 0; i < 6; ++i)
    expectScan({4, 128}, 1, i % 2, 1 << i % 3, mixedLayout(random, 4, 128, 1 << i % 3));
}

/// Scans and sums a line of one type: the region has `op`, and the block 2 warps.
void expectSums(const std::string &type, ElementType elementType, const std::string &op) {
  SCOPED_TRACE(op + " of " + type);
  const int64_t size = 256;
  const std::string layout = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], "
                             "warpsPerCTA = [2], order = [0]}>";
  std::string tensor = tensorType({size}, type, layout);
  std::string region =
      "({\n^bb0(%p: " + type + ", %q: " + type + "):\n%r = " + op + " %p, %q : " + type + "\ntt.";
  std::string pointer = tensorType({size}, "!tt.ptr<" + type + ">", layout);
  std::string body =
      pointersTo("a", "a", {{size}, layout}, type) + pointersTo("b", "b", {{size}, layout}, type) +
      "%x = tt.load %a_ptr : " + pointer +
      "\n%s = \"tt.scan\"(%x) <{axis = 0 : i32, reverse = true}> " + region +
      "scan.return %r : " + type + "\n}) : (" + tensor + ") -> " + tensor +
      "\n%t = \"tt.reduce\"(%x) <{axis = 0 : i32}> " + region + "reduce.return %r : " + type +
      "\n}) : (" + tensor + ") -> " + type + "\ntt.store %b_ptr, %s : " + pointer +
      "\ntt.store %c, %t : !tt.ptr<" + type + ">\n";
  std::vector<HostArray> values = {HostArray(elementType, {size}), HostArray(elementType, {size}),
                                   HostArray(elementType, {1})};
  // Small enough that every sum is exact in every type.
  for (int64_t i = 0; i < size; ++i)
    values[0].setInteger(i, i % 5 - 2);
  std::string name = type[0] == 'f' ? "fp" + type.substr(1) : type;
  ASSERT_EQ(runKernel("a: *" + name + ", b: *" + name + ", c: *" + name, body, 2, values), "");
  double sum = 0;
  for (int64_t i = size; i-- > 0;) {
    sum += static_cast<double>(i % 5 - 2);
    ASSERT_EQ(values[1].at(i), sum) << "at " << i;
  }
  EXPECT_EQ(values[2].at(0), sum);
}

TEST(Scan, ElementTypes) {
  expectSums("i8", ElementType::Int8, "arith.addi");
  expectSums("i16", ElementType::Int16, "arith.addi");
  expectSums("i32", ElementType::Int32, "arith.addi");
  expectSums("i64", ElementType::Int64, "arith.addi");
  expectSums("f16", ElementType::Float16, "arith.addf");
  expectSums("f32", ElementType::Float32, "arith.addf");
  expectSums("f64", ElementType::Float64, "arith.addf");
}

// A region that branches, in which the greater element is what one side gives.
TEST(Scan, RegionWithControlFlow) {
  const int64_t size = 256;
  const std::string layout = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], "
                             "warpsPerCTA = [2], order = [0]}>";
  std::string tensor = tensorType({size}, "i32", layout);
  std::string pointer = tensorType({size}, "!tt.ptr<i32>", layout);
  std::string region = "({\n^bb0(%p: i32, %q: i32):\n%more = arith.cmpi sgt, %p, %q : i32\n"
                       "%r = scf.if %more -> (i32) {\nscf.yield %p : i32\n} else {\n"
                       "scf.yield %q : i32\n}\ntt.";
  std::string body =
      pointersTo("a", "a", {{size}, layout}, "i32") +
      pointersTo("b", "b", {{size}, layout}, "i32") + "%x = tt.load %a_ptr : " + pointer +
      "\n%s = \"tt.scan\"(%x) <{axis = 0 : i32, reverse = false}> " + region +
      "scan.return %r : i32\n}) : (" + tensor + ") -> " + tensor +
      "\n%t = \"tt.reduce\"(%x) <{axis = 0 : i32}> " + region + "reduce.return %r : i32\n}) : (" +
      tensor + ") -> i32\ntt.store %b_ptr, %s : " + pointer + "\ntt.store %c, %t : !tt.ptr<i32>\n";
  std::vector<HostArray> values = {numbers(size), HostArray(ElementType::Int32, {size}),
                                   HostArray(ElementType::Int32, {1})};
  ASSERT_EQ(runKernel("a: *i32, b: *i32, c: *i32", body, 2, values), "");
  double greatest = -1000;
  for (int64_t i = 0; i < size; ++i) {
    greatest = std::max<double>(greatest, values[0].at(i));
    ASSERT_EQ(values[1].at(i), greatest) << "at " << i;
  }
  EXPECT_EQ(values[2].at(0), greatest);
}

//===----------------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------------===//

struct GatherCase {
  std::vector<int64_t> src, result;
  int axis;
  std::string srcLayout, resultLayout;
};

void expectGather(const GatherCase &c, unsigned warps, const std::string &type,
                  ElementType elementType, bool noMemory = false) {
  SCOPED_TRACE("gather of " + type + " along " + std::to_string(c.axis) + ", from " + c.srcLayout +
               " to " + c.resultLayout);
  const int64_t from = c.src[0] * c.src[1], to = c.result[0] * c.result[1];
  std::string pointer = "!tt.ptr<" + type + ">";
  std::string src = tensorType(c.src, type, c.srcLayout);
  std::string result = tensorType(c.result, type, c.resultLayout);
  std::string indices = tensorType(c.result, "i32", c.resultLayout);
  std::string body =
      pointersTo("a", "a", {c.src, c.srcLayout}, type) +
      pointersTo("b", "b", {c.result, c.resultLayout}, "i32") +
      pointersTo("c", "c", {c.result, c.resultLayout}, type) +
      "%x = tt.load %a_ptr : " + tensorType(c.src, pointer, c.srcLayout) +
      "\n%i = tt.load %b_ptr : " + tensorType(c.result, "!tt.ptr<i32>", c.resultLayout) +
      "\n%y = tt.gather %x[%i] {axis = " + std::to_string(c.axis) + " : i32} : (" + src + ", " +
      indices + ") -> " + result +
      "\ntt.store %c_ptr, %y : " + tensorType(c.result, pointer, c.resultLayout) + "\n";
  std::vector<HostArray> values = {numbers(from, elementType), HostArray(ElementType::Int32, {to}),
                                   HostArray(elementType, {to})};
  for (int64_t i = 0; i < to; ++i)
    values[1].setInteger(i, (i * 7919 + 13) % 10007 % c.src[c.axis]);
  std::string llir;
  ASSERT_EQ(runKernel("a: *" + type + ", b: *i32, c: *" + type, body, warps, values, &llir), "");
  if (noMemory) {
    EXPECT_EQ(llir.find("global_smem"), std::string::npos);
  }
  for (int64_t row = 0; row < c.result[0]; ++row)
    for (int64_t column = 0; column < c.result[1]; ++column) {
      int64_t i = row * c.result[1] + column;
      auto index = static_cast<int64_t>(values[1].at(i));
      int64_t j = c.axis ? row * c.src[1] + index : index * c.src[1] + column;
      ASSERT_EQ(values[2].at(i), values[0].at(j)) << "at " << row << ", " << column;
    }
}

TEST(Gather, RandomLinearLayouts) {
  std::mt19937 random(31);
  for (int i = 0; i < 16; ++i) {
    unsigned warps = 1 << random() % 4;
    int axis = i % 2;
    std::vector<int64_t> src = {16, 32}, result = src;
    result[axis] = 8 << random() % 3;
    expectGather(
        {src, result, axis, randomLayout(random, src, warps), randomLayout(random, result, warps)},
        warps, "i32", ElementType::Int32);
  }
}

TEST(Gather, ElementTypes) {
  std::mt19937 random(32);
  const std::pair<std::string, ElementType> types[] = {
      {"i8", ElementType::Int8}, {"i16", ElementType::Int16}, {"i64", ElementType::Int64}};
  for (const auto &[type, elementType] : types)
    for (unsigned warps : {1u, 4u})
      expectGather(
          {{8, 64}, {8, 16}, 1, randomBlocked(random, 2, warps), randomBlocked(random, 2, warps)},
          warps, type, elementType);
}

TEST(Gather, MixedLayouts) {
  std::mt19937 random(33);
  for (int i = 0; i < 4; ++i)
    expectGather(
        {{4, 128}, {4, 32}, 1, mixedLayout(random, 4, 128, 2), mixedLayout(random, 4, 32, 2)}, 2,
        "i32", ElementType::Int32);
}

// Rows that lie in a warp, in its lanes or in one thread: no memory is needed.
TEST(Gather, WithinAWarp) {
  const std::string lanes = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], "
                            "warpsPerCTA = [4, 1], order = [1, 0]}>";
  const std::string threads = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], "
                              "warpsPerCTA = [4, 1], order = [1, 0]}>";
  expectGather({{16, 64}, {16, 32}, 1, lanes, lanes}, 4, "i32", ElementType::Int32, true);
  expectGather({{16, 32}, {16, 32}, 1, lanes, lanes}, 4, "i64", ElementType::Int64, true);
  expectGather({{128, 4}, {128, 8}, 1, threads, threads}, 4, "i32", ElementType::Int32, true);
}

//===----------------------------------------------------------------------------===//
// Histograms
//===----------------------------------------------------------------------------===//

void expectHistogram(int64_t size, int64_t bins, unsigned warps, const std::string &layout,
                     const std::string &resultLayout, bool masked, const std::string &type,
                     ElementType elementType) {
  SCOPED_TRACE("histogram of " + std::to_string(size) + " " + type + " in " + std::to_string(bins) +
               " bins, " + layout + ", " + resultLayout);
  std::string elements = tensorType({size}, type, layout), i32s = tensorType({size}, "i32", layout);
  std::string result = tensorType({bins}, "i32", resultLayout);
  std::string body =
      pointersTo("a", "a", {{size}, layout}, type) +
      pointersTo("b", "b", {{bins}, resultLayout}, "i32") +
      "%x = tt.load %a_ptr : " + tensorType({size}, "!tt.ptr<" + type + ">", layout) + "\n";
  if (masked)
    body += "%limit = arith.constant dense<" + std::to_string(size / 3) + "> : " + i32s +
            "\n%mask = arith.cmpi slt, %a_offset, %limit : " + i32s + "\n";
  body += std::string("%h = tt.histogram %x") + (masked ? ", %mask" : "") + " : " + elements +
          " -> " + result +
          "\ntt.store %b_ptr, %h : " + tensorType({bins}, "!tt.ptr<i32>", resultLayout) + "\n";
  std::vector<HostArray> values = {HostArray(elementType, {size}),
                                   HostArray(ElementType::Int32, {bins})};
  std::vector<int64_t> expected(bins);
  for (int64_t i = 0; i < size; ++i) {
    int64_t value = (i * i * 31) % (bins + bins / 2 + 1) - 2;
    values[0].setInteger(i, value);
    if (value >= 0 && value < bins && (!masked || i < size / 3))
      ++expected[value];
  }
  ASSERT_EQ(runKernel("a: *" + type + ", b: *i32", body, warps, values), "");
  for (int64_t bin = 0; bin < bins; ++bin)
    ASSERT_EQ(values[1].at(bin), expected[bin]) << "bin " << bin;
}

TEST(Histogram, RandomLayouts) {
  std::mt19937 random(41);
  for (int i = 0; i < 12; ++i) {
    unsigned warps = 1 << random() % 4;
    int64_t size = 16 << random() % 7, bins = 1 << random() % 10;
    expectHistogram(size, bins, warps, randomLayout(random, {size}, warps),
                    randomLayout(random, {bins}, warps), i % 2, "i32", ElementType::Int32);
  }
}

TEST(Histogram, ElementTypes) {
  std::mt19937 random(42);
  for (int64_t bins : {8, 64}) {
    std::string layout = randomBlocked(random, 1, 4), result = randomBlocked(random, 1, 4);
    expectHistogram(256, bins, 4, layout, result, false, "i8", ElementType::Int8);
    expectHistogram(256, bins, 4, layout, result, true, "i16", ElementType::Int16);
    expectHistogram(256, bins, 4, layout, result, true, "i64", ElementType::Int64);
  }
}

} // namespace
