//===- LayoutReport.cpp - A layout, shown -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "driver/LayoutReport.h"

#include "ir/tw/Dialect.h"
#include "layout/AccessView.h"
#include "layout/CuteNotation.h"
#include "layout/LayoutSvg.h"
#include "layout/LayoutViews.h"

using namespace tilewright;
using namespace tilewright::driver;
using namespace tilewright::layout;

bool driver::isLayout(mlir::Attribute attribute) {
  return llvm::isa<tt::LayoutEncoding, ttg::SharedLayoutEncoding>(attribute);
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

/// The map; with padding its holes as well, which no basis tells of.
std::string sharedJson(const Request &request, const LinearLayout &map) {
  std::string text = map.toJson();
  auto padded = llvm::dyn_cast<ttg::PaddedSharedEncodingAttr>(request.layout.attribute);
  if (!padded)
    return text;
  auto listText = [](llvm::ArrayRef<unsigned> list) {
    std::string numbers;
    for (unsigned number : list)
      numbers += (numbers.empty() ? "[" : ", ") + std::to_string(number);
    return numbers + "]";
  };
  text.pop_back();
  return text + ", \"intervals\": " + listText(padded.getIntervals()) +
         ", \"paddings\": " + listText(padded.getPaddings()) + "}";
}

Expected<std::string> describeShared(const Request &request, const LinearLayout &map) {
  auto encoding = llvm::cast<ttg::SharedLayoutEncoding>(request.layout.attribute);
  std::function<uint64_t(uint64_t)> offsetOf;
  if (encoding.hasPadding())
    offsetOf = [&](uint64_t offset) { return encoding.paddedOffset(offset); };
  unsigned elementBits = request.tensor.elementBits;
  if (request.view == LayoutView::Access && request.format != LayoutFormat::Svg) {
    std::vector<SharedAccess> accesses = sharedAccesses(map, elementBits, offsetOf);
    return request.format == LayoutFormat::Json ? accessJson(accesses, elementBits) + "\n"
                                                : accessText(accesses, elementBits);
  }
  if (request.format == LayoutFormat::Json)
    return sharedJson(request, map) + "\n";
  if (request.format == LayoutFormat::Cute) {
    Result<std::string> notation = cuteSharedNotation(map, offsetOf);
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
  Result<OffsetTable> table = OffsetTable::of(map, offsetOf);
  if (!table)
    return request.noTable(table.error());
  if (request.format == LayoutFormat::Svg)
    return isHardware ? hardwareSvg(*table, elementBits, request.title())
                      : tensorSvg(*table, elementBits, request.title());
  return isHardware ? hardwareView(*table) : tensorView(*table);
}

/// The element in each register of each lane, for lack of bases; null is padding.
std::string tableJson(const PlaceTable &table) {
  std::string text =
      "{\"in\": {\"register\": " + std::to_string(table.registers()) +
      ", \"lane\": " + std::to_string(table.lanes()) +
      ", \"warp\": 1, \"block\": 1}, \"out\": {\"dim0\": " + std::to_string(table.shape()[0]) +
      ", \"dim1\": " + std::to_string(table.shape()[1]) + "}, \"elements\": [";
  for (unsigned reg = 0; reg < table.registers(); ++reg) {
    text += reg ? ", [" : "[";
    for (unsigned lane = 0; lane < table.lanes(); ++lane) {
      text += lane ? ", " : "";
      int64_t element = table.element({0, 0, lane, reg});
      if (element == NoElement) {
        text += "null";
        continue;
      }
      std::vector<uint64_t> at = coordinatesOf(element, table.shape());
      text += "[" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + "]";
    }
    text += "]";
  }
  return text + "]}";
}

Expected<std::string> describeCooperative(const Request &request, const CooperativeMatrix &matrix) {
  bool isTensor = request.view == LayoutView::Tensor;
  Result<LinearLayout> map = matrix.toLinearLayout();
  if (request.format == LayoutFormat::Cute)
    return cuteNotation(matrix) + "\n";
  if (map && (request.view == LayoutView::Bases || request.view == LayoutView::Access ||
              request.format == LayoutFormat::Json))
    return describeDistributed(request, *map);
  bool isPicture = request.format == LayoutFormat::Svg;
  if (!isTensor && request.view != LayoutView::Hardware && request.format != LayoutFormat::Json) {
    if (isPicture)
      return request.noPicture();
    return request.fail("the layout has no bases: " + map.error(),
                        "--view hw and --format json show what each component holds");
  }
  Result<PlaceTable> table = PlaceTable::of(matrix);
  if (!table)
    return request.fail(table.error(), "take a smaller tensor");
  if (request.format == LayoutFormat::Json)
    return tableJson(*table) + "\n";
  if (isPicture)
    return isTensor ? tensorSvg(*table, request.title()) : hardwareSvg(*table, request.title());
  return isTensor ? tensorView(*table) : componentView(*table);
}

} // namespace

Expected<std::string> driver::describeLayout(LayoutArguments &arguments,
                                             const LayoutArgument &layout,
                                             const TensorArgument &tensor, LayoutView view,
                                             LayoutFormat format) {
  Request request{layout, tensor, view, format};
  if (auto checked = arguments.check(layout, tensor); !checked)
    return checked.error();
  if (auto encoding = llvm::dyn_cast<tw::CoopMatrixEncodingAttr>(layout.attribute))
    return describeCooperative(request, encoding.getMatrix(tensor.shape, tensor.elementBits));
  bool isShared = llvm::isa<ttg::SharedLayoutEncoding>(layout.attribute);
  auto map = isShared ? arguments.sharedLayout(layout, tensor)
                      : arguments.distributedLayout(layout, tensor);
  if (!map)
    return map.error();
  return isShared ? describeShared(request, *map) : describeDistributed(request, *map);
}
