//===- SharedMap.h - Shared memory over the program -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_SHAREDMAP_H
#define TILEWRIGHT_REPORT_SHAREDMAP_H

#include "report/LinkedText.h"

namespace tilewright::report {

/// Bytes that one op asked for, and the ops of the program while which they hold something.
struct SharedPiece {
  std::string op, name;
  /// Scratch memory of an op, rather than an allocation.
  bool isScratch = false;
  uint64_t offset = 0, bytes = 0;
  /// Ranges [begin, end) of ops, by their numbers in the order of the text.
  std::vector<std::pair<unsigned, unsigned>> spans;
  llvm::SmallVector<unsigned, 1> places;
};

struct SharedMap {
  /// The places of each op of the program, in the order of the text.
  std::vector<llvm::SmallVector<unsigned, 1>> ops;
  std::vector<SharedPiece> pieces;
};

/// Reads a module whose shared memory has just been allocated.
SharedMap collectSharedMap(mlir::ModuleOp module, Places &places);

/// {"ops": [[place, ..], ..], "pieces": [{"op", "name", "scratch", "offset", "bytes", "spans",
/// "places"}, ..]}
llvm::json::Object toJson(const SharedMap &map);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_SHAREDMAP_H
