//===- ReshapeLocality.h - Reshapes of any order, before reductions -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LOCALITY_RESHAPELOCALITY_H
#define TILEWRIGHT_TRANSFORM_LOCALITY_RESHAPELOCALITY_H

#include "ir/tt/Dialect.h"

namespace tilewright::transform {

/// Gives each tt.reshape to which any order of the elements will do, and of which nothing but
/// reductions along one axis is made, the layout in which a thread has as much of that axis as it
/// has elements, and neighbouring lanes the rest: no element moves, and the reductions need no
/// memory and the fewest shuffles.
void placeReducedReshapes(tt::FuncOp function);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LOCALITY_RESHAPELOCALITY_H
