//===- Types.h - Element types of Triton's language -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// MLIR's integers have no sign; the language's do. A DType is the language's type of a
// scalar, of the elements of a tensor, or of a pointer to such a scalar.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_TYPES_H
#define TILEWRIGHT_FRONTEND_VALUE_TYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilewright::frontend {

enum class ScalarKind : uint8_t {
  Int1,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  FP8E4NV,
  FP8E4B8,
  FP8E5,
  FP8E5B16,
  FP16,
  BF16,
  FP32,
  FP64,
};

struct DType {
  ScalarKind scalar = ScalarKind::Int32;
  /// A pointer to `scalar`, in global memory.
  bool pointer = false;
  /// A pointer through which nothing is written: tl.const, `*k` in signatures.
  bool isConst = false;

  bool operator==(const DType &) const = default;

  bool isPointer() const { return pointer; }
  bool isFloat() const { return !pointer && scalar >= ScalarKind::FP8E4NV; }
  bool isInteger() const { return !pointer && scalar < ScalarKind::FP8E4NV; }
  bool isBool() const { return !pointer && scalar == ScalarKind::Int1; }
  bool isUnsigned() const {
    return isInteger() && scalar >= ScalarKind::UInt8 && scalar <= ScalarKind::UInt64;
  }
  bool isFloat8() const { return isFloat() && scalar <= ScalarKind::FP8E5B16; }
  bool is(ScalarKind kind) const { return !pointer && scalar == kind; }

  /// Bits of a value: 1 for int1, 64 for a pointer.
  unsigned bits() const;
  /// How the type is written in signatures and errors: fp32, i32, *fp16, *kfp16.
  std::string str() const;
  /// The type's name in triton.language: fp32, int32, pointer<fp16>, const_pointer<fp16>.
  std::string name() const;
  DType pointee() const { return {scalar, false}; }
  DType pointerTo() const { return {scalar, true}; }

  mlir::Type toMLIR(mlir::MLIRContext *context) const;
};

/// The type that a signature calls `name` (`fp32`, `i32`, `u8`, `fp8e4nv`, ..); `u1` is `i1`.
std::optional<ScalarKind> scalarOfSignatureName(llvm::StringRef name);

/// The type that `triton.language` calls `name` (`float32`, `int1`, `uint8`, ..).
std::optional<ScalarKind> scalarOfLanguageName(llvm::StringRef name);

/// The name that `triton.language` gives a type: float32.
llvm::StringRef languageName(ScalarKind kind);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_TYPES_H
