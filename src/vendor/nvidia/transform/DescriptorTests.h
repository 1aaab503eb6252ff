//===- DescriptorTests.h - What kernels test of descriptors ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Stores may begin below 0, at any column, of rows of any length where the shape of a tensor comes
// from memory, or a coordinate from a loop. The kernel stores by the tensor memory accelerator
// where they are as that needs them, and through pointers otherwise:
//
//     %d = tt.make_tensor_descriptor ..            : .. tensor<128x64xf16, #shared>
//     tt.descriptor_store %d[%i, %j], %x
//       ->
//     %p = tt.make_tensor_descriptor ..            : .. tensor<128x64xf16>
//     scf.if %rows_are_multiples_of_16_bytes & %i >= 0 {
//       tt.descriptor_store %d[%i, %j], %x
//     } else {
//       tt.descriptor_store %p[%i, %j], %x
//     }
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_DESCRIPTORTESTS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_DESCRIPTORTESTS_H

#include "ir/tt/Dialect.h"

namespace tilewright::vendor::nvidia {

/// Addresses, strides, last coordinates and rows that are stored are multiples of it, in bytes.
inline constexpr int64_t descriptorGranule = 16;

/// The facts about a store that are not known.
struct StoreTests {
  /// Whether the tensor's rows are multiples of 16 bytes long.
  bool rows = false;
  /// The coordinates that may be negative.
  llvm::SmallVector<mlir::Value> nonNegative = {};
  /// The last coordinate, where it may be no multiple of 16 bytes; null otherwise.
  mlir::Value column = {};
};

/// The tests of one descriptor, whose type has a layout.
class DescriptorTests {
public:
  explicit DescriptorTests(tt::MakeTensorDescOp make) : make(make) {}

  int64_t getElementBytes();
  /// Lets a tt.descriptor_store or tt.descriptor_reduce go through pointers where one of `unknown`
  /// does not hold.
  void testStore(mlir::Operation *store, const StoreTests &unknown);

private:
  /// A descriptor of the same tensor whose blocks are accessed through pointers.
  mlir::Value getPlain();

  tt::MakeTensorDescOp make;
  mlir::Value plain;
};

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_DESCRIPTORTESTS_H
