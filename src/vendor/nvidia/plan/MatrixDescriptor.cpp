//===- MatrixDescriptor.cpp - Matrices in shared memory, for wgmma ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/MatrixDescriptor.h"

using namespace tilewright::vendor::nvidia;

namespace {

// The fields, by the number of their lowest bit; addresses and strides have 14 bits.
constexpr unsigned startShift = 0, leadingShift = 16, strideShift = 32;
constexpr uint64_t fieldMask = (1 << (descriptorAddressBits - 4)) - 1;

/// How a format says which swizzle there is.
struct SwizzleField {
  unsigned shift;
  uint64_t of32, of64, of128;
  /// The bits that all descriptors of the format have.
  uint64_t constant;

  uint64_t encode(unsigned bytes) const {
    return bytes == 128 ? of128 : bytes == 64 ? of64 : bytes == 32 ? of32 : 0;
  }
  unsigned decode(uint64_t number) const {
    return number == of128 ? 128 : number == of64 ? 64 : number == of32 ? 32 : 0;
  }
};

constexpr SwizzleField warpGroupField = {62, 3, 2, 1, 0};
constexpr SwizzleField tensorMemoryField = {61, 6, 4, 2, uint64_t(1) << 46};

const SwizzleField &fieldOf(DescriptorFormat format) {
  return format == DescriptorFormat::WarpGroup ? warpGroupField : tensorMemoryField;
}

} // namespace

uint64_t MatrixDescriptor::encode(DescriptorFormat format) const {
  auto field = [](uint32_t bytes, unsigned shift) {
    return (bytes / descriptorUnitBytes & fieldMask) << shift;
  };
  const SwizzleField &swizzle = fieldOf(format);
  return field(start, startShift) | field(leading, leadingShift) | field(stride, strideShift) |
         swizzle.constant | swizzle.encode(swizzleBytes) << swizzle.shift;
}

MatrixDescriptor MatrixDescriptor::decode(uint64_t bits, DescriptorFormat format) {
  auto field = [&](unsigned shift) {
    return static_cast<uint32_t>(bits >> shift & fieldMask) * descriptorUnitBytes;
  };
  const SwizzleField &swizzle = fieldOf(format);
  return {field(startShift), field(leadingShift), field(strideShift),
          swizzle.decode(bits >> swizzle.shift)};
}

uint64_t MatrixDescriptor::addressOf(uint64_t startAddress, unsigned row, unsigned depth,
                                     unsigned elementBytes, bool alongRows) const {
  const unsigned along = (alongRows ? row : depth) * elementBytes, across = alongRows ? depth : row;
  const unsigned width = swizzleBytes ? swizzleBytes : descriptorUnitBytes;
  uint64_t address = startAddress + along % width + across % 8 * width;
  // Rows that are contiguous and not swizzled are the one case with the strides the other way.
  const bool isExchanged = alongRows && !swizzleBytes;
  address += uint64_t(along / width) * (isExchanged ? stride : leading);
  address += uint64_t(across / 8) * (isExchanged ? leading : stride);
  return swizzle(address, swizzleBytes);
}
