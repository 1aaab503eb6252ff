//===- LinkCodeObject.cpp - Linking of an object file to an HSACO -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/object/LinkCodeObject.h"

#include "emit/BackendErrors.h"
#include "emit/TargetRegistration.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::emit;

LLD_HAS_DRIVER(elf)

/// Stands in for llvm::cl::ResetAllOptionOccurrences in the linker (CMakeLists.txt says so to the
/// linker that builds us), which calls that before it looks for options of LLVM in its arguments.
/// LLVM's options belong to the process: other threads read them, and NvptxMachine.cpp and
/// SpirvMachine.cpp have set some.
extern "C" void __wrap__ZN4llvm2cl25ResetAllOptionOccurrencesEv() {}

/// The function that is stood in for. It has this name only where the linker was told: a program
/// that is built otherwise fails to link, rather than to compile for other vendors after this one.
extern "C" void __real__ZN4llvm2cl25ResetAllOptionOccurrencesEv();
[[gnu::used]] static void (*const standsIn)() = __real__ZN4llvm2cl25ResetAllOptionOccurrencesEv;

namespace {
/// A file in the system's temporary folder that goes with this.
class TemporaryFile {
public:
  std::error_code create(llvm::StringRef suffix) {
    std::error_code error =
        llvm::sys::fs::createTemporaryFile("tilewright", suffix, descriptor, path);
    if (!error)
      remover.setFile(path);
    return error;
  }

  const char *getPath() { return path.c_str(); }
  int getDescriptor() const { return descriptor; }

private:
  llvm::SmallString<128> path;
  int descriptor = -1;
  llvm::FileRemover remover;
};
} // namespace

static Diagnostic fileError(llvm::StringRef what, std::error_code error) {
  return makeError("the code object cannot be linked: " + what.str() + ": " + error.message(),
                   "the linker needs room in the folder for temporary files, which TMPDIR names");
}

/// Runs the linker, whose state belongs to the process, and which registers all of LLVM's targets.
/// Returns why it failed: nothing if it did not.
static std::string runLinker(llvm::ArrayRef<const char *> arguments) {
  std::lock_guard lock(targetRegistrationMutex());
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  bool isLinked = false;
  llvm::LLVMContext context;
  if (auto failure = runBackendStep(context, [&] {
        isLinked = lld::elf::link(arguments, stream, stream, /*exitEarly=*/false,
                                  /*disableOutput=*/false);
      }))
    return failure->diagnostic.message;
  lld::CommonLinkerContext::destroy();
  if (isLinked)
    return {};
  return messages.empty() ? "it does not say why" : messages;
}

Expected<std::string> tilewright::emit::linkCodeObject(llvm::StringRef object) {
  TemporaryFile input, output;
  if (std::error_code error = input.create("o"))
    return fileError("no temporary file", error);
  {
    llvm::raw_fd_ostream stream(input.getDescriptor(), /*shouldClose=*/true);
    stream << object;
    stream.close();
    if (std::error_code error = stream.error()) {
      stream.clear_error();
      return fileError(input.getPath(), error);
    }
  }
  if (std::error_code error = output.create("hsaco"))
    return fileError("no temporary file", error);
  llvm::sys::fs::file_t outputFile = output.getDescriptor();
  llvm::sys::fs::closeFile(outputFile);

  std::string messages = runLinker({"ld.lld", "-shared", "--no-undefined", "--threads=1",
                                    input.getPath(), "-o", output.getPath()});
  if (!messages.empty())
    return makeError("the linker reports: " + llvm::StringRef(messages).trim().str());
  auto linked = llvm::MemoryBuffer::getFile(output.getPath(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!linked)
    return fileError(output.getPath(), linked.getError());
  return (*linked)->getBuffer().str();
}
