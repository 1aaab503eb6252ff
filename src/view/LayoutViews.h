//===- LayoutViews.h - Text views of layouts ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The four views of Triton's tool triton-tensor-layout, to the byte, and two of our own. Every
// text ends with a line break. The examples: register {[0,1]}, lane {[1,0]} on 2x2, and the
// offsets {[0,1], [1,1]} on 2x2.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_LAYOUTVIEWS_H
#define TILEWRIGHT_VIEW_LAYOUTVIEWS_H

#include "view/LocationTable.h"
#include "view/Namespaces.h"

#include <string>

namespace tilewright::view {

/// The tensor, each element with those that hold it, `T<thread>:<register>`, joined by `|`;
/// thread numbers count lanes across warps. With several blocks: `B<block>:T..`.
///
///     [[T0:0, T0:1]
///     [ T1:0, T1:1]]
std::string tensorView(const LocationTable &table);

/// The registers of each warp: a line a register, a column a lane; the coordinates of what it
/// holds, dashes for padding. With several blocks, each begins with `Block<block>:`.
///
///     Warp0:
///     (0,0), (1,0)
///     (0,1), (1,1)
std::string hardwareView(const LocationTable &table);

/// The components of a cooperative matrix: a line a component, a column a lane; `row,column`,
/// dashes for padding. Components are .x .y .z .w, or v0, v1, .. where there are more.
///
///     p     0    1    2    3
///     .x  0,0  1,0  0,1  1,1
///     .y  0,2  1,2  -,-  -,-
std::string componentView(const LocationTable &table);

/// The elements in the order of their offsets (holes left out), one row of the tensor's shape
/// a line.
///
///     [[(0:0),(0:1)]
///     [ (1:1),(1:0)]]
std::string tensorView(const OffsetTable &table);

/// The element at each offset of each block; a hole holds `padding`.
///
///     Block: 0:
///     Offset: 0 -> (0,0)
std::string hardwareView(const OffsetTable &table);

/// The bases, a line a bit, and the sizes of the tensor.
///
///     register=1 -> (0, 1)
///     lane=1 -> (1, 0)
///     where out dims are: [dim0 (size 2), dim1 (size 2)]
std::string basesView(const LinearLayout &map);

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_LAYOUTVIEWS_H
