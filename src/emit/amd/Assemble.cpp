//===- Assemble.cpp - AMDGCN text to an object file --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/amd/Assemble.h"

#include "emit/BackendErrors.h"
#include "emit/amd/AmdgpuMachine.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using namespace tilewright::emit;

namespace {
/// The first error of an assembly text.
struct AssemblyError {
  std::string message;
  /// Where it is, in bytes from the beginning of the text; npos where that is not known.
  size_t offset = llvm::StringRef::npos;

  explicit operator bool() const { return !message.empty(); }
};
} // namespace

/// Keeps the first error in the AssemblyError that `first` is.
static void keepFirstError(const llvm::SMDiagnostic &diagnostic, void *first) {
  auto &error = *static_cast<AssemblyError *>(first);
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error || error)
    return;
  error.message = diagnostic.getMessage().str();
  if (llvm::StringRef line = diagnostic.getLineContents().trim(); !line.empty())
    error.message += " in '" + line.str() + "'";
  const llvm::SourceMgr *sources = diagnostic.getSourceMgr();
  if (unsigned buffer = sources->FindBufferContainingLoc(diagnostic.getLoc()))
    error.offset =
        diagnostic.getLoc().getPointer() - sources->getMemoryBuffer(buffer)->getBufferStart();
}

/// The name that `.file NUMBER "directory" "name"` gives to the number; the directory may be left
/// out.
static std::string findFile(llvm::StringRef text, unsigned number) {
  std::string directive = "\t.file\t" + std::to_string(number) + " \"";
  size_t at = text.find(directive);
  if (at == llvm::StringRef::npos)
    return {};
  llvm::SmallVector<llvm::StringRef> quoted;
  text.drop_front(at + directive.size() - 1).split('\n').first.split(quoted, '"');
  // What stands between quotation marks is every second part.
  if (quoted.size() < 5 || quoted[3].starts_with("/"))
    return quoted[quoted.size() < 5 ? 1 : 3].str();
  return (quoted[1] + "/" + quoted[3]).str();
}

/// The place in the kernel's source that the line of the assembly at `offset` comes from: that of
/// the last `.loc FILE LINE COLUMN` before it.
static SourceRange findSource(llvm::StringRef text, size_t offset) {
  constexpr llvm::StringLiteral directive = "\t.loc\t";
  SourceRange where;
  if (offset > text.size())
    return where;
  size_t at = text.take_front(offset).rfind(directive);
  if (at == llvm::StringRef::npos)
    return where;
  llvm::StringRef numbers = text.drop_front(at + directive.size());
  unsigned file, line, column;
  auto next = [&](unsigned &number) {
    numbers = numbers.ltrim(' ');
    return !numbers.consumeInteger(10, number);
  };
  if (!next(file) || !next(line) || !next(column))
    return where;
  where.file = findFile(text, file);
  where.line = static_cast<int>(line);
  where.column = static_cast<int>(column);
  return where;
}

/// Assembles `text` into `object`; gives the first error, or none.
static AssemblyError assembleTo(llvm::raw_pwrite_stream &object, llvm::StringRef text,
                                const target::Target &target) {
  const llvm::Target &backend = *amdgpu();
  const llvm::Triple &triple = amdgpuTriple();
  llvm::MCTargetOptions options;
  AssemblyError error;

  llvm::SourceMgr sources;
  sources.setDiagHandler(keepFirstError, &error);
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, "", /*RequiresNullTerminator=*/true), llvm::SMLoc());

  std::unique_ptr<llvm::MCRegisterInfo> registers(backend.createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> syntax(backend.createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(backend.createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> processor(
      backend.createMCSubtargetInfo(triple, target.processor, target.features));
  llvm::MCContext context(triple, syntax.get(), registers.get(), processor.get(), &sources,
                          &options);
  std::unique_ptr<llvm::MCObjectFileInfo> sections(
      backend.createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(sections.get());

  std::unique_ptr<llvm::MCAsmBackend> writer(
      backend.createMCAsmBackend(*processor, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> objectWriter = writer->createObjectWriter(object);
  std::unique_ptr<llvm::MCCodeEmitter> encoder(backend.createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(backend.createMCObjectStreamer(
      triple, context, std::move(writer), std::move(objectWriter), std::move(encoder), *processor));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *syntax));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      backend.createMCAsmParser(*processor, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false) && !error)
    error.message = "the text cannot be parsed";
  return error;
}

Expected<std::string> tilewright::emit::assemble(llvm::StringRef text,
                                                 const target::Target &target) {
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  AssemblyError error;
  llvm::LLVMContext context;
  if (auto failure = runBackendStep(context, [&] { error = assembleTo(stream, text, target); }))
    return failure->diagnostic;
  if (error) {
    Diagnostic diagnostic = makeError("the assembler reports: " + error.message);
    diagnostic.where = findSource(text, error.offset);
    return diagnostic;
  }
  return std::string(object.str());
}
