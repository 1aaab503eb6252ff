//===- Places.cpp - Places of sources that lines of code come from ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Places.h"

#include "mlir/IR/Location.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

unsigned Places::add(const Place &place) {
  auto [at, isNew] = numbers.try_emplace(place, places.size());
  if (isNew)
    places.push_back(place);
  return at->second;
}

unsigned Places::fileNumber(StringRef name) {
  auto [at, isNew] = fileNumbers.try_emplace(name, fileNames.size());
  if (isNew)
    fileNames.push_back(name.str());
  return at->second;
}

void Places::collect(Location location, SmallVectorImpl<unsigned> &found) {
  collect(location, Place::None, found);
}

void Places::collect(Location location, int caller, SmallVectorImpl<unsigned> &found) {
  if (auto place = dyn_cast<FileLineColLoc>(location)) {
    const unsigned number =
        add({fileNumber(place.getFilename().getValue()), static_cast<int>(place.getLine()),
             static_cast<int>(place.getColumn()), caller});
    if (!llvm::is_contained(found, number))
      found.push_back(number);
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    collect(name.getChildLoc(), caller, found);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collect(part, caller, found);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    SmallVector<unsigned> callers;
    collect(call.getCaller(), caller, callers);
    const size_t before = found.size();
    collect(call.getCallee(), callers.empty() ? caller : static_cast<int>(callers.front()), found);
    // The body of a built-in function has no place of its own: its call has.
    if (found.size() == before)
      for (unsigned number : callers)
        if (!llvm::is_contained(found, number))
          found.push_back(number);
  }
}

/// The path that a file's entry in debug information was made of.
static std::string pathOf(const llvm::DIFile *file) {
  if (file->getDirectory().empty() || llvm::sys::path::is_absolute(file->getFilename()))
    return file->getFilename().str();
  SmallString<128> path(file->getDirectory());
  llvm::sys::path::append(path, file->getFilename());
  return path.str().str();
}

void Places::collect(const llvm::DILocation *location, SmallVectorImpl<unsigned> &found) {
  if (!location || location->getLine() == 0 || !location->getFile())
    return;
  SmallVector<unsigned> callers;
  collect(location->getInlinedAt(), callers);
  const unsigned number =
      add({fileNumber(pathOf(location->getFile())), static_cast<int>(location->getLine()),
           static_cast<int>(location->getColumn()),
           callers.empty() ? Place::None : static_cast<int>(callers.front())});
  if (!llvm::is_contained(found, number))
    found.push_back(number);
}
