//===- NvidiaAtoms.h - Atoms of NVIDIA's GPUs ----------------- -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_NVIDIAATOMS_H
#define TILEWRIGHT_TARGET_NVIDIAATOMS_H

#include "target/Atom.h"

namespace tilewright::target::nvidia {

/// ldmatrix or stmatrix: a matrix of 8 rows of 8 elements of 16 bits. Lanes 0 to 7 of a time give
/// the addresses of its rows; lane l holds two neighbours of row l / 4, or, transposed, of column l
/// / 4.
CopyAtom matrixCopy(std::string name, bool isLoad, bool isTransposed);

/// Lists by the first GPU that has them.
std::span<const CopyAtom> ampereCopies();
std::span<const CopyAtom> hopperCopies();
std::span<const CopyAtom> blackwellCopies();
std::span<const CopyAtom> sm100Copies();
std::span<const MmaAtom> sm80Products();
std::span<const MmaAtom> sm86Products();
std::span<const MmaAtom> sm89Products();
std::span<const MmaAtom> sm90Products();
std::span<const MmaAtom> sm100Products();
std::span<const MmaAtom> sm103Products();
std::span<const MmaAtom> sm120Products();

} // namespace tilewright::target::nvidia

#endif // TILEWRIGHT_TARGET_NVIDIAATOMS_H
