//===- TensorMap.h - Tensor maps and boxes of simulated kernels -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor map is 128 bytes that describe a tensor in global memory and a box, which copies move
// between it and shared memory. What the bytes are is NVIDIA's secret: kernels set fields of a map
// by instructions (PTX ISA, tensormap.replace), hosts have the driver make one. The simulator has a
// form of its own for them.
//
// Meanings from the PTX ISA, sections "Tensors" and "cp.async.bulk.tensor". Coordinates are signed
// elements, the fastest dimension first. Elements of a box that are outside of the tensor are
// filled when they are loaded, and dropped when they are stored. Rows of a box, its fastest
// dimension, follow one another in shared memory. With a swizzle of W bytes chunks of 16 bytes
// trade places: bits 4.. of the address are XORed with bits 7.., as many as number the chunks of W
// bytes.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMAP_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMAP_H

#include "runtime/launch/TensorMaps.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace tilewright::simulate::nvidia {

/// PTX ISA, "tensormap.replace", table of the values of .elemtype.
enum class TensorElement : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F32Ftz,
  F64,
  BF16,
  TF32,
  TF32Ftz,
};

/// Bytes of an element; 0 for a number that is none of the above.
unsigned bytesOf(TensorElement element);

/// The simulator's tensor map.
struct TensorMap {
  static constexpr unsigned maxRank = 5;
  using Coordinates = std::array<int32_t, maxRank>;

  uint64_t address;
  /// In bytes, of all dimensions but the fastest.
  uint64_t strides[maxRank - 1];
  uint32_t boxSizes[maxRank];
  uint32_t sizes[maxRank];
  uint32_t elementStrides[maxRank];
  /// As PTX counts: 0 for one dimension.
  uint8_t rankLessOne;
  TensorElement element;
  uint8_t interleave;
  /// 0 for none, 1 to 3 for 32, 64 and 128 bytes.
  uint8_t swizzle;
  /// 1: elements outside are NaN, not zero.
  uint8_t fill;

  unsigned rank() const { return rankLessOne + 1u; }
  uint32_t elementBytes() const { return bytesOf(element); }
  uint32_t rowBytes() const { return boxSizes[0] * elementBytes(); }
  /// Rows of a box, and its bytes in shared memory.
  uint64_t boxRows() const;
  uint64_t boxBytes() const { return boxRows() * rowBytes(); }
  /// The bytes that the swizzle keeps together; 0 for none.
  uint32_t swizzleBytes() const { return swizzle ? 16u << swizzle : 0; }
  /// The number that the box's first byte in shared memory must be a multiple of.
  uint32_t alignment() const { return 128; }

  /// Where byte `offset` of a box lies that begins at `base`.
  uint64_t sharedAddress(uint64_t base, uint64_t offset) const;

  /// The fault of the map, for a copy of `copyRank` dimensions; empty if there is none.
  std::string findFault(unsigned copyRank) const;
};

/// Writes the map that a launch passes.
void encodeTensorMap(const runtime::TensorMap &map, runtime::TensorMapBytes &bytes);

/// Elements of a box that follow one another in global memory, or, with `address` 0, elements
/// that are outside of the tensor.
struct BoxRun {
  uint64_t address = 0;
  /// In the box, and the length.
  uint64_t offset = 0;
  uint32_t bytes = 0;
};

/// Calls `see` with the runs of the box that begins at `start`, in the order of their offsets.
void forEachRun(const TensorMap &map, const TensorMap::Coordinates &start,
                const std::function<void(const BoxRun &)> &see);

/// Copies the box at `start` to shared memory at `base`, or from there.
void loadBox(const TensorMap &map, const TensorMap::Coordinates &start, uint64_t base);
void storeBox(const TensorMap &map, const TensorMap::Coordinates &start, uint64_t base);

/// PTX ISA, "cp.reduce.async.bulk.tensor".
enum class BoxReduction : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
/// Whether elements of a type can be combined so.
bool hasReduction(TensorElement element, BoxReduction reduction);
/// Combines the box in shared memory at `base` with the one at `start`.
void reduceBox(const TensorMap &map, const TensorMap::Coordinates &start, uint64_t base,
               BoxReduction reduction);

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMAP_H
