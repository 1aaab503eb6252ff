//===- RegisterWords.h - Vector elements in PTX registers -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An access of PTX moves 1, 2, 4 or 8 words of 8 to 64 bits, each in a register. Elements narrower
// than a word lie side by side in it, the first in the lowest bits.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_REGISTERWORDS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_REGISTERWORDS_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace tilewright::emit {

/// How elements lie in registers: `count` words of `bytes` bytes each.
struct RegisterWords {
  unsigned bytes;
  unsigned count;
  unsigned elementsEach;
  /// The type of a register.
  llvm::Type *type;
};

/// The words of `count` elements, a power of two, of the type `element`, which takes `elementBytes`
/// bytes: 1, 2, 4 or 8.
RegisterWords getRegisterWords(llvm::Type *element, unsigned elementBytes, unsigned count);

/// Elements to the word of type `word` that holds them.
llvm::Value *packWord(llvm::ArrayRef<llvm::Value *> elements, llvm::Type *word,
                      llvm::IRBuilderBase &builder);

/// Appends the `count` elements of type `element` that lie in `word`: the inverse of packWord.
void unpackWord(llvm::Value *word, llvm::Type *element, unsigned count,
                llvm::SmallVectorImpl<llvm::Value *> &elements, llvm::IRBuilderBase &builder);

/// The bits of a word of `bits` bits that holds `elements`, if all of them are constants; undefined
/// ones count as zero.
std::optional<llvm::APInt> packConstants(llvm::ArrayRef<llvm::Value *> elements, unsigned bits);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_REGISTERWORDS_H
