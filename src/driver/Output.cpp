//===- Output.cpp - What the commands write -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "driver/Output.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::driver;

static Expected<void> writeWhole(llvm::StringRef path, llvm::StringRef text) {
  // Written beside its place and renamed, so that nobody ever sees half a file.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
    os << text;
    return llvm::Error::success();
  });
  if (error)
    return makeFileError(path.str(), "cannot write the file: " + llvm::toString(std::move(error)),
                         "name a folder that can be written with -o");
  return {};
}

Expected<void> driver::writeCompilation(const std::string &directory,
                                        const Compilation &compilation) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return makeFileError(directory, "cannot make the folder: " + error.message(),
                         "name a folder that can be written with -o");
  const KernelMetadata &metadata = compilation.kernel.metadata;
  auto write = [&](llvm::StringRef suffix, llvm::StringRef text) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, metadata.name + suffix);
    return writeWhole(path, text);
  };
  struct File {
    std::string suffix;
    const std::string &text;
  };
  for (const File &file : {File{".ttir", compilation.ttir}, File{".ttgir", compilation.ttgir}})
    if (!file.text.empty())
      if (auto written = write(file.suffix, file.text); !written)
        return written;
  return writeCompiledKernel(directory, compilation.kernel);
}

std::string driver::timesAsJson(const std::vector<std::vector<StageTime>> &runs) {
  auto median = [](std::vector<double> values) {
    auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  std::string out = "{";
  std::vector<double> totals(runs.size(), 0);
  for (size_t stage = 0; stage < runs.front().size(); ++stage) {
    std::vector<double> values;
    for (size_t run = 0; run < runs.size(); ++run) {
      values.push_back(runs[run][stage].milliseconds);
      totals[run] += values.back();
    }
    out += llvm::formatv("\"{0}\": {1:F3}, ", runs.front()[stage].stage, median(values)).str();
  }
  return out + llvm::formatv("\"total\": {0:F3}", median(totals)).str() + "}";
}
