//===- EncodedText.h - Assembly text with its instructions' bytes ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's assembler takes a twelfth of the time of a product's compilation, most of it to find out
// which instruction a line is. The code generator knows that when it prints the line, so most
// instructions are encoded there, and the assembler is given their bytes.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ENCODEDTEXT_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ENCODEDTEXT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class MCContext;
class TargetMachine;
class raw_pwrite_stream;
namespace legacy {
class PassManagerBase;
} // namespace legacy
} // namespace llvm

namespace tilewright::emit {

/// The bytes of instructions in a text that a code generator writes.
class EncodedText {
public:
  /// The instruction that stands in the text from `begin` to `end` (excluded), in its order.
  void add(size_t begin, size_t end, llvm::StringRef encoding);

  /// `text` with runs of encoded instructions as a directive each. Lines keep their numbers.
  std::string shorten(llvm::StringRef text) const;

  /// `directive` FIRST, SIZE: the bytes of a run.
  static constexpr llvm::StringLiteral directive = ".tilewright_bytes";
  /// Empty if there are no such bytes.
  llvm::StringRef getBytes(uint64_t first, uint64_t size) const;

private:
  struct Instruction {
    size_t begin, end;
    size_t firstByte, endByte;
  };
  std::vector<Instruction> instructions;
  llvm::SmallString<0> bytes;
};

/// Adds the pass that prints the code that `machine` generates as assembly to `out`, and its
/// instructions' bytes to `encoded`, which has to live as long as the passes: not of those with
/// symbols or negative literals, nor of those that move values between lanes, since the assembler
/// alone checks whether hardware has them. Says whether the machine can print assembly.
bool addEncodingPrinter(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine,
                        llvm::raw_pwrite_stream &out, llvm::MCContext &context,
                        EncodedText &encoded);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ENCODEDTEXT_H
