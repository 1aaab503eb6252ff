//===- AlgebraExamplesTest.cpp - The algebra of layouts in small examples -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One fact a test, to be read from top to bottom as an introduction to LinearLayout. Each layout
// is written as its bases: {lane = [[1], [2]]} -> {dim0 = 4} has two lane bits; the first moves the
// element by 1, the second by 2. LinearLayoutTest.cpp proves the general laws.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/LinearLayout.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::layout;
using namespace tilewright::layout::dims;

namespace {

/// The layout that `text` describes.
LinearLayout parsed(std::string_view text) {
  Result<LinearLayout> layout = LinearLayout::parse(text);
  EXPECT_TRUE(bool(layout)) << layout.error();
  return layout ? *layout : LinearLayout();
}

/// Four lanes hold a 4x2 tile: lane l has row l, register r has column r. The running example.
LinearLayout rowsInLanes() {
  return parsed("{register = [[0, 1]], lane = [[1, 0], [2, 0]]} -> {dim0 = 4, dim1 = 2}");
}

//===----------------------------------------------------------------------------===//
// Construction and application.
//===----------------------------------------------------------------------------===//

TEST(AlgebraExamples, ApplyReturnsTheElementOfAHardwareLocation) {
  std::vector<DimValue> element = rowsInLanes().apply({{Register, 1}, {Lane, 3}});
  EXPECT_EQ(element, (std::vector<DimValue>{{Dim0, 3}, {Dim1, 1}}));
}

TEST(AlgebraExamples, ApplyIsTheXorOfTheBasesOfTheBitsThatAreSet) {
  LinearLayout swizzle = parsed("{offset = [[1], [2], [5], [10]]} -> {dim0 = 16}");
  EXPECT_EQ(swizzle.applyFlat(0b0110), 2u ^ 5u);
}

TEST(AlgebraExamples, Identity1DMapsEachValueToItself) {
  EXPECT_EQ(LinearLayout::identity1D(8, Lane, Dim0),
            parsed("{lane = [[1], [2], [4]]} -> {dim0 = 8}"));
}

TEST(AlgebraExamples, Zeros1DBroadcasts) {
  EXPECT_EQ(LinearLayout::zeros1D(4, Warp, Dim0), parsed("{warp = [[0], [0]]} -> {dim0 = 1}"));
}

TEST(AlgebraExamples, Strided1DMultiplies) {
  EXPECT_EQ(LinearLayout::strided1D(4, 8, Lane, Dim0),
            parsed("{lane = [[8], [16]]} -> {dim0 = 32}"));
}

//===----------------------------------------------------------------------------===//
// Product and division.
//===----------------------------------------------------------------------------===//

TEST(AlgebraExamples, MultiplyDisjointPlacesDimensionsSideBySide) {
  EXPECT_EQ(LinearLayout::identity1D(2, Register, Dim1) * LinearLayout::identity1D(4, Lane, Dim0),
            parsed("{register = [[1, 0]], lane = [[0, 1], [0, 2]]} -> {dim1 = 2, dim0 = 4}"));
}

TEST(AlgebraExamples, MultiplyWithSharedOutputStacksTheSecondAboveTheFirst) {
  // Two neighbouring elements in registers, and four lanes of such pairs.
  EXPECT_EQ(LinearLayout::identity1D(2, Register, Dim0) * LinearLayout::identity1D(4, Lane, Dim0),
            parsed("{register = [[1]], lane = [[2], [4]]} -> {dim0 = 8}"));
}

TEST(AlgebraExamples, MultiplyByZerosRepeatsTheTile) {
  EXPECT_EQ(LinearLayout::identity1D(4, Lane, Dim0) * LinearLayout::zeros1D(2, Warp, Dim0),
            parsed("{lane = [[1], [2]], warp = [[0]]} -> {dim0 = 4}"));
}

TEST(AlgebraExamples, MultiplyIsNotCommutative) {
  LinearLayout registers = LinearLayout::identity1D(2, Register, Dim0);
  LinearLayout lanes = LinearLayout::identity1D(4, Lane, Dim0);
  EXPECT_FALSE((registers * lanes).sameMapAs(lanes * registers));
}

TEST(AlgebraExamples, DivideLeftUndoesProduct) {
  LinearLayout tile = LinearLayout::identity1D(2, Register, Dim0);
  LinearLayout rest = LinearLayout::identity1D(4, Lane, Dim0);
  std::optional<LinearLayout> quotient = (tile * rest).divideLeft(tile);
  ASSERT_TRUE(quotient.has_value());
  // The quotient keeps all dimensions; `register` has one value in it.
  EXPECT_TRUE((tile * *quotient).sameMapAs(tile * rest));
  EXPECT_EQ(quotient->inSize(Register), 1u);
}

TEST(AlgebraExamples, DivideLeftRefusesATileThatIsNotThere) {
  // Lane 1 has element 1, so no register holds the neighbour of element 0.
  LinearLayout lanesFirst = parsed("{register = [[4]], lane = [[1], [2]]} -> {dim0 = 8}");
  EXPECT_FALSE(lanesFirst.divideLeft(LinearLayout::identity1D(2, Register, Dim0)).has_value());
}

TEST(AlgebraExamples, DivideRightTakesOffTheHighestBits) {
  LinearLayout tile = LinearLayout::identity1D(2, Register, Dim0);
  LinearLayout warps = LinearLayout::identity1D(4, Warp, Dim0);
  std::optional<LinearLayout> quotient = (tile * warps).divideRight(warps);
  ASSERT_TRUE(quotient.has_value());
  EXPECT_TRUE((*quotient * warps).sameMapAs(tile * warps));
}

//===----------------------------------------------------------------------------===//
// Composition, inverse, conversion.
//===----------------------------------------------------------------------------===//

TEST(AlgebraExamples, ComposeWithIdentityChangesNothing) {
  LinearLayout layout = parsed("{lane = [[3], [1]]} -> {dim0 = 4}");
  EXPECT_EQ(layout.compose(LinearLayout::identity1D(4, Dim0, Dim0)), layout);
}

TEST(AlgebraExamples, ComposeAppliesTheArgumentLast) {
  LinearLayout lanes = parsed("{lane = [[1], [2]]} -> {dim0 = 4}");
  LinearLayout reversedBits = parsed("{dim0 = [[2], [1]]} -> {offset = 4}");
  EXPECT_EQ(lanes.compose(reversedBits), parsed("{lane = [[2], [1]]} -> {offset = 4}"));
}

TEST(AlgebraExamples, InvertOfABijection) {
  LinearLayout swizzle = parsed("{lane = [[1], [3]]} -> {dim0 = 4}");
  EXPECT_EQ(swizzle.invert(), parsed("{dim0 = [[1], [3]]} -> {lane = 4}"));
  EXPECT_EQ(swizzle.compose(swizzle.invert()), LinearLayout::identity1D(4, Lane, Lane));
}

TEST(AlgebraExamples, PseudoInvertOfBroadcastPicksTheCanonicalLocation) {
  // Lanes 0 and 2 hold element 0, lanes 1 and 3 element 1: bit 1 of the lane is free.
  LinearLayout broadcast = parsed("{lane = [[1], [0]]} -> {dim0 = 2}");
  EXPECT_EQ(broadcast.freeMask(), 0b10u);
  EXPECT_EQ(broadcast.pseudoInvert(), parsed("{dim0 = [[1]]} -> {lane = 4}"));
}

TEST(AlgebraExamples, InvertAndComposeSaysWhereDataMoves) {
  // From two registers of a lane to two lanes: register r of lane l goes to register l of lane r.
  LinearLayout src = parsed("{register = [[1, 0]], lane = [[0, 1]]} -> {dim0 = 2, dim1 = 2}");
  LinearLayout dst = parsed("{register = [[0, 1]], lane = [[1, 0]]} -> {dim0 = 2, dim1 = 2}");
  EXPECT_EQ(src.invertAndCompose(dst),
            parsed("{register = [[0, 1]], lane = [[1, 0]]} -> {register = 2, lane = 2}"));
}

//===----------------------------------------------------------------------------===//
// Rank, kernel, dimensions.
//===----------------------------------------------------------------------------===//

TEST(AlgebraExamples, RankCountsTheBitsThatAreReached) {
  LinearLayout layout = parsed("{lane = [[1], [2], [3]]} -> {dim0 = 8}");
  EXPECT_EQ(layout.rank(), 2u); // 3 is 1 + 2, and 4 is not reached.
  EXPECT_FALSE(layout.isSurjective());
  EXPECT_FALSE(layout.isInjective());
}

TEST(AlgebraExamples, KernelIsTheSetOfLocationsThatHoldElementZero) {
  LinearLayout layout = parsed("{lane = [[1], [2], [3]]} -> {dim0 = 4}");
  ASSERT_EQ(layout.kernelBasis().size(), 1u);
  EXPECT_EQ(layout.kernelBasis()[0], 0b111u); // 1 + 2 + 3 = 0
}

TEST(AlgebraExamples, ConsecutiveElementsAreTheWidthOfAVectorAccess) {
  EXPECT_EQ(parsed("{register = [[1], [2], [16]], lane = [[4], [8]]} -> {dim0 = 32}")
                .getNumConsecutiveInOut(),
            4u);
}

TEST(AlgebraExamples, SublayoutIgnoresTheOtherDimensions) {
  EXPECT_EQ(rowsInLanes().sublayout({Lane}, {Dim0}), parsed("{lane = [[1], [2]]} -> {dim0 = 4}"));
  EXPECT_TRUE(rowsInLanes().sublayoutIsZero({Lane}, {Dim1}));
}

TEST(AlgebraExamples, FlattenOutsGivesTheRowMajorNumberOfAnElement) {
  // The first output is the lowest: put the column first, then flatten.
  EXPECT_EQ(rowsInLanes().transposeOuts({Dim1, Dim0}).flattenOuts(Offset),
            parsed("{register = [[1]], lane = [[2], [4]]} -> {offset = 8}"));
}

TEST(AlgebraExamples, RemoveZeroBasesDropsRegistersThatRepeat) {
  EXPECT_EQ(parsed("{register = [[0], [1]]} -> {dim0 = 2}").removeZeroBasesAlong(Register),
            parsed("{register = [[1]]} -> {dim0 = 2}"));
}

TEST(AlgebraExamples, ParseNamesTheColumnOfAnError) {
  Result<LinearLayout> wrong = LinearLayout::parse("{lane = [[1], [x]]} -> {dim0 = 2}");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error(), "expected a number below 2^64 at column 16");
}

} // namespace
