//===- Codec.h - Bits of elements as numbers --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_CODEC_H
#define TILEWRIGHT_INTERPRET_CODEC_H

#include "mlir/IR/BuiltinTypes.h"

#include <memory>
#include <vector>

namespace tilewright::interpret {

/// Reads and writes the bits of one floating-point type. A double has more than twice the digits of
/// all smaller types, so that a sum, product, quotient or root made in double and rounded again is
/// the one that the type's own arithmetic gives.
class Codec {
public:
  /// `type` is a floating-point type of 4 to 64 bits.
  explicit Codec(mlir::Type type);

  double decode(uint64_t bits) const;
  /// Rounds to nearest, ties to even; what is too large becomes infinite, or NaN where the type has
  /// no infinities.
  uint64_t encode(double value) const;
  /// Rounds toward zero.
  uint64_t encodeTowardZero(double value) const;
  unsigned width() const { return bitWidth; }
  /// The digits of the significand, the leading one included.
  unsigned precision() const { return digits; }
  /// A neighbour of a finite number: one code further from zero for `sign` > 0, else one closer.
  uint64_t neighbour(uint64_t bits, int sign) const;

private:
  const llvm::fltSemantics *semantics;
  unsigned bitWidth, digits;
  /// The numbers of all codes, of types of up to 16 bits.
  const std::vector<double> *table = nullptr;
};

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_CODEC_H
