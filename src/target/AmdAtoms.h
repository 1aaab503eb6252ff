//===- AmdAtoms.h - Atoms of AMD's GPUs ----------------------- -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_AMDATOMS_H
#define TILEWRIGHT_TARGET_AMDATOMS_H

#include "target/Atom.h"

namespace tilewright::target::amd {

std::span<const CopyAtom> cdnaCopies();
std::span<const CopyAtom> rdna3Copies();
std::span<const CopyAtom> rdna4Copies();
std::span<const MmaAtom> cdna2Products();
std::span<const MmaAtom> cdna3Products();
std::span<const MmaAtom> cdna4Products();
std::span<const MmaAtom> rdna3Products();
std::span<const MmaAtom> rdna4Products();

} // namespace tilewright::target::amd

#endif // TILEWRIGHT_TARGET_AMDATOMS_H
