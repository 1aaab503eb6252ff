//===- BlockMessagesTest.cpp - Plans of block messages --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "BlockMessageSupport.h"
#include "test/support/IntelTestSupport.h"
#include "test/support/RandomLayouts.h"
#include "view/PlanText.h"

using namespace tilewright;
using namespace tilewright::plan::block2d;
using namespace tilewright::layout::intel;
using layout::Blocked;
using layout::LinearLayout;
using layout::RandomLayouts;

namespace {

BlockMessagePlan planned(const BlockMessageRequest &request) {
  Result<BlockMessagePlan> plan = planBlockMessages(request);
  EXPECT_TRUE(plan) << plan.error();
  return plan ? *plan : BlockMessagePlan();
}

LinearLayout parsed(std::string_view text) {
  Result<LinearLayout> layout = LinearLayout::parse(text);
  EXPECT_TRUE(layout) << layout.error();
  return *layout;
}

/// "2 of 32x16 d16, 2 blocks", or what keeps it from messages.
std::string summary(const BlockMessagePlan &plan) {
  if (!plan.hasMessages())
    return plan.fallback;
  std::string rows = plan.rowShift ? ", rows of step " + std::to_string(1u << plan.rowShift) : "";
  return std::to_string(plan.messageCount()) + " of " + plan.message.toString() + rows;
}

//===----------------------------------------------------------------------------===//
// The table of DPAS operands
//===----------------------------------------------------------------------------===//

/// Operand A, B (opIdx 0, 1) or the accumulator (2), in memory that is contiguous along
/// `contiguousDim`.
std::string operandSummary(const Dpas &parent, unsigned opIdx, unsigned elementBits,
                           const Shape &shape, unsigned contiguousDim,
                           BlockAccess access = BlockAccess::Load, bool spirvFormsOnly = false) {
  LinearLayout layout = opIdx < 2 ? operand(parent, opIdx, shape) : accumulator(parent, shape);
  BlockMessageRequest request = requestFor(layout, elementBits, contiguousDim, access);
  // What the instruction takes: B in words of 32 bits, A of 16 (32 for 32-bit elements).
  request.wordBits = opIdx == 1 ? 32 : opIdx == 0 ? std::max(16u, elementBits) : elementBits;
  request.spirvFormsOnly = spirvFormsOnly;
  BlockMessagePlan plan = planned(request);
  if (plan.hasMessages())
    isProved(request, plan);
  return summary(plan);
}

// The tables' messages are those of Triton's Intel XPU back end but for three, each noted there.
// The numbers of messages are those of a warp, for the tensors given.

TEST(BlockMessages, OperandsOf16Lanes) {
  Dpas f16 = dpas(2, 16, {8, 4}, {4, 2}), tf32 = dpas(1, 16, {8, 4}, {4, 1}),
       i8 = dpas(4, 16, {8, 4}, {4, 4});
  EXPECT_EQ(operandSummary(f16, 0, 16, {256, 32}, 1), "1 of 32x16 d16, 2 blocks");
  EXPECT_EQ(operandSummary(f16, 1, 16, {32, 256}, 1), "2 of 32x16 d16, 2 blocks, vnni");
  EXPECT_EQ(operandSummary(f16, 1, 16, {32, 256}, 0), "4 of 32x8 d32, transpose");
  EXPECT_EQ(operandSummary(f16, 0, 16, {256, 32}, 0), "2 of 32x8 d32, transpose");
  EXPECT_EQ(operandSummary(tf32, 0, 32, {256, 32}, 1), "2 of 32x8 d32, 2 blocks");
  EXPECT_EQ(operandSummary(tf32, 1, 32, {32, 256}, 1), "4 of 32x16 d32");
  EXPECT_EQ(operandSummary(tf32, 1, 32, {32, 256}, 0), "16 of 16x8 d32, transpose");
  EXPECT_EQ(operandSummary(i8, 0, 8, {256, 64}, 1), "1 of 32x16 d16, 2 blocks");
  EXPECT_EQ(operandSummary(i8, 1, 8, {64, 256}, 1), "2 of 32x16 d8, 4 blocks, vnni");
  EXPECT_EQ(operandSummary(i8, 1, 8, {64, 256}, 0), "4 of 32x8 d32, transpose");
  // There: gathers, because lanes are every second row. Here a pitch of two rows.
  EXPECT_EQ(operandSummary(i8, 0, 8, {256, 64}, 0), "2 of 32x8 d32, transpose, rows of step 2");
  EXPECT_EQ(operandSummary(f16, 2, 32, {256, 256}, 1, BlockAccess::Store), "16 of 8x16 d32");
  // There: 8x16, twice as many. Rows of a store may have 64 bytes, twice the sub-group.
  EXPECT_EQ(operandSummary(f16, 2, 16, {256, 256}, 1, BlockAccess::Store), "8 of 8x32 d16");
  EXPECT_EQ(operandSummary(f16, 2, 16, {256, 256}, 1, BlockAccess::Store, true), "16 of 8x16 d16");
}

TEST(BlockMessages, OperandsOf32Lanes) {
  Dpas f16 = dpas(2, 32, {8, 4}, {4, 2}), tf32 = dpas(1, 32, {8, 4}, {4, 1}),
       i8 = dpas(4, 32, {8, 4}, {4, 4});
  // Lane bit 4 is the column's lowest bit, which 32 bits of a column hold together.
  const char *InLanes = "a transposed load of 32-bit elements gives a lane elements that differ in "
                        "dim0 by 1, which are in different lanes";
  EXPECT_EQ(operandSummary(f16, 0, 16, {256, 32}, 1), "1 of 32x16 d16, 2 blocks");
  EXPECT_EQ(operandSummary(f16, 1, 16, {32, 256}, 1), "2 of 32x16 d16, 2 blocks, vnni");
  EXPECT_EQ(operandSummary(f16, 1, 16, {32, 256}, 0), "8 of 16x8 d32, transpose");
  EXPECT_EQ(operandSummary(f16, 0, 16, {256, 32}, 0), InLanes);
  EXPECT_EQ(operandSummary(tf32, 0, 32, {256, 32}, 1), "2 of 32x8 d32, 2 blocks");
  EXPECT_EQ(operandSummary(tf32, 1, 32, {32, 256}, 1), "4 of 32x16 d32");
  EXPECT_EQ(operandSummary(tf32, 1, 32, {32, 256}, 0), "16 of 16x8 d32, transpose");
  EXPECT_EQ(operandSummary(i8, 0, 8, {256, 64}, 1), "1 of 32x16 d16, 2 blocks");
  EXPECT_EQ(operandSummary(i8, 1, 8, {64, 256}, 1), "2 of 32x16 d8, 4 blocks, vnni");
  EXPECT_EQ(operandSummary(i8, 1, 8, {64, 256}, 0), "8 of 16x8 d32, transpose");
  EXPECT_EQ(operandSummary(i8, 0, 8, {256, 64}, 0), InLanes);
  EXPECT_EQ(operandSummary(f16, 2, 32, {256, 256}, 1, BlockAccess::Store), "16 of 8x16 d32");
  EXPECT_EQ(operandSummary(f16, 2, 16, {256, 256}, 1, BlockAccess::Store), "16 of 8x16 d16");
}

TEST(BlockMessages, PrefetchesOfOperands) {
  // 32 warps, 8 pieces of 32 rows of 64 bytes: warps 8 and up have nothing left to do.
  Dpas f16 = dpas(2, 16, {8, 4}, {4, 2});
  BlockMessageRequest request =
      requestFor(operand(f16, 0, {256, 32}), 16, 1, BlockAccess::Prefetch);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 32x16 d32");
  EXPECT_EQ(plan.idleWarps, 3u);
  EXPECT_TRUE(isProved(request, plan));
  // 256 columns are 8 pieces; warps along M, which hold the same of B, share them.
  request = requestFor(operand(f16, 1, {32, 256}), 16, 1, BlockAccess::Prefetch);
  plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 32x16 d32");
  EXPECT_EQ(std::popcount(plan.idleWarps), 2);
  EXPECT_TRUE(isProved(request, plan));
  request.limits = request.limits.withWidePrefetch();
  EXPECT_EQ(summary(planned(request)), "1 of 32x64 d32");
}

//===----------------------------------------------------------------------------===//
// Random layouts
//===----------------------------------------------------------------------------===//

/// Requests of all kinds; the same ones in every run.
class RandomRequests {
public:
  explicit RandomRequests(unsigned seed) : layouts(seed), dpasLayouts(seed) {}

  BlockMessageRequest next() {
    LinearLayout layout = nextLayout();
    auto rank = static_cast<unsigned>(layout.outs().size());
    BlockAccess access = std::array{BlockAccess::Load, BlockAccess::Load, BlockAccess::Store,
                                    BlockAccess::Prefetch}[layouts.below(4)];
    BlockMessageRequest request =
        requestFor(std::move(layout), 8u << layouts.below(4), layouts.below(rank), access);
    request.limits =
        limitsOf(std::array{"xpu:pvc", "xpu:bmg", "xpu:lnl", "xpu:ptl"}[layouts.below(4)]);
    if (access == BlockAccess::Prefetch && !layouts.below(3))
      request.limits = request.limits.withWidePrefetch();
    request.foldRows = layouts.below(2);
    request.spirvFormsOnly = !layouts.below(4);
    if (layouts.below(2))
      request.wordBits = std::max(request.elementBits, 32u);
    return request;
  }

private:
  LinearLayout nextLayout() {
    unsigned lanes = 4 + layouts.below(2), warps = layouts.below(3);
    switch (layouts.below(5)) {
    case 0:
      return blocked(1 + layouts.below(3), lanes, warps);
    case 1:
      return slice(blocked(2 + layouts.below(2), lanes, warps), 0);
    case 2:
      return dpasOperand();
    case 3:
      return shuffledUnits(lanes, warps);
    default:
      return runs(lanes, warps);
    }
  }

  LinearLayout blocked(unsigned rank, unsigned lanes, unsigned warps) {
    std::vector<int64_t> shape = layouts.shape(rank, rank == 1 ? 11 : rank == 2 ? 7 : 4);
    return toLinearLayout(layouts.blocked(shape, lanes, warps), shape);
  }

  LinearLayout dpasOperand() {
    while (true) {
      Dpas parent = dpasLayouts.next();
      Shape shape = {int64_t(1) << layouts.below(8), int64_t(1) << layouts.below(8)};
      unsigned opIdx = layouts.below(3);
      LinearLayout layout = opIdx < 2 ? operand(parent, opIdx, shape) : accumulator(parent, shape);
      if (layout.totalInBits() <= 15)
        return layout;
    }
  }

  LinearLayout dealt(const std::vector<uint64_t> &bases, unsigned lanes, unsigned warps,
                     unsigned rowBits, unsigned columnBits) {
    auto registers = static_cast<unsigned>(bases.size()) - lanes - warps;
    return LinearLayout::fromPacked(
        {{layout::dims::Register, registers},
         {layout::dims::Lane, lanes},
         {layout::dims::Warp, warps},
         {layout::dims::Block, 0}},
        {{layout::dims::Dim0, rowBits}, {layout::dims::Dim1, columnBits}}, bases);
  }

  /// Unit vectors in any order, some of them repeated, or sums of earlier ones.
  LinearLayout shuffledUnits(unsigned lanes, unsigned warps) {
    unsigned rows = 1 + layouts.below(6), columns = lanes + layouts.below(4);
    std::vector<uint64_t> bases = layouts.units(rows + columns);
    for (unsigned i = 0; i < layouts.below(3); ++i)
      bases.insert(bases.begin() + layouts.below(static_cast<unsigned>(bases.size())), 0);
    while (bases.size() < lanes + warps)
      bases.push_back(0);
    return dealt(bases, lanes, warps, rows, columns);
  }

  /// Lanes that run along one dimension and then another; registers that are any basis of
  /// what is left.
  LinearLayout runs(unsigned lanes, unsigned warps) {
    unsigned rows = 6, columns = 7;
    std::vector<uint64_t> left, run, places;
    unsigned column = layouts.below(3), row = layouts.below(2);
    bool isColumn = layouts.below(2);
    while (run.size() < lanes) {
      unsigned &at = isColumn ? column : row;
      unsigned limit = isColumn ? columns : rows;
      unsigned length = 1 + layouts.below(5);
      for (; length && at < limit && run.size() < lanes; --length, ++at)
        run.push_back(uint64_t(1) << (isColumn ? rows + at : at));
      isColumn = !isColumn;
    }
    for (unsigned i = 0; i < rows + columns; ++i)
      if (std::find(run.begin(), run.end(), uint64_t(1) << i) == run.end())
        left.push_back(uint64_t(1) << i);
    for (unsigned i = 0; i < warps; ++i) {
      places.push_back(left.back());
      if (layouts.below(4))
        left.pop_back();
      else
        places.back() = layouts.below(2) ? 0 : left.front();
    }
    // Registers: the others, summed up with one another.
    for (size_t i = left.size(); i-- > 1;)
      if (!layouts.below(3))
        left[i] ^= left[layouts.below(static_cast<unsigned>(i))];
    if (!layouts.below(4))
      left.insert(left.begin() + layouts.below(3), left[0] ^ left.back());
    if (!layouts.below(8))
      left[1] ^= run[1];
    std::vector<uint64_t> bases = left;
    bases.insert(bases.end(), run.begin(), run.end());
    bases.insert(bases.end(), places.begin(), places.end());
    return dealt(bases, lanes, warps, rows, columns);
  }

  RandomLayouts layouts;
  RandomDpas dpasLayouts;
};

/// Whether what the plan says of the layout is so.
bool obstacleIsThere(const BlockMessageRequest &request, MessageRejection obstacle) {
  const LinearLayout &layout = request.layout;
  auto lanes = layout.bases(layout::dims::Lane);
  uint64_t support = 0;
  for (uint64_t basis : lanes)
    support |= basis;
  switch (obstacle) {
  case MessageRejection::None:
    return false;
  case MessageRejection::LaneCount:
    return lanes.size() != 4 && (lanes.size() != 5 || request.spirvFormsOnly);
  case MessageRejection::LaneCopy:
    return std::find(lanes.begin(), lanes.end(), 0) != lanes.end();
  case MessageRejection::LaneSum:
    return std::any_of(lanes.begin(), lanes.end(),
                       [](uint64_t basis) { return std::popcount(basis) > 1; });
  case MessageRejection::LaneTwice:
    return std::set<uint64_t>(lanes.begin(), lanes.end()).size() < lanes.size();
  case MessageRejection::LaneMoved:
    for (layout::Dim dim : {layout::dims::Register, layout::dims::Warp, layout::dims::Block})
      for (uint64_t basis : layout.bases(dim))
        if (basis & support)
          return true;
    return false;
  case MessageRejection::Mask:
    return !request.maskConstancy.empty();
  case MessageRejection::Shape:
    return !ExhaustiveSearch(request).fewest();
  }
  return false;
}

TEST(BlockMessages, RandomPlansDeliver) {
  RandomRequests requests(1);
  std::map<std::string, unsigned> seen;
  for (unsigned i = 0; i < 4000; ++i) {
    BlockMessageRequest request = requests.next();
    BlockMessagePlan plan = planned(request);
    std::string access(accessName(request.access));
    if (plan.hasMessages()) {
      ++seen[access + (plan.message.transpose ? " transpose" : plan.message.vnni ? " vnni" : "")];
      if (plan.foldsRows())
        ++seen[access + " folded"];
      else if (plan.rowShift)
        ++seen[access + " stepping"];
      if (plan.idleWarps)
        ++seen[access + " idle warps"];
      if (plan.unitsPerElement > 1)
        ++seen["halves"];
      ASSERT_TRUE(isProved(request, plan)) << i;
      continue;
    }
    ++seen[access + " fallback"];
    if (request.access == BlockAccess::Prefetch) {
      ASSERT_EQ(plan.obstacle, MessageRejection::LaneCount) << plan.fallback;
    }
    ASSERT_FALSE(plan.fallback.empty());
    ASSERT_TRUE(obstacleIsThere(request, plan.obstacle))
        << i << ": " << plan.fallback << "\n"
        << request.layout.toString() << request.elementBits << " " << request.contiguousDim;
  }
  // All of it was there, and not once only.
  for (const char *kind :
       {"load", "load vnni", "load transpose", "load folded", "load stepping", "load fallback",
        "store", "store folded", "store stepping", "store idle warps", "store fallback", "prefetch",
        "prefetch folded", "prefetch idle warps", "halves"})
    EXPECT_GT(seen[kind], 5u) << kind;
}

TEST(BlockMessages, NoMessagesAreFewer) {
  RandomRequests requests(2);
  unsigned compared = 0;
  for (unsigned i = 0; i < 8000; ++i) {
    BlockMessageRequest request = requests.next();
    if (request.access == BlockAccess::Prefetch)
      continue;
    BlockMessagePlan plan = planned(request);
    std::optional<unsigned> fewest = ExhaustiveSearch(request).fewest();
    std::string about = std::to_string(i) + ": " + request.layout.toString() + ", " +
                        std::to_string(request.elementBits) + " bits, contiguous dim" +
                        std::to_string(request.contiguousDim) + "\n" + view::toText(plan);
    if (plan.unitsPerElement > 1) {
      ASSERT_LT(plan.messageCount(), fewest.value_or(~0u)) << about;
      continue;
    }
    ASSERT_EQ(plan.hasMessages(), fewest.has_value()) << about;
    if (fewest) {
      ++compared;
      ASSERT_EQ(plan.messageCount(), *fewest) << about;
    }
  }
  EXPECT_GT(compared, 500u);
}

TEST(BlockMessages, PlainRowsAlwaysHaveMessages) {
  // A warp's lanes along the contiguous dimension, and registers that hold what a row of
  // at least 4 bytes lacks: nothing stands in the way.
  for (unsigned elementBits = 8; elementBits <= 64; elementBits *= 2)
    for (unsigned lanes : {16u, 32u})
      for (unsigned perThread = 1; perThread * elementBits <= 64; perThread *= 2)
        for (BlockAccess access : {BlockAccess::Load, BlockAccess::Store, BlockAccess::Prefetch}) {
          Blocked encoding{{1, perThread}, {1, lanes}, {4, 1}, {1, 0}};
          BlockMessageRequest request = requestFor(
              toLinearLayout(encoding, std::vector<int64_t>{64, 256}), elementBits, 1, access);
          BlockMessagePlan plan = planned(request);
          // A row of messages has 64 bytes; lanes beyond it are in the next row only if
          // rows may be pieces.
          if (lanes * perThread * elementBits > 512 && access != BlockAccess::Prefetch) {
            EXPECT_FALSE(plan.hasMessages()) << view::toText(plan);
            request.foldRows = true;
            plan = planned(request);
          }
          ASSERT_TRUE(plan.hasMessages()) << plan.fallback;
          EXPECT_TRUE(isProved(request, plan));
        }
}

//===----------------------------------------------------------------------------===//
// What messages can do beyond a tensor's own rows and registers
//===----------------------------------------------------------------------------===//

TEST(BlockMessages, RegistersInAnyOrderAndSummed) {
  // Register bits as rows 4, 1+2, 1, 2+8: the span is rows 1, 2, 4, 8 all the same.
  BlockMessageRequest request = requestFor(
      parsed("{register = [[4, 0], [3, 0], [1, 0], [10, 0]], lane = [[0, 1], [0, 2], [0, 4], "
             "[0, 8]], warp = [[16, 0]]} -> {dim0 = 32, dim1 = 16}"),
      16, 1);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 16x16 d16");
  EXPECT_TRUE(isProved(request, plan));
  // Slot bit 0 is row 1, which is register bit 2; row 2 is row 3 without row 1.
  EXPECT_EQ(plan.registers.toString(),
            "{slot = [[4], [6], [1], [14]], message = []} -> {register = 16}");
}

TEST(BlockMessages, EveryFourthRow) {
  // Rows 1 and 2 are other warps'; lanes have columns and rows 4 and 8.
  BlockMessageRequest request = requestFor(
      parsed("{register = [[16, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = "
             "[[1, 0], [2, 0]]} -> {dim0 = 32, dim1 = 8}"),
      32, 1);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 8x8 d32, rows of step 4");
  EXPECT_TRUE(isProved(request, plan));
  TensorMemory memory{.base = 4096, .strides = {512, 4}, .sizes = {100, 64}, .starts = {5, 8}};
  Result<BlockSurface> surface = surfaceOf(plan, memory, plan.originOf(0, 2, 0));
  ASSERT_TRUE(surface) << surface.error();
  // Row 7: the second step of rows from row 3 on, of which there are 25.
  EXPECT_EQ(*surface, (BlockSurface{4096 + 3 * 512, 256, 25, 2048, 8, 1}));
  // An array of three rows has no such row: all of the message is out of bounds.
  memory.sizes[0] = 3;
  surface = surfaceOf(plan, memory, plan.originOf(0, 2, 0));
  ASSERT_TRUE(surface) << surface.error();
  EXPECT_GE(surface->y, surface->height);
}

TEST(BlockMessages, OneDimension) {
  Blocked encoding{{1}, {16}, {4}, {0}};
  BlockMessageRequest request =
      requestFor(toLinearLayout(encoding, std::vector<int64_t>{1024}), 32, 0);
  EXPECT_EQ(summary(planned(request)), "16 of 1x16 d32");
  // Warps have 64 bytes each, 256 apart: rows of 64 elements.
  request.foldRows = true;
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 16x16 d32, rows of step 64");
  EXPECT_TRUE(isProved(request, plan));
  TensorMemory memory{.base = 4096 + 32, .strides = {4}, .sizes = {1024}, .starts = {0}};
  EXPECT_EQ(surfaceOf(plan, memory, plan.originOf(0, 0, 0)).error(),
            "rows that are pieces of one dimension need a start aligned to 64 bytes");
}

TEST(BlockMessages, HalvesOfWideElements) {
  Blocked encoding{{1, 4}, {16, 1}, {2, 1}, {0, 1}};
  BlockMessageRequest request =
      requestFor(toLinearLayout(encoding, std::vector<int64_t>{32, 4}), 64, 1);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 16x8 d32, transpose");
  EXPECT_EQ(plan.unitsPerElement, 2u);
  EXPECT_TRUE(isProved(request, plan));
}

TEST(BlockMessages, OtherDimensionsMoveTheBase) {
  // Of a batch of matrices, rows may be those of a matrix or one of each matrix.
  BlockMessageRequest request = requestFor(
      parsed("{register = [[1, 0, 0], [2, 0, 0], [4, 0, 0]], lane = [[0, 0, 1], [0, 0, 2], "
             "[0, 0, 4], [0, 0, 8]], warp = [[0, 1, 0]]} -> {dim0 = 8, dim1 = 2, dim2 = 16}"),
      32, 2);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 8x16 d32");
  EXPECT_EQ(plan.rowDim, 0u);
  EXPECT_TRUE(isProved(request, plan));
}

TEST(BlockMessages, StoresOnceWhatWarpsShare) {
  BlockMessageRequest request = requestFor(
      parsed("{register = [[1, 0], [0, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], "
             "warp = [[0, 0], [4, 0], [2, 0]]} -> {dim0 = 8, dim1 = 16}"),
      16, 1, BlockAccess::Store);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 4x16 d16");
  EXPECT_EQ(plan.idleWarps, 5u);
  EXPECT_TRUE(isProved(request, plan));
  // A load has to serve warp bit 2, which exchanges rows: rows 2 apart are two messages.
  request.access = BlockAccess::Load;
  plan = planned(request);
  EXPECT_EQ(summary(plan), "2 of 2x16 d16");
  EXPECT_TRUE(isProved(request, plan));
}

TEST(BlockMessages, MasksCapMessages) {
  Blocked encoding{{1, 1}, {1, 16}, {1, 1}, {1, 0}};
  BlockMessageRequest request =
      requestFor(toLinearLayout(encoding, std::vector<int64_t>{32, 64}), 16, 1);
  EXPECT_EQ(summary(planned(request)), "2 of 32x16 d16, 2 blocks");
  request.maskConstancy = {4, 64};
  EXPECT_EQ(summary(planned(request)), "16 of 4x16 d16, 2 blocks");
  request.maskConstancy = {32, 16};
  EXPECT_EQ(summary(planned(request)), "4 of 32x16 d16");
  request.maskConstancy = {32, 8};
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(plan.obstacle, MessageRejection::Mask);
  EXPECT_EQ(plan.fallback, "lane bit 3 moves dim1 by 8, and the mask may change in between; a "
                           "message has one mask");
}

TEST(BlockMessages, MasksCapPrefetches) {
  Blocked encoding{{1, 1}, {1, 16}, {1, 1}, {1, 0}};
  BlockMessageRequest request = requestFor(toLinearLayout(encoding, std::vector<int64_t>{32, 64}),
                                           16, 1, BlockAccess::Prefetch);
  EXPECT_EQ(summary(planned(request)), "2 of 32x16 d32");
  request.maskConstancy = {4, 8};
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "64 of 4x4 d32");
  EXPECT_TRUE(isProved(request, plan));
  request.maskConstancy = {32, 1};
  EXPECT_EQ(summary(planned(request)),
            "the mask may change along dim1 within 4 bytes; a message has one mask");
}

TEST(BlockMessages, BoundsAreExact) {
  // Elements beyond the array are left out, and no others.
  RandomRequests requests(3);
  unsigned checked = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    BlockMessageRequest request = requests.next();
    BlockMessagePlan plan = planned(request);
    if (request.access != BlockAccess::Load || !plan.hasMessages() || plan.foldsRows() ||
        request.layout.outs().size() < 2)
      continue;
    TensorMemory memory = arrayAround(request);
    auto outs = request.layout.outs();
    for (unsigned d = 0; d < outs.size(); ++d)
      memory.sizes[d] =
          64 + (outs[d].size() * 5 / 8 & ~uint64_t(d == request.contiguousDim ? 7 : 0));
    Result<DeliveredWarp> delivered = deliverWarp(plan, memory, 0, 0);
    ASSERT_TRUE(delivered) << delivered.error() << view::toText(plan);
    size_t at = 0;
    for (uint64_t lane = 0; lane < plan.threadsPerWarp; ++lane)
      for (uint64_t reg = 0; reg < request.layout.inSize(layout::dims::Register); ++reg) {
        uint64_t element =
            request.layout.applyFlat(request.layout.packInput(std::vector<layout::DimValue>{
                {layout::dims::Register, reg}, {layout::dims::Lane, lane}}));
        bool isInside = true;
        auto coordinates = request.layout.unpackOutput(element);
        for (unsigned d = 0; d < outs.size(); ++d)
          isInside &= memory.starts[d] + coordinates[d].value < memory.sizes[d];
        ByteAddress wanted = isInside ? addressOf(request.layout, memory, element) : OutOfBounds;
        ASSERT_EQ(delivered->bytes[at], wanted) << view::toText(plan) << request.layout.toString();
        at += request.elementBits / 8;
      }
    ++checked;
  }
  EXPECT_GT(checked, 100u);
}

//===----------------------------------------------------------------------------===//
// Fallbacks and errors
//===----------------------------------------------------------------------------===//

std::string fallbackOf(std::string_view layout, unsigned elementBits, unsigned contiguousDim,
                       BlockAccess access = BlockAccess::Load) {
  return planned(requestFor(parsed(layout), elementBits, contiguousDim, access)).fallback;
}

TEST(BlockMessages, Fallbacks) {
  EXPECT_EQ(fallbackOf("{lane = [[1], [2], [4]]} -> {dim0 = 8}", 32, 0),
            "the layout has 8 lanes; block messages serve sub-groups of 16 or 32");
  EXPECT_EQ(fallbackOf("{lane = [[1], [2], [4], [0]]} -> {dim0 = 8}", 32, 0),
            "lane bit 3 moves nothing; a message has an element for each lane");
  EXPECT_EQ(fallbackOf("{lane = [[0, 1], [0, 2], [1, 4], [1, 0]]} -> {dim0 = 2, dim1 = 8}", 32, 1),
            "lane bit 2 moves dim0 by 1 and dim1 by 4; a lane bit of a message moves one "
            "coordinate by a power of two");
  EXPECT_EQ(fallbackOf("{lane = [[1], [2], [4], [1]]} -> {dim0 = 8}", 32, 0),
            "lane bit 3 moves the same as lane bit 0; a message has an element for each lane");
  EXPECT_EQ(fallbackOf("{register = [[1, 4]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]]} -> "
                       "{dim0 = 2, dim1 = 16}",
                       32, 1),
            "register bit 0 moves dim1 by 4, as a lane bit does; the lanes of a message do not "
            "change places");
  EXPECT_EQ(fallbackOf("{lane = [[1, 0], [2, 0], [4, 0], [8, 0]]} -> {dim0 = 16, dim1 = 16}", 16, 1,
                       BlockAccess::Store),
            "lane bit 0 moves dim0 by 1, but dim1 is contiguous in memory; only loads transpose");
  EXPECT_EQ(
      fallbackOf("{lane = [[1, 0], [2, 0], [4, 0], [8, 0]]} -> {dim0 = 16, dim1 = 16}", 16, 1),
      "a transposed load of 32-bit elements gives a lane elements that differ in dim1 by 1, "
      "which the lane's registers do not hold");
  EXPECT_EQ(
      fallbackOf("{lane = [[0, 1], [0, 4], [0, 2], [0, 8]]} -> {dim0 = 16, dim1 = 16}", 16, 1),
      "lane bit 1 moves dim1 by 4, which is not the next column or row of a load of 16-bit "
      "elements");
  EXPECT_EQ(
      fallbackOf("{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, "
                 "64]]} -> {dim0 = 16, dim1 = 128}",
                 16, 1),
      "lane bit 0 moves dim1 by 8, 16 bytes; an element of a message has at most 8, a row at "
      "least 64");
  EXPECT_EQ(
      fallbackOf("{lane = [[1], [2], [4], [8], [16]]} -> {dim0 = 32}", 32, 0),
      "the lanes go on along dim0 after a row of 64 bytes, and rows that are pieces of it are "
      "not allowed here");
  EXPECT_EQ(
      fallbackOf("{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, "
                 "1]]} -> {dim0 = 1, dim1 = 32}",
                 16, 1),
      "a load of 32-bit elements gives a lane elements that differ in dim1 by 1, which are in "
      "different warps or blocks");
}

TEST(BlockMessages, FallbacksOfSizes) {
  EXPECT_EQ(fallbackOf("{lane = [[1, 0], [2, 0], [4, 0], [8, 0]]} -> {dim0 = 16, dim1 = 1}", 16, 1),
            "a transposed load of 32-bit elements gives a lane elements beyond the tensor's size");
  BlockMessageRequest request =
      requestFor(parsed("{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0]]} -> "
                        "{dim0 = 16, dim1 = 2}"),
                 32, 1);
  EXPECT_EQ(summary(planned(request)), "1 of 16x1 d32, 2 blocks");
  request.spirvFormsOnly = true;
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(plan.obstacle, MessageRejection::Shape);
  EXPECT_EQ(plan.fallback, "there is no SPIR-V instruction for 16x1 d32, transpose");
}

TEST(BlockMessages, WrongRequests) {
  Blocked encoding{{1, 1}, {1, 16}, {1, 1}, {1, 0}};
  LinearLayout layout = toLinearLayout(encoding, std::vector<int64_t>{32, 64});
  BlockMessageRequest noLimits;
  noLimits.layout = layout;
  EXPECT_EQ(planBlockMessages(noLimits).error(), "the target has no 2D block messages");
  auto errorOf = [](const BlockMessageRequest &request) {
    return planBlockMessages(request).error();
  };
  EXPECT_EQ(errorOf(requestFor(layout, 4, 1)),
            "block messages move elements of 8, 16, 32 or 64 bits, not 4");
  EXPECT_EQ(errorOf(requestFor(layout, 16, 2)),
            "the contiguous dimension is number 2, the layout has 2");
  BlockMessageRequest request = requestFor(layout, 16, 1);
  request.wordBits = 8;
  EXPECT_EQ(errorOf(request), "words of 8 bits cannot be made of elements of 16");
  request = requestFor(layout, 16, 1);
  request.maskConstancy = {1};
  EXPECT_EQ(errorOf(request), "the mask's constancy has 1 values for a layout of 2 dimensions");
  request.maskConstancy = {3, 1};
  EXPECT_EQ(errorOf(request), "the mask's constancy must be a power of two, not 3");
  EXPECT_EQ(errorOf(requestFor(layout.renameIn(layout::dims::Warp, layout::dims::Offset), 16, 1)),
            "a distributed layout has inputs register, lane, warp and block, not 'offset'");
  Blocked many{{1, 1 << 17}, {1, 16}, {1, 1}, {1, 0}};
  EXPECT_EQ(errorOf(requestFor(toLinearLayout(many, std::vector<int64_t>{1, 1 << 21}), 16, 1)),
            "the layout is too large");
}

//===----------------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------------===//

TEST(BlockMessages, Text) {
  BlockMessageRequest request =
      requestFor(operand(dpas(2, 16, {8, 4}, {4, 2}), 1, {32, 256}), 16, 1);
  request.wordBits = 32;
  request.operandRegisters = 16;
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(view::toText(plan),
            R"(load: 2 messages a warp of 32x16 d16, 2 blocks, vnni
elements: 16 bits, contiguous along dim1; rows: dim0
a lane's part of a message: 64 registers, 2 in each value of 32 bits: 4 operands of 16
starts: {message = [[0, 128]], warp = [[0, 32], [0, 64], [0, 0], [0, 0], [0, 0]], block = []} -> {dim0 = 32, dim1 = 256}
registers: {slot = [[1], [2], [4], [8], [32], [16]], message = [[64]]} -> {register = 128}
)");
  EXPECT_EQ(
      view::toJson(plan),
      R"({"access": "load", "element_bits": 16, "messages": 2, )"
      R"("message": {"element_bits": 16, "width": 16, "height": 32, "blocks": 2, )"
      R"("transpose": false, "vnni": true, "slot_bits": 32, "spirv": true}, )"
      R"("threads_per_warp": 16, "contiguous": "dim1", "rows": "dim0", "row_step": 1, )"
      R"("origin": {"in": {"message": 2, "warp": 32, "block": 1}, )"
      R"("out": {"dim0": 32, "dim1": 256}, "bases": {"message": [[0, 128]], )"
      R"("warp": [[0, 32], [0, 64], [0, 0], [0, 0], [0, 0]], "block": []}}, )"
      R"("units_per_element": 1, )"
      R"("slots": {"in": {"register": 128}, "out": {"slot": 64, "message": 2}, )"
      R"("bases": {"register": [[1, 0], [2, 0], [4, 0], [8, 0], [32, 0], [16, 0], [0, 1]]}}, )"
      R"("registers": {"in": {"slot": 64, "message": 2}, "out": {"register": 128}, )"
      R"("bases": {"slot": [[1], [2], [4], [8], [32], [16]], "message": [[64]]}}, )"
      R"("idle_warp_bits": [], "idle_block_bits": []})");
}

TEST(BlockMessages, TextOfOtherPlans) {
  BlockMessageRequest request = requestFor(
      parsed("{register = [[0, 2], [0, 4]], lane = [[0, 64], [0, 128], [0, 256], [0, 512]], warp "
             "= [[0, 1]]} -> {dim0 = 1, dim1 = 1024}"),
      32, 1);
  EXPECT_EQ(
      view::toText(planned(request)),
      "gather: a load of 64-bit elements gives a lane elements that differ in dim1 by 1, which "
      "are in different warps or blocks\n");
  EXPECT_EQ(view::toJson(planned(request)),
            R"({"access": "load", "element_bits": 32, "messages": 0, "obstacle": "shape", )"
            R"("fallback": "a load of 64-bit elements gives a lane elements that differ in dim1 )"
            R"(by 1, which are in different warps or blocks"})");

  request.layout = parsed("{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 64], [0, 128], [0, "
                          "256], [0, 512]], warp = [[0, 0]]} -> {dim0 = 1, dim1 = 1024}");
  request.foldRows = true;
  EXPECT_EQ(view::toText(planned(request)),
            R"(load: 1 message a warp of 16x8 d32, transpose
elements: 32 bits, contiguous along dim1; rows: pieces of 64 elements of dim1
a lane's part of a message: 8 registers
starts: {message = [], warp = [[0, 0]], block = []} -> {dim0 = 1, dim1 = 1024}
registers: {slot = [[1], [2], [4]], message = []} -> {register = 8}
needs: a start aligned to 64 bytes, and no element out of bounds
)");
  request.access = BlockAccess::Prefetch;
  EXPECT_EQ(view::toText(planned(request)),
            R"(prefetch: 1 message a warp of 16x16 d32
elements: 32 bits, contiguous along dim1; rows: pieces of 64 elements of dim1
starts: {message = [], warp = [[0, 0]], block = []} -> {dim0 = 1, dim1 = 1024}
idle warps: those with one of bits [0]
needs: a start aligned to 64 bytes, and no element out of bounds
)");
}

TEST(BlockMessages, TextOfIdleBlocks) {
  BlockMessageRequest request = requestFor(
      parsed("{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [], block = "
             "[[2, 0], [0, 0]]} -> {dim0 = 4, dim1 = 16}"),
      32, 1, BlockAccess::Store);
  BlockMessagePlan plan = planned(request);
  EXPECT_TRUE(isProved(request, plan));
  EXPECT_NE(view::toText(plan).find("idle blocks: those with one of bits [1]\n"), std::string::npos)
      << view::toText(plan);
}

TEST(BlockMessages, TextOfRows) {
  // Warps have the rows between those of the message.
  std::pair<unsigned, const char *> texts[] = {{0, "rows: dim0\n"},
                                               {1, "rows: every 2nd of dim0\n"},
                                               {2, "rows: every 4th of dim0\n"},
                                               {5, "rows: every 32nd of dim0\n"},
                                               {9, "rows: every 512th of dim0\n"}};
  for (auto [warps, rows] : texts) {
    Blocked encoding{{1, 1}, {1, 16}, {1u << warps, 1}, {1, 0}};
    BlockMessageRequest request =
        requestFor(toLinearLayout(encoding, std::vector<int64_t>{2 << warps, 16}), 32, 1);
    BlockMessagePlan plan = planned(request);
    EXPECT_EQ(summary(plan).substr(0, 12), "1 of 2x16 d3");
    EXPECT_NE(view::toText(plan).find(rows), std::string::npos) << view::toText(plan);
  }
}

TEST(BlockMessages, PrefetchesOnlyRowsThatAreThere) {
  BlockMessageRequest request = requestFor(
      parsed("{register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, "
             "8]]} -> {dim0 = 64, dim1 = 16}"),
      32, 1, BlockAccess::Prefetch);
  BlockMessagePlan plan = planned(request);
  EXPECT_EQ(summary(plan), "1 of 16x16 d32, rows of step 4");
  EXPECT_TRUE(isProved(request, plan));
}

} // namespace
