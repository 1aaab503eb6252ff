//===- CooperativeMatrixTest.cpp - Cooperative matrices against their definition -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The layout of cooperative matrices against the tables and the formulas of its definition
// (chapter "Coopmatrix layout" of the tinytc manual), written down here a second time: as
// loops that count locations, and as the manual's pseudo-code of a load.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/CooperativeMatrix.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <vector>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

using Element = CooperativeMatrix::Element;
using Location = CooperativeMatrix::Location;
using PackedLocation = CooperativeMatrix::PackedLocation;
using Held = std::optional<Element>;

CooperativeMatrix make(int64_t rows, int64_t columns, unsigned bits, MatrixUse use,
                       int64_t subgroup) {
  Result<CooperativeMatrix> matrix = CooperativeMatrix::create(rows, columns, bits, use, subgroup);
  EXPECT_TRUE(matrix) << matrix.error();
  return *matrix;
}

std::string describe(const CooperativeMatrix &m) {
  return std::to_string(m.rows()) + "x" + std::to_string(m.columns()) + " of " +
         std::to_string(m.elementBits()) + " bits as " + std::string(name(m.use())) +
         ", S = " + std::to_string(m.subgroupSize());
}

/// The components of all lanes, one line a component, as the manual prints them.
std::string table(const CooperativeMatrix &m) {
  std::ostringstream out;
  for (int64_t v = 0; v < m.componentCount(); ++v) {
    for (int64_t p = 0; p < m.subgroupSize(); ++p) {
      Held held = m.element(Location{p, v});
      out << (p ? " " : "");
      if (held)
        out << held->row << ',' << held->column;
      else
        out << "-,-";
    }
    out << '\n';
  }
  return out.str();
}

/// Calls `check` for every combination of rows, columns, element, use and sub-group.
void forAllMatrices(const std::function<void(const CooperativeMatrix &)> &check) {
  for (int64_t subgroup : {1, 2, 8, 16, 32, 64})
    for (int64_t rows : {1, 2, 4, 8, 16, 32, 64, 128})
      for (int64_t columns : {1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 32, 48, 64})
        for (unsigned bits : {8, 16, 32, 64, 128})
          for (MatrixUse use : {MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator}) {
            check(make(rows, columns, bits, use, subgroup));
            if (testing::Test::HasFatalFailure())
              return;
          }
}

//===----------------------------------------------------------------------------===//
// The manual's tables
//===----------------------------------------------------------------------------===//

TEST(CooperativeMatrix, TableOf4x15) {
  for (MatrixUse use : {MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator}) {
    CooperativeMatrix m = make(4, 15, 32, use, 16);
    EXPECT_EQ(table(m),
              "0,0 1,0 2,0 3,0 0,1 1,1 2,1 3,1 0,2 1,2 2,2 3,2 0,3 1,3 2,3 3,3\n"
              "0,4 1,4 2,4 3,4 0,5 1,5 2,5 3,5 0,6 1,6 2,6 3,6 0,7 1,7 2,7 3,7\n"
              "0,8 1,8 2,8 3,8 0,9 1,9 2,9 3,9 0,10 1,10 2,10 3,10 0,11 1,11 2,11 3,11\n"
              "0,12 1,12 2,12 3,12 0,13 1,13 2,13 3,13 0,14 1,14 2,14 3,14 -,- -,- -,- -,-\n");
    EXPECT_TRUE(m.needsMask());
  }
}

TEST(CooperativeMatrix, TableOf1x17) {
  CooperativeMatrix m = make(1, 17, 32, MatrixUse::Accumulator, 16);
  EXPECT_EQ(table(m), "0,0 0,1 0,2 0,3 0,4 0,5 0,6 0,7 0,8 0,9 0,10 0,11 0,12 0,13 0,14 0,15\n"
                      "0,16 -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,-\n");
  EXPECT_EQ(m.sizeJ(), 32);
  EXPECT_EQ(m.componentCount(), 2);
}

//===----------------------------------------------------------------------------===//
// Worked examples, S = 16
//===----------------------------------------------------------------------------===//

/// That lane p's component v is element(p, v), for all of them.
void expectElements(const CooperativeMatrix &m, int64_t components,
                    const std::function<Element(int64_t p, int64_t v)> &element) {
  EXPECT_EQ(m.componentCount(), components) << describe(m);
  for (int64_t p = 0; p < m.subgroupSize(); ++p)
    for (int64_t v = 0; v < components; ++v)
      EXPECT_EQ(m.element(Location{p, v}), element(p, v))
          << describe(m) << " at " << p << ", " << v;
}

TEST(CooperativeMatrix, AccumulatorOf8x16) {
  CooperativeMatrix m = make(8, 16, 32, MatrixUse::Accumulator, 16);
  expectElements(m, 8, [](int64_t p, int64_t v) { return Element{p % 8, p / 8 + 2 * v}; });
  EXPECT_EQ(m.toLinearLayout()->toString(),
            "{register = [[0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [0, 1]], "
            "warp = [], block = []} -> {dim0 = 8, dim1 = 16}");
}

TEST(CooperativeMatrix, HalvesOfAArePairsOfColumns) {
  CooperativeMatrix m = make(16, 16, 16, MatrixUse::A, 16);
  expectElements(m, 16, [](int64_t p, int64_t v) { return Element{p, v}; });
  EXPECT_TRUE(m.isPacked());
  EXPECT_EQ(m.entryCount(), 8);
  for (int64_t p = 0; p < 16; ++p)
    for (int64_t e = 0; e < 8; ++e)
      for (int64_t c = 0; c < 2; ++c)
        EXPECT_EQ(m.element(PackedLocation{p, e, c}), (Element{p, 2 * e + c}));
}

TEST(CooperativeMatrix, EntriesOfALowAHoldNeighbouringColumns) {
  CooperativeMatrix m = make(8, 16, 16, MatrixUse::A, 16);
  EXPECT_EQ(m.entryCount(), 4);
  for (int64_t p = 0; p < 16; ++p)
    for (int64_t e = 0; e < 4; ++e)
      for (int64_t c = 0; c < 2; ++c)
        EXPECT_EQ(m.element(PackedLocation{p, e, c}), (Element{p % 8, 2 * (p / 8) + 4 * e + c}));
  EXPECT_EQ(m.toPackedLinearLayout()->toString(),
            "{register = [[0, 1], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [0, 2]], "
            "warp = [], block = []} -> {dim0 = 8, dim1 = 16}");
}

TEST(CooperativeMatrix, HalvesOfB) {
  expectElements(make(16, 16, 16, MatrixUse::B, 16), 16,
                 [](int64_t p, int64_t v) { return Element{p, v}; });
  CooperativeMatrix m = make(32, 16, 16, MatrixUse::B, 16);
  EXPECT_EQ(m.sizeK2(), 2);
  expectElements(m, 32, [](int64_t p, int64_t v) { return Element{p + 16 * (v / 16), v % 16}; });
}

TEST(CooperativeMatrix, BytesOfBHaveTwoRowsSideBySide) {
  CooperativeMatrix m = make(32, 16, 8, MatrixUse::B, 16);
  EXPECT_EQ(m.sizeK1(), 2);
  EXPECT_EQ(m.sizeK2(), 1);
  expectElements(m, 32, [](int64_t p, int64_t v) { return Element{p + 16 * (v % 2), v / 2}; });
  EXPECT_EQ(m.toLinearLayout()->toString(),
            "{register = [[16, 0], [0, 1], [0, 2], [0, 4], [0, 8]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0]], warp = [], block = []} "
            "-> {dim0 = 32, dim1 = 16}");
}

TEST(CooperativeMatrix, PackedOnlyWhereColumnsFillTheEntries) {
  EXPECT_FALSE(make(16, 3, 16, MatrixUse::A, 16).isPacked());
  EXPECT_TRUE(make(16, 6, 16, MatrixUse::A, 16).isPacked());
  EXPECT_FALSE(make(16, 6, 8, MatrixUse::A, 16).isPacked());
  EXPECT_TRUE(make(16, 12, 8, MatrixUse::A, 16).isPacked());
  EXPECT_FALSE(make(16, 16, 32, MatrixUse::A, 16).isPacked());
  EXPECT_FALSE(make(16, 16, 16, MatrixUse::B, 16).isPacked());
  EXPECT_FALSE(make(16, 16, 8, MatrixUse::Accumulator, 16).isPacked());
}

//===----------------------------------------------------------------------------===//
// The formulas, counted out
//===----------------------------------------------------------------------------===//

/// I, J, K, K1, K2 as the manual defines them, by search where it does.
struct Sizes {
  int64_t I, J, K, K1, K2, V;
  explicit Sizes(const CooperativeMatrix &m) {
    int64_t M = m.rows(), N = m.columns(), S = m.subgroupSize();
    I = std::min(M, S);
    J = N;
    while (I * J % S != 0)
      ++J;
    K = M / I;
    K1 = 1;
    if (m.use() == MatrixUse::B && M / S > 1)
      K1 = m.elementBits() == 8 ? 2 : 1;
    K2 = K / K1;
    V = I * K * J / S;
  }
};

TEST(CooperativeMatrix, SizesByDefinition) {
  forAllMatrices([](const CooperativeMatrix &m) {
    Sizes sizes(m);
    ASSERT_EQ(m.sizeI(), sizes.I) << describe(m);
    ASSERT_EQ(m.sizeJ(), sizes.J) << describe(m);
    ASSERT_EQ(m.sizeK(), sizes.K) << describe(m);
    ASSERT_EQ(m.sizeK1(), sizes.K1) << describe(m);
    ASSERT_EQ(m.sizeK2(), sizes.K2) << describe(m);
    ASSERT_EQ(m.componentCount(), sizes.V) << describe(m);
  });
}

TEST(CooperativeMatrix, NumbersCountThroughAStar) {
  forAllMatrices([](const CooperativeMatrix &m) {
    Sizes z(m);
    int64_t number = 0;
    for (int64_t k2 = 0; k2 < z.K2; ++k2)
      for (int64_t j = 0; j < z.J; ++j)
        for (int64_t k1 = 0; k1 < z.K1; ++k1)
          for (int64_t i = 0; i < z.I; ++i, ++number) {
            CooperativeMatrix::TensorIndex index{i, k1, j, k2};
            ASSERT_EQ(m.linearize(index), number) << describe(m);
            ASSERT_EQ(m.delinearize(number), index) << describe(m);
            int64_t row = i + k1 * z.I + k2 * z.I * z.K1;
            Held expected;
            if (row < m.rows() && j < m.columns())
              expected = Element{row, j};
            ASSERT_EQ(m.toElement(index), expected) << describe(m);
            Location location{number % m.subgroupSize(), number / m.subgroupSize()};
            ASSERT_EQ(m.element(location), expected) << describe(m);
            if (expected) {
              ASSERT_EQ(m.toTensor(*expected), index) << describe(m);
              ASSERT_EQ(m.location(*expected), location) << describe(m);
            }
          }
    ASSERT_EQ(number, m.subgroupSize() * m.componentCount());
  });
}

TEST(CooperativeMatrix, EntriesCountThroughAStarStar) {
  unsigned packed = 0;
  forAllMatrices([&](const CooperativeMatrix &m) {
    Sizes z(m);
    int64_t omega = 1;
    if (m.use() == MatrixUse::A && m.elementBits() < 32 &&
        m.columns() % (32 / m.elementBits()) == 0)
      omega = 32 / m.elementBits();
    packed += omega > 1;
    ASSERT_EQ(m.channelCount(), omega) << describe(m);
    int64_t number = 0;
    for (int64_t k2 = 0; k2 < z.K2; ++k2)
      for (int64_t j = 0; j < (z.J + omega - 1) / omega; ++j)
        for (int64_t k1 = 0; k1 < z.K1; ++k1)
          for (int64_t i = 0; i < z.I; ++i, ++number)
            for (int64_t c = 0; c < omega; ++c) {
              PackedLocation location{number % m.subgroupSize(), number / m.subgroupSize(), c};
              CooperativeMatrix::TensorIndex star{i, k1, c + j * omega, k2};
              ASSERT_EQ(m.element(location), m.toElement(star)) << describe(m);
              ASSERT_EQ(m.pack(star), (CooperativeMatrix::PackedIndex{c, i, k1, j, k2}));
              ASSERT_EQ(m.unpack(m.pack(star)), star);
              if (Held element = m.element(location)) {
                ASSERT_EQ(m.packedLocation(*element), location) << describe(m);
              }
            }
    // What is left of the last entries is padding.
    ASSERT_EQ((number + m.subgroupSize() - 1) / m.subgroupSize(), m.entryCount()) << describe(m);
    for (; number < m.entryCount() * m.subgroupSize(); ++number)
      for (int64_t c = 0; c < omega; ++c)
        ASSERT_EQ(
            m.element(PackedLocation{number % m.subgroupSize(), number / m.subgroupSize(), c}),
            std::nullopt);
  });
  EXPECT_GT(packed, 100u);
}

TEST(CooperativeMatrix, EachElementIsHeldOnce) {
  forAllMatrices([](const CooperativeMatrix &m) {
    std::vector<unsigned> components(static_cast<size_t>(m.rows() * m.columns()), 0);
    std::vector<unsigned> channels = components;
    int64_t padding = 0;
    auto count = [&](std::vector<unsigned> &held, Held e) {
      if (e)
        ++held[static_cast<size_t>(e->row * m.columns() + e->column)];
      return e.has_value();
    };
    for (int64_t p = 0; p < m.subgroupSize(); ++p) {
      for (int64_t v = 0; v < m.componentCount(); ++v)
        padding += !count(components, m.element(Location{p, v}));
      for (int64_t e = 0; e < m.entryCount(); ++e)
        for (int64_t c = 0; c < m.channelCount(); ++c)
          count(channels, m.element(PackedLocation{p, e, c}));
    }
    for (size_t i = 0; i < components.size(); ++i) {
      ASSERT_EQ(components[i], 1u) << describe(m);
      ASSERT_EQ(channels[i], 1u) << describe(m);
    }
    ASSERT_EQ(m.needsMask(), padding > 0) << describe(m);
  });
}

//===----------------------------------------------------------------------------===//
// The manual's pseudo-code of a load
//===----------------------------------------------------------------------------===//

/// What lane p loads from a matrix whose memory holds the number of each element plus one,
/// row by row; 0 where it loads nothing.
std::vector<int64_t> load(int64_t M, int64_t N, int64_t S, int64_t K1, int64_t p) {
  const int64_t I = std::min(M, S);
  const int64_t J = (I * N + S - 1) / S * S / I;
  const int64_t K = M / I;
  const int64_t K2 = K / K1;
  const int64_t V = I * K * J / S;
  const bool needsMask = J * S / I > N;
  std::vector<int64_t> R(static_cast<size_t>(V), -1);
  int64_t i0 = p % I, j0 = p / I;
  for (int64_t w1 = 0; w1 < K1; ++w1)
    for (int64_t w2 = 0; w2 < K2; ++w2)
      for (int64_t u = 0; u < V / K; ++u) {
        int64_t row = i0 + (w1 + w2 * K1) * I;
        int64_t col = j0 + u * (S / I);
        bool maskOk = !needsMask || col < N;
        R[static_cast<size_t>(w1 + u * K1 + w2 * K1 * (V / K))] = maskOk ? row * N + col + 1 : 0;
      }
  return R;
}

/// A register is the sum of what its lane and its number stand for, and registerOf is the inverse.
TEST(CooperativeMatrix, RegistersAreSumsOfLanesAndNumbers) {
  forAllMatrices([](const CooperativeMatrix &m) {
    ASSERT_EQ(m.registerCount(), m.entryCount() * m.channelCount());
    for (int64_t reg = 0; reg < m.registerCount(); ++reg) {
      int64_t held = 0;
      const Element own = m.registerElement(reg);
      for (int64_t lane = 0; lane < m.subgroupSize(); ++lane) {
        const Element of = m.laneElement(lane), sum{own.row + of.row, own.column + of.column};
        const Held expected =
            m.element(PackedLocation{lane, reg / m.channelCount(), reg % m.channelCount()});
        ASSERT_LT(sum.row, m.rows()) << describe(m);
        if (expected)
          ASSERT_EQ(sum, *expected) << describe(m) << ", lane " << lane << ", register " << reg;
        else
          ASSERT_GE(sum.column, m.columns()) << describe(m) << ", lane " << lane;
        held += expected.has_value();
        const CooperativeMatrix::Register back = m.registerOf(sum);
        ASSERT_EQ(back.lane, lane) << describe(m) << ", register " << reg;
        if (expected)
          ASSERT_EQ(back.reg, reg) << describe(m) << ", lane " << lane;
      }
      ASSERT_EQ(m.isWhole(reg), held == m.subgroupSize()) << describe(m) << ", register " << reg;
      ASSERT_EQ(m.isPadding(reg), held == 0) << describe(m) << ", register " << reg;
    }
  });
}

TEST(CooperativeMatrix, LoadsAsTheManualDoes) {
  forAllMatrices([](const CooperativeMatrix &m) {
    for (int64_t p = 0; p < m.subgroupSize(); ++p) {
      std::vector<int64_t> loaded = load(m.rows(), m.columns(), m.subgroupSize(), Sizes(m).K1, p);
      ASSERT_EQ(static_cast<int64_t>(loaded.size()), m.componentCount()) << describe(m);
      for (int64_t v = 0; v < m.componentCount(); ++v) {
        Held held = m.element(Location{p, v});
        ASSERT_EQ(loaded[static_cast<size_t>(v)],
                  held ? held->row * m.columns() + held->column + 1 : 0)
            << describe(m) << " at " << p << ", " << v;
      }
    }
  });
}

//===----------------------------------------------------------------------------===//
// As linear maps
//===----------------------------------------------------------------------------===//

TEST(CooperativeMatrix, LinearMapEqualsElements) {
  unsigned linear = 0, linearPacked = 0;
  auto at = [](const LinearLayout &map, int64_t reg, int64_t lane) {
    std::vector<DimValue> out = map.apply(
        {{dims::Register, static_cast<uint64_t>(reg)}, {dims::Lane, static_cast<uint64_t>(lane)}});
    return Element{static_cast<int64_t>(out[0].value), static_cast<int64_t>(out[1].value)};
  };
  forAllMatrices([&](const CooperativeMatrix &m) {
    bool powerOfTwo = (m.columns() & (m.columns() - 1)) == 0;
    Result<LinearLayout> map = m.toLinearLayout();
    ASSERT_EQ(static_cast<bool>(map), powerOfTwo && !m.needsMask()) << describe(m);
    if (map) {
      ++linear;
      ASSERT_TRUE(map->isInvertible());
      for (int64_t p = 0; p < m.subgroupSize(); ++p)
        for (int64_t v = 0; v < m.componentCount(); ++v)
          ASSERT_EQ(m.element(Location{p, v}), at(*map, v, p)) << describe(m);
    }
    Result<LinearLayout> packed = m.toPackedLinearLayout();
    bool full = m.rows() * m.columns() == m.subgroupSize() * m.entryCount() * m.channelCount();
    ASSERT_EQ(static_cast<bool>(packed), powerOfTwo && full) << describe(m);
    if (packed) {
      ++linearPacked;
      ASSERT_TRUE(packed->isInvertible());
      for (int64_t p = 0; p < m.subgroupSize(); ++p)
        for (int64_t e = 0; e < m.entryCount(); ++e)
          for (int64_t c = 0; c < m.channelCount(); ++c)
            ASSERT_EQ(m.element(PackedLocation{p, e, c}), at(*packed, e * m.channelCount() + c, p))
                << describe(m);
    }
  });
  EXPECT_GT(linear, 1000u);
  EXPECT_GT(linearPacked, 1000u);
}

TEST(CooperativeMatrix, SaysWhyItIsNotLinear) {
  EXPECT_EQ(make(4, 15, 32, MatrixUse::A, 16).toLinearLayout().error(),
            "the layout of a cooperative matrix with 15 columns, which is no power of two, is not "
            "a linear map");
  EXPECT_EQ(make(2, 4, 32, MatrixUse::A, 16).toLinearLayout().error(),
            "the layout of a cooperative matrix with padding is not a linear map: 2x4 elements do "
            "not fill 16 lanes");
  EXPECT_EQ(make(8, 2, 16, MatrixUse::A, 16).toPackedLinearLayout().error(),
            "the layout of a cooperative matrix with padding is not a linear map: 8x2 elements in "
            "entries of 32 bits do not fill 16 lanes");
}

//===----------------------------------------------------------------------------===//
// Wrong input
//===----------------------------------------------------------------------------===//

TEST(CooperativeMatrix, Verify) {
  auto verify = [](int64_t rows, int64_t columns, unsigned bits, int64_t subgroup) {
    return CooperativeMatrix::verify(rows, columns, bits, MatrixUse::A, subgroup).error();
  };
  EXPECT_EQ(verify(8, 15, 16, 16), "");
  for (int64_t rows : {0, -4, 3, 12})
    EXPECT_EQ(verify(rows, 8, 16, 16),
              "the rows of a cooperative matrix are a power of two, not " + std::to_string(rows));
  for (int64_t columns : {0, -1})
    EXPECT_EQ(verify(8, columns, 16, 16),
              "a cooperative matrix has at least one column, not " + std::to_string(columns));
  for (int64_t subgroup : {0, -16, 12})
    EXPECT_EQ(verify(8, 8, 16, subgroup),
              "the size of a sub-group is a power of two, not " + std::to_string(subgroup));
  for (unsigned bits : {0u, 1u, 4u, 24u, 256u})
    EXPECT_EQ(verify(8, 8, bits, 16),
              "an element of a cooperative matrix has 8, 16, 32, 64 or 128 bits, not " +
                  std::to_string(bits));
  const char *tooLarge = "a cooperative matrix has at most 2^30 elements together with its padding";
  EXPECT_EQ(verify(int64_t(1) << 15, int64_t(1) << 15, 16, 16), "");
  EXPECT_EQ(verify(int64_t(1) << 15, (int64_t(1) << 15) + 1, 16, 16), tooLarge);
  EXPECT_EQ(verify(int64_t(1) << 62, 1, 16, 16), tooLarge);
  EXPECT_EQ(verify(1, INT64_MAX, 16, 16), tooLarge);
  EXPECT_EQ(verify(1, 1, 16, int64_t(1) << 62), tooLarge);
  EXPECT_EQ(verify(1, (int64_t(1) << 30) - 1, 16, 1 << 30), "");
  EXPECT_EQ(verify(4, 3 << 26, 16, 1 << 30), "");
  EXPECT_EQ(verify(4, (1 << 28) + 1, 16, 16), tooLarge);
}

TEST(CooperativeMatrix, NegativeSizesAreNoPowersOfTwo) {
  // As a word, the least number has one bit set.
  constexpr int64_t Least = std::numeric_limits<int64_t>::min();
  EXPECT_NE(CooperativeMatrix::verify(Least, 8, 16, MatrixUse::A, 16).error(), "");
  EXPECT_NE(CooperativeMatrix::verify(8, 8, 16, MatrixUse::A, Least).error(), "");
}

TEST(CooperativeMatrix, UsesHaveNames) {
  for (MatrixUse use : {MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator})
    EXPECT_EQ(parseMatrixUse(name(use)), use);
  EXPECT_EQ(name(MatrixUse::A), "matrix_a");
  EXPECT_EQ(parseMatrixUse("matrix_c"), std::nullopt);
}

} // namespace
