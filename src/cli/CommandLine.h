//===- CommandLine.h - The tilewright command -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_COMMANDLINE_H
#define TILEWRIGHT_CLI_COMMANDLINE_H

#include "tilewright/Compiler.h"

#include "llvm/Support/CommandLine.h"

namespace tilewright::cli {

/// Runs `tilewright ARGUMENTS`: reads the arguments, runs one command and gives the exit code:
/// 0, or 1 after what is wrong has been printed on the standard error.
int runCommandLine(int argc, char **argv);

// The commands. They are inline so that they exist before the options, which are static in the
// files of the commands, enter themselves in them, in whatever order these are linked.
inline llvm::cl::SubCommand compileCommand("compile", "Compile a kernel to machine code");
inline llvm::cl::SubCommand runCommand("run", "Compile a kernel and run it on a device");
inline llvm::cl::SubCommand tuneCommand("tune", "Find the quickest configuration of a kernel");
inline llvm::cl::SubCommand layoutCommand("layout", "Show a layout: who holds what of a tensor");
inline llvm::cl::SubCommand convertCommand("convert",
                                           "Show how a tensor gets from one layout to another");
inline llvm::cl::SubCommand
    blockLoadCommand("blockload", "Plan the block messages that bring a tensor to a layout");
inline llvm::cl::SubCommand headerCommand("generate-header",
                                          "Write a C++ function that launches compiled kernels");
inline llvm::cl::SubCommand targetsCommand("targets", "What is known of each target");
inline llvm::cl::SubCommand cacheCommand("cache", "Show, clean or verify the cache of compiled "
                                                  "kernels");

int runCompileCommand();
int runRunCommand();
int runTuneCommand();
int runLayoutCommand();
int runConvertCommand();
int runBlockLoadCommand();
int runHeaderCommand();
int runTargetsCommand();
int runCacheCommand();

/// The options that `compile`, `run` and `tune` share: the source file and how to compile it.
struct CompileFlags {
  static const std::string &file();
  static CompileOptions options();
  /// Whether the user gave --time.
  static bool wantsTimes();
  /// Whether the user gave --remarks.
  static bool wantsRemarks();
  /// The user's cache; null where it is off, cannot be used, which is reported, or must not be: for
  /// --no-cache, for --time, which is about compiling, and with options of LLVM's own.
  static std::shared_ptr<Cache> openCache();
};

/// Reports the diagnostics of a compilation, and its remarks if the user wants them.
int report(const CompileResult &result);
/// Prints diagnostics on the standard error; gives the exit code that goes with them.
int report(const std::vector<Diagnostic> &diagnostics);
int report(const Diagnostic &diagnostic);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_COMMANDLINE_H
