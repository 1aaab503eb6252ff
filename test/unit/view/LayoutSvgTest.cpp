//===- LayoutSvgTest.cpp - Pictures of layouts ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/LayoutSvg.h"
#include "layout/encoding/SharedEncodings.h"
#include "view/SvgPicture.h"

#include <gmock/gmock.h>

#include <set>

using namespace tilewright;
using namespace tilewright::view;
using testing::HasSubstr;
using testing::Not;

/// Complains of tags that do not match and of texts that XML does not take.
static void expectWellFormed(const std::string &svg) {
  std::vector<std::string> open;
  for (size_t i = 0; i < svg.size(); ++i) {
    if (svg[i] == '&') {
      std::string entity = svg.substr(i, svg.find(';', i) - i + 1);
      EXPECT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;")
          << entity;
    }
    if (svg[i] != '<')
      continue;
    size_t end = svg.find('>', i);
    ASSERT_NE(end, std::string::npos);
    std::string tag = svg.substr(i + 1, end - i - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    i = end;
  }
  EXPECT_TRUE(open.empty());
}

static size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

static LocationTable blocked(std::vector<unsigned> perThread, std::vector<int64_t> shape) {
  return *LocationTable::of(toLinearLayout(Blocked{perThread, {8, 4}, {2, 1}, {1, 0}}, shape));
}

TEST(LayoutSvg, TensorView) {
  std::string svg = tensorSvg(blocked({1, 2}, {16, 8}), {"#blocked", "tensor<16x8xf16>"});
  expectWellFormed(svg);
  EXPECT_EQ(countOf(svg, "<g>"), 128u);
  EXPECT_THAT(svg, HasSubstr("<title>(3,5)\nwarp 0, lane 14, register 1</title>"));
  EXPECT_EQ(countOf(svg, ">L31<"), 4u);
  EXPECT_THAT(svg, HasSubstr("warp 1"));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"fold\"")));
  EXPECT_EQ(svg, tensorSvg(blocked({1, 2}, {16, 8}), {"#blocked", "tensor<16x8xf16>"}));
}

TEST(LayoutSvg, TheSameWarpHasTheSameHueAndLanesDiffer) {
  EXPECT_EQ(svgColor(0, 100, 500), "#ff0000");
  EXPECT_EQ(svgColor(120, 100, 500), "#00ff00");
  EXPECT_EQ(svgColor(240, 100, 500), "#0000ff");
  EXPECT_EQ(svgColor(77, 0, 1000), "#ffffff");
  std::string svg = tensorSvg(blocked({1, 1}, {16, 4}), {"#b", "t"});
  // One fill a lane of each warp, and the legend's; none of the hatching is used.
  std::set<std::string> fills;
  for (size_t at = svg.find("<g>"); at != std::string::npos; at = svg.find("<g>", at + 1)) {
    size_t fill = svg.find("fill=\"", at) + 6;
    fills.insert(svg.substr(fill, 7));
  }
  EXPECT_EQ(fills.size(), 64u);
}

TEST(LayoutSvg, ReplicatedElementsAreMarked) {
  std::string svg = tensorSvg(blocked({1, 1}, {8, 4}), {"#b", "t"});
  EXPECT_EQ(countOf(svg, "class=\"fold\""), 32u + 1);
  EXPECT_THAT(svg, HasSubstr("r0 \u00d72"));
}

TEST(LayoutSvg, LargeTensorsAreCutAndSaySo) {
  std::string svg = tensorSvg(blocked({1, 2}, {256, 512}), {"#b", "t"});
  expectWellFormed(svg);
  EXPECT_EQ(countOf(svg, "<g>"), 64u * 64);
  EXPECT_THAT(svg, HasSubstr("Only the first 64 of 256 rows are drawn. "
                             "Only the first 64 of 512 columns are drawn."));
}

TEST(LayoutSvg, OtherRanks) {
  Blocked line{{1}, {32}, {1}, {0}};
  std::string svg =
      tensorSvg(*LocationTable::of(toLinearLayout(line, std::vector<int64_t>{128})), {"#b", "t"});
  expectWellFormed(svg);
  EXPECT_EQ(countOf(svg, "<g>"), 128u);
  EXPECT_THAT(svg, HasSubstr(">96</text>"));
  Blocked batch{{1, 1, 1}, {1, 8, 4}, {1, 1, 1}, {2, 1, 0}};
  svg = tensorSvg(*LocationTable::of(toLinearLayout(batch, std::vector<int64_t>{8, 8, 4})),
                  {"#b", "t"});
  EXPECT_EQ(countOf(svg, "<g>"), 4u * 32);
  EXPECT_THAT(svg, HasSubstr("[3,:,:]"));
  EXPECT_THAT(svg, HasSubstr("Only the first 4 of 8 slices are drawn."));
}

TEST(LayoutSvg, HardwareView) {
  std::string svg = hardwareSvg(blocked({1, 2}, {16, 8}), {"#b", "t"});
  expectWellFormed(svg);
  EXPECT_EQ(countOf(svg, "<g>"), 2u * 2 * 32);
  EXPECT_THAT(svg, HasSubstr("Warp 1"));
  EXPECT_THAT(svg, HasSubstr("<title>warp 1, lane 31, register 1 holds (15,7)</title>"));
}

TEST(LayoutSvg, BlocksAreNamedWhereThereAreSeveral) {
  LocationTable table = *LocationTable::of(*LinearLayout::parse(
      "{register = [], lane = [[1]], warp = [], block = [[2]]} -> {dim0 = 4}"));
  EXPECT_THAT(hardwareSvg(table, {"#c", "t"}),
              HasSubstr("<title>block 1, warp 0, lane 1, register 0 holds (3)</title>"));
  std::string svg = tensorSvg(table, {"#c", "t"});
  EXPECT_THAT(svg, HasSubstr("<title>(3)\nblock 1, warp 0, lane 1, register 0</title>"));
  EXPECT_THAT(svg, HasSubstr("t: 1 register a thread, 2 lanes a warp, 1 warp, 2 blocks"));
}

TEST(LayoutSvg, PaddingIsHatched) {
  LocationTable table =
      *LocationTable::of(*CooperativeMatrix::create(4, 15, 32, MatrixUse::Accumulator, 16));
  std::string svg = hardwareSvg(table, {"#c", "t"});
  expectWellFormed(svg);
  EXPECT_EQ(countOf(svg, "fill=\"url(#hatched)\""), 4u + 1);
  EXPECT_EQ(countOf(tensorSvg(table, {"#c", "t"}), "fill=\"url(#hatched)\""), 0u);
}

TEST(LayoutSvg, ExchangeModel) {
  LinearLayout map = toLinearLayout(SwizzledShared{2, 1, 4, {1, 0}}, std::vector<int64_t>{8, 8});
  OffsetTable table = *OffsetTable::of(map);
  std::string svg = tensorSvg(table, 32, {"#s", "t"});
  expectWellFormed(svg);
  // (1,0) lies at 8 + 2.
  EXPECT_THAT(svg, HasSubstr("<title>(1,0): offset 10, bank 10</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>(4,0): offset 32, bank 0</title>"));
  EXPECT_THAT(svg, HasSubstr("banks 0 to 31, 4 bytes wide"));
  svg = hardwareSvg(table, 32, {"#s", "t"});
  expectWellFormed(svg);
  EXPECT_THAT(svg, HasSubstr("<title>offset 10 holds (1,0)</title>"));
  EXPECT_EQ(countOf(svg, "<g>"), 64u);
}

TEST(LayoutSvg, HolesAreHatched) {
  LinearLayout map = toLinearLayout(SwizzledShared{1, 1, 1, {0}}, std::vector<int64_t>{32});
  OffsetTable table = *OffsetTable::of(map, [](uint64_t offset) { return offset + offset / 8; });
  std::string svg = hardwareSvg(table, 32, {"#s", "t"});
  EXPECT_EQ(countOf(svg, "fill=\"url(#hatched)\""), 3u + 1);
  EXPECT_THAT(svg, HasSubstr("<title>offset 9 holds (8)</title>"));
}

TEST(LayoutSvg, TextsAreEscaped) {
  std::string svg =
      tensorSvg(blocked({1, 1}, {8, 4}), {"#b<{\"a\" & 'b'}>\x01", "tensor<8x4xf16>"});
  expectWellFormed(svg);
  EXPECT_THAT(svg, HasSubstr("#b&lt;{&quot;a&quot; &amp; 'b'}&gt; "));
}

TEST(LayoutSvg, LongTitlesAreWrapped) {
  std::string svg = tensorSvg(blocked({1, 1}, {8, 4}), {std::string(300, 'x') + "\u00d7", "t"});
  expectWellFormed(svg);
  EXPECT_GE(countOf(svg, "class=\"title\""), 5u);
}
