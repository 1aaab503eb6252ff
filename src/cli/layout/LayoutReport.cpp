//===- LayoutReport.cpp - Views of a layout in every format -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutReport.h"

#include "ir/tw/Dialect.h"
#include "view/AccessView.h"
#include "view/CuteNotation.h"
#include "view/LayoutSvg.h"
#include "view/LayoutViews.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::cli;
using namespace tilewright::view;

Expected<LayoutView> cli::parseLayoutView(const std::string &name, const std::string &prefix) {
  auto view = llvm::StringSwitch<std::optional<LayoutView>>(name)
                  .Case("tensor", LayoutView::Tensor)
                  .Case("hw", LayoutView::Hardware)
                  .Case("bases", LayoutView::Bases)
                  .Case("access", LayoutView::Access)
                  .Default(std::nullopt);
  if (!view)
    return makeError("there is no view '" + name + "'",
                     prefix + "view is tensor, hw, bases or access");
  return *view;
}

Expected<LayoutFormat> cli::parseLayoutFormat(const std::string &name, const std::string &prefix) {
  auto format = llvm::StringSwitch<std::optional<LayoutFormat>>(name)
                    .Case("text", LayoutFormat::Text)
                    .Case("json", LayoutFormat::Json)
                    .Case("svg", LayoutFormat::Svg)
                    .Case("cute", LayoutFormat::Cute)
                    .Default(std::nullopt);
  if (!format)
    return makeError("there is no format '" + name + "'",
                     prefix + "format is text, json, svg or cute");
  return *format;
}

bool cli::isLayout(mlir::Attribute attribute) {
  return llvm::isa<tt::LayoutEncoding, ttg::SharedLayoutEncoding>(attribute);
}

namespace {

/// A layout on a tensor, as what can be asked of it. Texts end with a line break, but JSON's.
class Subject {
public:
  Subject(const LayoutArgument &layout, const TensorArgument &tensor)
      : layout(layout), tensor(tensor) {}
  virtual ~Subject() = default;

  Expected<std::string> describe(LayoutView view, LayoutFormat format) const {
    bool isHardware = view == LayoutView::Hardware;
    if (format == LayoutFormat::Svg) {
      if (view != LayoutView::Tensor && !isHardware)
        return fail("there is no picture of this view",
                    "--format svg goes with --view tensor and --view hw");
      return picture(isHardware);
    }
    if (format == LayoutFormat::Cute)
      return withLineBreak(notation());
    if (view == LayoutView::Access)
      return access(format == LayoutFormat::Json);
    if (format == LayoutFormat::Json)
      return withLineBreak(json());
    if (view == LayoutView::Bases)
      return bases();
    return places(isHardware);
  }

protected:
  virtual Expected<std::string> picture(bool isHardware) const = 0;
  virtual Expected<std::string> places(bool isHardware) const = 0;
  virtual Expected<std::string> bases() const = 0;
  virtual Expected<std::string> access(bool asJson) const = 0;
  virtual Expected<std::string> json() const = 0;
  virtual Expected<std::string> notation() const = 0;

  SvgTitle title() const {
    return {layout.attribute ? textOf(layout.attribute) : layout.source.text, tensor.source.text};
  }
  Diagnostic fail(const std::string &message, const std::string &remedy) const {
    return errorAt(layout.source, 0, layout.source.text.size(), message, remedy);
  }
  Diagnostic failToWriteOut(const std::string &why) const {
    return fail(why, "--view bases and --format json show it whole; or take a smaller tensor");
  }
  Expected<std::string> orNoNotation(Result<std::string> notation) const {
    if (notation)
      return *std::move(notation);
    return fail("there is no shape:stride notation of the layout: " + notation.error(),
                "--view bases shows it as it is");
  }

  const LayoutArgument &layout;
  const TensorArgument &tensor;

private:
  static Expected<std::string> withLineBreak(Expected<std::string> text) {
    if (text)
      *text += '\n';
    return text;
  }
};

//===--------------------------------------------------------------------------===//
// Tensors in registers
//===--------------------------------------------------------------------------===//

class Distributed : public Subject {
public:
  Distributed(const LayoutArgument &layout, const TensorArgument &tensor, const LinearLayout &map)
      : Subject(layout, tensor), map(map) {}

protected:
  Expected<std::string> picture(bool isHardware) const override {
    Result<LocationTable> table = LocationTable::of(map);
    if (!table)
      return failToWriteOut(table.error());
    return isHardware ? hardwareSvg(*table, title()) : tensorSvg(*table, title());
  }
  Expected<std::string> places(bool isHardware) const override {
    Result<LocationTable> table = LocationTable::of(map);
    if (!table)
      return failToWriteOut(table.error());
    return isHardware ? hardwareView(*table) : tensorView(*table);
  }
  Expected<std::string> bases() const override { return basesView(map); }
  Expected<std::string> access(bool asJson) const override {
    std::vector<GlobalAccess> accesses = globalAccesses(map, tensor.elementBits);
    return asJson ? accessJson(accesses, tensor.elementBits) + "\n"
                  : accessText(accesses, tensor.elementBits);
  }
  Expected<std::string> json() const override { return map.toJson(); }
  Expected<std::string> notation() const override { return orNoNotation(cuteNotation(map)); }

private:
  LinearLayout map;
};

//===--------------------------------------------------------------------------===//
// Shared memory
//===--------------------------------------------------------------------------===//

/// The map; with padding its holes as well, which no basis tells of.
std::string sharedJson(mlir::Attribute encoding, const LinearLayout &map) {
  std::string text = map.toJson();
  auto padded = llvm::dyn_cast<ttg::PaddedSharedEncodingAttr>(encoding);
  if (!padded)
    return text;
  auto listText = [](llvm::ArrayRef<unsigned> list) {
    std::string numbers;
    for (unsigned number : list)
      numbers += (numbers.empty() ? "[" : ", ") + std::to_string(number);
    return numbers + "]";
  };
  text.pop_back();
  return text + ", \"intervals\": " + listText(padded.getLayout().intervals) +
         ", \"paddings\": " + listText(padded.getLayout().paddings) + "}";
}

class Shared : public Subject {
public:
  Shared(const LayoutArgument &layout, const TensorArgument &tensor, const LinearLayout &map)
      : Subject(layout, tensor), map(map) {
    auto encoding = llvm::cast<ttg::SharedLayoutEncoding>(layout.attribute);
    if (encoding.hasPadding())
      offsetOf = [encoding](uint64_t offset) { return encoding.paddedOffset(offset); };
  }

protected:
  Expected<std::string> picture(bool isHardware) const override {
    Result<OffsetTable> table = OffsetTable::of(map, offsetOf);
    if (!table)
      return failToWriteOut(table.error());
    return isHardware ? hardwareSvg(*table, tensor.elementBits, title())
                      : tensorSvg(*table, tensor.elementBits, title());
  }
  Expected<std::string> places(bool isHardware) const override {
    Result<OffsetTable> table = OffsetTable::of(map, offsetOf);
    if (!table)
      return failToWriteOut(table.error());
    return isHardware ? hardwareView(*table) : tensorView(*table);
  }
  Expected<std::string> bases() const override { return basesView(map); }
  Expected<std::string> access(bool asJson) const override {
    std::vector<SharedRead> accesses = sharedReads(map, tensor.elementBits, offsetOf);
    return asJson ? accessJson(accesses, tensor.elementBits) + "\n"
                  : accessText(accesses, tensor.elementBits);
  }
  Expected<std::string> json() const override { return sharedJson(layout.attribute, map); }
  Expected<std::string> notation() const override {
    return orNoNotation(cuteSharedNotation(map, offsetOf));
  }

private:
  LinearLayout map;
  std::function<uint64_t(uint64_t)> offsetOf;
};

//===--------------------------------------------------------------------------===//
// Cooperative matrices
//===--------------------------------------------------------------------------===//

/// The element in each register of each lane, for lack of bases; null is padding.
std::string tableJson(const LocationTable &table) {
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

/// Cooperative matrices, linear or not: what asks for a map goes to Distributed where there is one.
class Cooperative : public Subject {
public:
  Cooperative(const LayoutArgument &layout, const TensorArgument &tensor,
              const CooperativeMatrix &matrix)
      : Subject(layout, tensor), matrix(matrix), map(matrix.toLinearLayout()) {}

protected:
  Expected<std::string> picture(bool isHardware) const override {
    Result<LocationTable> table = LocationTable::of(matrix);
    if (!table)
      return failToWriteOut(table.error());
    return isHardware ? hardwareSvg(*table, title()) : tensorSvg(*table, title());
  }
  Expected<std::string> places(bool isHardware) const override {
    Result<LocationTable> table = LocationTable::of(matrix);
    if (!table)
      return failToWriteOut(table.error());
    return isHardware ? componentView(*table) : tensorView(*table);
  }
  Expected<std::string> bases() const override {
    return map ? linear().describe(LayoutView::Bases, LayoutFormat::Text) : noBases();
  }
  Expected<std::string> access(bool asJson) const override {
    LayoutFormat format = asJson ? LayoutFormat::Json : LayoutFormat::Text;
    return map ? linear().describe(LayoutView::Access, format) : noBases();
  }
  Expected<std::string> json() const override {
    if (map)
      return map->toJson();
    Result<LocationTable> table = LocationTable::of(matrix);
    if (!table)
      return fail(table.error(), "take a smaller tensor");
    return tableJson(*table);
  }
  Expected<std::string> notation() const override { return cuteNotation(matrix); }

private:
  Distributed linear() const { return {layout, tensor, *map}; }
  Expected<std::string> noBases() const {
    return fail("the layout has no bases: " + map.error(),
                "--view hw and --format json show what each component holds");
  }

  CooperativeMatrix matrix;
  Result<LinearLayout> map;
};

} // namespace

Expected<std::string> cli::describeLayout(LayoutArguments &arguments, const LayoutArgument &layout,
                                          const TensorArgument &tensor, LayoutView view,
                                          LayoutFormat format) {
  if (auto checked = arguments.check(layout, tensor); !checked)
    return checked.error();
  if (auto encoding = llvm::dyn_cast<tw::CoopMatrixEncodingAttr>(layout.attribute)) {
    CooperativeMatrix matrix = encoding.getMatrix(tensor.shape, tensor.elementBits);
    return Cooperative(layout, tensor, matrix).describe(view, format);
  }
  bool isShared = llvm::isa<ttg::SharedLayoutEncoding>(layout.attribute);
  auto map = isShared ? arguments.sharedLayout(layout, tensor)
                      : arguments.distributedLayout(layout, tensor);
  if (!map)
    return map.error();
  return isShared ? Shared(layout, tensor, *map).describe(view, format)
                  : Distributed(layout, tensor, *map).describe(view, format);
}

Expected<std::string> cli::describeMap(const ArgumentText &source, const LinearLayout &map,
                                       unsigned elementBits, LayoutView view, LayoutFormat format) {
  // Bases and JSON show the map as it is; the other views count all places.
  const bool isWhole =
      view == LayoutView::Bases || (format == LayoutFormat::Json && view != LayoutView::Access);
  LinearLayout whole = map;
  for (Dim in : {dims::Register, dims::Lane, dims::Warp, dims::Block})
    if (!isWhole && !whole.hasIn(in))
      whole *= LinearLayout::identity1D(1, in, whole.outs().front().dim);
  TensorArgument tile;
  for (SizedDim out : map.outs()) {
    tile.shape.push_back(static_cast<int64_t>(out.size()));
    tile.source.text += (tile.source.text.empty() ? "" : "x") + std::to_string(out.size());
  }
  tile.elementBits = elementBits;
  const LayoutArgument layout = {source, {}};
  return Distributed(layout, tile, whole).describe(view, format);
}
