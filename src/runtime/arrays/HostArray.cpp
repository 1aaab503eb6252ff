//===- HostArray.cpp - Arrays on the host -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/arrays/ElementType.h"
#include "runtime/arrays/SmallFloat.h"

#include <cmath>
#include <cstring>

using namespace tilewright;
using namespace tilewright::runtime;

HostArray::HostArray(ElementType type, std::vector<int64_t> shape)
    : type(type), shape(std::move(shape)) {
  bytes.resize(size() * sizeOf(type));
}

size_t HostArray::size() const {
  size_t count = 1;
  for (int64_t extent : shape)
    count *= static_cast<size_t>(extent);
  return count;
}

template <typename T> static T read(const HostArray &array, size_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void write(HostArray &array, size_t index, T value) {
  std::memcpy(array.bytes.data() + index * sizeof(T), &value, sizeof(T));
}

double HostArray::at(size_t index) const {
  switch (type) {
  case ElementType::Bool:
  case ElementType::UInt8:
    return read<uint8_t>(*this, index);
  case ElementType::Int8:
    return read<int8_t>(*this, index);
  case ElementType::Int16:
    return read<int16_t>(*this, index);
  case ElementType::Int32:
    return read<int32_t>(*this, index);
  case ElementType::Int64:
    return static_cast<double>(read<int64_t>(*this, index));
  case ElementType::UInt16:
    return read<uint16_t>(*this, index);
  case ElementType::UInt32:
    return read<uint32_t>(*this, index);
  case ElementType::UInt64:
    return static_cast<double>(read<uint64_t>(*this, index));
  case ElementType::Float8E4M3:
    return decode(float8E4M3, read<uint8_t>(*this, index));
  case ElementType::Float8E5M2:
    return decode(float8E5M2, read<uint8_t>(*this, index));
  case ElementType::Float8E4M3FNUZ:
    return decode(float8E4M3FNUZ, read<uint8_t>(*this, index));
  case ElementType::Float8E5M2FNUZ:
    return decode(float8E5M2FNUZ, read<uint8_t>(*this, index));
  case ElementType::Float16:
    return decode(float16, read<uint16_t>(*this, index));
  case ElementType::BFloat16:
    return decode(bfloat16, read<uint16_t>(*this, index));
  case ElementType::Float32:
    return read<float>(*this, index);
  case ElementType::Float64:
    return read<double>(*this, index);
  }
  return 0;
}

void HostArray::set(size_t index, double value) {
  switch (type) {
  case ElementType::Bool:
    return write<uint8_t>(*this, index, value != 0);
  case ElementType::Float8E4M3:
    return write<uint8_t>(*this, index, encode(float8E4M3, value));
  case ElementType::Float8E5M2:
    return write<uint8_t>(*this, index, encode(float8E5M2, value));
  case ElementType::Float8E4M3FNUZ:
    return write<uint8_t>(*this, index, encode(float8E4M3FNUZ, value));
  case ElementType::Float8E5M2FNUZ:
    return write<uint8_t>(*this, index, encode(float8E5M2FNUZ, value));
  case ElementType::Float16:
    return write<uint16_t>(*this, index, encode(float16, value));
  case ElementType::BFloat16:
    return write<uint16_t>(*this, index, encode(bfloat16, value));
  case ElementType::Float32:
    return write<float>(*this, index, static_cast<float>(value));
  case ElementType::Float64:
    return write<double>(*this, index, value);
  default:
    break;
  }
  // Truncated, then taken modulo 2^64, of which narrower types keep the low bits.
  double whole = std::isfinite(value) ? std::fmod(std::trunc(value), 0x1p64) : 0;
  if (whole < 0)
    setInteger(index, static_cast<int64_t>(0 - static_cast<uint64_t>(-whole)));
  else
    setInteger(index, static_cast<int64_t>(static_cast<uint64_t>(whole)));
}

void HostArray::setInteger(size_t index, int64_t value) {
  if (isFloat(type) || type == ElementType::Bool)
    return set(index, static_cast<double>(value));
  switch (sizeOf(type)) {
  case 1:
    return write(*this, index, static_cast<uint8_t>(value));
  case 2:
    return write(*this, index, static_cast<uint16_t>(value));
  case 4:
    return write(*this, index, static_cast<uint32_t>(value));
  default:
    return write(*this, index, value);
  }
}

/// Whether files hold both types as the same raw bits.
static bool sharesBits(ElementType from, ElementType to) {
  auto bits = [](ElementType type) {
    return type == ElementType::UInt8 || type == ElementType::UInt16;
  };
  return (bits(from) || bits(to)) && infoOf(from).npy == infoOf(to).npy;
}

HostArray tilewright::runtime::convert(const HostArray &array, ElementType type) {
  HostArray result(type, array.shape);
  if (array.type == type || sharesBits(array.type, type)) {
    result.bytes = array.bytes;
    return result;
  }
  bool wholeNumbers = !isFloat(array.type) && !isFloat(type);
  for (size_t i = 0; i < array.size(); ++i) {
    if (!wholeNumbers) {
      result.set(i, array.at(i));
    } else if (sizeOf(array.type) == 8) {
      // Beyond doubles' precision.
      result.setInteger(i, read<int64_t>(array, i));
    } else {
      result.setInteger(i, static_cast<int64_t>(array.at(i)));
    }
  }
  return result;
}
