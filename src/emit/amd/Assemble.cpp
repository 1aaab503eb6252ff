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

/// Keeps the first error in the std::string that `message` is.
static void keepFirstError(const llvm::SMDiagnostic &diagnostic, void *message) {
  auto &text = *static_cast<std::string *>(message);
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error || !text.empty())
    return;
  text = "line " + std::to_string(diagnostic.getLineNo()) + ": " + diagnostic.getMessage().str();
  if (llvm::StringRef line = diagnostic.getLineContents().trim(); !line.empty())
    text += " in '" + line.str() + "'";
}

/// Assembles `text` into `object`; gives the first error, or nothing.
static std::string assembleTo(llvm::raw_pwrite_stream &object, llvm::StringRef text,
                              const target::Target &target) {
  const llvm::Target &backend = *amdgpu();
  const llvm::Triple &triple = amdgpuTriple();
  llvm::MCTargetOptions options;
  std::string error;

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
  if (parser->Run(/*NoInitialTextSection=*/false) && error.empty())
    error = "the text cannot be parsed";
  return error;
}

Expected<std::string> tilewright::emit::assemble(llvm::StringRef text,
                                                 const target::Target &target) {
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  std::string error;
  llvm::LLVMContext context;
  if (auto failure = runBackendStep(context, [&] { error = assembleTo(stream, text, target); }))
    return failure->diagnostic;
  if (!error.empty())
    return makeError("the assembler reports: " + error);
  return std::string(object.str());
}
