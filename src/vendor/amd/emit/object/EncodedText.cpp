//===- EncodedText.cpp - Assembly text with its instructions' bytes -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/object/EncodedText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace tilewright::emit;

//===----------------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------------===//

void EncodedText::add(size_t begin, size_t end, StringRef encoding) {
  instructions.push_back({begin, end, bytes.size(), bytes.size() + encoding.size()});
  bytes += encoding;
}

std::string EncodedText::shorten(StringRef text) const {
  std::string result;
  result.reserve(text.size() / 2);
  size_t copied = 0;
  for (size_t first = 0, next; first < instructions.size(); first = next) {
    const size_t begin = instructions[first].begin;
    size_t end = instructions[first].end;
    next = first + 1;
    while (next < instructions.size() && instructions[next].begin == end + 1 && text[end] == '\n')
      end = instructions[next++].end;
    const size_t firstByte = instructions[first].firstByte;
    result += text.slice(copied, begin);
    result += '\t';
    result += directive;
    result += ' ';
    result += std::to_string(firstByte);
    result += ", ";
    result += std::to_string(instructions[next - 1].endByte - firstByte);
    result.append(text.slice(begin, end).count('\n'), '\n');
    copied = end;
  }
  result += text.substr(copied);
  return result;
}

StringRef EncodedText::getBytes(uint64_t first, uint64_t size) const {
  return first <= bytes.size() && size <= bytes.size() - first ? bytes.str().substr(first, size)
                                                               : StringRef();
}

//===----------------------------------------------------------------------------===//
// The printer
//===----------------------------------------------------------------------------===//

/// Smaller integers are literals after the instruction.
static constexpr int64_t smallestInlineConstant = -16;

namespace {
class EncodingPrinter final : public MCInstPrinter {
public:
  EncodingPrinter(std::unique_ptr<MCInstPrinter> printer, std::unique_ptr<MCCodeEmitter> encoder,
                  const TargetMachine &machine, EncodedText &encoded)
      : MCInstPrinter(*machine.getMCAsmInfo(), *machine.getMCInstrInfo(),
                      *machine.getMCRegisterInfo()),
        printer(std::move(printer)), encoder(std::move(encoder)), encoded(encoded) {}

  std::pair<const char *, uint64_t> getMnemonic(const MCInst &instruction) const override {
    return printer->getMnemonic(instruction);
  }

  void printRegName(raw_ostream &out, MCRegister reg) override { printer->printRegName(out, reg); }

  void printInst(const MCInst *instruction, uint64_t address, StringRef annotation,
                 const MCSubtargetInfo &processor, raw_ostream &out) override {
    const uint64_t begin = out.tell();
    printer->printInst(instruction, address, annotation, processor, out);
    if (isLeftToAssembler(*instruction))
      return;
    bytes.clear();
    fixups.clear();
    encoder->encodeInstruction(*instruction, bytes, fixups, processor);
    if (fixups.empty())
      encoded.add(begin, out.tell(), bytes);
  }

private:
  bool isLeftToAssembler(const MCInst &instruction) const {
    return any_of(instruction,
                  [](const MCOperand &operand) { return isLeftToAssembler(operand); }) ||
           MII.getName(instruction.getOpcode()).contains("_dpp");
  }

  /// Of a negative constant of 16 bits, the upper half of the literal is not as the assembler has
  /// it, which nobody reads: the text alone is to say what the bytes are.
  static bool isLeftToAssembler(const MCOperand &operand) {
    return operand.isExpr() || (operand.isImm() && operand.getImm() < smallestInlineConstant);
  }

  std::unique_ptr<MCInstPrinter> printer;
  std::unique_ptr<MCCodeEmitter> encoder;
  EncodedText &encoded;
  SmallString<32> bytes;
  SmallVector<MCFixup> fixups;
};
} // namespace

bool tilewright::emit::addEncodingPrinter(legacy::PassManagerBase &passes, TargetMachine &machine,
                                          raw_pwrite_stream &out, MCContext &context,
                                          EncodedText &encoded) {
  // What CodeGenTargetMachineImpl::addAsmPrinter does, with another printer of instructions.
  const llvm::Target &target = machine.getTarget();
  const MCAsmInfo &syntax = *machine.getMCAsmInfo();
  const MCInstrInfo &instructions = *machine.getMCInstrInfo();
  const MCRegisterInfo &registers = *machine.getMCRegisterInfo();
  std::unique_ptr<MCInstPrinter> printer(target.createMCInstPrinter(
      machine.getTargetTriple(), syntax.getAssemblerDialect(), syntax, instructions, registers));
  std::unique_ptr<MCCodeEmitter> encoder(target.createMCCodeEmitter(instructions, context));
  std::unique_ptr<MCAsmBackend> writer(target.createMCAsmBackend(
      *machine.getMCSubtargetInfo(), registers, machine.Options.MCOptions));
  if (!printer || !encoder || !writer)
    return false;
  std::unique_ptr<MCStreamer> streamer(target.createAsmStreamer(
      context, std::make_unique<formatted_raw_ostream>(out),
      std::make_unique<EncodingPrinter>(std::move(printer), std::move(encoder), machine, encoded),
      /*CE=*/nullptr, std::move(writer)));
  AsmPrinter *pass = target.createAsmPrinter(machine, std::move(streamer));
  if (!pass)
    return false;
  passes.add(pass);
  return true;
}
