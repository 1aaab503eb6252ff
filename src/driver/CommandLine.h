//===- CommandLine.h - The `tilewright` command ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DRIVER_COMMANDLINE_H
#define TILEWRIGHT_DRIVER_COMMANDLINE_H

#include "tilewright/Compiler.h"

#include "llvm/Support/CommandLine.h"

namespace tilewright::driver {

/// Runs `tilewright ARGUMENTS`: reads the arguments, runs one command and gives the exit code:
/// 0, or 1 after what is wrong has been printed on the standard error.
int runCommandLine(int argc, char **argv);

// The commands.
extern llvm::cl::SubCommand compileCommand, runCommand, layoutCommand, convertCommand,
    blockLoadCommand, targetsCommand;
int runCompileCommand();
int runRunCommand();
int runLayoutCommand();
int runConvertCommand();
int runBlockLoadCommand();
int runTargetsCommand();

/// What `compile` and `run` have in common: the source file and how to compile it.
struct CompileFlags {
  static const std::string &file();
  static CompileOptions options();
  /// Whether the user gave --time.
  static bool wantsTimes();
};

/// Prints diagnostics on the standard error; gives the exit code that goes with them.
int report(const std::vector<Diagnostic> &diagnostics);
int report(const Diagnostic &diagnostic);

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_COMMANDLINE_H
