//===- InferenceTest.cpp - Inferred layouts of transposed, reduced and expanded tensors -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"
#include "ir/ttg/encoding/Inference.h"
#include "layout/encoding/Encodings.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace tilewright;
using namespace tilewright::test;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

using Shape = std::vector<int64_t>;
using Coordinates = std::vector<uint64_t>;

struct Case {
  std::string text;
  Shape shape;
};

/// Layouts of every kind, each on a tensor that is larger than its tile in some way and on one
/// that is smaller.
std::vector<Case> cases() {
  const std::string mma2 = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
                           "[2, 2], CGALayout = [[0, 1]], instrShape = [16, 8]}>";
  const std::string batched = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
                              "[2, 2, 1], instrShape = [1, 16, 8]}>";
  const std::string mma3 = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = "
                           "[4, 1], instrShape = [16, 32, 16]}>";
  const std::string gfx11 = "#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = "
                            "[[0, 1], [1, 0]]}}>";
  const std::string gfx12 = "#ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register "
                            "= [[1, 0]], warp = [[0, 1]]}}>";
  const std::string dpas = "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, "
                           "opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster "
                           "= [2, 1]}>";
  const std::string block = "#ttig.subgroup_2d_block<{warpsPerCTA = [2, 2], instrShape = [8, 16], "
                            "numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>";
  const std::string blocked = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
                              "warpsPerCTA = [2, 2], order = [1, 0], CGALayout = [[1, 0]]}>";
  const std::string linear = "#ttg.linear<{register = [[0, 1], [0, 0]], lane = [[0, 2], [1, 0]], "
                             "warp = [[2, 0]], block = [[4, 0]]}>";
  const std::string generic = "#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], "
                              "warp = [[2, 6], [0, 4]], block = []}>";
  const std::string coopmatrix = "#tw.coopmatrix<{use = matrix_acc, subgroupSize = 16}>";
  auto operand = [](int opIdx, const std::string &parent, const std::string &kWidth) {
    return "#ttg.dot_op<{opIdx = " + std::to_string(opIdx) + ", parent = " + parent + kWidth + "}>";
  };
  auto slice = [](int dim, const std::string &parent) {
    return "#ttg.slice<{dim = " + std::to_string(dim) + ", parent = " + parent + "}>";
  };
  std::vector<Case> result;
  for (const std::string &text :
       {mma2, mma3, gfx11, gfx12, dpas, block, blocked, linear, generic, coopmatrix,
        operand(0, mma2, ", kWidth = 2"), operand(1, mma2, ", kWidth = 4"),
        operand(0, mma3, ", kWidth = 2"), operand(1, gfx11, ", kWidth = 16"),
        operand(0, gfx12, ", kWidth = 8"), operand(0, dpas, ", kWidth = 1"),
        operand(1, dpas, ", kWidth = 2"), operand(0, blocked, ""), operand(1, blocked, "")})
    for (Shape shape : {Shape{64, 32}, Shape{32, 64}, Shape{4, 64}})
      result.push_back({text, shape});
  for (const std::string &text : {batched, operand(1, batched, ", kWidth = 2")}) {
    result.push_back({text, {4, 32, 16}});
    for (int dim : {0, 1, 2})
      result.push_back({slice(dim, text), {32, 16}});
  }
  return result;
}

/// The coordinates of every place, in the order of flat inputs.
std::vector<Coordinates> places(const LinearLayout &map) {
  std::vector<Coordinates> result;
  for (uint64_t place = 0; place < uint64_t(1) << map.totalInBits(); ++place) {
    Coordinates &at = result.emplace_back();
    for (const layout::DimValue &value : map.unpackOutput(map.applyFlat(place)))
      at.push_back(value.value);
  }
  return result;
}

/// What each thread of the machine holds, its registers taken together.
std::map<std::array<uint64_t, 3>, std::set<Coordinates>> threads(const LinearLayout &map) {
  std::map<std::array<uint64_t, 3>, std::set<Coordinates>> result;
  std::vector<Coordinates> all = places(map);
  for (uint64_t place = 0; place < all.size(); ++place)
    result[{map.inValue(place, dims::Lane), map.inValue(place, dims::Warp),
            map.inValue(place, dims::Block)}]
        .insert(all[place]);
  return result;
}

std::vector<std::vector<int32_t>> permutations(size_t rank) {
  std::vector<int32_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int32_t>> result;
  do
    result.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return result;
}

template <typename T>
std::vector<T> permuted(const std::vector<T> &list, const std::vector<int32_t> &order) {
  std::vector<T> result;
  for (int32_t dim : order)
    result.push_back(list[dim]);
  return result;
}

} // namespace

TEST(Inference, TranspositionKeepsPlaces) {
  for (const Case &c : cases()) {
    tt::LayoutEncoding encoding = parseLayout(c.text);
    std::vector<Coordinates> before = places(encoding.toLinearLayout(c.shape));
    for (const std::vector<int32_t> &order : permutations(c.shape.size())) {
      auto after = llvm::dyn_cast_or_null<tt::LayoutEncoding>(encoding.inferTrans(c.shape, order));
      ASSERT_TRUE(after) << c.text;
      std::vector<Coordinates> expected;
      for (const Coordinates &at : before)
        expected.push_back(permuted(at, order));
      EXPECT_EQ(places(after.toLinearLayout(permuted(c.shape, order))), expected) << c.text;
    }
  }
}

TEST(Inference, ReductionKeepsTheOtherCoordinates) {
  for (const Case &c : cases()) {
    tt::LayoutEncoding encoding = parseLayout(c.text);
    for (unsigned axis = 0; axis < c.shape.size(); ++axis) {
      Shape reduced = c.shape, ones = c.shape;
      reduced.erase(reduced.begin() + axis);
      ones[axis] = 1;
      if (!encoding.isLinear(ones))
        continue;
      auto after = llvm::cast<tt::LayoutEncoding>(encoding.inferReduce(axis));
      auto expected = threads(encoding.toLinearLayout(ones));
      for (auto &[thread, held] : expected) {
        std::set<Coordinates> without;
        for (Coordinates at : held) {
          at.erase(at.begin() + axis);
          without.insert(at);
        }
        held = without;
      }
      EXPECT_EQ(threads(after.toLinearLayout(reduced)), expected) << c.text << " " << axis;
      // A slice alone knows what the dimension was; it gives it back.
      EXPECT_EQ(after.inferExpandDims(axis), mlir::Attribute(encoding)) << c.text << " " << axis;
    }
  }
}

TEST(Inference, ExpansionOfBasesInsertsZero) {
  for (const Case &c : cases()) {
    if (c.text.find("linear") != 5 && c.text.find("generic") != 5)
      continue;
    tt::LayoutEncoding encoding = parseLayout(c.text);
    for (unsigned axis = 0; axis <= c.shape.size(); ++axis) {
      auto after = llvm::cast<tt::LayoutEncoding>(encoding.inferExpandDims(axis));
      Shape shape = c.shape;
      shape.insert(shape.begin() + axis, 1);
      std::vector<Coordinates> expected = places(encoding.toLinearLayout(c.shape));
      for (Coordinates &at : expected)
        at.insert(at.begin() + axis, 0);
      EXPECT_EQ(places(after.toLinearLayout(shape)), expected) << c.text << " " << axis;
    }
  }
}

TEST(Inference, OtherLayoutsDoNotExpand) {
  EXPECT_FALSE(parseLayout("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
                           "[2, 2], instrShape = [16, 8]}>")
                   .inferExpandDims(0));
}

// What a byte of matrix_b does, no width tells.
TEST(Inference, TranspositionOfCoopMatrixB) {
  EXPECT_FALSE(parseLayout("#tw.coopmatrix<{use = matrix_b, subgroupSize = 16}>")
                   .inferTrans({64, 8}, {1, 0}));
  EXPECT_FALSE(parseLayout("#tw.coopmatrix<{use = matrix_acc, subgroupSize = 16}>")
                   .inferTrans({4, 15}, {1, 0}));
}

//===--------------------------------------------------------------------------===//
// Encodings of given maps
//===--------------------------------------------------------------------------===//

TEST(EncodingOf, LinearWhereItCanBe) {
  for (const Case &c : cases()) {
    LinearLayout map = parseLayout(c.text).toLinearLayout(c.shape);
    auto encoding = llvm::dyn_cast_or_null<tt::LayoutEncoding>(ttg::encodingOf(&context(), map));
    ASSERT_TRUE(encoding) << c.text;
    EXPECT_EQ(encoding.toLinearLayout(c.shape), map) << c.text;
    EXPECT_EQ(llvm::isa<ttg::GenericLinearEncodingAttr>(encoding),
              c.text.find("generic") == 5 && c.shape[0] > 2);
  }
}

TEST(EncodingOf, NothingForSwizzledLanes) {
  auto map = LinearLayout::parse("{register = [], lane = [[1, 1], [0, 1]], warp = [], block = []} "
                                 "-> {dim0 = 2, dim1 = 2}");
  ASSERT_TRUE(bool(map));
  EXPECT_FALSE(ttg::encodingOf(&context(), *map));
}

//===--------------------------------------------------------------------------===//
// Blocked encodings of given maps
//===--------------------------------------------------------------------------===//

// Any layout that the passes give a tensor is found by its map.
TEST(BlockedEncodingOf, FindsWhatCoversATensor) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const unsigned rank = 1 + random() % 4;
    std::vector<unsigned> order(rank), sizes(rank, 1);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Shape shape(rank, 1);
    for (unsigned bits = random() % 14; bits-- > 0;)
      shape[random() % rank] *= 2;
    for (unsigned dim = 0; dim < rank; ++dim)
      sizes[dim] = std::min<int64_t>(shape[dim], 1 << random() % 3);
    auto blocked = ttg::BlockedEncodingAttr::getCovering(&context(), shape, sizes, order,
                                                         1 << random() % 4, 32);
    LinearLayout map = blocked.toLinearLayout(shape);
    ttg::BlockedEncodingAttr found = ttg::blockedEncodingOf(&context(), map);
    ASSERT_TRUE(found) << map.toString();
    EXPECT_EQ(found.toLinearLayout(shape), map);
  }
}

TEST(BlockedEncodingOf, NothingForOthers) {
  for (const char *text :
       {"{register = [[1, 1]], lane = [[0, 1]], warp = [], block = []} -> {dim0 = 2, dim1 = 2}",
        "{register = [[0, 1], [1, 0]], lane = [[2, 0], [0, 2]], warp = [[0, 4], [4, 0]], block = "
        "[]} "
        "-> {dim0 = 8, dim1 = 8}",
        "{register = [[2]], lane = [[1]], warp = [], block = [[4]]} -> {dim0 = 8}"}) {
    auto map = LinearLayout::parse(text);
    ASSERT_TRUE(bool(map)) << text;
    EXPECT_FALSE(ttg::blockedEncodingOf(&context(), *map)) << text;
  }
}
