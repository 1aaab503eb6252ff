//===- LayoutViewsTest.cpp - Layouts as text ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/LayoutViews.h"
#include "test/support/RandomLayouts.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::view;

static LinearLayout parse(const char *text) {
  Result<LinearLayout> map = LinearLayout::parse(text);
  EXPECT_TRUE(map) << map.error();
  return *map;
}
static LocationTable layoutBasesOf(const char *text) { return *LocationTable::of(parse(text)); }
static OffsetTable offsetsOf(const char *text) { return *OffsetTable::of(parse(text)); }

TEST(LayoutViews, TensorView) {
  EXPECT_EQ(tensorView(layoutBasesOf("{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], "
                                     "block = []} -> {dim0 = 4, dim1 = 2}")),
            "[[T0:0, T0:1]\n"
            "[ T1:0, T1:1]\n"
            "[ T2:0, T2:1]\n"
            "[ T3:0, T3:1]]\n");
}

TEST(LayoutViews, OwnersAreJoinedAndAligned) {
  EXPECT_EQ(
      tensorView(layoutBasesOf("{register = [[0], [1]], lane = [[2], [4]], warp = [[0], [8]], "
                               "block = []} -> {dim0 = 16}")),
      "[ T0:0| T0:1| T4:0| T4:1,  T0:2| T0:3| T4:2| T4:3,  T1:0| T1:1| T5:0| T5:1,  "
      "T1:2| T1:3| T5:2| T5:3,  T2:0| T2:1| T6:0| T6:1,  T2:2| T2:3| T6:2| T6:3,  "
      "T3:0| T3:1| T7:0| T7:1,  T3:2| T3:3| T7:2| T7:3,  T8:0| T8:1|T12:0|T12:1,  "
      "T8:2| T8:3|T12:2|T12:3,  T9:0| T9:1|T13:0|T13:1,  T9:2| T9:3|T13:2|T13:3, "
      "T10:0|T10:1|T14:0|T14:1, T10:2|T10:3|T14:2|T14:3, T11:0|T11:1|T15:0|T15:1, "
      "T11:2|T11:3|T15:2|T15:3]\n");
}

TEST(LayoutViews, BlocksAreNamedWhereThereAreSeveral) {
  LocationTable table =
      layoutBasesOf("{register = [[0, 1], [0, 0]], lane = [[1, 0]], warp = [[0, 0]], "
                    "block = [[2, 0]]} -> {dim0 = 4, dim1 = 2}");
  EXPECT_EQ(tensorView(table),
            "[[B0:T0:0|B0:T0:2|B0:T2:0|B0:T2:2, B0:T0:1|B0:T0:3|B0:T2:1|B0:T2:3]\n"
            "[ B0:T1:0|B0:T1:2|B0:T3:0|B0:T3:2, B0:T1:1|B0:T1:3|B0:T3:1|B0:T3:3]\n"
            "[ B1:T0:0|B1:T0:2|B1:T2:0|B1:T2:2, B1:T0:1|B1:T0:3|B1:T2:1|B1:T2:3]\n"
            "[ B1:T1:0|B1:T1:2|B1:T3:0|B1:T3:2, B1:T1:1|B1:T1:3|B1:T3:1|B1:T3:3]]\n");
  EXPECT_EQ(hardwareView(table), "Block0:\nWarp0:\n"
                                 "(0,0), (1,0)\n(0,1), (1,1)\n(0,0), (1,0)\n(0,1), (1,1)\n"
                                 "Warp1:\n"
                                 "(0,0), (1,0)\n(0,1), (1,1)\n(0,0), (1,0)\n(0,1), (1,1)\n"
                                 "Block1:\nWarp0:\n"
                                 "(2,0), (3,0)\n(2,1), (3,1)\n(2,0), (3,0)\n(2,1), (3,1)\n"
                                 "Warp1:\n"
                                 "(2,0), (3,0)\n(2,1), (3,1)\n(2,0), (3,0)\n(2,1), (3,1)\n");
}

TEST(LayoutViews, MoreThanTwoDimensions) {
  LocationTable table = layoutBasesOf(
      "{register = [[1, 0, 0, 0], [0, 1, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 0, 1]], "
      "warp = [], block = []} -> {dim0 = 2, dim1 = 2, dim2 = 2, dim3 = 2}");
  EXPECT_EQ(tensorView(table),
            "[[[[T0:0, T2:0]\n[   T1:0, T3:0]]\n[[  T0:2, T2:2]\n[   T1:2, T3:2]]]\n"
            "[[[ T0:1, T2:1]\n[   T1:1, T3:1]]\n[[  T0:3, T2:3]\n[   T1:3, T3:3]]]]\n");
  EXPECT_THAT(hardwareView(table), testing::StartsWith("Warp0:\n(0,0,0,0), (0,0,1,0), "));
}

TEST(LayoutViews, CoordinatesAreAsWideAsTheirLargest) {
  EXPECT_EQ(hardwareView(layoutBasesOf("{register = [[8, 0], [0, 1]], lane = [[1, 0]], warp = [], "
                                       "block = []} -> {dim0 = 16, dim1 = 2}")),
            "Warp0:\n( 0,0), ( 1,0)\n( 8,0), ( 9,0)\n( 0,1), ( 1,1)\n( 8,1), ( 9,1)\n");
}

// Every entry of both views against the map.
TEST(LayoutViews, RandomMaps) {
  RandomLayouts random(11);
  for (int round = 0; round < 200; ++round) {
    LinearLayout map = random.deal(random.basis(5 + random.below(3)), 2, 1, random.below(3));
    LocationTable table = *LocationTable::of(map);
    std::vector<std::string> cells(map.outSize(dims::Dim0));
    std::string hardware;
    size_t width = ("T" + std::to_string(table.warps() * table.lanes() - 1) + ":" +
                    std::to_string(table.registers() - 1))
                       .size();
    for (unsigned warp = 0; warp < 2; ++warp) {
      hardware += "Warp" + std::to_string(warp) + ":\n";
      for (unsigned reg = 0; reg < table.registers(); ++reg)
        for (unsigned lane = 0; lane < 4; ++lane) {
          uint64_t element =
              map.apply({{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}})
                  .front()
                  .value;
          std::string number = std::to_string(element);
          hardware += "(" +
                      std::string(std::to_string(cells.size() - 1).size() - number.size(), ' ') +
                      number + (lane < 3 ? "), " : ")\n");
        }
      for (unsigned lane = 0; lane < 4; ++lane)
        for (unsigned reg = 0; reg < table.registers(); ++reg) {
          uint64_t element =
              map.apply({{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}})
                  .front()
                  .value;
          std::string owner = "T" + std::to_string(lane + 4 * warp) + ":" + std::to_string(reg);
          cells[element] +=
              (cells[element].empty() ? "" : "|") + std::string(width - owner.size(), ' ') + owner;
        }
    }
    std::string tensor;
    for (const std::string &cell : cells)
      tensor += (tensor.empty() ? "[" : ", ") + cell;
    EXPECT_EQ(tensorView(table), tensor + "]\n") << map.toString();
    EXPECT_EQ(hardwareView(table), hardware) << map.toString();
  }
}

TEST(LayoutViews, SharedViews) {
  OffsetTable table =
      offsetsOf("{offset = [[0, 1], [1, 1], [2, 0]], block = []} -> {dim0 = 4, dim1 = 2}");
  EXPECT_EQ(tensorView(table), "[[(0:0),(0:1)]\n[ (1:1),(1:0)]\n[ (2:0),(2:1)]\n[ (3:1),(3:0)]]\n");
  EXPECT_EQ(hardwareView(table), "Block: 0:\n"
                                 "Offset: 0 -> (0,0)\nOffset: 1 -> (0,1)\nOffset: 2 -> (1,1)\n"
                                 "Offset: 3 -> (1,0)\nOffset: 4 -> (2,0)\nOffset: 5 -> (2,1)\n"
                                 "Offset: 6 -> (3,1)\nOffset: 7 -> (3,0)\n");
}

TEST(LayoutViews, SharedViewsOfSeveralBlocks) {
  OffsetTable apart = offsetsOf("{offset = [[1]], block = [[2]]} -> {dim0 = 4}");
  EXPECT_EQ(tensorView(apart), "[(0),(1),(2),(3)]\n");
  EXPECT_EQ(hardwareView(apart), "Block: 0:\nOffset: 0 -> (0)\nOffset: 1 -> (1)\n"
                                 "Block: 1:\nOffset: 0 -> (2)\nOffset: 1 -> (3)\n");
  // Blocks that hold the same: a share of the elements of each.
  OffsetTable same = offsetsOf("{offset = [[1], [2]], block = [[0]]} -> {dim0 = 4}");
  EXPECT_EQ(tensorView(same), "[(0),(1),(0),(1)]\n");
  EXPECT_EQ(hardwareView(same), "Block: 0:\nOffset: 0 -> (0)\nOffset: 1 -> (1)\n"
                                "Block: 1:\nOffset: 0 -> (0)\nOffset: 1 -> (1)\n");
}

TEST(LayoutViews, HolesAreInTheHardwareViewOnly) {
  LinearLayout map = parse("{offset = [[1], [2]], block = []} -> {dim0 = 4}");
  OffsetTable table = *OffsetTable::of(map, [](uint64_t offset) { return offset + offset / 2; });
  EXPECT_TRUE(table.hasHoles());
  EXPECT_EQ(tensorView(table), "[(0),(1),(2),(3)]\n");
  EXPECT_EQ(hardwareView(table), "Block: 0:\nOffset: 0 -> (0)\nOffset: 1 -> (1)\n"
                                 "Offset: 2 -> padding\nOffset: 3 -> (2)\nOffset: 4 -> (3)\n");
}

TEST(LayoutViews, Components) {
  LocationTable table =
      *LocationTable::of(*CooperativeMatrix::create(4, 15, 32, MatrixUse::Accumulator, 16));
  EXPECT_EQ(componentView(table),
            "p      0     1     2     3     4     5     6     7     8     9    10    11    12    13"
            "    14    15\n"
            ".x   0,0   1,0   2,0   3,0   0,1   1,1   2,1   3,1   0,2   1,2   2,2   3,2   0,3   1,3"
            "   2,3   3,3\n"
            ".y   0,4   1,4   2,4   3,4   0,5   1,5   2,5   3,5   0,6   1,6   2,6   3,6   0,7   1,7"
            "   2,7   3,7\n"
            ".z   0,8   1,8   2,8   3,8   0,9   1,9   2,9   3,9  0,10  1,10  2,10  3,10  0,11  1,11"
            "  2,11  3,11\n"
            ".w  0,12  1,12  2,12  3,12  0,13  1,13  2,13  3,13  0,14  1,14  2,14  3,14   -,-   -,-"
            "   -,-   -,-\n");
  EXPECT_THAT(
      componentView(*LocationTable::of(*CooperativeMatrix::create(1, 5, 32, MatrixUse::A, 1))),
      testing::EndsWith("v3  0,3\nv4  0,4\n"));
}

TEST(LayoutViews, Bases) {
  EXPECT_EQ(basesView(parse("{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []} -> "
                            "{dim0 = 2, dim1 = 2}")),
            "register=1 -> (0, 1)\nlane=1 -> (1, 0)\nwarp is a size 1 dimension\n"
            "block is a size 1 dimension\nwhere out dims are: [dim0 (size 2), dim1 (size 2)]\n");
}

TEST(LayoutViews, TablesAreNotWrittenOutWithoutEnd) {
  std::vector<uint64_t> bases(23, 0);
  LinearLayout registers =
      LinearLayout::fromPacked({SizedDim{dims::Register, 23}, SizedDim{dims::Lane, 0},
                                SizedDim{dims::Warp, 0}, SizedDim{dims::Block, 0}},
                               {SizedDim{dims::Dim0, 1}}, bases);
  EXPECT_FALSE(LocationTable::of(registers));
  LinearLayout offsets = LinearLayout::fromPacked(
      {SizedDim{dims::Offset, 23}, SizedDim{dims::Block, 0}}, {SizedDim{dims::Dim0, 1}}, bases);
  EXPECT_FALSE(OffsetTable::of(offsets));
}
