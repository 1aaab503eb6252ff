//===- LineDiff.h - What a pass changed in the text of the IR -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Passes shift the numbers of all values that follow a new one. Lines that differ only in that are
// the same line: `%5 = arith.addi %3, %4` and `%6 = arith.addi %4, %5` are, where %3 and %4 became
// %4 and %5 before; `arith.subi %3, %4` and `arith.subi %4, %3` are not.
//
// Lines are aligned with the names of their values left out, by Myers' algorithm ("An O(ND)
// Difference Algorithm and Its Variations", 1986). Then the names of aligned lines are paired in
// the order of the text: a line is unchanged as long as its pairs fit those before it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_LINEDIFF_H
#define TILEWRIGHT_REPORT_LINEDIFF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilewright::report {

/// Lines of an old text that lines of a new one have taken the place of. Lines count from 0.
struct Hunk {
  unsigned oldBegin = 0, oldCount = 0;
  unsigned newBegin = 0, newCount = 0;

  friend bool operator==(const Hunk &, const Hunk &) = default;
};

/// The differences of two sequences of numbers, in order; what lies between two hunks is equal.
/// There are as few lines in hunks as can be, unless that are more than `maxDifferences`: then one
/// hunk holds all between the first and the last difference.
std::vector<Hunk> diffSequences(llvm::ArrayRef<unsigned> old, llvm::ArrayRef<unsigned> now,
                                unsigned maxDifferences = 2000);

/// The differences of two texts of IR, but for names of values and blocks.
std::vector<Hunk> diffIR(llvm::StringRef old, llvm::StringRef now);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_LINEDIFF_H
