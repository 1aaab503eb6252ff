//===- Bits.h - Powers of two and single bits -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_BITS_H
#define TILEWRIGHT_SUPPORT_BITS_H

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tilewright {

/// Negative numbers are none.
template <std::integral T> constexpr bool isPowerOfTwo(T value) {
  return value > 0 && std::has_single_bit(static_cast<std::make_unsigned_t<T>>(value));
}
/// The binary logarithm of a power of two.
inline unsigned log2Of(uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }
/// The vector that has only bit `bit` (0 to 63) set.
inline uint64_t unit(size_t bit) { return uint64_t(1) << bit; }

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_BITS_H
