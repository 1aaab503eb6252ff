//===- LayoutViews.cpp - Text views of layouts --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/LayoutViews.h"

#include <algorithm>

namespace tilewright::view {

namespace {

std::string padLeft(const std::string &text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// (0,12): coordinates, each as wide as the largest of its dimension.
std::string tupleText(int64_t element, std::span<const uint64_t> shape, char separator) {
  std::vector<uint64_t> coordinates;
  if (element != NoElement)
    coordinates = coordinatesOf(element, shape);
  std::string text = "(";
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d)
      text += separator;
    std::string number = element == NoElement ? "-" : std::to_string(coordinates[d]);
    text += padLeft(number, std::to_string(shape[d] - 1).size());
  }
  return text + ")";
}

/// `cells`, one an element, as nested lists: a line a row of the last dimension. A line opens
/// the dimensions that begin there and is indented below those that go on.
std::string nestedText(std::span<const std::string> cells, std::span<const uint64_t> shape,
                       const char *separator) {
  // spans[d]: elements in one list of dimension d.
  std::vector<uint64_t> spans(shape.begin(), shape.end());
  for (size_t d = shape.size() - 1; d-- > 0;)
    spans[d] *= spans[d + 1];
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) {
    auto divides = [&](uint64_t number) {
      return static_cast<size_t>(std::count_if(spans.begin(), spans.end(),
                                               [&](uint64_t span) { return number % span == 0; }));
    };
    size_t opened = divides(i), closed = divides(i + 1);
    text += std::string(opened, '[');
    if (opened)
      text += std::string(shape.size() - opened, ' ');
    text += cells[i];
    text += closed ? std::string(closed, ']') + "\n" : separator;
  }
  return text;
}

/// How many offsets of each block are listed: a block's equal share of the elements, whether
/// the blocks share them or all hold the same. With holes, all of them.
uint64_t listedOffsets(const OffsetTable &table) {
  return table.hasHoles() ? table.offsets() : table.elementCount() / table.blocks();
}

} // namespace

std::string tensorView(const LocationTable &table) {
  auto textOf = [&](HardwareLocation location) {
    std::string text = "T" + std::to_string(location.warp * table.lanes() + location.lane) + ":" +
                       std::to_string(location.reg);
    return table.blocks() > 1 ? "B" + std::to_string(location.block) + ":" + text : text;
  };
  size_t width =
      textOf({table.blocks() - 1, table.warps() - 1, table.lanes() - 1, table.registers() - 1})
          .size();
  std::vector<std::string> cells;
  for (const std::vector<HardwareLocation> &owners : table.owners()) {
    std::string &cell = cells.emplace_back();
    for (HardwareLocation owner : owners)
      cell += (cell.empty() ? "" : "|") + padLeft(textOf(owner), width);
  }
  return nestedText(cells, table.shape(), ", ");
}

std::string hardwareView(const LocationTable &table) {
  std::string text;
  for (unsigned block = 0; block < table.blocks(); ++block) {
    if (table.blocks() > 1)
      text += "Block" + std::to_string(block) + ":\n";
    for (unsigned warp = 0; warp < table.warps(); ++warp) {
      text += "Warp" + std::to_string(warp) + ":\n";
      for (unsigned reg = 0; reg < table.registers(); ++reg)
        for (unsigned lane = 0; lane < table.lanes(); ++lane) {
          text += tupleText(table.element({block, warp, lane, reg}), table.shape(), ',');
          text += lane + 1 < table.lanes() ? ", " : "\n";
        }
    }
  }
  return text;
}

std::string componentView(const LocationTable &table) {
  auto cellText = [&](unsigned lane, unsigned component) -> std::string {
    int64_t element = table.element({0, 0, lane, component});
    if (element == NoElement)
      return "-,-";
    std::vector<uint64_t> at = coordinatesOf(element, table.shape());
    return std::to_string(at[0]) + "," + std::to_string(at[1]);
  };
  size_t width = std::max(std::to_string(table.lanes() - 1).size(), size_t(3));
  for (unsigned lane = 0; lane < table.lanes(); ++lane)
    for (unsigned component = 0; component < table.registers(); ++component)
      width = std::max(width, cellText(lane, component).size());
  auto nameOf = [&](unsigned component) {
    return table.registers() <= 4 ? "." + std::string(1, "xyzw"[component])
                                  : "v" + std::to_string(component);
  };
  size_t nameWidth = nameOf(table.registers() - 1).size();
  std::string text = "p" + std::string(nameWidth - 1, ' ');
  for (unsigned lane = 0; lane < table.lanes(); ++lane)
    text += "  " + padLeft(std::to_string(lane), width);
  text += '\n';
  for (unsigned component = 0; component < table.registers(); ++component) {
    std::string name = nameOf(component);
    text += name + std::string(nameWidth - name.size(), ' ');
    for (unsigned lane = 0; lane < table.lanes(); ++lane)
      text += "  " + padLeft(cellText(lane, component), width);
    text += '\n';
  }
  return text;
}

std::string tensorView(const OffsetTable &table) {
  std::vector<std::string> cells;
  for (unsigned block = 0; block < table.blocks(); ++block)
    for (uint64_t offset = 0; offset < listedOffsets(table); ++offset)
      if (int64_t element = table.element(block, offset % table.offsets()); element != NoElement)
        cells.push_back(tupleText(element, table.shape(), ':'));
  cells.resize(table.elementCount());
  return nestedText(cells, table.shape(), ",");
}

std::string hardwareView(const OffsetTable &table) {
  std::string text;
  for (unsigned block = 0; block < table.blocks(); ++block) {
    text += "Block: " + std::to_string(block) + ":\n";
    for (uint64_t offset = 0; offset < listedOffsets(table); ++offset) {
      int64_t element = table.element(block, offset % table.offsets());
      text += "Offset: " + std::to_string(offset) + " -> ";
      text += element == NoElement ? "padding" : tupleText(element, table.shape(), ',');
      text += '\n';
    }
  }
  return text;
}

std::string basesView(const LinearLayout &map) {
  std::string text;
  for (SizedDim in : map.ins()) {
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      text += std::string(in.dim.name()) + "=" + std::to_string(uint64_t(1) << bit) + " -> (";
      const char *separator = "";
      for (SizedDim out : map.outs()) {
        text += separator + std::to_string(map.basis(in.dim, bit, out.dim));
        separator = ", ";
      }
      text += ")\n";
    }
    if (in.bits == 0)
      text += std::string(in.dim.name()) + " is a size 1 dimension\n";
  }
  text += "where out dims are: [";
  const char *separator = "";
  for (SizedDim out : map.outs()) {
    text += separator + std::string(out.dim.name()) + " (size " + std::to_string(out.size()) + ")";
    separator = ", ";
  }
  return text + "]\n";
}

} // namespace tilewright::view
