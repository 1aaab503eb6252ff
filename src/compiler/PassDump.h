//===- PassDump.h - Dumps of the IR after each pass -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_PASSDUMP_H
#define TILEWRIGHT_COMPILER_PASSDUMP_H

#include "compiler/Observer.h"
#include "tilewright/Expected.h"

namespace tilewright::compiler {

/// Numbers the files of one compilation: 01-Source.mlir, 02-Inliner.mlir, .., 52-optimize.ll, ..
class PassDump : public Observer {
public:
  /// Makes the folder and its parents.
  static Expected<PassDump> create(const std::string &directory);

  /// Writes the module as it stands under the next number.
  void afterPass(mlir::ModuleOp module, const PassName &pass) override;
  /// The same for LLVM IR, in a file .ll.
  void afterStep(const llvm::Module &module, llvm::StringRef step) override;

  /// The first file that could not be written.
  const std::optional<Diagnostic> &error() const { return failure; }

private:
  void writeFile(llvm::StringRef name, llvm::StringRef suffix,
                 llvm::function_ref<void(llvm::raw_ostream &)> print);

  std::string directory;
  unsigned number = 0;
  std::optional<Diagnostic> failure;
};

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_PASSDUMP_H
