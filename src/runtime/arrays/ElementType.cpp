//===- ElementType.cpp - Names and sizes of element types ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/arrays/ElementType.h"

using namespace tilewright;
using namespace tilewright::runtime;

static constexpr ElementTypeInfo table[] = {
    {ElementType::Bool, "i1", 1, 'b', "|b1"},
    {ElementType::Int8, "i8", 1, 'i', "|i1"},
    {ElementType::Int16, "i16", 2, 'i', "<i2"},
    {ElementType::Int32, "i32", 4, 'i', "<i4"},
    {ElementType::Int64, "i64", 8, 'i', "<i8"},
    {ElementType::UInt8, "u8", 1, 'u', "|u1"},
    {ElementType::UInt16, "u16", 2, 'u', "<u2"},
    {ElementType::UInt32, "u32", 4, 'u', "<u4"},
    {ElementType::UInt64, "u64", 8, 'u', "<u8"},
    {ElementType::Float8E4M3, "fp8e4nv", 1, 'f', "|u1"},
    {ElementType::Float8E5M2, "fp8e5", 1, 'f', "|u1"},
    {ElementType::Float8E4M3FNUZ, "fp8e4b8", 1, 'f', "|u1"},
    {ElementType::Float8E5M2FNUZ, "fp8e5b16", 1, 'f', "|u1"},
    {ElementType::Float16, "fp16", 2, 'f', "<f2"},
    {ElementType::BFloat16, "bf16", 2, 'f', "<u2"},
    {ElementType::Float32, "fp32", 4, 'f', "<f4"},
    {ElementType::Float64, "fp64", 8, 'f', "<f8"},
};

std::span<const ElementTypeInfo> tilewright::runtime::elementTypes() { return table; }

const ElementTypeInfo &tilewright::runtime::infoOf(ElementType type) {
  return table[static_cast<size_t>(type)];
}

std::string_view tilewright::runtime::nameOf(ElementType type) { return infoOf(type).name; }

std::optional<ElementType> tilewright::runtime::elementTypeNamed(std::string_view name) {
  for (const ElementTypeInfo &info : table)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

size_t tilewright::runtime::sizeOf(ElementType type) { return infoOf(type).bytes; }
bool tilewright::runtime::isFloat(ElementType type) { return infoOf(type).kind == 'f'; }
bool tilewright::runtime::isSignedInteger(ElementType type) { return infoOf(type).kind == 'i'; }
