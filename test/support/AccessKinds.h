//===- AccessKinds.h - Kinds of accesses to shared memory in tests --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_SUPPORT_ACCESSKINDS_H
#define TILEWRIGHT_TEST_SUPPORT_ACCESSKINDS_H

#include "plan/Namespaces.h"
#include "target/Target.h"

#include <cassert>

namespace tilewright::plan {

/// What tests expect of plans: each lane a vector; the warp matrices of 8 rows of 16 bytes; such
/// matrices transposed.
enum class AccessKind { Vector, Matrix, TransposedMatrix };

inline AccessKind kindOf(const CopyAtom &atom) {
  if (atom.issuer == Issuer::Lane)
    return AccessKind::Vector;
  return atom.keepsNeighbors() ? AccessKind::Matrix : AccessKind::TransposedMatrix;
}

/// The default memory with the matrices of cuda:90.
inline ExchangeModel withMatrices() {
  ExchangeModel memory, hopper = Target::find("cuda:90")->sharedMemory();
  memory.loads = hopper.loads;
  memory.stores = hopper.stores;
  return memory;
}

/// The copy of `copies` of this kind; a vector has `bits` bits.
inline const CopyAtom &atomOf(std::span<const CopyAtom> copies, AccessKind kind, unsigned bits) {
  for (const CopyAtom &atom : copies)
    if (kindOf(atom) == kind && (kind != AccessKind::Vector || atom.bits() == bits))
      return atom;
  assert(false && "the memory has no such copy");
  return copies.front();
}

} // namespace tilewright::plan

#endif // TILEWRIGHT_TEST_SUPPORT_ACCESSKINDS_H
