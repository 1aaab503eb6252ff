//===- ShapeChanges.h - Maps of reshaped, joined and split tensors --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor may get another shape without any element moving to another thread: each register holds
// the same element under other coordinates, or another register of the same thread does. These
// functions take the map of the tensor before, from (register, lane, warp, block) to (dim0, dim1,
// ..), and give the map of the tensor after.
//
//                      shape before     shape after     registers
//   reshapeRowMajor    [2, 8]           [16]            as they are
//   join               two of [8]       [8, 2]          a0 b0 a1 b1 ..
//   split              [8, 2]           two of [8]      every other one
//   concatenate        two of [8]       [16]            a0 a1 .. b0 b1 ..
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_SHAPECHANGES_H
#define TILEWRIGHT_LAYOUT_SHAPECHANGES_H

#include "tilewright/layout/LinearLayout.h"

#include <optional>
#include <span>

namespace tilewright::layout {

/// The elements numbered in row-major order (the last dimension fastest): one output
/// dimension, dim0.
LinearLayout flattenRowMajor(const LinearLayout &map);

/// The same elements in another shape with as many elements, in row-major order. Sizes are powers
/// of two.
LinearLayout reshapeRowMajor(const LinearLayout &map, std::span<const int64_t> shape);

/// Two tensors of the map `map` side by side along a new last dimension of size 2, their
/// registers alternating.
LinearLayout join(const LinearLayout &map);

/// Either half of a tensor along its last dimension, of size 2. Nothing unless a thread that holds
/// an element of one half holds its neighbour of the other half too, in another register.
std::optional<LinearLayout> split(const LinearLayout &map);

/// The register bit that tells the halves of `split` apart; nothing where `split` gives nothing.
std::optional<unsigned> findSplitBit(const LinearLayout &map);

/// Two tensors of the map `map` one after the other along dimension 0, the registers of the
/// second after those of the first.
LinearLayout concatenate(const LinearLayout &map);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_SHAPECHANGES_H
