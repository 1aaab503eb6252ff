//===- LinearLayoutTest.cpp - The laws of the algebra ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each law is checked against brute force: over all maps of few bits, and over thousands of
// random maps. Brute force knows a map only by its values on every input.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/LinearLayout.h"

#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// The values of a map on all inputs.
std::vector<uint64_t> valuesOf(const LinearLayout &map) {
  std::vector<uint64_t> values;
  for (uint64_t x = 0; x < uint64_t(1) << map.totalInBits(); ++x)
    values.push_back(map.applyFlat(x));
  return values;
}

LinearLayout oneDim(const std::vector<uint64_t> &bases, unsigned outBits) {
  return LinearLayout::fromPacked({SizedDim{dims::Lane, static_cast<unsigned>(bases.size())}},
                                  {SizedDim{dims::Dim0, outBits}}, bases);
}

/// Calls `check` with every map from `inBits` to `outBits` bits.
template <typename Check> void forAllMaps(unsigned inBits, unsigned outBits, Check check) {
  uint64_t count = uint64_t(1) << (inBits * outBits);
  for (uint64_t code = 0; code < count; ++code) {
    std::vector<uint64_t> bases;
    for (unsigned i = 0; i < inBits; ++i)
      bases.push_back(code >> (i * outBits) & ((1u << outBits) - 1));
    check(oneDim(bases, outBits));
  }
}

/// What follows from the values alone: rank, kernel, image, canonical inputs.
void checkAgainstValues(const LinearLayout &map) {
  std::vector<uint64_t> values = valuesOf(map);
  std::map<uint64_t, std::vector<uint64_t>> inputsOf;
  for (uint64_t x = 0; x < values.size(); ++x)
    inputsOf[values[x]].push_back(x);

  ASSERT_EQ(inputsOf.size(), uint64_t(1) << map.rank());
  ASSERT_EQ(map.isSurjective(), inputsOf.size() == uint64_t(1) << map.totalOutBits());
  ASSERT_EQ(map.isInjective(), inputsOf.size() == values.size());
  ASSERT_EQ(map.isInvertible(), map.isSurjective() && map.isInjective());

  // The kernel's basis spans exactly the inputs of 0.
  std::set<uint64_t> kernel = {0};
  for (uint64_t v : map.kernelBasis()) {
    std::set<uint64_t> larger = kernel;
    for (uint64_t k : kernel)
      larger.insert(k ^ v);
    ASSERT_EQ(larger.size(), 2 * kernel.size());
    kernel = larger;
  }
  ASSERT_EQ(kernel, std::set<uint64_t>(inputsOf[0].begin(), inputsOf[0].end()));
  ASSERT_EQ(map.imageBasis().size(), map.rank());

  // Each value is reached by exactly one canonical input; the pseudo-inverse finds it.
  LinearLayout inverse = map.pseudoInvert();
  uint64_t free = map.freeMask();
  for (const auto &[value, inputs] : inputsOf) {
    std::vector<uint64_t> canonical;
    for (uint64_t x : inputs)
      if (!(x & free))
        canonical.push_back(x);
    ASSERT_EQ(canonical.size(), 1u);
    ASSERT_EQ(inverse.applyFlat(value), canonical[0]);
  }
  // G L G = G.
  for (uint64_t y = 0; y < uint64_t(1) << map.totalOutBits(); ++y) {
    uint64_t x = inverse.applyFlat(y);
    ASSERT_EQ(inverse.applyFlat(map.applyFlat(x)), x);
  }
}

TEST(LinearLayout, TheTableOfTheHeader) {
  auto map = LinearLayout::parse("{register = [[0, 1]], lane = [[1, 0], [2, 0]]}"
                                 " -> {dim0 = 4, dim1 = 2}");
  ASSERT_TRUE(map) << map.error();
  for (uint64_t lane = 0; lane < 4; ++lane)
    for (uint64_t r = 0; r < 2; ++r)
      EXPECT_EQ(map->apply({{dims::Register, r}, {dims::Lane, lane}}),
                (std::vector<DimValue>{{dims::Dim0, lane}, {dims::Dim1, r}}));

  auto swizzle = LinearLayout::parse("{offset = [[0, 1], [0, 2], [1, 1], [2, 2]]}"
                                     " -> {dim0 = 4, dim1 = 4}");
  ASSERT_TRUE(swizzle);
  const unsigned columns[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  for (uint64_t offset = 0; offset < 16; ++offset)
    EXPECT_EQ(swizzle->apply({{dims::Offset, offset}}),
              (std::vector<DimValue>{{dims::Dim0, offset / 4},
                                     {dims::Dim1, columns[offset / 4][offset % 4]}}));
}

TEST(LinearLayout, IsLinear) {
  RandomLayouts random(1);
  for (unsigned i = 0; i < 50; ++i) {
    LinearLayout map =
        random.any({{dims::Register, 3}, {dims::Lane, 4}}, {{dims::Dim0, 3}, {dims::Dim1, 4}});
    for (uint64_t a = 0; a < 128; ++a)
      for (uint64_t b = 0; b < 128; ++b)
        ASSERT_EQ(map.applyFlat(a ^ b), map.applyFlat(a) ^ map.applyFlat(b));
  }
}

TEST(LinearLayout, RankKernelAndPseudoInverseOfAllSmallMaps) {
  for (unsigned in = 0; in <= 4; ++in)
    for (unsigned out = 0; out <= 3; ++out)
      forAllMaps(in, out, [](const LinearLayout &map) {
        ASSERT_NO_FATAL_FAILURE(checkAgainstValues(map)) << map.toString();
      });
}

TEST(LinearLayout, RankKernelAndPseudoInverseOfRandomMaps) {
  RandomLayouts random(2);
  for (unsigned i = 0; i < 2000; ++i) {
    LinearLayout map =
        random.any({{dims::Register, random.below(4)}, {dims::Lane, random.below(5)}},
                   {{dims::Dim0, random.below(4)}, {dims::Dim1, random.below(4)}});
    ASSERT_NO_FATAL_FAILURE(checkAgainstValues(map)) << map.toString();
  }
}

TEST(LinearLayout, InverseOfRandomBijections) {
  RandomLayouts random(3);
  for (unsigned i = 0; i < 2000; ++i) {
    unsigned bits = 1 + random.below(12);
    LinearLayout map = oneDim(random.basis(bits), bits);
    LinearLayout inverse = map.invert();
    for (unsigned j = 0; j < 64; ++j) {
      uint64_t x = random.below(1u << bits);
      ASSERT_EQ(inverse.applyFlat(map.applyFlat(x)), x);
    }
    ASSERT_EQ(map.compose(inverse), LinearLayout::identity1D(1u << bits, dims::Lane, dims::Lane));
    ASSERT_EQ(inverse.invert(), map);
  }
}

TEST(LinearLayout, CompositionOfRandomMaps) {
  RandomLayouts random(4);
  for (unsigned i = 0; i < 2000; ++i) {
    LinearLayout inner = random.any({{dims::Register, random.below(5)}, {dims::Lane, 2}},
                                    {{dims::Dim0, 3}, {dims::Dim1, 2}});
    // The outer map names its inputs in another order, and has room to spare.
    LinearLayout outer =
        random.any({{dims::Dim1, 3}, {dims::Dim0, 3}}, {{dims::Offset, random.below(6)}});
    LinearLayout both = inner.compose(outer);
    for (uint64_t x = 0; x < inner.inSize(dims::Register) * 4; ++x) {
      uint64_t middle = inner.applyFlat(x);
      ASSERT_EQ(both.applyFlat(x), outer.applyFlat((middle >> 3) | (middle & 7) << 3));
    }
  }
}

TEST(LinearLayout, ConversionFindsAPreimage) {
  RandomLayouts random(5);
  unsigned possible = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    LinearLayout src =
        random.any({{dims::Register, 3}, {dims::Lane, 3}}, {{dims::Dim0, 2}, {dims::Dim1, 2}});
    LinearLayout dst = random.any({{dims::Lane, 2 + random.below(4)}, {dims::Register, 1}},
                                  {{dims::Dim1, 2}, {dims::Dim0, 2}});
    // dst's outputs are in the other order: dim1 low.
    auto swapped = [](uint64_t v) { return v >> 2 | (v & 3) << 2; };
    std::vector<uint64_t> reachedByDst = valuesOf(dst);
    bool within = true;
    for (uint64_t v : valuesOf(src))
      within &= std::count(reachedByDst.begin(), reachedByDst.end(), swapped(v)) > 0;
    ASSERT_EQ(src.imageWithin(dst), within);
    if (!within)
      continue;
    ++possible;
    LinearLayout conversion = src.invertAndCompose(dst);
    for (uint64_t x = 0; x < 64; ++x) {
      ASSERT_EQ(dst.applyFlat(conversion.applyFlat(x)), swapped(src.applyFlat(x)));
      ASSERT_EQ(conversion.applyFlat(x) & dst.freeMask(), 0u);
    }
  }
  EXPECT_GT(possible, 500u);
}

TEST(LinearLayout, ProductByItsDefinition) {
  RandomLayouts random(6);
  for (unsigned i = 0; i < 1000; ++i) {
    LinearLayout a = random.any({{dims::Register, random.below(3)}, {dims::Lane, random.below(3)}},
                                {{dims::Dim0, random.below(3)}, {dims::Dim1, 1}});
    LinearLayout b = random.any({{dims::Lane, random.below(3)}, {dims::Warp, random.below(3)}},
                                {{dims::Dim1, random.below(3)}, {dims::Dim2, 1}});
    LinearLayout product = a * b;
    // Every input is a pair of inputs of a and b; every output a pair of outputs.
    for (uint64_t r = 0; r < a.inSize(dims::Register); ++r)
      for (uint64_t la = 0; la < a.inSize(dims::Lane); ++la)
        for (uint64_t lb = 0; lb < b.inSize(dims::Lane); ++lb)
          for (uint64_t w = 0; w < b.inSize(dims::Warp); ++w) {
            auto of = product.apply({{dims::Register, r},
                                     {dims::Lane, la | lb << a.inBits(dims::Lane)},
                                     {dims::Warp, w}});
            auto ofA = a.apply({{dims::Register, r}, {dims::Lane, la}});
            auto ofB = b.apply({{dims::Lane, lb}, {dims::Warp, w}});
            ASSERT_EQ(of, (std::vector<DimValue>{{dims::Dim0, ofA[0].value},
                                                 {dims::Dim1, ofA[1].value | ofB[0].value << 1},
                                                 {dims::Dim2, ofB[1].value}}));
          }
    // Division undoes it, on both sides.
    auto left = product.divideLeft(a), right = product.divideRight(b);
    ASSERT_TRUE(left && right);
    ASSERT_TRUE((a * *left).sameMapAs(product));
    ASSERT_TRUE((*right * b).sameMapAs(product));
    ASSERT_EQ(LinearLayout() * a, a);
    ASSERT_EQ(a * LinearLayout(), a);
  }
}

TEST(LinearLayout, DivisionSucceedsExactlyWhenThereIsAQuotient) {
  // All maps of 3 by 3 bits, all divisors of 1 by 1 and 2 by 1 bits, all quotients.
  for (auto [aIn, aOut] : {std::pair(1u, 1u), std::pair(2u, 1u), std::pair(1u, 2u)})
    forAllMaps(aIn, aOut, [&](const LinearLayout &a) {
      std::set<std::vector<uint64_t>> lefts, rights;
      forAllMaps(3 - aIn, 3 - aOut, [&](const LinearLayout &b) {
        lefts.insert(valuesOf(a * b));
        rights.insert(valuesOf(b * a));
      });
      forAllMaps(3, 3, [&](const LinearLayout &whole) {
        auto left = whole.divideLeft(a), right = whole.divideRight(a);
        ASSERT_EQ(left.has_value(), lefts.count(valuesOf(whole)) == 1);
        ASSERT_EQ(right.has_value(), rights.count(valuesOf(whole)) == 1);
        if (left) {
          ASSERT_EQ(a * *left, whole);
        }
        if (right) {
          ASSERT_EQ(*right * a, whole);
        }
      });
    });
  LinearLayout lane = LinearLayout::identity1D(4, dims::Lane, dims::Dim0);
  EXPECT_FALSE(lane.divideLeft(LinearLayout::identity1D(2, dims::Warp, dims::Dim0)));
  EXPECT_FALSE(lane.divideLeft(LinearLayout::identity1D(8, dims::Lane, dims::Dim0)));
}

TEST(LinearLayout, Constructors) {
  LinearLayout strided = LinearLayout::strided1D(4, 8, dims::Lane, dims::Dim0);
  for (uint64_t x = 0; x < 4; ++x)
    EXPECT_EQ(strided.applyFlat(x), 8 * x);
  EXPECT_EQ(strided.outSize(dims::Dim0), 32u);
  LinearLayout zeros = LinearLayout::zeros1D(8, dims::Lane, dims::Dim0, 4);
  EXPECT_TRUE(zeros.isZero());
  EXPECT_EQ(zeros.inSize(dims::Lane), 8u);
  EXPECT_EQ(zeros.outSize(dims::Dim0), 4u);
  EXPECT_EQ(zeros.freeMask(), 7u);
}

TEST(LinearLayout, CuttingAndNaming) {
  RandomLayouts random(7);
  for (unsigned i = 0; i < 300; ++i) {
    LinearLayout map = random.any({{dims::Register, 2}, {dims::Lane, 3}, {dims::Warp, 1}},
                                  {{dims::Dim0, 3}, {dims::Dim1, 2}});
    LinearLayout transposed = map.transposeIns({dims::Warp, dims::Register, dims::Lane})
                                  .transposeOuts({dims::Dim1, dims::Dim0});
    EXPECT_TRUE(transposed.sameMapAs(map));
    EXPECT_FALSE(transposed == map);
    LinearLayout part = map.sublayout({dims::Lane}, {dims::Dim1});
    LinearLayout flat = map.flattenIns(dims::Offset).flattenOuts(dims::Dim0);
    LinearLayout shorter = map.resizeIn(dims::Lane, 4).resizeOut(dims::Dim0, 4);
    LinearLayout longer = map.resizeIn(dims::Lane, 16).resizeOut(dims::Dim2, 8);
    for (uint64_t r = 0; r < 4; ++r)
      for (uint64_t lane = 0; lane < 8; ++lane)
        for (uint64_t w = 0; w < 2; ++w) {
          std::vector<DimValue> in = {{dims::Register, r}, {dims::Lane, lane}, {dims::Warp, w}};
          auto out = map.apply(in), out2 = transposed.apply(in);
          ASSERT_EQ(out[0], out2[1]);
          ASSERT_EQ(out[1], out2[0]);
          ASSERT_EQ(flat.applyFlat(r | lane << 2 | w << 5), out[0].value | out[1].value << 3);
          if (!r && !w) {
            ASSERT_EQ(part.applyFlat(lane), out[1].value);
          }
          if (lane < 4) {
            ASSERT_EQ(shorter.apply(in)[0].value, out[0].value % 4);
          }
          in[1].value += 8;
          ASSERT_EQ(longer.apply(in), (std::vector<DimValue>{out[0], out[1], {dims::Dim2, 0}}));
        }
    EXPECT_EQ(map.reshapeOuts({{dims::Dim0, 1}, {dims::Dim1, 4}}).flattenOuts(dims::Dim0),
              map.flattenOuts(dims::Dim0));
    EXPECT_EQ(map.sublayoutIsZero({dims::Lane}, {dims::Dim1}), part.isZero());
    EXPECT_EQ(map.renameIn(dims::Lane, dims::Block).bases(dims::Block)[1],
              map.basis(dims::Lane, 1));
    EXPECT_FALSE(map.renameOut(dims::Dim0, dims::Dim4).hasOut(dims::Dim0));
    EXPECT_EQ(map.dropIn(dims::Lane).totalInBits(), 3u);
    EXPECT_EQ(map.dropOut(dims::Dim0).totalOutBits(), 2u);
    unsigned order[] = {2, 0, 1};
    EXPECT_EQ(map.permuteInBits(dims::Lane, order).basis(dims::Lane, 0), map.basis(dims::Lane, 2));
  }
}

TEST(LinearLayout, ZeroBasesAndFreeVariables) {
  auto map = LinearLayout::parse("{register = [[1], [0], [2]], lane = [[0], [4], [5]]}"
                                 " -> {dim0 = 8}");
  ASSERT_TRUE(map);
  // Lane bit 2 is the sum of register bit 0 and lane bit 1.
  EXPECT_EQ(map->freeVariableMasks(),
            (std::vector<DimValue>{{dims::Register, 2}, {dims::Lane, 5}}));
  EXPECT_EQ(map->removeZeroBasesAlong(dims::Register).toString(),
            "{register = [[1], [2]], lane = [[0], [4], [5]]} -> {dim0 = 8}");
}

TEST(LinearLayout, ConsecutiveByBruteForce) {
  forAllMaps(4, 3, [](const LinearLayout &flat) {
    LinearLayout map = flat.reshapeIns({{dims::Register, 2}, {dims::Lane, 2}});
    uint64_t expected = 1;
    for (uint64_t n : {2, 4}) {
      bool good = n <= 4;
      for (uint64_t other = 0; other < 16; other += n)
        for (uint64_t r = 0; r < n; ++r)
          good &=
              map.applyFlat(other) % n == 0 && map.applyFlat(other | r) == map.applyFlat(other) + r;
      if (good)
        expected = n;
    }
    ASSERT_EQ(map.getNumConsecutiveInOut(), expected) << map.toString();
  });
}

TEST(LinearLayout, TextComesBack) {
  RandomLayouts random(8);
  for (unsigned i = 0; i < 300; ++i) {
    LinearLayout map =
        random.any({{dims::Register, random.below(3)}, {Dim::get("my_dim"), random.below(3)}},
                   {{dims::Dim0, random.below(5)}, {Dim::tensor(7), random.below(5)}});
    auto again = LinearLayout::parse(map.toString());
    ASSERT_TRUE(again) << again.error();
    ASSERT_EQ(*again, map);
  }
  EXPECT_EQ(*LinearLayout::parse("{} -> {}"), LinearLayout());
  EXPECT_EQ(LinearLayout::parse(" {lane=[[1,0]]}->{dim0=2,dim1=1}")->toJson(),
            "{\"in\": {\"lane\": 2}, \"out\": {\"dim0\": 2, \"dim1\": 1}, "
            "\"bases\": {\"lane\": [[1, 0]]}}");
}

TEST(LinearLayout, WrongTextHasAnError) {
  auto errorOf = [](std::string_view text) { return LinearLayout::parse(text).error(); };
  EXPECT_EQ(errorOf(""), "expected '{' at column 1");
  EXPECT_EQ(errorOf("{lane = [[1]} -> {dim0 = 2}"), "expected ']' at column 13");
  EXPECT_EQ(errorOf("{lane = [[1]]} -> {dim0 = 2} x"),
            "expected the end of the layout at column 30");
  EXPECT_EQ(errorOf("{lane = [[99999999999999999999]]} -> {dim0 = 2}"),
            "expected a number below 2^64 at column 11");
  EXPECT_EQ(errorOf("{lane = [[2]]} -> {dim0 = 2}"),
            "a basis of 'lane' has the value 2 in 'dim0', which has the size 2");
  EXPECT_EQ(errorOf("{lane = [[1, 1]]} -> {dim0 = 2}"),
            "a basis of 'lane' has 2 values, but there is 1 output dimension");
  EXPECT_EQ(errorOf("{lane = []} -> {dim0 = 3}"),
            "the size of output dimension 'dim0', 3, is not a power of two");
  EXPECT_EQ(errorOf("{lane = []} -> {dim0 = 0}"),
            "the size of output dimension 'dim0', 0, is not a power of two");
  EXPECT_EQ(errorOf("{lane = [], lane = []} -> {dim0 = 2}"),
            "input dimension 'lane' is named twice");
  EXPECT_EQ(errorOf("{lane = []} -> {dim0 = 2, dim0 = 2}"),
            "output dimension 'dim0' is named twice");
  EXPECT_EQ(errorOf("{} -> {dim0 = 9223372036854775808, dim1 = 4}"),
            "a layout has at most 63 bits on a side");
  std::string many = "{lane = [";
  for (unsigned i = 0; i < LinearLayout::MaxBits + 1; ++i)
    many += i ? ", [0]" : "[0]";
  EXPECT_EQ(errorOf(many + "]} -> {dim0 = 1}"), "a layout has at most 63 bits on a side");
}

TEST(LinearLayout, SizesFromBases) {
  InputBases in{dims::Lane, {{1, 0}, {4, 1}}};
  Dim outs[] = {dims::Dim0, dims::Dim1};
  auto map = LinearLayout::fromBases({&in, 1}, outs);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->toString(), "{lane = [[1, 0], [4, 1]]} -> {dim0 = 8, dim1 = 2}");
}

TEST(Dim, NamesAreInterned) {
  EXPECT_EQ(Dim::get("lane"), dims::Lane);
  EXPECT_EQ(Dim::tensor(3), dims::Dim3);
  EXPECT_EQ(Dim::tensor(12), Dim::get("dim12"));
  EXPECT_EQ(dims::Dim4.name(), "dim4");
  std::vector<std::thread> threads;
  std::vector<std::vector<Dim>> seen(4);
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 500; ++i)
        seen[t].push_back(Dim::get("name" + std::to_string(i)));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < 500; ++i) {
    EXPECT_EQ(seen[0][i].name(), "name" + std::to_string(i));
    for (unsigned t = 1; t < 4; ++t)
      EXPECT_EQ(seen[t][i], seen[0][i]);
  }
}

} // namespace
