//===- CompileFlags.h - The flags of a compilation ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_KERNEL_COMPILEFLAGS_H
#define TILEWRIGHT_CLI_KERNEL_COMPILEFLAGS_H

#include "tilewright/CompileOptions.h"
#include "tilewright/Diagnostic.h"
#include "tilewright/Expected.h"

#include "llvm/Support/CommandLine.h"

#include <memory>

namespace tilewright {
class Cache;
}

namespace tilewright::cli {

// The commands that compile. They are inline so that they exist before the options, which are
// static in the files of the commands, enter themselves in them, in whatever order these are
// linked.
inline llvm::cl::SubCommand compileCommand("compile", "Compile a kernel to machine code");
inline llvm::cl::SubCommand runCommand("run", "Compile a kernel and run it on a device");
inline llvm::cl::SubCommand reportCommand("report", "Show how a kernel was compiled, as a page");
inline llvm::cl::SubCommand tuneCommand("tune", "Find the quickest configuration of a kernel");

/// The options that `compile`, `run`, `report` and `tune` share: the source file, and a flag for
/// each row of CompileOptions.def.
struct CompileFlags {
  static const std::string &file();
  /// Checks the flags. Errors: a word that a flag does not take.
  static Expected<void> check();
  static CompileOptions options();
  /// Whether the user gave --time.
  static bool wantsTimes();
  /// Whether the user gave --remarks.
  static bool wantsRemarks();
  /// The user's cache; an error where it cannot be used. Null where it is off, or must not be used:
  /// for --no-cache, for --time, which is about compiling, and with options of LLVM's own.
  static Expected<std::shared_ptr<Cache>> findCache();
};

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_KERNEL_COMPILEFLAGS_H
