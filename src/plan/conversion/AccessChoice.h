//===- AccessChoice.h - Candidate accesses of a conversion ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The lowest bits of the offset decide how wide both sides' accesses can be. A conversion chooses
// what elements they stand for: registers that both sides have, for vectors on both; or what makes
// some atom that takes whole warps fit one side (shared/Fit.h), for this and for whatever then fits
// the other. Where lanes of one side hold what registers of the other side do, such an atom does
// what vectors cannot.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_CONVERSION_ACCESSCHOICE_H
#define TILEWRIGHT_PLAN_CONVERSION_ACCESSCHOICE_H

#include "plan/Namespaces.h"
#include "plan/conversion/ConversionSides.h"
#include "plan/shared/SharedAccesses.h"
#include "target/ExchangeModel.h"

namespace tilewright::plan {

/// The accesses of both sides and the lowest bits of the offset. The times of an access that takes
/// a whole warp are not yet set: that depends on the repetitions.
struct AccessChoice {
  F2Vectors low;
  AccessShape store, load;

  bool isByLanes() const { return store.isByLanes() && load.isByLanes(); }
};

class AccessChoices {
public:
  AccessChoices(const ConversionSides &sides, unsigned elementBytes, const ExchangeModel &memory);

  /// Registers that both sides can have in a vector.
  unsigned commonVectorBits() const;
  /// Both sides with vectors: of the common registers, `commonBits` of them at most, and then
  /// with one side going on alone.
  void addVectors(std::vector<AccessChoice> &choices, unsigned commonBits) const;
  /// At least one side with an atom that takes whole warps, as the memory has them.
  void addWarpAtoms(std::vector<AccessChoice> &choices) const;

private:
  std::span<const CopyAtom> copiesOf(const FitSide &side) const {
    return &side == &src ? memory.stores : memory.loads;
  }
  AccessShape vectorsOf(const FitSide &side, const F2Vectors &low) const;
  std::vector<AccessShape> shapesOf(const FitSide &side, const F2Vectors &low) const;
  F2Vectors lowBitsFor(const FitSide &side, const AccessForm &form) const;
  bool canTake(const FitSide &side, const CopyAtom &atom) const;

  const ConversionSides &sides;
  FitSide src, dst;
  unsigned elementBytes;
  const ExchangeModel &memory;
  unsigned maxVectorBits;
  F2Vectors common;
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_CONVERSION_ACCESSCHOICE_H
