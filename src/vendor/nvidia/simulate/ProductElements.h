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
#include <vector>

namespace tilewright::simulate::nvidia {

bool isInteger(target::MmaType type);

/// The number that the bits of an element of an integer type are. Floats: decodeFactor.
int64_t decodeInteger(target::MmaType type, uint64_t bits);

/// For each element that threads hold by the map of an operand of an atom - those of a thread next
/// to each other, lane after lane, warp after warp - its place in the tile: row after row, or,
/// with `inColumns`, column after column.
std::vector<uint32_t> getPlaces(const layout::LinearLayout &map, bool inColumns = false);

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_PRODUCTELEMENTS_H
