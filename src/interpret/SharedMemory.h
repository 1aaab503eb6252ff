//===- SharedMemory.h - Tiles in memory of the block ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_SHAREDMEMORY_H
#define TILEWRIGHT_INTERPRET_SHAREDMEMORY_H

#include "interpret/Machine.h"

namespace tilewright::interpret {

/// The tensor that a view shows.
TensorPtr readView(const View &view);
/// Writes a tensor of as many elements.
void writeView(const View &view, const Tensor &values);
/// Makes all of it undefined: something is on its way there.
void forget(const View &view);
/// The barrier at the beginning of a view.
inline Barrier &barrierOf(const View &view) { return view.piece->barriers[view.offset]; }

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_SHAREDMEMORY_H
