//===- Footprint.h - The bytes that a view of memory owns -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_FOOTPRINT_H
#define TILEWRIGHT_IR_TTG_FOOTPRINT_H

#include "ir/ttg/Dialect.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/BitVector.h"

namespace tilewright::ttg {

/// The bytes of shared memory, counted from the first element of `type`, that its elements take.
/// Whole memory owns its holes, too; a part owns its elements alone. An error, without a place,
/// where the bytes depend on which part of the memory it is: a swizzle moves elements of the part
/// by its coordinates, blocks of the cluster hold parts, or holes lie between.
Result<llvm::BitVector> getFootprint(MemDescType type);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_FOOTPRINT_H
