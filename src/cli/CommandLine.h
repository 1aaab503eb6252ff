//===- CommandLine.h - The tilewright command -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_COMMANDLINE_H
#define TILEWRIGHT_CLI_COMMANDLINE_H

#include "cli/kernel/CompileFlags.h"
#include "tilewright/Compiler.h"

#include "llvm/Support/CommandLine.h"

namespace tilewright::cli {

/// Runs `tilewright ARGUMENTS`: reads the arguments, runs one command and gives the exit code:
/// 0, or 1 after what is wrong has been printed on the standard error.
int runCommandLine(int argc, char **argv);

// The commands besides those that compile (CompileFlags.h). They are inline for the same reason.
inline llvm::cl::SubCommand layoutCommand("layout", "Show a layout: who holds what of a tensor");
inline llvm::cl::SubCommand convertCommand("convert",
                                           "Show how a tensor gets from one layout to another");
inline llvm::cl::SubCommand
    blockLoadCommand("blockload", "Plan the block messages that bring a tensor to a layout");
inline llvm::cl::SubCommand reduceCommand("reduce", "Find the smallest program that still fails");
inline llvm::cl::SubCommand headerCommand("generate-header",
                                          "Write a C++ function that launches compiled kernels");
inline llvm::cl::SubCommand targetsCommand("targets", "What is known of each target");
inline llvm::cl::SubCommand cacheCommand("cache", "Show, clean or verify the cache of compiled "
                                                  "kernels");

int runCompileCommand();
int runRunCommand();
int runReportCommand();
int runTuneCommand();
int runLayoutCommand();
int runConvertCommand();
int runBlockLoadCommand();
int runReduceCommand();
int runHeaderCommand();
int runTargetsCommand();
int runCacheCommand();

/// The user's cache; null where there is none, or where it cannot be used, which is reported:
/// CompileFlags::findCache.
std::shared_ptr<Cache> openCache();

/// Reports the diagnostics of a compilation, and its remarks if the user wants them.
int report(const CompileResult &result);
/// Prints diagnostics on the standard error; gives the exit code that goes with them.
int report(const std::vector<Diagnostic> &diagnostics);
int report(const Diagnostic &diagnostic);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_COMMANDLINE_H
