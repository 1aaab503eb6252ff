//===- Tensor.h - Values of programs of tiles -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An element is its bits, in the low bits of a word. Besides, a tensor knows which of its elements
// are undefined: those that a load has left out, those that an asynchronous copy has not brought
// yet. A value computed of an undefined element is undefined.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_TENSOR_H
#define TILEWRIGHT_INTERPRET_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace tilewright::interpret {

/// The number of elements of a shape; 1 for that of a scalar.
size_t sizeOf(llvm::ArrayRef<int64_t> shape);
/// The distance between neighbours along each dimension, rows first.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);
/// The bits of a value of a type: those of pointers and of `index` are 64.
unsigned widthOf(mlir::Type element);
/// The bytes that an element takes in memory.
unsigned bytesOf(mlir::Type element);
/// The type of the elements, of a scalar its own.
mlir::Type elementOf(mlir::Type type);
/// The shape of a type; empty for a scalar.
llvm::SmallVector<int64_t> shapeOf(mlir::Type type);

/// A tile, rows first; a scalar is one without dimensions.
struct Tensor {
  Tensor(mlir::Type element, llvm::ArrayRef<int64_t> shape)
      : element(element), shape(shape), bits(sizeOf(shape)) {}
  /// Zeros of the type of a value.
  explicit Tensor(mlir::Type type) : Tensor(elementOf(type), shapeOf(type)) {}

  size_t size() const { return bits.size(); }
  bool isUndefined(size_t index) const { return !undefined.empty() && undefined[index]; }
  void setUndefined(size_t index) {
    if (undefined.empty())
      undefined.resize(size());
    undefined[index] = 1;
  }
  void setAllUndefined() { undefined.assign(size(), 1); }
  /// Makes element `to` that of another tensor.
  void copy(size_t to, const Tensor &other, size_t from) {
    bits[to] = other.bits[from];
    if (other.isUndefined(from))
      setUndefined(to);
    else if (!undefined.empty())
      undefined[to] = 0;
  }

  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
  std::vector<uint64_t> bits;
  /// One flag an element; empty where all are defined.
  std::vector<uint8_t> undefined;
};
using TensorPtr = std::shared_ptr<Tensor>;

/// A barrier in shared memory, which counts arrivals and bytes of copies.
struct Barrier {
  /// Ends the phase where all have arrived and all bytes are there.
  void check();
  void arrive(int64_t times) {
    pending -= times;
    check();
  }
  void complete(int64_t bytes) {
    expectedBytes -= bytes;
    check();
  }

  int64_t count = 0, pending = 0, expectedBytes = 0;
  uint64_t phases = 0;
  /// The work of asynchronous units that will tell the barrier. It is done when a wait
  /// needs it: as late as the program allows.
  std::deque<std::function<void()>> late;
};

/// A piece of a block's memory. All of it is undefined at first.
struct Piece {
  explicit Piece(size_t elements) : bits(elements), undefined(elements, 1) {}

  std::vector<uint64_t> bits;
  std::vector<uint8_t> undefined;
  std::map<int64_t, Barrier> barriers;
};

/// Elements of a piece of memory, without layouts.
struct View {
  std::shared_ptr<Piece> piece;
  mlir::Type element;
  llvm::SmallVector<int64_t> shape, strides;
  int64_t offset = 0;
};

/// A tensor in global memory, of which blocks are accessed: sizes and strides in elements.
struct Descriptor {
  uint64_t base = 0;
  mlir::Type element;
  llvm::SmallVector<int64_t> shape, strides;
  bool padsWithNan = false;
  /// The place of a block pointer's block; empty for descriptors.
  llvm::SmallVector<int64_t> offsets;
};

/// The value of an SSA value; nothing for tokens.
using Datum = std::variant<std::monostate, TensorPtr, View, Descriptor>;

/// A scalar.
TensorPtr makeScalar(mlir::Type type, uint64_t bits);

/// The element as a signed integer.
int64_t signExtend(uint64_t bits, unsigned width);
/// The lowest `width` bits.
inline uint64_t lowBits(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_TENSOR_H
