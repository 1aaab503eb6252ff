//===- LayoutSvg.h - SVG pictures of layouts ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SVG documents of distributed layouts and of layouts of shared memory, each from the tensor's
// side and from the hardware's. Large ones are drawn in part, with a note.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_LAYOUTSVG_H
#define TILEWRIGHT_VIEW_LAYOUTSVG_H

#include "target/ExchangeModel.h"
#include "view/LocationTable.h"
#include "view/Namespaces.h"

#include <string>

namespace tilewright::view {

/// The caption of a picture: the layout and the tensor, as text.
struct SvgTitle {
  std::string layout, tensor;
};

/// The tensor as a grid: a cell is an element with its lane and register, its hue the warp's,
/// its shade the lane's. Elements that several locations hold have a folded corner and their
/// number.
std::string tensorSvg(const LocationTable &table, const SvgTitle &title);

/// A grid a warp: a row is a register, a column a lane, a cell the element in it, its hue the
/// element's row, its shade the column. Padding is hatched.
std::string hardwareSvg(const LocationTable &table, const SvgTitle &title);

/// The tensor as a grid: a cell is an element with its offset and its bank, which gives the hue.
std::string tensorSvg(const OffsetTable &table, unsigned elementBits, const SvgTitle &title,
                      const ExchangeModel &memory = {});

/// The memory as a grid: a row is as many bytes as all banks have side by side, but not more
/// than 64 elements; a cell is the element there, coloured as in hardwareSvg. Holes are hatched.
std::string hardwareSvg(const OffsetTable &table, unsigned elementBits, const SvgTitle &title,
                        const ExchangeModel &memory = {});

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_LAYOUTSVG_H
