//===- LayoutReport.cpp - A layout, shown -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "driver/LayoutReport.h"

#include "ir/ttg/Dialect.h"
#include "layout/AccessView.h"
#include "layout/CuteNotation.h"
#include "layout/LayoutSvg.h"
#include "layout/LayoutViews.h"

using namespace tilewright;
using namespace tilewright::driver;
using namespace tilewright::layout;

bool driver::isLayout(mlir::Attribute attribute) {
  return llvm::isa<tt::LayoutEncoding, ttg::SwizzledSharedEncodingAttr>(attribute);
}

namespace {

/// What is asked for, and of what.
struct Request {
  const LayoutArgument &layout;
  const TensorArgument &tensor;
  LayoutView view;
  LayoutFormat format;

  SvgTitle title() const { return {textOf(layout.attribute), tensor.source.text}; }
  Diagnostic fail(const std::string &message, const std::string &remedy) const {
    return errorAt(layout.source, 0, layout.source.text.size(), message, remedy);
  }
  Diagnostic noTable(const std::string &why) const {
    return fail(why, "--view bases and --format json show it whole; or take a smaller tensor");
  }
  Diagnostic noNotation(const std::string &why) const {
    return fail("there is no shape:stride notation of the layout: " + why,
                "--view bases shows it as it is");
  }
  Diagnostic noPicture() const {
    return fail("there is no picture of this view",
                "--format svg goes with --view tensor and --view hw");
  }
};

Expected<std::string> describeDistributed(const Request &request, const LinearLayout &map) {
  if (request.view == LayoutView::Access && request.format != LayoutFormat::Svg) {
    std::vector<GlobalAccess> accesses = globalAccesses(map, request.tensor.elementBits);
    return request.format == LayoutFormat::Json
               ? accessJson(accesses, request.tensor.elementBits) + "\n"
               : accessText(accesses, request.tensor.elementBits);
  }
  if (request.format == LayoutFormat::Json)
    return map.toJson() + "\n";
  if (request.format == LayoutFormat::Cute) {
    Result<std::string> notation = cuteNotation(map);
    if (!notation)
      return request.noNotation(notation.error());
    return *notation + "\n";
  }
  bool isHardware = request.view == LayoutView::Hardware;
  if (request.view != LayoutView::Tensor && !isHardware) {
    if (request.format == LayoutFormat::Svg)
      return request.noPicture();
    return basesView(map);
  }
  Result<PlaceTable> table = PlaceTable::of(map);
  if (!table)
    return request.noTable(table.error());
  if (request.format == LayoutFormat::Svg)
    return isHardware ? hardwareSvg(*table, request.title()) : tensorSvg(*table, request.title());
  return isHardware ? hardwareView(*table) : tensorView(*table);
}

Expected<std::string> describeShared(const Request &request, const LinearLayout &map) {
  unsigned elementBits = request.tensor.elementBits;
  if (request.view == LayoutView::Access && request.format != LayoutFormat::Svg) {
    std::vector<SharedAccess> accesses = sharedAccesses(map, elementBits);
    return request.format == LayoutFormat::Json ? accessJson(accesses, elementBits) + "\n"
                                                : accessText(accesses, elementBits);
  }
  if (request.format == LayoutFormat::Json)
    return map.toJson() + "\n";
  if (request.format == LayoutFormat::Cute) {
    Result<std::string> notation = cuteSharedNotation(map);
    if (!notation)
      return request.noNotation(notation.error());
    return *notation + "\n";
  }
  bool isHardware = request.view == LayoutView::Hardware;
  if (request.view != LayoutView::Tensor && !isHardware) {
    if (request.format == LayoutFormat::Svg)
      return request.noPicture();
    return basesView(map);
  }
  Result<OffsetTable> table = OffsetTable::of(map);
  if (!table)
    return request.noTable(table.error());
  if (request.format == LayoutFormat::Svg)
    return isHardware ? hardwareSvg(*table, elementBits, request.title())
                      : tensorSvg(*table, elementBits, request.title());
  return isHardware ? hardwareView(*table) : tensorView(*table);
}

} // namespace

Expected<std::string> driver::describeLayout(LayoutArguments &arguments,
                                             const LayoutArgument &layout,
                                             const TensorArgument &tensor, LayoutView view,
                                             LayoutFormat format) {
  Request request{layout, tensor, view, format};
  if (!isLayout(layout.attribute))
    return request.fail("Unsupported tensor layout attribute: " + textOf(layout.attribute) +
                            " says neither which thread holds an element nor where it lies in "
                            "shared memory",
                        "give a layout such as #ttg.blocked or #ttg.swizzled_shared");
  if (llvm::isa<tt::LayoutEncoding>(layout.attribute)) {
    auto map = arguments.distributedLayout(layout, tensor);
    if (!map)
      return map.error();
    return describeDistributed(request, *map);
  }
  auto map = arguments.sharedLayout(layout, tensor);
  if (!map)
    return map.error();
  return describeShared(request, *map);
}
