//===- Types.cpp - Element types of Triton's language -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Types.h"

#include "ir/tt/Dialect.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

struct ScalarInfo {
  const char *signatureName;
  const char *languageName;
  unsigned bits;
};

/// In the order of ScalarKind.
constexpr ScalarInfo scalars[] = {
    {"i1", "int1", 1},
    {"i8", "int8", 8},
    {"i16", "int16", 16},
    {"i32", "int32", 32},
    {"i64", "int64", 64},
    {"u8", "uint8", 8},
    {"u16", "uint16", 16},
    {"u32", "uint32", 32},
    {"u64", "uint64", 64},
    {"fp8e4nv", "float8e4nv", 8},
    {"fp8e4b8", "float8e4b8", 8},
    {"fp8e5", "float8e5", 8},
    {"fp8e5b16", "float8e5b16", 8},
    {"fp16", "float16", 16},
    {"bf16", "bfloat16", 16},
    {"fp32", "float32", 32},
    {"fp64", "float64", 64},
};

const ScalarInfo &infoOf(ScalarKind kind) { return scalars[static_cast<size_t>(kind)]; }

} // namespace

unsigned DType::bits() const { return pointer ? 64 : infoOf(scalar).bits; }

std::string DType::str() const {
  return (pointer ? isConst ? "*k" : "*" : "") + std::string(infoOf(scalar).signatureName);
}

std::string DType::name() const {
  const ScalarInfo &info = infoOf(scalar);
  std::string plain = scalar < ScalarKind::FP8E4NV ? info.languageName : info.signatureName;
  return pointer ? (isConst ? "const_pointer<" : "pointer<") + plain + ">" : plain;
}

mlir::Type DType::toMLIR(mlir::MLIRContext *context) const {
  mlir::Type type;
  switch (scalar) {
  case ScalarKind::FP8E4NV:
    type = mlir::Float8E4M3FNType::get(context);
    break;
  case ScalarKind::FP8E4B8:
    type = mlir::Float8E4M3FNUZType::get(context);
    break;
  case ScalarKind::FP8E5:
    type = mlir::Float8E5M2Type::get(context);
    break;
  case ScalarKind::FP8E5B16:
    type = mlir::Float8E5M2FNUZType::get(context);
    break;
  case ScalarKind::FP16:
    type = mlir::Float16Type::get(context);
    break;
  case ScalarKind::BF16:
    type = mlir::BFloat16Type::get(context);
    break;
  case ScalarKind::FP32:
    type = mlir::Float32Type::get(context);
    break;
  case ScalarKind::FP64:
    type = mlir::Float64Type::get(context);
    break;
  default:
    type = mlir::IntegerType::get(context, infoOf(scalar).bits);
  }
  return pointer ? mlir::Type(tt::PointerType::get(type, 1)) : type;
}

std::optional<ScalarKind> frontend::scalarOfSignatureName(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(scalars); ++i)
    if (name == scalars[i].signatureName)
      return static_cast<ScalarKind>(i);
  // Triton writes both for a boolean.
  if (name == "u1")
    return ScalarKind::Int1;
  if (name == "f16" || name == "f32" || name == "f64")
    return scalarOfSignatureName(("fp" + name.drop_front(1)).str());
  return std::nullopt;
}

std::optional<ScalarKind> frontend::scalarOfLanguageName(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(scalars); ++i)
    if (name == scalars[i].languageName)
      return static_cast<ScalarKind>(i);
  return std::nullopt;
}

llvm::StringRef frontend::languageName(ScalarKind kind) { return infoOf(kind).languageName; }
