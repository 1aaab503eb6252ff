//===- TargetsCommand.cpp - The command tilewright targets --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "target/Target.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
using target::Target;

/// What the hardware has beyond arithmetic, in the order in which it came.
static std::string featuresOf(const Target &target) {
  std::pair<bool, const char *> features[] = {{target.hasAsyncCopy, "async-copy"},
                                              {target.hasMatrixLoad, "matrix-load"},
                                              {target.hasMatrixStore, "matrix-store"},
                                              {target.hasBlockTransfer, "block-transfer"},
                                              {target.hasClusters, "clusters"},
                                              {target.hasWarpMatrix, "warp-mma"},
                                              {target.hasWarpGroupMatrix, "warpgroup-mma"},
                                              {target.hasTensorMemory, "tensor-memory"}};
  std::string list;
  for (auto [has, name] : features)
    if (has)
      list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

int cli::runTargetsCommand() {
  llvm::raw_ostream &os = llvm::outs();
  os << "target       compiles  lanes     shared KiB  registers  access bits  hardware\n";
  for (const Target &target : Target::all()) {
    std::string name(target.name), lanes = target.warpSizesText();
    os << llvm::format("%-12s %-8s  %-8s  %10u  %9u  %11u  ", name.c_str(),
                       target.canCompile ? "yes" : "not yet", lanes.c_str(),
                       target.maxSharedBytes / 1024, target.maxRegistersPerThread,
                       target.maxGlobalAccessBits)
       << target.description << ": " << featuresOf(target) << '\n';
  }
  return 0;
}
