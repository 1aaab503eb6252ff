//===- Output.cpp - Output files and standard output of the commands ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/Output.h"

#include "runtime/files/KernelFiles.h"
#include "support/Median.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cli;

/// Where the description and, with other endings, the code of the kernel are written.
static std::string baseOf(const std::string &directory, const Compilation &compilation) {
  return directory + "/" + compilation.kernel.metadata.name;
}

Expected<void> cli::writeCompilation(const std::string &directory, const Compilation &compilation) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return makeFileError(directory, "cannot make the folder: " + error.message(),
                         "name a folder that can be written with -o");
  std::string base = baseOf(directory, compilation);
  std::vector<runtime::FileContents> files;
  if (!compilation.ttir.empty())
    files.push_back({base + ".ttir", compilation.ttir});
  if (!compilation.ttgir.empty())
    files.push_back({base + ".ttgir", compilation.ttgir});
  if (std::string_view suffix = assemblySuffix(compilation.kernel.metadata.target);
      !suffix.empty() && !compilation.assembly.empty())
    files.push_back({base + std::string(suffix), compilation.assembly});
  for (runtime::FileContents &file : runtime::filesOf(directory, compilation.kernel))
    files.push_back(std::move(file));
  return runtime::writeFiles(files);
}

/// A path as make reads it.
static std::string escapeForMake(llvm::StringRef path) {
  std::string escaped;
  for (char c : path) {
    if (c == ' ' || c == '#')
      escaped += '\\';
    else if (c == '$')
      escaped += '$';
    escaped += c;
  }
  return escaped;
}

std::string cli::dependencyRule(const std::string &directory, const std::string &source,
                                const Compilation &compilation) {
  std::string rule =
      escapeForMake(baseOf(directory, compilation)) + ".json: " + escapeForMake(source);
  for (const InputFile &input : compilation.inputs)
    if (input.sha256)
      rule += " \\\n  " + escapeForMake(input.path);
  return rule + "\n";
}

std::string cli::timesAsJson(const std::vector<std::vector<StageTime>> &runs,
                             const KernelMetadata &kernel, int numStages) {
  std::string out = "{";
  std::vector<double> totals(runs.size(), 0);
  for (size_t stage = 0; stage < runs.front().size(); ++stage) {
    std::vector<double> values;
    for (size_t run = 0; run < runs.size(); ++run) {
      values.push_back(runs[run][stage].milliseconds);
      totals[run] += values.back();
    }
    out += llvm::formatv("\"{0}\": {1:F3}, ", runs.front()[stage].stage, medianOf(values)).str();
  }
  out += llvm::formatv("\"total\": {0:F3}", medianOf(totals)).str();
  if (llvm::any_of(kernel.loopStages, [&](int stages) { return stages < numStages; }))
    out +=
        llvm::formatv(", \"num_stages\": {0}, \"loop_stages\": [{1}]", numStages,
                      llvm::join(llvm::map_range(kernel.loopStages,
                                                 [](int stages) { return std::to_string(stages); }),
                                 ", "))
            .str();
  return out + "}";
}
