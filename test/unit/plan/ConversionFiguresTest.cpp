//===- ConversionFiguresTest.cpp - Figures of particular conversions ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The plans of conversions that kernels have: between the accumulators of matrix units and
// layouts for memory, transpositions of bytes, and small rearrangements. The same as in
// bench/layout/compare_conversions.py, which shows what Triton makes of them.
//
//===--------------------------------------------------------------------------===//

#include "ExpectPlan.h"
#include "layout/encoding/Encodings.h"
#include "layout/encoding/NvidiaMma.h"
#include "target/Target.h"
#include "test/support/AccessKinds.h"

using namespace tilewright;
using namespace tilewright::plan;
using tilewright::layout::nvidia::Mma;
using tilewright::target::Target;

namespace {

using enum AccessKind;
constexpr AccessKind Transposed = TransposedMatrix;

struct Accesses {
  AccessKind kind;
  unsigned count, bits, transactions, permutes;
};

struct Figures {
  Accesses store, load;
  size_t repetitions;
  uint64_t scratchBytes;
};

void expectFigures(const LinearLayout &src, const LinearLayout &dst, unsigned elementBits,
                   const Figures &figures) {
  ExchangeModel memory = Target::find("cuda:90")->sharedMemory();
  ConversionPlan plan = planned(src, dst, elementBits, memory);
  expectRight(plan, src, dst, memory);
  ASSERT_EQ(plan.kind, ConversionPlan::Kind::SharedMemory);
  const SharedPlan &shared = plan.shared;
  unsigned bits = shared.elementBytes * 8;
  EXPECT_EQ(kindOf(*shared.storeAtom), figures.store.kind);
  EXPECT_EQ(shared.storeCount(), figures.store.count);
  EXPECT_EQ(shared.storeVector * bits, figures.store.bits);
  EXPECT_EQ(shared.storeTransactions, figures.store.transactions);
  EXPECT_EQ(shared.storePermutes, figures.store.permutes);
  EXPECT_EQ(kindOf(*shared.loadAtom), figures.load.kind);
  EXPECT_EQ(shared.loadCount(), figures.load.count);
  EXPECT_EQ(shared.loadVector * bits, figures.load.bits);
  EXPECT_EQ(shared.loadTransactions, figures.load.transactions);
  EXPECT_EQ(shared.loadPermutes, figures.load.permutes);
  EXPECT_EQ(shared.storeConflicts + shared.loadConflicts, 0u);
  EXPECT_EQ(shared.repetitions.size(), figures.repetitions);
  EXPECT_EQ(shared.scratchBytes, figures.scratchBytes);
}

LinearLayout blocked(std::vector<unsigned> size, std::vector<unsigned> threads,
                     std::vector<unsigned> warps, std::vector<unsigned> order,
                     std::vector<int64_t> shape) {
  return toLinearLayout(Blocked{size, threads, warps, order}, shape);
}

/// An accumulator of wgmma.
LinearLayout accumulator(std::vector<unsigned> warps, std::vector<unsigned> instruction,
                         std::vector<int64_t> shape) {
  return toLinearLayout(Mma{3, 0, warps, instruction}, shape);
}

TEST(ConversionFigures, AccumulatorToColumns) {
  expectFigures(accumulator({4, 1}, {16, 128, 16}, {128, 128}),
                blocked({8, 1}, {16, 2}, {1, 4}, {0, 1}, {128, 128}), 16,
                {{Transposed, 16, 128, 64, 0}, {Vector, 16, 128, 64, 0}, 4, 8192});
}

TEST(ConversionFigures, AccumulatorToRowsOfBytes) {
  expectFigures(accumulator({8, 1}, {16, 256, 32}, {128, 256}),
                blocked({1, 16}, {2, 16}, {8, 1}, {1, 0}, {128, 256}), 8,
                {{Matrix, 8, 128, 32, 32}, {Vector, 8, 128, 32, 32}, 1, 32768});
}

TEST(ConversionFigures, TranspositionOfBytes) {
  expectFigures(blocked({1, 16}, {8, 4}, {4, 1}, {1, 0}, {64, 64}),
                blocked({16, 1}, {4, 8}, {1, 4}, {0, 1}, {64, 64}), 8,
                {{Vector, 2, 128, 8, 0}, {Vector, 32, 8, 32, 24}, 1, 4096});
}

TEST(ConversionFigures, ShorterVectors) {
  LinearLayout src = blocked({8}, {32}, {4}, {0}, {1024}),
               dst = blocked({4}, {32}, {4}, {0}, {1024});
  expectFigures(src, dst, 8, {{Vector, 1, 64, 2, 0}, {Vector, 2, 32, 2, 0}, 1, 1024});
  expectFigures(src, dst, 16, {{Vector, 1, 128, 4, 0}, {Vector, 2, 64, 4, 0}, 1, 2048});
}

TEST(ConversionFigures, AccumulatorToRows) {
  expectFigures(accumulator({8, 1}, {16, 256, 16}, {128, 256}),
                blocked({1, 8}, {1, 32}, {8, 1}, {1, 0}, {128, 256}), 16,
                {{Matrix, 16, 128, 64, 0}, {Vector, 16, 128, 64, 0}, 2, 32768});
}

TEST(ConversionFigures, LargeAccumulatorToColumns) {
  expectFigures(accumulator({8, 1}, {16, 256, 16}, {128, 256}),
                blocked({8, 1}, {16, 2}, {1, 8}, {0, 1}, {128, 256}), 16,
                {{Transposed, 16, 128, 64, 0}, {Vector, 16, 128, 64, 0}, 8, 8192});
}

TEST(ConversionFigures, RowsToOperandB) {
  LinearLayout dst = operandLayout(Mma{2, 0, {2, 2}, {16, 8}}, 1, 2, std::vector<int64_t>{64, 128});
  expectFigures(blocked({1, 8}, {2, 16}, {4, 1}, {1, 0}, {64, 128}), dst, 16,
                {{Vector, 8, 128, 32, 0}, {Transposed, 16, 128, 64, 0}, 2, 8192});
}

} // namespace
