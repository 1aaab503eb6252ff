//===- PassDump.cpp - Dumps of the IR after each pass -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/PassDump.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

Expected<PassDump> PassDump::create(const std::string &directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return makeFileError(directory, "cannot make the folder for the dumps: " + error.message(),
                         "name a folder that can be written with --dump-passes");
  PassDump dump;
  dump.directory = directory;
  return dump;
}

void PassDump::afterPass(ModuleOp module, const PassName &pass) {
  writeFile(pass.name, ".mlir", [&](llvm::raw_ostream &file) {
    module->print(file, OpPrintingFlags().enableDebugInfo());
    file << '\n';
  });
}

void PassDump::afterStep(const llvm::Module &module, StringRef step) {
  writeFile(step, ".ll", [&](llvm::raw_ostream &file) { module.print(file, /*AAW=*/nullptr); });
}

void PassDump::writeFile(StringRef name, StringRef suffix,
                         llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (failure)
    return;
  SmallString<128> path(directory);
  llvm::sys::path::append(path, llvm::formatv("{0,0+2}-{1}{2}", ++number, name, suffix).str());
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    print(file);
    file.close();
    error = file.error();
  }
  if (error) {
    file.clear_error();
    failure = makeFileError(path.str().str(), "cannot write the dump: " + error.message(),
                            "name a folder that can be written with --dump-passes");
  }
}
