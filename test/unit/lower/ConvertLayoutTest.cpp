//===- ConvertLayoutTest.cpp - Conversions keep every element -----------------===//
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

struct Element {
  /// In MLIR and in a kernel's signature.
  const char *mlir, *signature;
  ElementType type;
};

const Element elements[] = {{"i8", "*i8", ElementType::Int8},
                            {"f16", "*fp16", ElementType::Float16},
                            {"f32", "*fp32", ElementType::Float32},
                            {"i64", "*i64", ElementType::Int64}};

HostArray counting(ElementType type, int64_t size) {
  HostArray array(type, {size});
  for (int64_t i = 0; i < size; ++i)
    array.setInteger(i, type == ElementType::Int8 ? i % 113 : i);
  return array;
}

/// Loads a tensor in one layout, converts it and stores it in another. Gives the code.
std::string expectConverted(const Element &element, const std::vector<int64_t> &shape,
                            unsigned warps, const std::string &from, const std::string &to) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  std::string src = tensorType(shape, element.mlir, from),
              dst = tensorType(shape, element.mlir, to);
  std::string pointer = std::string("!tt.ptr<") + element.mlir + ">";
  std::string body = pointersTo("in", "a", {shape, from}, element.mlir) +
                     pointersTo("out", "b", {shape, to}, element.mlir) +
                     "%x = tt.load %in_ptr : " + tensorType(shape, pointer, from) +
                     "\n%y = ttg.convert_layout %x : " + src + " -> " + dst +
                     "\ntt.store %out_ptr, %y : " + tensorType(shape, pointer, to) + "\n";
  std::string type = element.signature;
  std::vector<HostArray> values = {counting(element.type, size), HostArray(element.type, {size})};
  std::string llir;
  EXPECT_EQ(runKernel("a: " + type + ", b: " + type, body, warps, values, &llir), "");
  EXPECT_EQ(values[0].bytes, values[1].bytes) << element.mlir << " " << from << " -> " << to;
  return llir;
}

} // namespace

TEST(ConvertLayout, RandomLinearLayouts) {
  std::mt19937 random(1);
  const std::vector<int64_t> shapes[] = {{16, 32}, {64, 16}, {512}, {8, 8}};
  for (int i = 0; i < 24; ++i) {
    const std::vector<int64_t> &shape = shapes[i % 4];
    unsigned warps = 1 << random() % 3;
    expectConverted(elements[i / 4 % 4], shape, warps, randomLayout(random, shape, warps),
                    randomLayout(random, shape, warps));
  }
}

// One warp: what stays in the thread or the warp goes by renaming or shuffles.
TEST(ConvertLayout, WithinAWarp) {
  std::mt19937 random(2);
  for (int i = 0; i < 12; ++i)
    expectConverted(elements[i % 4], {16, 16}, 1, randomLayout(random, {16, 16}, 1),
                    randomLayout(random, {16, 16}, 1));
}

TEST(ConvertLayout, BlockedLayouts) {
  std::mt19937 random(3);
  for (int i = 0; i < 12; ++i)
    expectConverted(elements[i % 4], {32, 64}, 4, randomBlocked(random, 2, 4),
                    randomBlocked(random, 2, 4));
}

// Between fragments of matrices and layouts of all kinds, with the matrix accesses that the plans
// of cuda:90 have.
TEST(ConvertLayout, Fragments) {
  std::mt19937 random(4);
  int loads = 0, stores = 0, transposed = 0;
  for (int i = 0; i < 36; ++i) {
    const Element &element = elements[i % 3];
    unsigned warps = 1 << random() % 3, bytes = 1u << i % 3;
    const std::vector<int64_t> shape = {64, 64};
    std::string fragments = randomFragments(random, shape, warps, bytes, random() % 2),
                other = random() % 2 ? randomBlocked(random, 2, warps)
                                     : randomLayout(random, shape, warps);
    std::string llir = random() % 2 ? expectConverted(element, shape, warps, fragments, other)
                                    : expectConverted(element, shape, warps, other, fragments);
    auto uses = [&](const char *name) { return llir.find(name) != std::string::npos; };
    loads += uses("ldmatrix");
    stores += uses("stmatrix");
    transposed += uses(".trans.b16");
  }
  EXPECT_GT(loads, 0);
  EXPECT_GT(stores, 0);
  EXPECT_GT(transposed, 0);
}

// The conversion of the reference kernel before its store: 128x64 in several repetitions.
TEST(ConvertLayout, AccumulatorToRows) {
  expectConverted(elements[2], {128, 64}, 4,
                  "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = "
                  "[4, 1], order = [0, 1]}>",
                  "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = "
                  "[4, 1], order = [1, 0]}>");
}
