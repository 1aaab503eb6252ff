//===- Assemble.cpp - AMDGCN text to an object file --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/object/Assemble.h"

#include "emit/BackendErrors.h"
#include "vendor/amd/emit/AmdgpuMachine.h"
#include "vendor/amd/emit/object/AssemblySource.h"
#include "vendor/amd/emit/object/EncodedText.h"

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
#include "llvm/MC/MCParser/MCAsmParserExtension.h"
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
/// The first error in a text.
struct AssemblyError {
  unsigned line = 0;
  std::string message;
};
} // namespace

namespace {
/// Makes the directives of a shortened text the bytes that they stand for.
class EncodedDirective final : public llvm::MCAsmParserExtension {
public:
  explicit EncodedDirective(const EncodedText &encoded) : encoded(encoded) {}

  void Initialize(llvm::MCAsmParser &parser) override {
    MCAsmParserExtension::Initialize(parser);
    parser.addDirectiveHandler(EncodedText::directive,
                               {this, HandleDirective<EncodedDirective, &EncodedDirective::emit>});
  }

private:
  bool emit(llvm::StringRef, llvm::SMLoc place) {
    int64_t first = 0, size = 0;
    if (getParser().parseAbsoluteExpression(first) || parseToken(llvm::AsmToken::Comma) ||
        getParser().parseAbsoluteExpression(size) || parseEOL())
      return true;
    llvm::StringRef bytes = encoded.getBytes(first, size);
    if (bytes.empty())
      return Error(place, "there are no such bytes");
    getStreamer().emitBytes(bytes);
    return false;
  }

  const EncodedText &encoded;
};
} // namespace

/// Keeps the first error in the AssemblyError that `first` is.
static void keepFirstError(const llvm::SMDiagnostic &diagnostic, void *first) {
  auto &error = *static_cast<AssemblyError *>(first);
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error || !error.message.empty())
    return;
  error = {static_cast<unsigned>(std::max(diagnostic.getLineNo(), 0)),
           diagnostic.getMessage().str()};
  if (llvm::StringRef line = diagnostic.getLineContents().trim(); !line.empty())
    error.message += " in '" + line.str() + "'";
}

/// Assembles a shortened text into `object`; gives the first error, or one without a message.
static AssemblyError assembleTo(llvm::raw_pwrite_stream &object, llvm::StringRef text,
                                const EncodedText &encoded, const target::Target &target) {
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
  EncodedDirective directive(encoded);
  directive.Initialize(*parser);
  if (parser->Run(/*NoInitialTextSection=*/false) && error.message.empty())
    error.message = "the text cannot be parsed";
  return error;
}

// The compiler's own instructions are right: what is not comes from assembly in the kernel.
static Diagnostic asDiagnostic(const AssemblyError &error, llvm::StringRef text,
                               const target::Target &target) {
  const std::string name(target.name);
  Diagnostic diagnostic = makeError("this is no assembly of " + name + ": " + error.message);
  diagnostic.where = findSource(text, error.line);
  diagnostic.remedy = "assembly in a kernel is the target's own: instructions of " +
                      std::string(target.processor) +
                      ", with the constraints v and s for vector and scalar registers";
  return diagnostic;
}

Expected<std::string> tilewright::emit::assemble(llvm::StringRef text, const EncodedText &encoded,
                                                 const target::Target &target) {
  const std::string shortened = encoded.shorten(text);
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  AssemblyError error;
  llvm::LLVMContext context;
  if (auto failure =
          runBackendStep(context, [&] { error = assembleTo(stream, shortened, encoded, target); }))
    return failure->diagnostic;
  if (!error.message.empty())
    return asDiagnostic(error, text, target);
  return std::string(object.str());
}
