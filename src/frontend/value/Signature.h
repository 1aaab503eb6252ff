//===- Signature.h - Kernel signatures: parameter types, hints and constants -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A signature has one entry for each parameter of the kernel, in order, separated by
// commas:
//
//   *fp32:16     pointer to fp32, the address a multiple of 16 bytes
//   i32:16, u8   scalar, its value a multiple of 16; scalar
//   i32:1        scalar that is 1: compiled in as a constant
//   tensordesc<fp16[64, 32]>        a tensor descriptor, and the shape of its blocks
//   tensordesc<fp16[64, 32], nan>   one that gives NaN for elements outside of the tensor
//   1024, -2.5, True, None, 'ieee', tl.float16      compiled in as a constant
//   @scale       the function of that name in the source
//   (*fp32, (i32, 2))               a tuple, of any of these
//   View(data=*fp32, size=i32)      a named tuple, and the name of its class
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_SIGNATURE_H
#define TILEWRIGHT_FRONTEND_VALUE_SIGNATURE_H

#include "frontend/value/Value.h"
#include "tilewright/Diagnostic.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace tilewright::frontend {

struct SignatureEntry {
  /// Set for a constant; the type below is then unused.
  std::optional<Value> constant;
  DType type;
  /// Block shape of a tensor descriptor of elements of `type`; empty for other parameters.
  llvm::SmallVector<int64_t> block;
  /// Elements outside of the descriptor's tensor are NaN, not 0.
  bool padsWithNan = false;
  /// The text of a layout: of Gluon's, which the parameter is, or of a descriptor's blocks in
  /// shared memory; else empty.
  llvm::StringRef layout;
  /// The name of a function of the source, which the parameter is; else empty.
  llvm::StringRef function;
  /// Set for a tuple: its elements.
  std::optional<std::vector<SignatureEntry>> elements;
  /// The class's name and the elements' names of a named tuple; no fields otherwise.
  TupleClass tupleClass;
  /// A power of two that divides the value (bytes for a pointer); 1 says nothing. Of a tensor
  /// descriptor 16 says that the tensor's rows are multiples of 16 bytes long.
  int64_t divisibility = 1;
  /// The entry in the signature's text.
  uint32_t offset = 0;
  uint32_t length = 0;
};

/// Reads a signature. String constants and names of functions point into `text`. On an error,
/// nothing, and `error` says where in the text (its file is "<signature>", its line 1).
std::optional<std::vector<SignatureEntry>> parseSignature(llvm::StringRef text, Diagnostic &error);

/// An error at an entry of a signature.
Diagnostic signatureError(llvm::StringRef text, uint32_t offset, uint32_t length,
                          std::string message, std::string remedy);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_SIGNATURE_H
