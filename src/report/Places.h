//===- Places.h - Places of sources that lines of code come from ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_PLACES_H
#define TILEWRIGHT_REPORT_PLACES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace llvm {
class DILocation;
} // namespace llvm
namespace mlir {
class Location;
} // namespace mlir

namespace tilewright::report {

/// A line and a column of a file, both from 1, and the place of the call that led there.
struct Place {
  static constexpr int None = -1;

  unsigned file = 0;
  int line = 0;
  int column = 0;
  /// The number of the place that called the function this one is in; None for the kernel's own.
  int caller = None;

  friend auto operator<=>(const Place &, const Place &) = default;
};

/// Numbers of the places that code comes from. All texts of a report share them: two lines belong
/// together if they have a place in common.
class Places {
public:
  /// The number of a place.
  unsigned add(const Place &place);
  unsigned fileNumber(llvm::StringRef name);

  /// The numbers of the innermost places that a location names: one for each location that was
  /// fused into it, none where it names no file.
  void collect(mlir::Location location, llvm::SmallVectorImpl<unsigned> &numbers);
  /// The same of a location in LLVM IR: one, or none for line 0, which stands for no line.
  void collect(const llvm::DILocation *location, llvm::SmallVectorImpl<unsigned> &numbers);

  const std::vector<Place> &all() const { return places; }
  const std::vector<std::string> &files() const { return fileNames; }

private:
  void collect(mlir::Location location, int caller, llvm::SmallVectorImpl<unsigned> &numbers);

  std::vector<Place> places;
  std::map<Place, unsigned> numbers;
  std::vector<std::string> fileNames;
  llvm::StringMap<unsigned> fileNumbers;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PLACES_H
