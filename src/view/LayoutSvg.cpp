//===- LayoutSvg.cpp - SVG pictures of layouts --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/LayoutSvg.h"

#include "support/Counted.h"
#include "view/SvgPicture.h"

#include <algorithm>

namespace tilewright::view {

namespace {

constexpr uint64_t MaxRows = 64, MaxColumns = 64, MaxGrids = 4;
/// Elements in a row of the picture of a one-dimensional tensor.
constexpr uint64_t LineLength = 32;
constexpr unsigned Saturation = 68;

//===--------------------------------------------------------------------------===//
// Colours
//===--------------------------------------------------------------------------===//

/// Hue `index` of `count`, around the circle from blue.
unsigned hueOf(uint64_t index, uint64_t count) {
  return static_cast<unsigned>((212 + index * 360 / std::max<uint64_t>(count, 1)) % 360);
}

/// Shade `index` of `count`: from light to darker, always light enough to read on.
unsigned lightnessOf(uint64_t index, uint64_t count) {
  return static_cast<unsigned>(count > 1 ? 910 - index * 250 / (count - 1) : 840);
}

constexpr const char *Blank = "#ffffff", *LegendGrey = "#e4e6ea";

std::string colorOf(uint64_t hue, uint64_t hues, uint64_t shade, uint64_t shades) {
  return svgColor(hueOf(hue, hues), Saturation, lightnessOf(shade, shades));
}

//===--------------------------------------------------------------------------===//
// The tensor as grids
//===--------------------------------------------------------------------------===//

std::string number(uint64_t value) { return std::to_string(value); }

/// A location of the grid that is not a part of what is drawn.
SvgCell blankCell() { return {Blank, "", "", "", false}; }

std::string coordinateText(int64_t element, std::span<const uint64_t> shape) {
  std::string text;
  for (uint64_t coordinate : coordinatesOf(element, shape))
    text += (text.empty() ? "" : ",") + number(coordinate);
  return text;
}

/// A tensor cut into grids: the two last dimensions are a grid, the others number the grids.
struct GridShape {
  explicit GridShape(std::span<const uint64_t> shape) {
    if (shape.size() == 1) {
      columns = std::min(shape[0], LineLength);
      rows = shape[0] / columns + (shape[0] % columns != 0);
      isLine = true;
      return;
    }
    columns = shape[shape.size() - 1];
    rows = shape[shape.size() - 2];
    for (uint64_t size : shape.first(shape.size() - 2))
      grids *= size;
  }
  uint64_t drawnGrids() const { return std::min(grids, MaxGrids); }
  uint64_t drawnRows() const { return std::min(rows, MaxRows); }
  uint64_t drawnColumns() const { return std::min(columns, MaxColumns); }

  uint64_t grids = 1, rows = 1, columns = 1;
  bool isLine = false;
};

/// What is not drawn, as a sentence for the reader; empty if all is.
std::string cutText(uint64_t drawn, uint64_t all, const char *what) {
  return drawn < all ? "Only the first " + number(drawn) + " of " + number(all) + " " + what +
                           " are drawn. "
                     : "";
}

/// Grids of the tensor's elements, each a cell made by `cellOf`.
template <typename CellOf>
void addTensorGrids(SvgPicture &picture, std::span<const uint64_t> shape, CellOf cellOf) {
  GridShape cut(shape);
  uint64_t elements = 1;
  for (uint64_t size : shape)
    elements *= size;
  picture.columnName = cut.isLine ? "dim0" : "dim" + number(shape.size() - 1);
  picture.rowName = cut.isLine ? "" : "dim" + number(shape.size() - 2);
  std::string notDrawn = cutText(cut.drawnGrids(), cut.grids, "slices") +
                         cutText(cut.drawnRows(), cut.rows, "rows") +
                         cutText(cut.drawnColumns(), cut.columns, "columns");
  if (!notDrawn.empty())
    picture.subtitles.push_back(notDrawn);
  for (uint64_t index = 0; index < cut.drawnGrids(); ++index) {
    SvgGrid &grid = picture.grids.emplace_back();
    if (cut.grids > 1)
      grid.caption = "[" +
                     coordinateText(static_cast<int64_t>(index), shape.first(shape.size() - 2)) +
                     ",:,:]";
    for (uint64_t column = 0; column < cut.drawnColumns(); ++column)
      grid.columns.push_back(number(column));
    for (uint64_t row = 0; row < cut.drawnRows(); ++row) {
      grid.rows.push_back(number(cut.isLine ? row * cut.columns : row));
      for (uint64_t column = 0; column < cut.drawnColumns(); ++column) {
        uint64_t element = (index * cut.rows + row) * cut.columns + column;
        grid.cells.push_back(element < elements ? cellOf(static_cast<int64_t>(element))
                                                : blankCell());
      }
    }
  }
}

//===--------------------------------------------------------------------------===//
// Elements in places
//===--------------------------------------------------------------------------===//

/// The cell of a location that holds `element`: colored by its last two coordinates.
SvgCell elementCell(int64_t element, std::span<const uint64_t> shape, const std::string &location) {
  SvgCell cell;
  if (element == NoElement) {
    cell.fill = SvgHatched;
    cell.detail = "-";
    cell.tooltip = location + " holds nothing";
    return cell;
  }
  std::vector<uint64_t> at = coordinatesOf(element, shape);
  size_t last = at.size() - 1;
  cell.fill = at.size() == 1 ? colorOf(at[0], shape[0], 0, 1)
                             : colorOf(at[last - 1], shape[last - 1], at[last], shape[last]);
  cell.detail = coordinateText(element, shape);
  cell.tooltip = location + " holds (" + cell.detail + ")";
  return cell;
}

/// The meaning of elementCell's colours.
void addElementLegend(SvgPicture &picture, std::span<const uint64_t> shape, bool anyEmpty,
                      const char *emptyName) {
  bool isLine = shape.size() == 1;
  SvgLegendEntry hues, shades;
  uint64_t rows = isLine ? shape[0] : shape[shape.size() - 2];
  for (uint64_t i = 0; i < std::min<uint64_t>(rows, 8); ++i)
    hues.fills.push_back(colorOf(i * rows / std::min<uint64_t>(rows, 8), rows, 0, 1));
  hues.label = "dim" + number(isLine ? 0 : shape.size() - 2) + ", from 0 to " + number(rows - 1);
  picture.legend.push_back(std::move(hues));
  if (!isLine) {
    uint64_t columns = shape.back();
    for (uint64_t i = 0; i < std::min<uint64_t>(columns, 8); ++i)
      shades.fills.push_back(colorOf(0, 1, i * columns / std::min<uint64_t>(columns, 8), columns));
    shades.label = "dim" + number(shape.size() - 1) + ", from 0 to " + number(columns - 1);
    picture.legend.push_back(std::move(shades));
  }
  if (anyEmpty)
    picture.legend.push_back({{std::string(SvgHatched)}, emptyName, false});
}

/// The meaning of folded corners and of hatched cells, where there are any.
void addTensorLegend(SvgPicture &picture, bool anyFolded, const char *folded, bool anyEmpty,
                     const char *empty) {
  if (anyFolded)
    picture.legend.push_back({{LegendGrey}, folded, true});
  if (anyEmpty)
    picture.legend.push_back({{std::string(SvgHatched)}, empty, false});
}

std::string locationText(const LocationTable &table, HardwareLocation location) {
  return (table.blocks() > 1 ? "block " + number(location.block) + ", " : "") + "warp " +
         number(location.warp) + ", lane " + number(location.lane) + ", register " +
         number(location.reg);
}

/// The hues of as many warps as can be told apart, and a few of their lanes' shades.
void addThreadLegend(SvgPicture &picture, const LocationTable &table) {
  uint64_t warps = uint64_t(table.blocks()) * table.warps();
  for (uint64_t warp = 0; warp < std::min<uint64_t>(warps, 32); ++warp) {
    SvgLegendEntry entry;
    unsigned shades = std::min(table.lanes(), 6u);
    for (unsigned i = 0; i < shades; ++i)
      entry.fills.push_back(
          colorOf(warp, warps, uint64_t(i) * table.lanes() / shades, table.lanes()));
    if (table.blocks() > 1)
      entry.label = "block " + number(warp / table.warps()) + ", ";
    entry.label += "warp " + number(warp % table.warps());
    if (warp == 0)
      entry.label += ", lanes 0 to " + number(table.lanes() - 1);
    picture.legend.push_back(std::move(entry));
  }
  picture.legend.push_back({{}, "L: lane, r: register", false});
}

} // namespace

//===--------------------------------------------------------------------------===//
// Distributed layouts
//===--------------------------------------------------------------------------===//

std::string tensorSvg(const LocationTable &table, const SvgTitle &title) {
  uint64_t warps = uint64_t(table.blocks()) * table.warps();
  std::vector<std::vector<HardwareLocation>> owners = table.owners();
  bool anyShared = false, anyEmpty = false;
  SvgPicture picture;
  picture.title = title.layout;
  picture.subtitles = {title.tensor + ": " + counted(table.registers(), "register", "registers") +
                       " a thread, " + counted(table.lanes(), "lane", "lanes") + " a warp, " +
                       counted(table.warps(), "warp", "warps") +
                       (table.blocks() > 1 ? ", " + number(table.blocks()) + " blocks" : "")};
  addTensorGrids(picture, table.shape(), [&](int64_t element) {
    const std::vector<HardwareLocation> &locations = owners[static_cast<size_t>(element)];
    SvgCell cell;
    cell.tooltip = "(" + coordinateText(element, table.shape()) + ")";
    if (locations.empty()) {
      anyEmpty = true;
      cell.fill = SvgHatched;
      cell.tooltip += " is held nowhere";
      return cell;
    }
    HardwareLocation first = locations.front();
    cell.fill = colorOf(uint64_t(first.block) * table.warps() + first.warp, warps, first.lane,
                        table.lanes());
    cell.label = "L" + number(first.lane);
    cell.detail = "r" + number(first.reg);
    if (locations.size() > 1) {
      anyShared = cell.folded = true;
      cell.detail += " \u00d7" + number(locations.size());
    }
    for (size_t i = 0; i < std::min<size_t>(locations.size(), 8); ++i)
      cell.tooltip += "\n" + locationText(table, locations[i]);
    if (locations.size() > 8)
      cell.tooltip += "\nand " + number(locations.size() - 8) + " more";
    return cell;
  });
  addThreadLegend(picture, table);
  addTensorLegend(picture, anyShared, "\u00d7n: held in n locations, the first is shown", anyEmpty,
                  "held nowhere");
  return renderSvg(picture);
}

std::string hardwareSvg(const LocationTable &table, const SvgTitle &title) {
  SvgPicture picture;
  picture.title = title.layout;
  picture.subtitles = {title.tensor + ": the element in each register (row) of each lane (column)"};
  picture.rowName = "reg";
  picture.columnName = "lane";
  uint64_t warps = uint64_t(table.blocks()) * table.warps();
  uint64_t registers = std::min<uint64_t>(table.registers(), MaxRows);
  uint64_t lanes = std::min<uint64_t>(table.lanes(), MaxColumns);
  std::string notDrawn = cutText(std::min(warps, MaxGrids), warps, "warps") +
                         cutText(registers, table.registers(), "registers") +
                         cutText(lanes, table.lanes(), "lanes");
  if (!notDrawn.empty())
    picture.subtitles.push_back(notDrawn);
  bool anyEmpty = false;
  for (unsigned warp = 0; warp < std::min(warps, MaxGrids); ++warp) {
    SvgGrid &grid = picture.grids.emplace_back();
    HardwareLocation location{warp / table.warps(), warp % table.warps(), 0, 0};
    if (warps > 1)
      grid.caption =
          (table.blocks() > 1 ? "Block " + number(location.block) + ", warp " : "Warp ") +
          number(location.warp);
    for (unsigned lane = 0; lane < lanes; ++lane)
      grid.columns.push_back(number(lane));
    for (location.reg = 0; location.reg < registers; ++location.reg) {
      grid.rows.push_back(number(location.reg));
      for (location.lane = 0; location.lane < lanes; ++location.lane) {
        int64_t element = table.element(location);
        anyEmpty |= element == NoElement;
        grid.cells.push_back(elementCell(element, table.shape(), locationText(table, location)));
      }
    }
  }
  addElementLegend(picture, table.shape(), anyEmpty, "padding");
  return renderSvg(picture);
}

//===--------------------------------------------------------------------------===//
// Shared memory
//===--------------------------------------------------------------------------===//

namespace {

/// The first offset of an element, and how many it has.
struct ElementOffset {
  unsigned block = 0;
  uint64_t offset = 0;
  unsigned count = 0;
};

std::vector<ElementOffset> elementOffsetsOf(const OffsetTable &table) {
  std::vector<ElementOffset> offsets(table.elementCount());
  for (unsigned block = 0; block < table.blocks(); ++block)
    for (uint64_t offset = 0; offset < table.offsets(); ++offset)
      if (int64_t element = table.element(block, offset); element != NoElement) {
        ElementOffset &first = offsets[static_cast<size_t>(element)];
        if (first.count == 0)
          first = {block, offset, 0};
        ++first.count;
      }
  return offsets;
}

} // namespace

std::string tensorSvg(const OffsetTable &table, unsigned elementBits, const SvgTitle &title,
                      const ExchangeModel &memory) {
  std::vector<ElementOffset> offsets = elementOffsetsOf(table);
  auto bankOf = [&](uint64_t offset) {
    return offset * elementBits / 8 / memory.bankBytes % memory.banks;
  };
  // Neighbouring banks differ in shade as well as in hue.
  auto bankColor = [&](uint64_t bank) {
    return svgColor(hueOf(bank, memory.banks), Saturation, bank % 2 ? 740 : 860);
  };
  bool anyShared = false, anyEmpty = false;
  SvgPicture picture;
  picture.title = title.layout;
  picture.subtitles = {title.tensor + ": the offset of each element, and its bank"};
  addTensorGrids(picture, table.shape(), [&](int64_t element) {
    const ElementOffset &first = offsets[static_cast<size_t>(element)];
    SvgCell cell;
    cell.tooltip = "(" + coordinateText(element, table.shape()) + ")";
    if (first.count == 0) {
      anyEmpty = true;
      cell.fill = SvgHatched;
      cell.tooltip += " lies nowhere";
      return cell;
    }
    cell.fill = bankColor(bankOf(first.offset));
    cell.label = (table.blocks() > 1 ? number(first.block) + ":" : "") + number(first.offset);
    cell.detail = "b" + number(bankOf(first.offset));
    cell.tooltip += (table.blocks() > 1 ? ": block " + number(first.block) + ", offset "
                                        : std::string(": offset ")) +
                    number(first.offset) + ", bank " + number(bankOf(first.offset));
    if (first.count > 1) {
      anyShared = cell.folded = true;
      cell.detail += " \u00d7" + number(first.count);
    }
    return cell;
  });
  SvgLegendEntry banks;
  for (uint64_t bank = 0; bank < memory.banks; ++bank)
    banks.fills.push_back(bankColor(bank));
  banks.label =
      "banks 0 to " + number(memory.banks - 1) + ", " + number(memory.bankBytes) + " bytes wide";
  picture.legend.push_back(std::move(banks));
  addTensorLegend(picture, anyShared, "\u00d7n: lies at n offsets, the first is shown", anyEmpty,
                  "lies nowhere");
  return renderSvg(picture);
}

std::string hardwareSvg(const OffsetTable &table, unsigned elementBits, const SvgTitle &title,
                        const ExchangeModel &memory) {
  SvgPicture picture;
  picture.title = title.layout;
  uint64_t inRow = std::max<uint64_t>(1, (uint64_t(8) << memory.logRowBytes()) / elementBits);
  uint64_t columns = std::min({inRow, table.offsets(), MaxColumns});
  picture.subtitles = {title.tensor + ": what lies at each offset, " +
                       counted(columns, "element", "elements") + " of " + number(elementBits) +
                       " bits a row"};
  picture.columnName = "offset";
  uint64_t rows = (table.offsets() + columns - 1) / columns;
  std::string notDrawn =
      cutText(std::min<uint64_t>(table.blocks(), MaxGrids), table.blocks(), "blocks") +
      cutText(std::min(rows, MaxRows), rows, "rows");
  if (!notDrawn.empty())
    picture.subtitles.push_back(notDrawn);
  for (unsigned block = 0; block < std::min<uint64_t>(table.blocks(), MaxGrids); ++block) {
    SvgGrid &grid = picture.grids.emplace_back();
    if (table.blocks() > 1)
      grid.caption = "Block " + number(block);
    for (uint64_t column = 0; column < columns; ++column)
      grid.columns.push_back("+" + number(column));
    for (uint64_t row = 0; row < std::min(rows, MaxRows); ++row) {
      grid.rows.push_back(number(row * columns));
      for (uint64_t column = 0; column < columns; ++column) {
        uint64_t offset = row * columns + column;
        grid.cells.push_back(offset < table.offsets()
                                 ? elementCell(table.element(block, offset), table.shape(),
                                               "offset " + number(offset))
                                 : blankCell());
      }
    }
  }
  addElementLegend(picture, table.shape(), table.hasHoles(), "padding");
  return renderSvg(picture);
}

} // namespace tilewright::view
