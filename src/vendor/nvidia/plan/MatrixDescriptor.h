//===- MatrixDescriptor.h - Matrices in shared memory, for wgmma ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// wgmma and tcgen05 are told by 64 bits where in shared memory an operand lies: where it starts,
// two strides, and a swizzle. An operand is seen as its rows, along M (of A) or N (of B), and its
// depth, along K. 16 bytes are the smallest piece, and 8 of them a core matrix. What the strides
// mean depends on the dimension that is contiguous and on the swizzle's width W:
//
//     contiguous along   W      16 bytes hold   8 of them follow     leading     stride
//     K                  > 0    a row's part    rows, every W bytes  (not used)  8 rows
//     K                  0      a row's part    rows, every 16       16 bytes    8 rows
//     M or N             > 0    some rows       K, every W bytes     W bytes     8 along K
//     M or N             0      some rows       K, every 16          8 along K   16 bytes
//
// that is, from where to where the two strides lead: to the next 16 bytes or W bytes along the
// contiguous dimension, or to the next 8 along the other one. The swizzle is a function of the
// address: bits 4 to 6 are XORed with bits 7 to 9, of W = 64 two of them, of W = 32 one. It is
// applied last, to the sum; addresses in a descriptor are those before it.
//
// Source: PTX ISA, "Asynchronous warpgroup-level matrix shared memory layout" and "Matrix
// descriptor format"; "tcgen05: Shared memory descriptor", which has the same strides and another
// number for the swizzle. All forms of wgmma have been run on an H200.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_MATRIXDESCRIPTOR_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_MATRIXDESCRIPTOR_H

#include <cstdint>

namespace tilewright::vendor::nvidia {

/// The unit of addresses and strides, and the smallest contiguous piece.
inline constexpr unsigned descriptorUnitBytes = 16;
/// A descriptor holds the bits of an address below this number.
inline constexpr unsigned descriptorAddressBits = 18;

/// `address` where the swizzle of rows of `swizzleBytes` puts it; its own inverse, and linear.
constexpr uint64_t swizzle(uint64_t address, unsigned swizzleBytes) {
  const uint64_t mask = swizzleBytes ? swizzleBytes / descriptorUnitBytes - 1 : 0;
  return address ^ ((address >> 7 & mask) << 4);
}

/// The bytes after which the swizzle's pattern begins anew: the alignment of what is swizzled.
constexpr unsigned swizzleAlignment(unsigned swizzleBytes) {
  return swizzleBytes ? 8 * swizzleBytes : descriptorUnitBytes;
}

/// The instructions that a descriptor is for.
enum class DescriptorFormat : uint8_t { WarpGroup, TensorMemory };

struct MatrixDescriptor {
  /// Bytes; multiples of descriptorUnitBytes.
  uint32_t start = 0, leading = 0, stride = 0;
  /// 0, 32, 64 or 128.
  unsigned swizzleBytes = 0;

  uint64_t encode(DescriptorFormat format = DescriptorFormat::WarpGroup) const;
  static MatrixDescriptor decode(uint64_t bits,
                                 DescriptorFormat format = DescriptorFormat::WarpGroup);

  /// The address of the element at `row` and `depth`, of `elementBytes`, where the start's is
  /// `startAddress`.
  uint64_t addressOf(uint64_t startAddress, unsigned row, unsigned depth, unsigned elementBytes,
                     bool alongRows) const;

  friend bool operator==(const MatrixDescriptor &, const MatrixDescriptor &) = default;
};

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_MATRIXDESCRIPTOR_H
