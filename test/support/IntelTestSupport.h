//===- IntelTestSupport.h - DPAS encodings for tests ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_SUPPORT_INTELTESTSUPPORT_H
#define TILEWRIGHT_TEST_SUPPORT_INTELTESTSUPPORT_H

#include "layout/encoding/IntelDpas.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace tilewright::layout::intel {

using Shape = std::vector<int64_t>;

inline Dpas dpas(unsigned opsPerChan, unsigned threadsPerWarp, std::vector<unsigned> warps = {1, 1},
                 std::vector<unsigned> cluster = {1, 1}) {
  Dpas result;
  result.opsPerChan = opsPerChan;
  result.threadsPerWarp = threadsPerWarp;
  result.warpsPerCTA = std::move(warps);
  result.repCluster = std::move(cluster);
  return result;
}

/// The encoding of the texts on block loads: a 256 x 256 tile, 32 of K.
inline Dpas referenceDpas() { return dpas(2, 16, {8, 4}, {4, 2}); }

/// The map of an operand, with the kWidth that it must have.
inline layout::LinearLayout operand(const Dpas &parent, unsigned opIdx, const Shape &shape) {
  unsigned kWidth = operandKWidth(parent, opIdx);
  EXPECT_EQ(verify(parent).error(), "");
  EXPECT_EQ(verifyOperand(parent, opIdx, kWidth).error(), "");
  return operandLayout(parent, opIdx, kWidth, shape);
}

inline layout::LinearLayout accumulator(const Dpas &parent, const Shape &shape) {
  EXPECT_EQ(verify(parent).error(), "");
  return toLinearLayout(parent, shape);
}

/// A file of test/data/reference/block-loads: what the texts on block loads print.
inline std::string referenceText(const std::string &name) {
  std::ifstream file(TILEWRIGHT_REFERENCE "/block-loads/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Legal encodings; the same ones in every run.
class RandomDpas {
public:
  explicit RandomDpas(unsigned seed) : generator(seed) {}

  unsigned below(unsigned n) { return static_cast<unsigned>(generator() % n); }
  unsigned powerBelow(unsigned bits) { return 1u << below(bits); }

  Dpas next() {
    while (true) {
      Dpas result = dpas(powerBelow(3), powerBelow(2) * 16, {powerBelow(3), powerBelow(3)},
                         {powerBelow(4), powerBelow(4)});
      result.executionSize = below(4) ? 16 : 8;
      result.repeatCount = powerBelow(4);
      if (verify(result))
        return result;
    }
  }

private:
  std::mt19937_64 generator;
};

} // namespace tilewright::layout::intel

#endif // TILEWRIGHT_TEST_SUPPORT_INTELTESTSUPPORT_H
