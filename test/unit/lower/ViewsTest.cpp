//===- ViewsTest.cpp - Views between layouts of all kinds -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each view is lowered between random layouts. Most of them move elements between threads, as
// the passes over layouts would never have them.
//
//===--------------------------------------------------------------------------===//

#include "KernelRunner.h"

#include <functional>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::lower::test;
using runtime::ElementType;
using runtime::HostArray;

namespace {

/// The most that pointersTo can make pointers to.
int64_t sizeOf(const std::vector<int64_t> &shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

std::string load(const std::string &name, const std::string &base, const Tile &tile) {
  return pointersTo(name, base, tile, "i32") + "%" + name + " = tt.load %" + name +
         "_ptr : " + tensorType(tile.shape, "!tt.ptr<i32>", tile.encoding) + "\n";
}

std::string store(const std::string &value, const std::string &base, const Tile &tile) {
  return pointersTo(base + "_to", base, tile, "i32") + "tt.store %" + base + "_to_ptr, %" + value +
         " : " + tensorType(tile.shape, "!tt.ptr<i32>", tile.encoding) + "\n";
}

std::string typeOf(const Tile &tile) { return tensorType(tile.shape, "i32", tile.encoding); }

/// Runs `body`, which reads a and b and writes c and d, all of `size` elements at most; element
/// i of a is i and of b is i + 1000. Gives c and d.
std::vector<HostArray> run(const std::string &body, unsigned warps, int64_t size) {
  std::vector<HostArray> values;
  for (int array = 0; array < 4; ++array)
    values.emplace_back(ElementType::Int32, std::vector<int64_t>{size});
  for (int64_t i = 0; i < size; ++i) {
    values[0].setInteger(i, i);
    values[1].setInteger(i, i + 1000);
  }
  EXPECT_EQ(runKernel("a: *i32, b: *i32, c: *i32, d: *i32", body, warps, values), "");
  return {values[2], values[3]};
}

void expectElements(const HostArray &array, int64_t size,
                    const std::function<int64_t(int64_t)> &expected) {
  for (int64_t i = 0; i < size; ++i)
    ASSERT_EQ(array.at(i), expected(i)) << "at " << i;
}

} // namespace

TEST(Views, Join) {
  std::mt19937 random(1);
  for (int i = 0; i < 10; ++i) {
    const unsigned warps = 1 << random() % 4;
    const int64_t n = 64 << i % 3;
    Tile from{{n}, randomLayout(random, {n}, warps)},
        to{{n, 2}, randomLayout(random, {n, 2}, warps)};
    std::vector<HostArray> out =
        run(load("x", "a", from) + load("y", "b", from) + "%z = tt.join %x, %y : " + typeOf(from) +
                " -> " + typeOf(to) + "\n" + store("z", "c", to),
            warps, 2 * n);
    expectElements(out[0], 2 * n, [](int64_t i) { return i / 2 + i % 2 * 1000; });
  }
}

TEST(Views, Split) {
  std::mt19937 random(2);
  for (int i = 0; i < 10; ++i) {
    const unsigned warps = 1 << random() % 4;
    const int64_t n = 64 << i % 3;
    Tile from{{n, 2}, randomLayout(random, {n, 2}, warps)},
        to{{n}, randomLayout(random, {n}, warps)};
    std::vector<HostArray> out =
        run(load("x", "a", from) + "%l, %r = tt.split %x : " + typeOf(from) + " -> " + typeOf(to) +
                "\n" + store("l", "c", to) + store("r", "d", to),
            warps, 2 * n);
    expectElements(out[0], n, [](int64_t i) { return 2 * i; });
    expectElements(out[1], n, [](int64_t i) { return 2 * i + 1; });
  }
}

TEST(Views, Cat) {
  std::mt19937 random(3);
  for (int i = 0; i < 10; ++i) {
    const unsigned warps = 1 << random() % 4;
    const std::vector<int64_t> half =
        i % 2 ? std::vector<int64_t>{128} : std::vector<int64_t>{16, 8};
    std::vector<int64_t> whole = half;
    whole[0] *= 2;
    Tile from{half, randomLayout(random, half, warps)},
        to{whole, randomLayout(random, whole, warps)};
    std::vector<HostArray> out =
        run(load("x", "a", from) + load("y", "b", from) + "%z = tt.cat %x, %y : " + typeOf(from) +
                " -> " + typeOf(to) + "\n" + store("z", "c", to),
            warps, 256);
    expectElements(out[0], 256, [](int64_t i) { return i % 128 + i / 128 * 1000; });
  }
}

TEST(Views, Reshape) {
  std::mt19937 random(4);
  const std::vector<int64_t> shapes[] = {{256}, {16, 16}, {4, 64}, {128, 2}};
  for (int i = 0; i < 12; ++i) {
    const unsigned warps = 1 << random() % 4;
    const std::vector<int64_t> &before = shapes[i % 4], &after = shapes[(i / 4 + i + 1) % 4];
    Tile from{before, randomLayout(random, before, warps)},
        to{after, randomLayout(random, after, warps)};
    std::vector<HostArray> out = run(load("x", "a", from) + "%z = tt.reshape %x : " + typeOf(from) +
                                         " -> " + typeOf(to) + "\n" + store("z", "c", to),
                                     warps, sizeOf(before));
    expectElements(out[0], sizeOf(before), [](int64_t i) { return i; });
  }
}

// Any order of the elements will do, but each must be there once.
TEST(Views, ReshapeInAnyOrder) {
  std::mt19937 random(5);
  for (int i = 0; i < 8; ++i) {
    const unsigned warps = 1 << random() % 4;
    Tile from{{512}, randomLayout(random, {512}, warps)},
        to{{16, 32}, randomLayout(random, {16, 32}, warps)};
    std::vector<HostArray> out =
        run(load("x", "a", from) + "%z = tt.reshape %x allow_reorder : " + typeOf(from) + " -> " +
                typeOf(to) + "\n" + store("z", "c", to),
            warps, 512);
    std::vector<int64_t> seen;
    for (int64_t j = 0; j < 512; ++j)
      seen.push_back(out[0].at(j));
    std::sort(seen.begin(), seen.end());
    for (int64_t j = 0; j < 512; ++j)
      ASSERT_EQ(seen[j], j);
  }
}
