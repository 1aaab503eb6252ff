//===- BlockLoadStepsTest.cpp - Block loads of DPAS operands --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockLoadSteps.h"

#include "plan/block2d/BlockMessages.h"
#include "test/support/IntelTestSupport.h"
#include "view/PlanText.h"

#include <map>

using namespace tilewright;
using namespace tilewright::plan;
using namespace tilewright::plan::block2d;
using namespace tilewright::layout::intel;

namespace {

constexpr MemoryOrder RowMajor = MemoryOrder::RowMajor, ColumnMajor = MemoryOrder::ColumnMajor;

Result<BlockLoadSteps> plan(const Dpas &d, unsigned opIdx, unsigned bits, const Shape &shape,
                            MemoryOrder memory) {
  using tilewright::target::Target;
  return planBlockLoadSteps(d, opIdx, bits, shape, memory,
                            *blockMessageLimits(*Target::find("xpu:pvc")));
}

//===----------------------------------------------------------------------------===//
// The texts of the reference (test/data/reference/block-loads)
//===----------------------------------------------------------------------------===//

std::string textOf(unsigned opIdx, const Shape &shape, MemoryOrder memory) {
  Result<BlockLoadSteps> steps = plan(referenceDpas(), opIdx, 16, shape, memory);
  return steps ? view::toText(*steps) : steps.error();
}

TEST(BlockLoadSteps, TextOfA) {
  EXPECT_EQ(textOf(0, {256, 32}, RowMajor), referenceText("a.steps.txt"));
}

TEST(BlockLoadSteps, TextOfTransposedB) {
  EXPECT_EQ(textOf(1, {32, 256}, ColumnMajor), referenceText("b-transposed.steps.txt"));
}

TEST(BlockLoadSteps, TextOfB) {
  std::string tileStep = referenceText("b.tile-step.txt");
  // The other steps of the reference contradict each other; docs/block-loads.md says how.
  EXPECT_EQ(textOf(1, {32, 256}, RowMajor),
            tileStep + "\nBlock load tile layout after adding iterations:\n"
                       " - offset=1 -> (0, 1)\n"
                       "   offset=2 -> (0, 2)\n"
                       "   offset=4 -> (0, 4)\n"
                       "   offset=8 -> (0, 8)\n"
                       "   offset=16 -> (1, 0)\n"
                       "   offset=32 -> (2, 0)\n"
                       "   offset=64 -> (4, 0)\n"
                       " - iteration=1 -> (0, 16)\n"
                       "   iteration=2 -> (8, 0)\n"
                       "where out dims are: [dim0 (size 16), dim1 (size 32)]\n"
                       "0, 0 : 0, 0\n"
                       "0, 127 : 7, 15\n"
                       "1, 0 : 0, 16\n"
                       "1, 127 : 7, 31\n"
                       "2, 0 : 8, 0\n"
                       "2, 127 : 15, 15\n"
                       "3, 0 : 8, 16\n"
                       "3, 127 : 15, 31\n"
                       "\nBlock load tile layout after adding loads:\n"
                       " - offset=1 -> (0, 1)\n"
                       "   offset=2 -> (0, 2)\n"
                       "   offset=4 -> (0, 4)\n"
                       "   offset=8 -> (0, 8)\n"
                       "   offset=16 -> (1, 0)\n"
                       "   offset=32 -> (2, 0)\n"
                       "   offset=64 -> (4, 0)\n"
                       " - iteration=1 -> (0, 16)\n"
                       "   iteration=2 -> (8, 0)\n"
                       " - load=1 -> (0, 128)\n"
                       "where out dims are: [dim0 (size 32), dim1 (size 256)]\n"
                       "0, 0, 0 : 0, 0\n"
                       "0, 0, 127 : 7, 15\n"
                       "0, 1, 0 : 0, 16\n"
                       "0, 1, 127 : 7, 31\n"
                       "0, 2, 0 : 8, 0\n"
                       "0, 2, 127 : 15, 15\n"
                       "0, 3, 0 : 8, 16\n"
                       "0, 3, 127 : 15, 31\n"
                       "\n"
                       "1, 0, 0 : 0, 128\n"
                       "1, 0, 127 : 7, 143\n"
                       "1, 1, 0 : 0, 144\n"
                       "1, 1, 127 : 7, 159\n"
                       "1, 2, 0 : 8, 128\n"
                       "1, 2, 127 : 15, 143\n"
                       "1, 3, 0 : 8, 144\n"
                       "1, 3, 127 : 15, 159\n");
}

//===----------------------------------------------------------------------------===//
// The shapes of messages
//===----------------------------------------------------------------------------===//

/// "16 bits, 32x16, 2 blocks, vnni; 4 iterations, 2 loads"
std::string summary(const Result<BlockLoadSteps> &steps) {
  if (!steps)
    return steps.error();
  const BlockMessage &m = steps->message;
  return std::to_string(m.elementBits) + " bits, " + std::to_string(m.height) + "x" +
         std::to_string(m.width) + ", " + std::to_string(m.blocks) + " blocks" +
         (m.vnni ? ", vnni" : "") + (m.transpose ? ", transpose" : "") + "; " +
         std::to_string(steps->iterations.inSize(iterationDim())) + " iterations, " +
         std::to_string(steps->loads.inSize(loadDim())) + " loads";
}

std::string planned(const Dpas &d, unsigned opIdx, unsigned bits, const Shape &shape,
                    MemoryOrder memory) {
  EXPECT_EQ(verify(d).error(), "");
  return summary(plan(d, opIdx, bits, shape, memory));
}

TEST(BlockLoadSteps, ShapesOfMatmul) {
  for (unsigned lanes : {16, 32}) {
    Dpas half = dpas(2, lanes, {8, 4}, {4, 2});
    EXPECT_EQ(planned(half, 0, 16, {256, 32}, RowMajor),
              "16 bits, 32x16, 2 blocks; 8 iterations, 1 loads");
    EXPECT_EQ(planned(half, 1, 16, {32, 256}, RowMajor),
              "16 bits, 32x16, 2 blocks, vnni; 4 iterations, 2 loads");
    Dpas tf32 = dpas(1, lanes, {8, 4}, {4, 1});
    EXPECT_EQ(planned(tf32, 0, 32, {256, 32}, RowMajor),
              "32 bits, 32x8, 2 blocks; 8 iterations, 2 loads");
    EXPECT_EQ(planned(tf32, 1, 32, {32, 256}, RowMajor),
              "32 bits, 32x16, 1 blocks; 4 iterations, 4 loads");
    Dpas i8 = dpas(4, lanes, {8, 4}, {4, 4});
    EXPECT_EQ(planned(i8, 0, 8, {256, 64}, RowMajor),
              "16 bits, 32x16, 2 blocks; 8 iterations, 1 loads");
    EXPECT_EQ(planned(i8, 1, 8, {64, 256}, RowMajor),
              "8 bits, 32x16, 4 blocks, vnni; 4 iterations, 2 loads");
  }
}

TEST(BlockLoadSteps, ShapesOfTransposes) {
  EXPECT_EQ(planned(dpas(2, 16, {8, 4}, {4, 2}), 1, 16, {32, 256}, ColumnMajor),
            "32 bits, 32x8, 1 blocks, transpose; 2 iterations, 4 loads");
  // A column does not fill 32 lanes: the second half of them reads the next one.
  EXPECT_EQ(planned(dpas(2, 32, {8, 4}, {4, 2}), 1, 16, {32, 256}, ColumnMajor),
            "32 bits, 16x8, 1 blocks, transpose; 1 iterations, 8 loads");
  EXPECT_EQ(planned(dpas(2, 16, {8, 4}, {4, 2}), 0, 16, {256, 32}, ColumnMajor),
            "32 bits, 32x8, 1 blocks, transpose; 4 iterations, 2 loads");
  EXPECT_EQ(planned(dpas(1, 16, {8, 4}, {4, 1}), 1, 32, {32, 256}, ColumnMajor),
            "32 bits, 16x8, 1 blocks, transpose; 1 iterations, 16 loads");
  EXPECT_EQ(planned(dpas(4, 16, {8, 4}, {4, 4}), 1, 8, {64, 256}, ColumnMajor),
            "32 bits, 32x8, 1 blocks, transpose; 2 iterations, 4 loads");
}

TEST(BlockLoadSteps, LimitsMakeMoreLoads) {
  // Rows of 64 bytes: two operands of A side by side, however many there are.
  EXPECT_EQ(planned(dpas(2, 16, {1, 1}, {4, 2}), 0, 16, {32, 128}, RowMajor),
            "16 bits, 32x16, 2 blocks; 8 iterations, 4 loads");
  // 32 rows, though the operands go on below.
  EXPECT_EQ(planned(dpas(2, 16, {1, 1}, {4, 2}), 0, 16, {128, 32}, RowMajor),
            "16 bits, 32x16, 2 blocks; 8 iterations, 4 loads");
  // Repetitions that touch are as good as a cluster.
  EXPECT_EQ(planned(dpas(2, 16), 0, 16, {32, 32}, RowMajor),
            "16 bits, 32x16, 2 blocks; 8 iterations, 1 loads");
  // Four blocks, though eight of these have 64 bytes a row; a block of one row would not fill a
  // register.
  EXPECT_EQ(planned(dpas(1, 16, {1, 1}, {1, 1}), 0, 8, {8, 64}, RowMajor),
            "8 bits, 8x8, 4 blocks; 4 iterations, 2 loads");
  Dpas oneRow = dpas(2, 16);
  oneRow.repeatCount = 1;
  EXPECT_EQ(planned(oneRow, 0, 16, {1, 32}, RowMajor),
            "16 bits, 1x16, 1 blocks; 1 iterations, 2 loads");
  // Warps that hold copies do not load more.
  EXPECT_EQ(planned(dpas(2, 16, {8, 4}, {4, 2}), 0, 16, {16, 32}, RowMajor),
            "16 bits, 16x16, 2 blocks; 4 iterations, 1 loads");
}

TEST(BlockLoadSteps, WhatHasNoBlockLoads) {
  EXPECT_EQ(planned(dpas(2, 16, {1, 1, 1}, {1, 1, 1}), 0, 16, {2, 8, 16}, RowMajor),
            "a 2D block load brings a matrix, but the tensor has 3 dimensions");
  EXPECT_EQ(planned(dpas(2, 16), 0, 64, {8, 16}, RowMajor),
            "DPAS reads elements of 8, 16 or 32 bits, but those of the tensor have 64");
  EXPECT_EQ(planned(dpas(2, 16), 0, 16, {8, 12}, RowMajor),
            "the size 12 of a tensor is not a power of two");
  EXPECT_EQ(planned(dpas(2, 16), 0, 16, {8, 8}, RowMajor),
            "the tensor's part of a work-group is 8x8, smaller than operand A of one "
            "instruction, which is 8x16");
  EXPECT_EQ(planned(dpas(2, 32), 0, 16, {8, 16}, ColumnMajor),
            "a transposing load moves 32 bits at once, but no lane of operand A holds 2 elements "
            "of 16 bits that are neighbours in memory");
  EXPECT_EQ(planned(dpas(4, 16), 0, 8, {8, 32}, ColumnMajor),
            "a load gives consecutive lanes consecutive rows of memory, which is not what the 16 "
            "lanes hold of operand A of 8-bit elements with opsPerChan 4");
  EXPECT_EQ(planned(dpas(2, 32), 1, 8, {16, 16}, RowMajor),
            "a load gives consecutive lanes consecutive columns of memory, which is not what the "
            "32 lanes hold of operand B of 8-bit elements with opsPerChan 2");
  EXPECT_EQ(planned(dpas(4, 16), 0, 32, {8, 32}, RowMajor),
            "operand A of one instruction needs a load 8x16 d64: the blocks' rows have 128 bytes; "
            "at most 64");
  EXPECT_EQ(planned(dpas(4, 16), 1, 32, {32, 16}, ColumnMajor),
            "operand B of one instruction needs a load 16x32 d32, transpose: the blocks' rows have "
            "128 bytes; at most 64");
}

//===----------------------------------------------------------------------------===//
// Brute force
//===----------------------------------------------------------------------------===//

using Element = std::pair<uint64_t, uint64_t>;

/// Which lanes of a sub-group hold an element, by rows and columns of memory.
std::map<Element, std::vector<uint64_t>> lanesOfElements(const LinearLayout &map, uint64_t warp,
                                                         MemoryOrder memory) {
  std::map<Element, std::vector<uint64_t>> result;
  for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg)
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane) {
      auto out = map.apply({{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}});
      Element element{out[0].value, out[1].value};
      if (memory == ColumnMajor)
        std::swap(element.first, element.second);
      result[element].push_back(lane);
    }
  return result;
}

/// The lane to which a message gives slot (row, col): the blocks fill the registers one after
/// another, each row by row, or column by column if they are transposed.
uint64_t receivingLane(const BlockLoadSteps &steps, Element slot) {
  const BlockMessage &m = steps.message;
  uint64_t rows = m.height / steps.slot.row;
  uint64_t index = m.transpose ? slot.second * rows + slot.first
                               : slot.second / m.width * (rows * m.width) + slot.first * m.width +
                                     slot.second % m.width;
  return index % steps.threadsPerWarp;
}

void expectWithinLimits(const BlockMessage &m) {
  EXPECT_TRUE(m.elementBits == 8 || m.elementBits == 16 || m.elementBits == 32 ||
              m.elementBits == 64);
  unsigned rowBytes = m.elementBits * m.width / 8;
  EXPECT_GE(rowBytes, 4u);
  EXPECT_LE(rowBytes * m.blocks, 64u);
  EXPECT_LE(m.height, 32u);
  EXPECT_LE(m.blocks, m.elementBits == 64 ? 1u : m.elementBits == 32 ? 2u : 4u);
  if (m.blocks > 1)
    EXPECT_EQ(rowBytes * m.height % 64, 0u);
  EXPECT_FALSE(m.vnni && m.transpose);
  if (m.vnni) {
    EXPECT_LE(m.elementBits, 16u);
    EXPECT_GE(m.height, 32 / m.elementBits);
  }
  if (m.transpose) {
    EXPECT_EQ(m.elementBits, 32u);
    EXPECT_LE(m.width, 8u);
    EXPECT_EQ(m.blocks, 1u);
  }
}

/// Each element that a sub-group holds is brought once, by one slot of one load, to a lane that
/// holds it; and nothing else is.
void expectBringsAll(const BlockLoadSteps &steps, const LinearLayout &map, MemoryOrder memory) {
  for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp) {
    auto wanted = lanesOfElements(map, warp, memory);
    auto origin = steps.origins.apply({{dims::Warp, warp}});
    std::map<Element, unsigned> brought;
    for (uint64_t load = 0; load < steps.loads.inSize(loadDim()); ++load)
      for (uint64_t i = 0; i < steps.loads.inSize(iterationDim()); ++i)
        for (uint64_t offset = 0; offset < steps.loads.inSize(dims::Offset); ++offset) {
          auto slot = steps.iterations.apply({{dims::Offset, offset}, {iterationDim(), i}});
          uint64_t lane = receivingLane(steps, {slot[0].value, slot[1].value});
          for (MemoryPosition place : steps.elements(load, i, offset)) {
            Element element{place.row + origin[0].value, place.col + origin[1].value};
            ++brought[element];
            const std::vector<uint64_t> &lanes = wanted[element];
            ASSERT_NE(std::find(lanes.begin(), lanes.end(), lane), lanes.end())
                << "lane " << lane << " does not hold " << element.first << ", " << element.second;
          }
        }
    ASSERT_EQ(brought.size(), wanted.size());
    for (auto [element, times] : brought)
      ASSERT_EQ(times, 1u);
  }
}

TEST(BlockLoadSteps, BringEveryElementToItsLane) {
  RandomDpas random(2);
  unsigned planned = 0, transposed = 0;
  for (unsigned i = 0; i < 300; ++i) {
    Dpas d = random.next();
    unsigned opIdx = random.below(2);
    // Mostly the elements that the encoding is for.
    unsigned bits = random.below(4) ? 32 / d.opsPerChan : 8u << random.below(3);
    MemoryOrder memory = random.below(2) ? RowMajor : ColumnMajor;
    int64_t depth = 8 * d.opsPerChan * random.powerBelow(3);
    int64_t width = (opIdx ? d.executionSize : d.repeatCount) * random.powerBelow(6);
    Shape shape = opIdx ? Shape{depth, width} : Shape{width, depth};
    Result<BlockLoadSteps> steps = plan(d, opIdx, bits, shape, memory);
    if (!steps) {
      EXPECT_TRUE(memory == ColumnMajor || bits * d.opsPerChan != 32) << steps.error();
      continue;
    }
    ++planned;
    transposed += steps->message.transpose;
    expectWithinLimits(steps->message);
    expectBringsAll(*steps, operand(d, opIdx, shape), memory);
    if (HasFatalFailure())
      FAIL() << summary(steps) << " of " << (opIdx ? "B " : "A ") << bits << " bits, " << shape[0]
             << "x" << shape[1];
  }
  EXPECT_GT(planned, 200u);
  EXPECT_GT(transposed, 60u);
}

/// The general planner knows nothing of DPAS: its plans bring as much a message, at least.
TEST(BlockLoadSteps, AreNoBetterThanTheGeneralPlan) {
  RandomDpas random(3);
  unsigned compared = 0;
  for (unsigned i = 0; i < 300; ++i) {
    Dpas d = random.next();
    unsigned opIdx = random.below(2), bits = 32 / d.opsPerChan;
    MemoryOrder memory = random.below(2) ? RowMajor : ColumnMajor;
    int64_t depth = 8 * d.opsPerChan * random.powerBelow(3);
    int64_t width = (opIdx ? d.executionSize : d.repeatCount) * random.powerBelow(6);
    Shape shape = opIdx ? Shape{depth, width} : Shape{width, depth};
    Result<BlockLoadSteps> steps = plan(d, opIdx, bits, shape, memory);
    if (!steps)
      continue;
    BlockMessageRequest request;
    request.layout = operand(d, opIdx, shape);
    request.elementBits = bits;
    request.contiguousDim = memory == RowMajor ? 1 : 0;
    request.limits = *blockMessageLimits(*tilewright::target::Target::find("xpu:pvc"));
    request.wordBits = opIdx ? 32 : 0;
    Result<BlockMessagePlan> general = planBlockMessages(request);
    ASSERT_TRUE(general) << general.error();
    ASSERT_TRUE(general->hasMessages()) << general->fallback << summary(steps);
    ASSERT_LE(general->messageCount(), steps->loads.inSize(loadDim()))
        << summary(steps) << general->message.toString();
    ++compared;
  }
  EXPECT_GT(compared, 200u);
}

} // namespace
