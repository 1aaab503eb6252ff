//===- InlinePtx.h - Inline PTX in LLVM IR --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shared by the expansions to predicated PTX: the instructions go into the IR as inline
// assembly.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_INLINEPTX_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_INLINEPTX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <string>

namespace tilewright::emit {

/// The state space of an address space as a suffix of instructions, such as ".global"; empty for
/// generic addresses, nothing for spaces that the expansions leave alone.
std::optional<llvm::StringRef> stateSpaceSuffix(unsigned addressSpace);

/// One piece of inline assembly, put together bit by bit. Operands are numbered in the order in
/// which they are added, outputs first; what the functions give is their names in the text.
class InlinePtx {
public:
  /// The instructions will stand in the place of `builder`.
  explicit InlinePtx(llvm::IRBuilderBase &builder) : builder(builder) {}

  /// An output register for a float, a double or an integer of 16, 32 or 64 bits. One that is
  /// written before all inputs have been read (`isWrittenEarly`) shares no register with them.
  std::string addOutput(llvm::Type *type, bool isWrittenEarly);

  /// A register that holds `value`: of one of these types, a pointer or a bit (a predicate).
  std::string addInput(llvm::Value *value);

  /// A register that holds `value` and is an output afterwards: to be added for all such registers
  /// after the last output and before the first input.
  std::string addTied(llvm::Value *value);

  /// "@%p " for a predicate; nothing for null.
  std::string addPredicate(llvm::Value *predicate);

  void addLine(const llvm::Twine &line);

  /// The assembly as a call that does not throw. Instruction selection takes it to read and write
  /// memory, which keeps it in order with other memory accesses and with barriers.
  llvm::CallInst *emit(bool hasSideEffects);

  /// The outputs of `call`, which emit() gave, in their order.
  llvm::SmallVector<llvm::Value *> getOutputs(llvm::CallInst *call);

private:
  std::string addOperand(llvm::StringRef prefix, llvm::Type *type);

  llvm::IRBuilderBase &builder;
  std::string text;
  std::string constraints;
  llvm::SmallVector<llvm::Type *> outputs;
  llvm::SmallVector<llvm::Value *> inputs;
  /// The inputs that are outputs as well.
  unsigned tied = 0;
};

/// "%a" or "{%a, %b}".
std::string registerList(llvm::ArrayRef<std::string> registers);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_INLINEPTX_H
