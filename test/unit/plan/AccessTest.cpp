//===- AccessTest.cpp - Vector widths, sectors and bank conflicts ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/Access.h"

#include "BruteForceAccess.h"
#include "target/Target.h"
#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using namespace tilewright::plan;

namespace {

TEST(Access, TransactionsOfLinearMapsByBruteForce) {
  RandomLayouts random(1);
  for (unsigned i = 0; i < 5000; ++i) {
    unsigned bytes = 1u << random.below(5), lanes = random.below(6);
    LinearLayout map = random.any({{dims::Lane, lanes}}, {{dims::Offset, 8}});
    std::vector<uint64_t> bases, addresses;
    for (uint64_t basis : map.bases())
      bases.push_back(basis * bytes);
    std::vector<unsigned> active;
    for (uint64_t lane = 0; lane < uint64_t(1) << lanes; ++lane) {
      addresses.push_back(map.applyFlat(lane) * bytes);
      active.push_back(static_cast<unsigned>(lane));
    }
    unsigned phases;
    unsigned expected = transactionsByBruteForce(addresses, bytes, phases);
    Transactions linear = countTransactions(bases, bytes, LocalDirection::Load, {});
    Transactions listed = countTransactions(addresses, active, bytes, LocalDirection::Store, {});
    ASSERT_EQ(linear.actual, expected) << map.toString() << " of " << bytes << " bytes";
    ASSERT_EQ(linear.ideal, phases);
    ASSERT_EQ(listed.actual, expected);
    ASSERT_EQ(listed.ideal, phases);
  }
}

/// A random order in which the phases of a warp of 32 are served, as a basis.
target::LaneGroups::Basis randomBasis(RandomLayouts &random) {
  target::LaneGroups::Basis basis = target::LaneGroups::Consecutive;
  for (unsigned i = 0; i < 20; ++i) {
    const unsigned to = random.below(5), from = random.below(5);
    if (to != from)
      basis[to] ^= basis[from];
  }
  return basis;
}

TEST(Access, TransactionsOfGroupsOfLanesByBruteForce) {
  RandomLayouts random(3);
  for (unsigned i = 0; i < 2000; ++i) {
    const unsigned bytes = 1u << random.below(5);
    const bool isLoad = random.below(2);
    ExchangeModel memory;
    const target::LaneGroups::Basis basis = randomBasis(random);
    (isLoad ? memory.groups.loads : memory.groups.stores)[log2Of(bytes)] = basis;
    LinearLayout map = random.any({{dims::Lane, 5}}, {{dims::Offset, 8}});
    std::vector<uint64_t> bases, addresses;
    for (uint64_t column : map.bases())
      bases.push_back(column * bytes);
    std::vector<unsigned> active(32), order;
    for (unsigned lane = 0; lane < 32; ++lane) {
      addresses.push_back(map.applyFlat(lane) * bytes);
      active[lane] = lane;
      unsigned served = 0;
      for (unsigned bit = 0; bit < 5; ++bit)
        served ^= lane >> bit & 1 ? basis[bit] : 0;
      order.push_back(served);
    }
    unsigned phases;
    const unsigned expected = transactionsByBruteForce(addresses, order, bytes, phases);
    const auto direction = isLoad ? LocalDirection::Load : LocalDirection::Store;
    EXPECT_EQ(countTransactions(bases, bytes, direction, memory).actual, expected);
    EXPECT_EQ(countTransactions(bases, bytes, direction, memory).ideal, phases);
    EXPECT_EQ(countTransactions(addresses, active, bytes, direction, memory).actual, expected);
    EXPECT_EQ(countTransactions(addresses, active, bytes, direction, memory).ideal, phases);
    const unsigned consecutive = transactionsByBruteForce(addresses, bytes, phases);
    const auto other = isLoad ? LocalDirection::Store : LocalDirection::Load;
    EXPECT_EQ(countTransactions(bases, bytes, other, memory).actual, consecutive);
  }
}

/// A load of 16 bytes a lane whose lanes 4 to 7 have what lanes 0 to 3 have a row further on, and
/// lanes 16 to 31 the second half of the rows: RDNA 3 serves it a row at a time, RDNA 4 does not.
TEST(Access, WideLoadsOfRdna) {
  const std::vector<uint64_t> lanes = {16, 32, 128, 256, 128 + 64};
  const auto count = [&](const char *target, LocalDirection direction) {
    return countTransactions(lanes, 16, direction, target::Target::find(target)->sharedMemory());
  };
  EXPECT_EQ(count("hip:gfx1100", LocalDirection::Load).conflicts(), 0u);
  EXPECT_EQ(count("hip:gfx1150", LocalDirection::Load).conflicts(), 0u);
  EXPECT_EQ(count("hip:gfx1100", LocalDirection::Store).actual, 8u);
  EXPECT_EQ(count("hip:gfx1201", LocalDirection::Load).actual, 8u);
  EXPECT_EQ(count("cuda:90", LocalDirection::Load).actual, 8u);
}

TEST(Access, KnownPatterns) {
  auto strided = [](uint64_t stride, unsigned bytes) {
    std::vector<uint64_t> bases;
    for (unsigned i = 0; i < 5; ++i)
      bases.push_back(stride << i);
    return countTransactions(bases, bytes, LocalDirection::Load, {});
  };
  EXPECT_EQ(strided(4, 4).actual, 1u);         // neighbours
  EXPECT_EQ(strided(8, 4).conflicts(), 1u);    // every other word
  EXPECT_EQ(strided(128, 4).conflicts(), 31u); // a column
  EXPECT_EQ(strided(16, 16).actual, 4u);       // four phases, no conflict
  EXPECT_EQ(strided(16, 16).conflicts(), 0u);
  EXPECT_EQ(strided(8, 8).actual, 2u);
  EXPECT_EQ(strided(0, 4).actual, 1u); // one word for all
  EXPECT_EQ(strided(1, 1).actual, 1u); // four lanes a word
  EXPECT_EQ(strided(256, 16).conflicts(), 4u * 7);
}

TEST(Access, ContiguousElementsByBruteForce) {
  RandomLayouts random(2);
  for (unsigned i = 0; i < 500; ++i) {
    std::vector<int64_t> shape = random.shape(1 + random.below(2), 5);
    Blocked b = random.blocked(shape, random.below(4), random.below(2));
    LinearLayout map = toLinearLayout(b, shape);
    std::vector<unsigned> order = random.blocked(shape, 0, 0).order;
    // Addresses a thread holds, by sorting.
    unsigned expected = ~0u;
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane)
      for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp) {
        std::set<uint64_t> held;
        for (uint64_t r = 0; r < map.inSize(dims::Register); ++r) {
          auto at = map.apply({{dims::Register, r}, {dims::Lane, lane}, {dims::Warp, warp}});
          uint64_t address = 0, stride = 1;
          for (unsigned d : order) {
            address += at[d].value * stride;
            stride *= static_cast<uint64_t>(shape[d]);
          }
          held.insert(address);
        }
        // The largest aligned runs that everything held is made of.
        unsigned n = 1;
        auto fits = [&](uint64_t size) {
          for (uint64_t address : held)
            for (uint64_t k = 0; k < size; ++k)
              if (!held.count(address / size * size + k))
                return false;
          return true;
        };
        while (fits(2 * n))
          n *= 2;
        expected = std::min(expected, n);
      }
    ASSERT_EQ(contiguousPerThread(map, order), expected) << map.toString();
  }
}

/// The registers whose bits count through consecutive addresses in every thread, all others
/// being the same: how many elements.
unsigned countedThrough(const LinearLayout &map, const std::vector<unsigned> &order) {
  auto addressOf = [&](uint64_t place) {
    std::vector<DimValue> at = map.unpackOutput(map.applyFlat(place));
    uint64_t address = 0, stride = 1;
    for (unsigned d : order) {
      address += at[d].value * stride;
      stride *= map.outSize(Dim::tensor(d));
    }
    return address;
  };
  uint64_t places = uint64_t(1) << map.totalInBits();
  std::vector<uint64_t> vector = {0};
  while (true) {
    // Another register bit that doubles the vector, from an aligned start everywhere.
    auto doubles = [&](uint64_t bit) {
      std::vector<uint64_t> wider = vector;
      for (uint64_t place : vector)
        wider.push_back(place | bit);
      for (uint64_t place = 0; place < places; ++place) {
        if (place & wider.back())
          continue;
        uint64_t start = addressOf(place);
        for (size_t k = 0; k < wider.size(); ++k)
          if (addressOf(place | wider[k]) != start + k || start % wider.size())
            return false;
      }
      vector = wider;
      return true;
    };
    bool found = false;
    for (unsigned bit = 0; bit < map.inBits(dims::Register) && !found; ++bit)
      found = !(vector.back() >> bit & 1) && doubles(uint64_t(1) << bit);
    if (!found)
      return static_cast<unsigned>(vector.size());
  }
}

TEST(Access, ContiguousElementsOfAnyLayoutByBruteForce) {
  RandomLayouts random(5);
  for (unsigned i = 0; i < 500; ++i) {
    unsigned rows = 1 + random.below(3), cols = 1 + random.below(4);
    unsigned lanes = random.below(rows + cols);
    RandomLayouts::Bits basis =
        random.below(2) ? random.units(rows + cols) : random.basis(rows + cols);
    LinearLayout map = random.deal(basis, lanes, 0, random.below(2))
                           .reshapeOuts({{dims::Dim0, rows}, {dims::Dim1, cols}});
    std::vector<unsigned> order =
        random.below(2) ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{1, 0};
    ASSERT_EQ(contiguousPerThread(map, order), countedThrough(map, order)) << map.toString();
  }
}

TEST(Access, SectorsByBruteForce) {
  RandomLayouts random(6);
  for (unsigned i = 0; i < 500; ++i) {
    std::vector<int64_t> shape = random.shape(1 + random.below(2), 6);
    LinearLayout map = toLinearLayout(random.blocked(shape, random.below(6), 1), shape);
    std::vector<unsigned> order = random.blocked(shape, 0, 0).order;
    unsigned bytes = 1u << random.below(4);
    std::vector<unsigned> bits = contiguousRegisterBits(map, order);
    bits.resize(random.below(static_cast<unsigned>(bits.size()) + 1));
    std::set<uint64_t> sectors;
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane)
      for (uint64_t k = 0; k < uint64_t(1) << bits.size(); ++k) {
        uint64_t reg = 0;
        for (size_t bit = 0; bit < bits.size(); ++bit)
          reg |= (k >> bit & 1) << bits[bit];
        auto at = map.apply({{dims::Register, reg}, {dims::Lane, lane}});
        uint64_t address = 0, stride = bytes;
        for (unsigned d : order) {
          address += at[d].value * stride;
          stride *= static_cast<uint64_t>(shape[d]);
        }
        for (unsigned byte = 0; byte < bytes; ++byte)
          sectors.insert((address + byte) / 32);
      }
    ASSERT_EQ(sectorsPerWarpAccess(map, order, bytes, 1u << bits.size()), sectors.size())
        << map.toString();
  }
}

TEST(Access, SectorsOfAWarp) {
  std::vector<int64_t> shape = {64, 64};
  unsigned rowMajor[] = {1, 0};
  LinearLayout rows = toLinearLayout(Blocked{{1, 4}, {2, 16}, {4, 1}, {1, 0}}, shape);
  LinearLayout columns = toLinearLayout(Blocked{{1, 1}, {32, 1}, {4, 1}, {1, 0}}, shape);
  EXPECT_EQ(sectorsPerWarpAccess(rows, rowMajor, 4, 4), 16u); // 32 lanes of 16 bytes, dense
  EXPECT_EQ(sectorsPerWarpAccess(columns, rowMajor, 4, 1), 32u);
  EXPECT_EQ(sectorsPerWarpAccess(columns, rowMajor, 4, 4), 32u);
  EXPECT_EQ(sectorsPerWarpAccess(columns, rowMajor, 4, 16), 64u);
}

} // namespace
