//===- TensorMapTest.cpp - Boxes against loops over their elements ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/TensorMap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

using namespace tilewright::simulate::nvidia;

namespace {

/// A tensor of 16-bit elements with numbers of their own, and a map of it.
struct Tensor {
  std::vector<uint16_t> elements;
  TensorMap map = {};

  /// The element at coordinates; null outside.
  uint16_t *at(const TensorMap::Coordinates &coordinates) {
    uint64_t byte = 0;
    for (unsigned dim = 0; dim < map.rank(); ++dim) {
      if (coordinates[dim] < 0 || coordinates[dim] >= static_cast<int32_t>(map.sizes[dim]))
        return nullptr;
      byte += coordinates[dim] * (dim == 0 ? 2 : map.strides[dim - 1]);
    }
    return &elements[byte / 2];
  }
};

class Boxes : public testing::Test {
protected:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random() % bound); }

  Tensor makeTensor() {
    Tensor tensor;
    TensorMap &map = tensor.map;
    const unsigned rank = 1 + below(TensorMap::maxRank);
    map.rankLessOne = static_cast<uint8_t>(rank - 1);
    map.element = TensorElement::F16;
    map.swizzle = static_cast<uint8_t>(below(4));
    uint64_t bytes = 2;
    for (unsigned dim = 0; dim < rank; ++dim) {
      map.elementStrides[dim] = 1;
      map.sizes[dim] = 1 + below(dim == 0 ? 80 : 5);
      map.boxSizes[dim] = 1 + below(6);
      bytes = (bytes * map.sizes[dim] + 15) / 16 * 16;
      if (dim + 1 < rank)
        map.strides[dim] = bytes;
    }
    map.boxSizes[0] = map.swizzle ? map.swizzleBytes() / 2 : 8 * (1 + below(12));
    tensor.elements.resize(bytes / 2 + 8);
    // From 1 on: 0 is what is outside.
    for (size_t i = 0; i < tensor.elements.size(); ++i)
      tensor.elements[i] = static_cast<uint16_t>(i % 65000 + 1);
    // Memory of the heap begins at multiples of 16 bytes.
    map.address = reinterpret_cast<uint64_t>(tensor.elements.data());
    return tensor;
  }

  /// Calls `see` with the number and the coordinates of each element of a box.
  template <typename See>
  void forEachElement(const TensorMap &map, const TensorMap::Coordinates &start, See see) {
    const uint64_t count = map.boxBytes() / 2;
    for (uint64_t i = 0; i < count; ++i) {
      TensorMap::Coordinates at = start;
      uint64_t rest = i;
      for (unsigned dim = 0; dim < map.rank(); ++dim) {
        at[dim] += static_cast<int32_t>(rest % map.boxSizes[dim]);
        rest /= map.boxSizes[dim];
      }
      see(i, at);
    }
  }

  /// Where the element with a number lies in a box that begins at a multiple of 1024 bytes: the
  /// definition of the swizzle, by rows of 128 bytes and chunks of 16.
  static uint64_t placeOf(const TensorMap &map, uint64_t element) {
    const uint64_t byte = 2 * element, line = byte / 128, chunk = byte / 16 % 8;
    const uint64_t moved = map.swizzle ? chunk ^ (line % (1u << map.swizzle)) : chunk;
    return (128 * line + 16 * moved + byte % 16) / 2;
  }

  TensorMap::Coordinates startOf(const TensorMap &map) {
    TensorMap::Coordinates start = {};
    for (unsigned dim = 0; dim < map.rank(); ++dim)
      start[dim] = static_cast<int32_t>(below(map.sizes[dim] + map.boxSizes[dim] + 1)) -
                   static_cast<int32_t>(map.boxSizes[dim]);
    return start;
  }

  /// Shared memory for a box, at a multiple of 1024 bytes.
  uint64_t room(const TensorMap &map) {
    memory.assign(map.boxBytes() + 2048, 0xee);
    return (reinterpret_cast<uint64_t>(memory.data()) + 1023) / 1024 * 1024;
  }

  std::mt19937 random{7};
  std::vector<uint8_t> memory;
};

TEST_F(Boxes, AreLoadedElementByElement) {
  for (int i = 0; i < 300; ++i) {
    Tensor tensor = makeTensor();
    ASSERT_EQ(tensor.map.findFault(tensor.map.rank()), "");
    const TensorMap::Coordinates start = startOf(tensor.map);
    const uint64_t base = room(tensor.map);
    loadBox(tensor.map, start, base);
    const auto *box = reinterpret_cast<const uint16_t *>(base);
    forEachElement(tensor.map, start, [&](uint64_t element, const auto &at) {
      const uint16_t *expected = tensor.at(at);
      ASSERT_EQ(box[placeOf(tensor.map, element)], expected ? *expected : 0)
          << "element " << element;
    });
  }
}

TEST_F(Boxes, AreStoredElementByElement) {
  for (int i = 0; i < 300; ++i) {
    Tensor tensor = makeTensor();
    const TensorMap::Coordinates start = startOf(tensor.map);
    const uint64_t base = room(tensor.map);
    auto *box = reinterpret_cast<uint16_t *>(base);
    std::vector<uint16_t> expected = tensor.elements;
    forEachElement(tensor.map, start, [&](uint64_t element, const auto &at) {
      const auto value = static_cast<uint16_t>(element * 3 + 1);
      box[placeOf(tensor.map, element)] = value;
      if (uint16_t *place = tensor.at(at))
        expected[place - tensor.elements.data()] = value;
    });
    storeBox(tensor.map, start, base);
    ASSERT_EQ(tensor.elements, expected);
  }
}

TEST_F(Boxes, AreCombined) {
  Tensor tensor = makeTensor();
  tensor.map.element = TensorElement::U16;
  EXPECT_FALSE(hasReduction(TensorElement::U16, BoxReduction::Add));
  std::vector<uint32_t> sums = {1, 2, 3, 4, 5, 6, 7, 8};
  TensorMap map = {};
  map.address = reinterpret_cast<uint64_t>(sums.data());
  map.element = TensorElement::U32;
  map.boxSizes[0] = 8;
  map.sizes[0] = 7;
  map.elementStrides[0] = 1;
  const uint64_t base = room(map);
  for (uint32_t i = 0; i < 8; ++i)
    reinterpret_cast<uint32_t *>(base)[i] = 4;
  reduceBox(map, {1}, base, BoxReduction::Add);
  EXPECT_EQ(sums, (std::vector<uint32_t>{1, 6, 7, 8, 9, 10, 11, 8}));
  reduceBox(map, {0}, base, BoxReduction::Min);
  EXPECT_EQ(sums, (std::vector<uint32_t>{1, 4, 4, 4, 4, 4, 4, 8}));
  reduceBox(map, {0}, base, BoxReduction::Xor);
  EXPECT_EQ(sums, (std::vector<uint32_t>{5, 0, 0, 0, 0, 0, 0, 8}));
  // 2.5 + 1.5 in f16.
  std::vector<uint16_t> halves(8, 0x4100);
  map.address = reinterpret_cast<uint64_t>(halves.data());
  map.element = TensorElement::F16;
  for (uint32_t i = 0; i < 8; ++i)
    reinterpret_cast<uint16_t *>(base)[i] = 0x3e00;
  reduceBox(map, {0}, base, BoxReduction::Add);
  EXPECT_EQ(halves[0], 0x4400);
  EXPECT_EQ(halves[7], 0x4100);
}

TEST_F(Boxes, HaveFaults) {
  const Tensor tensor = makeTensor();
  const unsigned rank = tensor.map.rank();
  auto faultOf = [&](auto damage) {
    TensorMap map = tensor.map;
    damage(map);
    return map.findFault(rank);
  };
  EXPECT_NE(tensor.map.findFault(rank % 5 + 1), "");
  EXPECT_NE(faultOf([](TensorMap &map) { map.address += 8; }), "");
  EXPECT_NE(faultOf([](TensorMap &map) { map.boxSizes[0] = 300; }), "");
  EXPECT_NE(faultOf([](TensorMap &map) { map.boxSizes[0] = 7; }), "");
  EXPECT_NE(faultOf([](TensorMap &map) { map.elementStrides[0] = 2; }), "");
  EXPECT_NE(TensorMap{}.findFault(1), "");
}

} // namespace
