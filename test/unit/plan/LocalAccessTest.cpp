//===- LocalAccessTest.cpp - Tiles in and out of a given memory -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every plan is carried out, thread by thread, and compared with the two maps: what each register
// is, and where it lies.
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/LocalAccess.h"

#include "layout/encoding/NvidiaMma.h"
#include "layout/encoding/SharedEncodings.h"
#include "test/support/AccessKinds.h"
#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>

#include <map>

using namespace tilewright;
using namespace tilewright::plan;

namespace {

/// The lowest offset of each element.
std::map<uint64_t, uint64_t> offsetsOf(const LinearLayout &memory) {
  std::map<uint64_t, uint64_t> offsets;
  for (uint64_t offset = 0; offset < memory.inSize(dims::Offset); ++offset)
    offsets.try_emplace(memory.applyFlat(offset), offset);
  return offsets;
}

/// (offset, register) of all that a thread moves in an access of the plan.
std::vector<std::pair<uint64_t, unsigned>>
movesOf(const LocalAccessPlan &plan, const SharedAccess &access, uint64_t lane, uint64_t warp) {
  auto addressOf = [&](uint64_t naming) {
    DimValue place[] = {{dims::Lane, naming}, {dims::Warp, warp}};
    return (plan.base.applyFlat(plan.base.packInput(place)) ^ access.xorOffset) + access.addOffset;
  };
  std::vector<std::pair<uint64_t, unsigned>> moves;
  const unsigned inWord = kindOf(*plan.atom) == AccessKind::Vector ? 1 : 4 / plan.elementBytes;
  for (unsigned i = 0; i < access.registers.size(); ++i) {
    const unsigned matrix = i / inWord, part = i % inWord;
    uint64_t offset = 0;
    if (kindOf(*plan.atom) == AccessKind::Vector)
      offset = addressOf(lane) + i;
    else if (kindOf(*plan.atom) == AccessKind::Matrix)
      offset = addressOf(8 * matrix + lane / 4) + (lane % 4) * inWord + part;
    else
      offset = addressOf(8 * matrix + 2 * (lane % 4) + part) + lane / 4;
    moves.push_back({offset, access.registers[i]});
  }
  return moves;
}

/// Checks a plan; the tensor's dimensions are those of the memory.
void check(const LinearLayout &registers, const LocalMemory &local, LocalDirection direction,
           std::optional<AccessKind> kind = {}) {
  SCOPED_TRACE(registers.toString() + " and " + local.layout.toString());
  Result<LocalAccessPlan> plan = planLocalAccess(registers, local, direction, withMatrices());
  ASSERT_TRUE(plan) << plan.error();
  if (kind) {
    EXPECT_EQ(kindOf(*plan->atom), *kind);
  }
  std::vector<Dim> order;
  for (SizedDim out : local.layout.outs())
    order.push_back(out.dim);
  LinearLayout elements = registers.transposeOuts(order);
  std::map<uint64_t, uint64_t> offsets = offsetsOf(local.layout);
  auto elementOf = [&](unsigned r, uint64_t lane, uint64_t warp) {
    DimValue place[] = {{dims::Register, r}, {dims::Lane, lane}, {dims::Warp, warp}};
    return elements.applyFlat(elements.packInput(place));
  };

  std::map<uint64_t, unsigned> stored;
  for (uint64_t warp = 0; warp < registers.inSize(dims::Warp); ++warp)
    for (uint64_t lane = 0; lane < registers.inSize(dims::Lane); ++lane) {
      std::map<unsigned, uint64_t> moved;
      for (const SharedAccess &access : plan->accesses)
        for (auto [offset, r] : movesOf(*plan, access, lane, warp)) {
          EXPECT_EQ(offset, offsets.at(elementOf(r, lane, warp)));
          EXPECT_TRUE(moved.try_emplace(r, offset).second) << "register " << r << " twice";
        }
      if (direction == LocalDirection::Load) {
        for (unsigned r = 0; r < plan->copies.size(); ++r) {
          EXPECT_TRUE(moved.count(plan->copies[r]));
          EXPECT_EQ(elementOf(r, lane, warp), elementOf(plan->copies[r], lane, warp));
        }
      } else if (plan->condition(static_cast<uint32_t>(lane), static_cast<uint32_t>(warp))) {
        for (auto [r, offset] : moved)
          ++stored[offset];
      }
    }
  // Each element is stored once.
  if (direction == LocalDirection::Store) {
    for (auto [offset, times] : stored)
      EXPECT_EQ(times, 1u) << "at offset " << offset;
    EXPECT_EQ(stored.size(), uint64_t(1) << elements.rank());
  }
}

TEST(LocalAccess, SwizzledMemory) {
  RandomLayouts random(11);
  for (unsigned i = 0; i < 200; ++i) {
    std::vector<int64_t> shape = random.shape(1 + random.below(3), 4);
    Blocked b = random.blocked(shape, 5, random.below(3));
    SwizzledShared s{1u << random.below(4), 1u << random.below(3), 1u << random.below(4),
                     random.blocked(shape, 0, 0).order};
    check(toLinearLayout(b, shape), {toLinearLayout(s, shape), 8u << random.below(4)},
          random.below(2) ? LocalDirection::Load : LocalDirection::Store);
  }
}

TEST(LocalAccess, AnyLinearMaps) {
  RandomLayouts random(12);
  for (unsigned i = 0; i < 200; ++i) {
    unsigned bits = 5 + random.below(4), warps = random.below(2);
    LinearLayout registers = random.deal(random.basis(bits + warps), 5, warps, random.below(3));
    LinearLayout shared =
        LinearLayout::fromPacked({SizedDim{dims::Offset, bits + warps}, SizedDim{dims::Block, 0}},
                                 {SizedDim{dims::Dim0, bits + warps}}, random.basis(bits + warps));
    check(registers, {shared, 8u << random.below(4)},
          random.below(2) ? LocalDirection::Load : LocalDirection::Store);
  }
}

/// The result layout of a 16x8 matrix instruction: pairs along rows, then lanes, then rows.
Blocked fragments() { return {{1, 2}, {8, 4}, {4, 1}, {1, 0}}; }

TEST(LocalAccess, MatricesWhereLanesHoldRows) {
  const std::vector<int64_t> shape = {64, 64};
  LinearLayout registers = toLinearLayout(fragments(), shape);
  SwizzledShared rows{8, 1, 8, {1, 0}}, columns{8, 1, 8, {0, 1}};
  for (LocalDirection direction : {LocalDirection::Load, LocalDirection::Store}) {
    check(registers, {toLinearLayout(rows, shape), 16}, direction, AccessKind::Matrix);
    check(registers, {toLinearLayout(columns, shape), 16}, direction, AccessKind::TransposedMatrix);
    // Rows of 16 bytes must not be cut by holes.
    check(registers, {toLinearLayout(rows, shape), 16, /*contiguous=*/4}, direction,
          AccessKind::Vector);
  }
}

// A product takes fragments of A, four words, and of B, two, from neighbouring registers of the
// machine: a load fills whole ones.
TEST(LocalAccess, MatricesLieInTheOrderOfTheRegisters) {
  const layout::nvidia::Mma mma = {2, 0, {2, 2}, {16, 8}};
  const std::vector<int64_t> shape = {64, 64};
  for (unsigned operand : {0, 1})
    for (const SwizzledShared &shared :
         {SwizzledShared{8, 1, 8, {1, 0}}, SwizzledShared{8, 1, 8, {0, 1}}}) {
      Result<LocalAccessPlan> plan = planLocalAccess(
          layout::nvidia::operandLayout(mma, operand, 2, shape),
          {toLinearLayout(shared, shape), 16}, LocalDirection::Load, withMatrices());
      ASSERT_TRUE(plan) << plan.error();
      EXPECT_NE(kindOf(*plan->atom), AccessKind::Vector);
      EXPECT_EQ(plan->conflicts, 0u);
      for (const SharedAccess &access : plan->accesses) {
        ASSERT_EQ(access.registers.size(), 8u);
        for (unsigned i = 0; i < 8; ++i)
          EXPECT_EQ(access.registers[i], access.registers[0] + i);
      }
    }
}

TEST(LocalAccess, WideVectorsAreTakenBeforeMatrices) {
  const std::vector<int64_t> shape = {64, 64};
  Blocked wide{{1, 8}, {4, 8}, {4, 1}, {1, 0}};
  SwizzledShared rows{8, 1, 8, {1, 0}};
  Result<LocalAccessPlan> plan =
      planLocalAccess(toLinearLayout(wide, shape), {toLinearLayout(rows, shape), 16},
                      LocalDirection::Load, withMatrices());
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(kindOf(*plan->atom), AccessKind::Vector);
  EXPECT_EQ(plan->accesses[0].registers.size(), 8u);
  EXPECT_EQ(plan->conflicts, 0u);
}

TEST(LocalAccess, PartsOfMemory) {
  const std::vector<int64_t> whole = {64, 64}, shape = {16, 4};
  Blocked b{{1, 2}, {16, 2}, {1, 1}, {1, 0}};
  SwizzledShared swizzled{2, 1, 8, {1, 0}};
  LinearLayout memory = toLinearLayout(swizzled, whole), registers = toLinearLayout(b, shape);
  Result<LocalAccessPlan> plan =
      planLocalAccess(registers, {memory, 16}, LocalDirection::Load, withMatrices());
  ASSERT_TRUE(plan) << plan.error();
  // Neighbours in groups of two trade places by the row; vectors are no wider.
  EXPECT_EQ(plan->accesses[0].registers.size(), 2u);
  std::map<uint64_t, uint64_t> offsets = offsetsOf(memory);
  for (int64_t row = 0; row < whole[0]; row += shape[0])
    for (int64_t column = 0; column < whole[1]; column += shape[1]) {
      uint64_t part = offsetOfPart(memory, std::vector<int64_t>{row, column});
      for (uint64_t lane = 0; lane < 32; ++lane)
        for (const SharedAccess &access : plan->accesses)
          for (auto [offset, r] : movesOf(*plan, access, lane, 0)) {
            DimValue place[] = {{dims::Register, r}, {dims::Lane, lane}};
            std::vector<DimValue> at = registers.apply(place);
            uint64_t element = (at[0].value + row) << memory.outShift(at[0].dim) |
                               (at[1].value + column) << memory.outShift(at[1].dim);
            EXPECT_EQ(offset ^ part, offsets.at(element));
          }
    }
}

} // namespace
