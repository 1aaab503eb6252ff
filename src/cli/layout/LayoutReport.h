//===- LayoutReport.h - Views of a layout in every format -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LAYOUT_LAYOUTREPORT_H
#define TILEWRIGHT_CLI_LAYOUT_LAYOUTREPORT_H

#include "cli/layout/LayoutArguments.h"

namespace tilewright::cli {

/// From whose side a layout is looked at; docs/layout-tool.md shows each.
enum class LayoutView { Tensor, Hardware, Bases, Access };
enum class LayoutFormat { Text, Json, Svg, Cute };

/// By their names: "hw", "json". `prefix` is what stands before "view" and "format" in errors.
Expected<LayoutView> parseLayoutView(const std::string &name, const std::string &prefix);
Expected<LayoutFormat> parseLayoutFormat(const std::string &name, const std::string &prefix);

/// Whether it is a layout at all: of a distributed tensor or of one in shared memory.
bool isLayout(mlir::Attribute attribute);

/// `layout` on `tensor` as the view and the format ask for; ends with a line break. CuTe's notation
/// is the same for all views, JSON is for all but Access, SVG has Tensor and Hardware. Errors: what
/// LayoutArguments::check finds, the layout has more places than can be written out, there is no
/// such notation of it, or no picture of the view.
Expected<std::string> describeLayout(LayoutArguments &arguments, const LayoutArgument &layout,
                                     const TensorArgument &tensor, LayoutView view,
                                     LayoutFormat format);

/// The same of a map that no attribute names, (register, lane, warp) -> (dim0, dim1), of a tile
/// with elements of `elementBits`. `source` is what names it, for errors.
Expected<std::string> describeMap(const ArgumentText &source, const layout::LinearLayout &map,
                                  unsigned elementBits, LayoutView view, LayoutFormat format);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LAYOUT_LAYOUTREPORT_H
