//===- CuteNotationTest.cpp - CuTe's notation -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/CuteNotation.h"
#include "layout/encoding/SharedEncodings.h"
#include "test/support/RandomLayouts.h"

#include <gmock/gmock.h>

#include <cctype>

using namespace tilewright;
using namespace tilewright::view;
using testing::HasSubstr;

namespace {

/// What CuTe computes from the text of a layout: each top-level mode's digits.
class CuteLayout {
public:
  explicit CuteLayout(std::string_view text) {
    auto colon = text.find(':');
    shapes = modesOf(text.substr(0, colon));
    strides = modesOf(text.substr(colon + 1));
  }
  uint64_t operator()(std::initializer_list<uint64_t> coordinates) const {
    uint64_t sum = 0;
    size_t mode = 0;
    for (uint64_t rest : coordinates) {
      for (size_t i = 0; i < shapes[mode].size(); ++i) {
        sum += rest % shapes[mode][i] * strides[mode][i];
        rest /= shapes[mode][i];
      }
      ++mode;
    }
    return sum;
  }

private:
  /// "((4,8),2)": {{4, 8}, {2}}.
  static std::vector<std::vector<uint64_t>> modesOf(std::string_view text) {
    std::vector<std::vector<uint64_t>> modes;
    int depth = 0;
    bool isSingle = text.front() != '(';
    for (size_t i = 0; i < text.size(); ++i) {
      depth += (text[i] == '(') - (text[i] == ')');
      if (!std::isdigit(static_cast<unsigned char>(text[i])))
        continue;
      if (modes.empty() || depth == 1 || isSingle || (depth == 2 && text[i - 1] == '('))
        modes.emplace_back();
      uint64_t number = 0;
      for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i)
        number = number * 10 + static_cast<uint64_t>(text[i] - '0');
      modes.back().push_back(number);
      --i;
    }
    return modes;
  }
  std::vector<std::vector<uint64_t>> shapes, strides;
};

LinearLayout parse(const char *text) {
  Result<LinearLayout> map = LinearLayout::parse(text);
  EXPECT_TRUE(map) << map.error();
  return *map;
}

} // namespace

// The accumulator and the A operand of mma.sync m16n8k16 as CUTLASS writes them
// (SM80_16x8_Row and SM80_16x16_Row).
TEST(CuteNotation, MatrixFragments) {
  EXPECT_EQ(
      *cuteNotation(parse("{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], "
                          "[2, 0], [4, 0]], warp = [], block = []} -> {dim0 = 16, dim1 = 8}")),
      "((4,8),(2,2)):((32,1),(16,8))");
  EXPECT_EQ(*cuteNotation(parse("{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], "
                                "[1, 0], [2, 0], [4, 0]], warp = [], block = []} -> {dim0 = 16, "
                                "dim1 = 16}")),
            "((4,8),(2,2,2)):((32,1),(16,8,128))");
}

TEST(CuteNotation, SmallModes) {
  EXPECT_EQ(*cuteNotation(parse("{register = [], lane = [[1]], warp = [[2]], block = []} -> "
                                "{dim0 = 4}")),
            "(4,1):(1,0)");
  EXPECT_EQ(*cuteNotation(parse("{register = [[0]], lane = [[1], [0], [0]], warp = [], block = "
                                "[[2]]} -> {dim0 = 4}")),
            "((2,4),2,2):((1,0),0,2)");
}

// Maps without overlapping bases have a notation, and it is the map; others have none.
TEST(CuteNotation, RandomMaps) {
  RandomLayouts random(5);
  for (int round = 0; round < 300; ++round) {
    bool plain = round % 2;
    LinearLayout map = random.deal(plain ? random.units(7) : random.basis(7), 3, 1, 0);
    Result<std::string> text = cuteNotation(map);
    bool overlaps = false;
    for (size_t i = 0; i < map.bases().size(); ++i)
      for (size_t j = 0; j < i; ++j)
        overlaps |= (map.bases()[i] & map.bases()[j]) != 0;
    ASSERT_EQ(bool(text), !overlaps) << map.toString();
    if (!text) {
      EXPECT_THAT(text.error(), HasSubstr("have a bit in common"));
      continue;
    }
    CuteLayout cute(*text);
    for (uint64_t thread = 0; thread < 16; ++thread)
      for (uint64_t reg = 0; reg < 8; ++reg)
        EXPECT_EQ(
            cute({thread, reg}),
            map.apply({{dims::Register, reg}, {dims::Lane, thread % 8}, {dims::Warp, thread / 8}})
                .front()
                .value)
            << *text;
  }
}

TEST(CuteNotation, CooperativeMatrices) {
  for (MatrixUse use : {MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator})
    for (int64_t rows : {1, 4, 16, 32, 64})
      for (int64_t columns : {1, 3, 8, 15, 17}) {
        CooperativeMatrix matrix = *CooperativeMatrix::create(rows, columns, 8, use, 16);
        CuteLayout cute(cuteNotation(matrix));
        for (int64_t lane = 0; lane < 16; ++lane)
          for (int64_t component = 0; component < matrix.componentCount(); ++component) {
            uint64_t number = cute({static_cast<uint64_t>(lane), static_cast<uint64_t>(component)});
            auto row = static_cast<int64_t>(number) % rows,
                 column = static_cast<int64_t>(number) / rows;
            auto element = matrix.element(CooperativeMatrix::Location{lane, component});
            ASSERT_EQ(element.has_value(), column < columns);
            if (element) {
              EXPECT_EQ(element->row, row) << cuteNotation(matrix);
              EXPECT_EQ(element->column, column) << cuteNotation(matrix);
            }
          }
      }
}

TEST(CuteNotation, SwizzledSharedMemory) {
  for (unsigned vec : {1, 2, 4, 8})
    for (unsigned perPhase : {1, 2})
      for (unsigned maxPhase : {1, 2, 4, 8}) {
        SwizzledShared encoding{vec, perPhase, maxPhase, {1, 0}};
        LinearLayout map = toLinearLayout(encoding, std::vector<int64_t>{32, 64});
        Result<std::string> text = cuteSharedNotation(map);
        ASSERT_TRUE(text) << text.error();
        unsigned bits = 0, base = 0, shift = 0;
        size_t plain = 0;
        if (std::sscanf(text->c_str(), "Swizzle<%u,%u,%u> o ", &bits, &base, &shift) == 3)
          plain = text->find(" o ") + 3;
        EXPECT_EQ(bits != 0, maxPhase > 1);
        CuteLayout cute(std::string_view(*text).substr(plain));
        for (uint64_t row = 0; row < 32; ++row)
          for (uint64_t column = 0; column < 64; ++column) {
            uint64_t offset = cute({row, column});
            offset ^= (offset >> (base + shift) & ((1u << bits) - 1)) << base;
            std::vector<DimValue> at = map.apply({{dims::Offset, offset}});
            EXPECT_EQ(at[0].value, row) << *text;
            EXPECT_EQ(at[1].value, column) << *text;
          }
      }
}

TEST(CuteNotation, PaddedSharedMemory) {
  LinearLayout map = LinearLayout::identity1D(8, dims::Offset, dims::Dim1) *
                     LinearLayout::identity1D(4, dims::Offset, dims::Dim0) *
                     LinearLayout::identity1D(1, dims::Block, dims::Dim0);
  auto padded = [](uint64_t offset) { return offset + offset / 8 * 2; };
  LinearLayout ordered = map.transposeOuts({dims::Dim0, dims::Dim1});
  EXPECT_EQ(*cuteSharedNotation(ordered, padded), "(4,8):(10,1)");
  EXPECT_EQ(*cuteSharedNotation(ordered), "(4,8):(8,1)");
}

TEST(CuteNotation, ExchangeModelWithoutNotation) {
  EXPECT_THAT(cuteSharedNotation(parse("{offset = [[1], [0]], block = []} -> {dim0 = 2}")).error(),
              HasSubstr("several offsets"));
  EXPECT_THAT(
      cuteSharedNotation(parse("{offset = [[1], [3], [6]], block = []} -> {dim0 = 8}")).error(),
      HasSubstr("no single swizzle"));
}
