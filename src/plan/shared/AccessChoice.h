//===- AccessChoice.h - Which accesses a conversion could use -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The lowest bits of the offset decide how wide both sides' accesses can be. Let them stand
// for the elements v0, v1, ..
//
//   Vectors of 2^k elements: v0 .. v(k-1) are registers of the side, and no thread's place
//   moves along them.
//
//   Matrices of rows of 2^n elements, 2^w of them in 32 bits: v0 .. v(w-1) are registers,
//   then come lane bits 0 and 1; so w + 2 = n. Lane bits 2, 3, 4 are the rows.
//
//   Transposed matrices of elements of 16 bits: v0, v1, v2 are lane bits 2, 3, 4. Some
//   register and lane bits 0 and 1 are the rows.
//
// Where lanes of one side hold what registers of the other side do, a matrix access so
// does what vectors cannot.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_ACCESSCHOICE_H
#define TILEWRIGHT_PLAN_SHARED_ACCESSCHOICE_H

#include "plan/Namespaces.h"
#include "plan/conversion/ConversionSides.h"
#include "plan/shared/SharedAccesses.h"

namespace tilewright::plan {

/// The accesses of both sides and the lowest bits of the offset. The matrices of an access
/// are not yet counted: that depends on the repetitions.
struct AccessChoice {
  F2Vectors low;
  AccessShape store, load;

  bool hasMatrices() const {
    return store.kind != AccessKind::Vector || load.kind != AccessKind::Vector;
  }
};

class AccessChoices {
public:
  AccessChoices(const ConversionSides &sides, unsigned elementBytes, const ExchangeModel &memory);

  /// Registers that both sides can have in a vector.
  unsigned commonVectorBits() const;
  /// Both sides with vectors: of the common registers, `commonBits` of them at most, and then
  /// with one side going on alone.
  void addVectors(std::vector<AccessChoice> &choices, unsigned commonBits) const;
  /// At least one side with matrices, as the memory has them.
  void addMatrices(std::vector<AccessChoice> &choices) const;

private:
  AccessShape vectorsOf(const LayoutBases &side, const F2Vectors &low) const;
  bool fits(const LayoutBases &side, AccessKind kind, const F2Vectors &low) const;
  AccessShape matricesOf(const LayoutBases &side, AccessKind kind, const F2Vectors &low) const;
  F2Vectors rowOf(const LayoutBases &side, AccessKind kind) const;
  bool canMove(const LayoutBases &side, AccessKind kind) const;

  const ConversionSides &sides;
  unsigned elementBytes;
  const ExchangeModel &memory;
  unsigned maxVectorBits, wordBits;
  F2Vectors common;
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_ACCESSCHOICE_H
