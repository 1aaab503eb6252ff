//===- BackendErrors.cpp - LLVM's errors as diagnostics -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/BackendErrors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csetjmp>
#include <cstdlib>
#include <mutex>
#include <string>

using namespace tilewright;
using namespace tilewright::emit;

namespace {
/// Where a fatal error goes on: in the step that called LLVM.
struct FatalErrorTarget {
  std::jmp_buf place;
  std::string reason;
};
} // namespace

/// That of the innermost step that this thread is in; null outside of steps.
static thread_local FatalErrorTarget *fatalErrorTarget = nullptr;

// LLVM's libraries are built without exceptions, and not all of their functions have the tables
// that one needs to pass through (SPIRVInstructionSelector::select of Debian's libLLVM 22 has
// none): a jump needs none. No frame in between runs a destructor; what these would have freed or
// restored is lost, hence the warnings at runBackendStep and BackendFailure::isFatal.
static void onFatalError(void *, const char *reason, bool) {
  if (fatalErrorTarget) {
    fatalErrorTarget->reason = reason;
    std::longjmp(fatalErrorTarget->place, 1);
  }
  llvm::errs() << "LLVM ERROR: " << reason << '\n';
  std::exit(1);
}

static std::string pathOf(const llvm::DIFile &file) {
  llvm::SmallString<128> path(file.getDirectory());
  if (llvm::sys::path::is_absolute(file.getFilename()))
    path.clear();
  llvm::sys::path::append(path, file.getFilename());
  return path.str().str();
}

static Diagnostic asDiagnostic(const llvm::DiagnosticInfo &info) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  Diagnostic diagnostic = makeError("the code generator reports: " + text);
  auto setPlace = [&](llvm::StringRef file, unsigned line, unsigned column) {
    diagnostic.where.file = file.str();
    diagnostic.where.line = static_cast<int>(line);
    diagnostic.where.column = static_cast<int>(column);
  };
  if (const auto *located = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info);
      located && located->isLocationAvailable()) {
    llvm::StringRef file;
    unsigned line, column;
    located->getLocation(file, line, column);
    setPlace(file, line, column);
  } else if (const auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info);
             assembly && assembly->getInstruction()) {
    diagnostic.remedy = "the constraints of assembly have to name registers that the target has";
    if (llvm::DebugLoc place = assembly->getInstruction()->getDebugLoc())
      setPlace(pathOf(*place->getFile()), place.getLine(), place.getCol());
  }
  return diagnostic;
}

/// Whether both say the same of the same place, as of the elements of one tensor.
static bool saysTheSame(const Diagnostic &a, const Diagnostic &b) {
  return a.message == b.message && a.where.file == b.where.file && a.where.line == b.where.line &&
         a.where.column == b.where.column;
}

/// Keeps the first error; those that follow explain it, unless they repeat one.
static void onDiagnostic(const llvm::DiagnosticInfo *info, void *context) {
  if (info->getSeverity() != llvm::DS_Error)
    return;
  auto &failure = *static_cast<std::optional<BackendFailure> *>(context);
  Diagnostic diagnostic = asDiagnostic(*info);
  if (!failure) {
    failure = BackendFailure{std::move(diagnostic)};
    return;
  }
  std::vector<Diagnostic> &notes = failure->diagnostic.notes;
  const bool isKnown =
      saysTheSame(failure->diagnostic, diagnostic) ||
      llvm::any_of(notes, [&](const Diagnostic &note) { return saysTheSame(note, diagnostic); });
  if (!isKnown)
    notes.push_back(std::move(diagnostic));
}

std::optional<BackendFailure> tilewright::emit::runBackendStep(llvm::LLVMContext &context,
                                                               llvm::function_ref<void()> step) {
  static std::once_flag installed;
  std::call_once(installed, [] { llvm::install_fatal_error_handler(onFatalError); });

  std::optional<BackendFailure> failure;
  auto previousHandler = context.getDiagnosticHandlerCallBack();
  void *previousContext = context.getDiagnosticContext();
  context.setDiagnosticHandlerCallBack(onDiagnostic, &failure);
  FatalErrorTarget target;
  FatalErrorTarget *const outerTarget = fatalErrorTarget;
  fatalErrorTarget = &target;
  if (setjmp(target.place) == 0) {
    step();
  } else {
    if (!failure)
      failure = BackendFailure{makeError("the code generator gave up: " + target.reason)};
    failure->isFatal = true;
  }
  fatalErrorTarget = outerTarget;
  context.setDiagnosticHandlerCallBack(previousHandler, previousContext);
  return failure;
}

/// The place of the first call of the function `name`; null where there is none.
static llvm::DebugLoc findCall(const llvm::Module &module, llvm::StringRef name) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
        return call->getDebugLoc();
  return {};
}

void tilewright::emit::locateFailure(BackendFailure &failure, const llvm::Module &module) {
  Diagnostic &diagnostic = failure.diagnostic;
  // "Cannot select: intrinsic %NAME": SelectionDAG names no place.
  auto [before, rest] = llvm::StringRef(diagnostic.message).split("intrinsic %");
  llvm::StringRef name = rest.take_while([](char c) { return !llvm::isSpace(c); });
  if (diagnostic.where.line || name.empty())
    return;
  if (llvm::DebugLoc place = findCall(module, name)) {
    diagnostic.where.file = pathOf(*place->getFile());
    diagnostic.where.line = static_cast<int>(place.getLine());
    diagnostic.where.column = static_cast<int>(place.getCol());
  }
}
