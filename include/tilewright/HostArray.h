//===- HostArray.h - Host arrays and .npy files ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Arrays that go into kernels and come out of them. NumPy has no bfloat16 and no
// 8-bit floating point, so their .npy files hold the raw bits as unsigned integers of
// the same width (u16, u8); read back as such a type, they are those bits again.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_HOSTARRAY_H
#define TILEWRIGHT_HOSTARRAY_H

#include "tilewright/Expected.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

/// The element types of kernel arguments. Bool is Triton's i1: one byte, 0 or 1.
/// Float8E4M3 is "fp8e4nv" (finite only, bias 7), Float8E5M2 is "fp8e5". Those in FNUZ, "fp8e4b8"
/// and "fp8e5b16", are of AMD's CDNA 3: a bias larger by one, no infinity, and one NaN in place of
/// -0.
enum class ElementType {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float8E4M3,
  Float8E5M2,
  Float8E4M3FNUZ,
  Float8E5M2FNUZ,
  Float16,
  BFloat16,
  Float32,
  Float64,
};

/// "fp32", "i64", ...: Triton's names, as signatures use them.
std::string_view nameOf(ElementType type);
/// Also takes "i1". Nothing for a name that is no element type.
std::optional<ElementType> elementTypeNamed(std::string_view name);
/// Bytes of one element in memory.
size_t sizeOf(ElementType type);
/// Any of the floating-point types, the 8-bit ones included.
bool isFloat(ElementType type);
/// Int8 to Int64; Bool is none.
bool isSignedInteger(ElementType type);

/// A dense row-major array.
struct HostArray {
  ElementType type = ElementType::Float32;
  /// Empty for a single element.
  std::vector<int64_t> shape;
  /// size() * sizeOf(type) bytes, in the machine's byte order.
  std::vector<std::byte> bytes;
  /// Nobody has written the elements yet: a device gets none of them.
  bool isUnwritten = false;

  HostArray() = default;
  /// All elements zero. The extents are not negative and their product fits in memory.
  HostArray(ElementType type, std::vector<int64_t> shape);

  /// The number of elements.
  size_t size() const;

  /// One element, by its row-major index, as the nearest double. Exact except for
  /// 64-bit integers beyond 2^53.
  double at(size_t index) const;
  /// Rounds to the nearest value of the type, ties to even; integers are truncated
  /// toward zero and wrap around.
  void set(size_t index, double value);
  /// The same for integers; a floating-point element gets the nearest value.
  void setInteger(size_t index, int64_t value);

  template <typename T> T *data() { return reinterpret_cast<T *>(bytes.data()); }
  template <typename T> const T *data() const { return reinterpret_cast<const T *>(bytes.data()); }
};

/// Reads a .npy file (format versions 1 to 3, C order, little-endian). Errors: the file
/// cannot be read, is no .npy file, is cut short, or holds an element type with no
/// counterpart (complex, strings, objects, big-endian numbers).
Expected<HostArray> readNpy(const std::string &file);

/// The same from the file's contents; `file` is for messages only.
Expected<HostArray> parseNpy(std::string_view contents, const std::string &file);

/// Writes a .npy file of format 1.0. BFloat16 is written as u2 and the 8-bit floats as
/// u1, both raw bits.
Expected<void> writeNpy(const std::string &file, const HostArray &array);

/// The contents of that file.
std::string formatNpy(const HostArray &array);

/// The array with another element type. Between u16 and BFloat16, and between u8 and
/// the 8-bit floats, the bits are kept, since that is how files hold those types;
/// otherwise each element is converted as `HostArray::set` does.
HostArray convert(const HostArray &array, ElementType type);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_HOSTARRAY_H
