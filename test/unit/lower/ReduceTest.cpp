//===- ReduceTest.cpp - Reductions against sums by hand -----------------------===//
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

std::string sliceOf(const std::string &parent, int dim) {
  return "#ttg.slice<{dim = " + std::to_string(dim) + ", parent = " + parent + "}>";
}

/// Values that differ and whose sums tell their positions.
HostArray numbers(int64_t size) {
  HostArray array(ElementType::Int32, {size});
  for (int64_t i = 0; i < size; ++i)
    array.setInteger(i, (i * 7919) % 10007 - 5000);
  return array;
}

/// Sums a matrix along `axis`, twice: the second time what the first stored is overwritten, so
/// that a missing barrier between them would be a race.
void expectSums(const std::vector<int64_t> &shape, int axis, unsigned warps,
                const std::string &layout) {
  const int64_t kept = shape[1 - axis], reduced = shape[axis];
  std::string slice = sliceOf(layout, axis), tensor = tensorType(shape, "i32", layout);
  std::string row = tensorType({kept}, "i32", slice);
  auto sum = [&](const std::string &of, const std::string &to) {
    return "%" + to + " = \"tt.reduce\"(%" + of + ") <{axis = " + std::to_string(axis) +
           " : i32}> ({\n^bb0(%p: i32, %q: i32):\n%s = arith.addi %p, %q : i32\n"
           "tt.reduce.return %s : i32\n}) : (" +
           tensor + ") -> " + row + "\n";
  };
  std::string body = pointersTo("in", "a", {shape, layout}, "i32") +
                     pointersTo("out", "b", {{kept}, slice}, "i32") +
                     "%x = tt.load %in_ptr : " + tensorType(shape, "!tt.ptr<i32>", layout) + "\n" +
                     sum("x", "first") + "%twice = arith.addi %x, %x : " + tensor + "\n" +
                     sum("twice", "second") + "%y = arith.addi %first, %second : " + row +
                     "\ntt.store %out_ptr, %y : " + tensorType({kept}, "!tt.ptr<i32>", slice) +
                     "\n";
  std::vector<HostArray> values = {numbers(shape[0] * shape[1]),
                                   HostArray(ElementType::Int32, {kept})};
  ASSERT_EQ(runKernel("a: *i32, b: *i32", body, warps, values), "");
  for (int64_t i = 0; i < kept; ++i) {
    int64_t expected = 0;
    for (int64_t j = 0; j < reduced; ++j)
      expected += values[0].at(axis ? i * shape[1] + j : j * shape[1] + i);
    EXPECT_EQ(values[1].at(i), 3 * expected) << "at " << i << " along " << axis << " of " << layout;
  }
}

} // namespace

TEST(Reduce, RandomLinearLayouts) {
  std::mt19937 random(11);
  const std::vector<int64_t> shapes[] = {{16, 32}, {64, 16}, {8, 128}};
  for (int i = 0; i < 18; ++i) {
    unsigned warps = 1 << random() % 4;
    const std::vector<int64_t> &shape = shapes[i % 3];
    expectSums(shape, i % 2, warps, randomLayout(random, shape, warps));
  }
}

TEST(Reduce, BlockedLayouts) {
  std::mt19937 random(12);
  for (int i = 0; i < 8; ++i)
    expectSums({32, 64}, i % 2, 4, randomBlocked(random, 2, 4));
}

// A tensor smaller than the block: most threads hold copies, which must count once.
TEST(Reduce, CopiesCountOnce) {
  expectSums({4, 4}, 1, 4,
             "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], "
             "order = [1, 0]}>");
}

// Two operands, a region with compares and selects: the greatest value and where it is. Both
// are scalars, which one thread stores.
TEST(Reduce, ArgMax) {
  std::mt19937 random(13);
  for (unsigned warps : {1u, 4u, 8u}) {
    std::string layout = randomLayout(random, {512}, warps);
    std::string i32s = tensorType({512}, "i32", layout);
    std::string body =
        pointersTo("in", "a", {{512}, layout}, "i32") +
        "%x = tt.load %in_ptr : " + tensorType({512}, "!tt.ptr<i32>", layout) +
        "\n%v, %i = \"tt.reduce\"(%x, %in_offset) <{axis = 0 : i32}> ({\n"
        "^bb0(%v0: i32, %i0: i32, %v1: i32, %i1: i32):\n"
        "%more = arith.cmpi sgt, %v0, %v1 : i32\n%same = arith.cmpi eq, %v0, %v1 : i32\n"
        "%before = arith.cmpi slt, %i0, %i1 : i32\n%tie = arith.andi %same, %before : i1\n"
        "%first = arith.ori %more, %tie : i1\n%v2 = arith.select %first, %v0, %v1 : i32\n"
        "%i2 = arith.select %first, %i0, %i1 : i32\n"
        "tt.reduce.return %v2, %i2 : i32, i32\n}) : (" +
        i32s + ", " + i32s +
        ") -> (i32, i32)\n"
        "tt.store %b, %v : !tt.ptr<i32>\ntt.store %c, %i : !tt.ptr<i32>\n";
    std::vector<HostArray> values = {numbers(512), HostArray(ElementType::Int32, {1}),
                                     HostArray(ElementType::Int32, {1})};
    // Twice the same greatest value: the first place counts.
    values[0].setInteger(300, 9000);
    values[0].setInteger(77, 9000);
    ASSERT_EQ(runKernel("a: *i32, b: *i32, c: *i32", body, warps, values), "");
    EXPECT_EQ(values[1].at(0), 9000);
    EXPECT_EQ(values[2].at(0), 77);
  }
}
