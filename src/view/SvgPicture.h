//===- SvgPicture.h - SVG grids of labeled cells --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The drawing of LayoutSvg.h: a picture with a title, grids of coloured cells with row and column
// numbers, and a legend. All numbers are whole, so that a picture has the same bytes everywhere.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_SVGPICTURE_H
#define TILEWRIGHT_VIEW_SVGPICTURE_H

#include "view/Namespaces.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::view {

/// "#rrggbb" of a hue in degrees, a saturation in percent and a lightness in thousandths.
std::string svgColor(unsigned hue, unsigned saturation, unsigned lightness);
/// The fill of what holds nothing.
inline constexpr std::string_view SvgHatched = "url(#hatched)";

struct SvgCell {
  std::string fill;
  /// The large and the small line in it; either may be empty.
  std::string label, detail;
  /// The tooltip.
  std::string tooltip;
  /// Draws a folded corner: there is more to it than its labels say.
  bool folded = false;
};

struct SvgGrid {
  std::string caption;
  std::vector<std::string> columns, rows;
  /// Row by row: rows.size() * columns.size() of them.
  std::vector<SvgCell> cells;
};

/// Colours side by side with one label.
struct SvgLegendEntry {
  std::vector<std::string> fills;
  std::string label;
  bool folded = false;
};

struct SvgPicture {
  /// In a font of fixed width, broken into lines where it is too long.
  std::string title;
  std::vector<std::string> subtitles;
  /// Titles of the grids' rows and columns: "dim0", "dim1".
  std::string rowName, columnName;
  std::vector<SvgGrid> grids;
  std::vector<SvgLegendEntry> legend;
};

/// A whole SVG document. Texts may hold anything that is UTF-8.
std::string renderSvg(const SvgPicture &picture);

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_SVGPICTURE_H
