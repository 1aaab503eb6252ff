//===- IntelAtoms.h - Atoms of Intel's GPUs ------------------- -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTELATOMS_H
#define TILEWRIGHT_TARGET_INTELATOMS_H

#include "target/Atom.h"

namespace tilewright::target::intel {

std::span<const CopyAtom> copies();
std::span<const MmaAtom> xeHpcProducts();
std::span<const MmaAtom> xe2Products();

} // namespace tilewright::target::intel

#endif // TILEWRIGHT_TARGET_INTELATOMS_H
