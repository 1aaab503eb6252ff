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
constexpr unsigned startShift = 0, leadingShift = 16, strideShift = 32, swizzleShift = 62;
constexpr uint64_t fieldMask = (1 << (descriptorAddressBits - 4)) - 1;

uint64_t encodeSwizzle(unsigned bytes) {
  switch (bytes) {
  case 128:
    return 1;
  case 64:
    return 2;
  case 32:
    return 3;
  default:
    return 0;
  }
}

} // namespace

uint64_t MatrixDescriptor::encode() const {
  auto field = [](uint32_t bytes, unsigned shift) {
    return (bytes / descriptorUnitBytes & fieldMask) << shift;
  };
  return field(start, startShift) | field(leading, leadingShift) | field(stride, strideShift) |
         encodeSwizzle(swizzleBytes) << swizzleShift;
}

MatrixDescriptor MatrixDescriptor::decode(uint64_t bits) {
  auto field = [&](unsigned shift) {
    return static_cast<uint32_t>(bits >> shift & fieldMask) * descriptorUnitBytes;
  };
  constexpr unsigned widths[] = {0, 128, 64, 32};
  return {field(startShift), field(leadingShift), field(strideShift), widths[bits >> swizzleShift]};
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
