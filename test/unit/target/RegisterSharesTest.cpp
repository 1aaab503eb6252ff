//===- RegisterSharesTest.cpp - Registers that warps hand to each other -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/RegisterShares.h"

#include "target/NvidiaMultiprocessor.h"

#include <gtest/gtest.h>

using namespace tilewright::target;

namespace {

// The shares that hand-written kernels use on an H100 (CUTLASS, FlashAttention-3): of three warp
// groups two multiply, of four three.
TEST(RegisterShares, AreThoseOfHandWrittenKernels) {
  const Multiprocessor hopper = nvidia::multiprocessorOf(90);
  EXPECT_EQ(shareRegisters(hopper, 8, 4, 24, 248), (RegisterShares{240, 24}));
  EXPECT_EQ(shareRegisters(hopper, 8, 4, 40, 248), (RegisterShares{232, 40}));
  EXPECT_EQ(shareRegisters(hopper, 12, 4, 32, 248), (RegisterShares{160, 32}));
}

/// The largest multiple of 8, for any numbers, that all warps together have room for: each begins
/// with an equal share.
TEST(RegisterShares, AreTheLargestThatFit) {
  const Multiprocessor hopper = nvidia::multiprocessorOf(90);
  constexpr unsigned max = 248, kept = 24;
  for (unsigned main = 4; main <= 24; main += 4)
    for (unsigned others = 4; main + others <= 32; others += 4) {
      const unsigned equal = std::min(512 / ((main + others + 3) / 4) / 8 * 8, max);
      unsigned best = 0;
      for (unsigned registers = 8; registers <= max; registers += 8)
        if (main * registers + others * kept <= (main + others) * equal)
          best = registers;
      EXPECT_EQ(shareRegisters(hopper, main, others, kept, max), (RegisterShares{best, kept}))
          << main << " and " << others;
    }
}

} // namespace
