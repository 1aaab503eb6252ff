//===- ProductElements.h - Elements of the operands of products ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_PRODUCTELEMENTS_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_PRODUCTELEMENTS_H

#include "target/Atom.h"

#include <cstdint>

namespace tilewright::simulate::nvidia {

bool isInteger(target::MmaType type);

/// The number that the bits of an element of an integer type are. Floats: decodeFactor.
int64_t decodeInteger(target::MmaType type, uint64_t bits);

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_PRODUCTELEMENTS_H
