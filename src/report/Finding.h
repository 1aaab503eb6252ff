//===- Finding.h - Something that makes a kernel slow ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_FINDING_H
#define TILEWRIGHT_REPORT_FINDING_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tilewright::report {

/// Something that costs time, what it costs, and what would change it.
struct Finding {
  /// A word for the kind: "uncoalesced", "bank conflicts", "unpipelined", "no matrix unit",
  /// "fault", "warning", "remark" ..
  std::string kind;
  /// How much it matters: 3 for what makes results wrong, 2 for what is likely to be the reason
  /// that a kernel is slow, 1 for what may be, 0 for what is good to know.
  int severity = 1;
  std::string message, remedy;
  std::string file;
  int line = 0, column = 0;
  /// The line of the TTGIR that it is about, from 1; 0 for none.
  unsigned irLine = 0;
};

/// Those that matter most first, each once; at one place in the order of the source.
void sortFindings(std::vector<Finding> &findings);

llvm::json::Array toJson(const std::vector<Finding> &findings);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_FINDING_H
