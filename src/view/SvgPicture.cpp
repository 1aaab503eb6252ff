//===- SvgPicture.cpp - SVG grids of labeled cells ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/SvgPicture.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tilewright::view {

namespace {

// Pixels. Widths of texts are estimates that hold for the usual fonts of fixed width.
constexpr size_t Margin = 28;
constexpr size_t MinimumWidth = 520;
constexpr size_t TitleSize = 13, TitleCharWidth = 8, TitleLine = 19;
constexpr size_t LabelCharWidth = 8, DetailCharWidth = 6, AxisCharWidth = 7;
constexpr size_t CellHeight = 32, Gap = 2;
/// Rows and columns after which there is a wider gap, which helps to count them.
constexpr size_t GroupSize = 8, GroupGap = 5;
constexpr size_t AxisHeight = 20, LegendLine = 24, SwatchWidth = 12, SwatchHeight = 14;

/// The number of characters of a UTF-8 text.
size_t lengthOf(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string escape(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      // XML has no way to write the other control characters.
      out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string attribute(const char *name, size_t value) {
  return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

std::string text(const char *style, size_t x, size_t y, std::string_view content) {
  return std::string("<text class=\"") + style + "\"" + attribute("x", x) + attribute("y", y) +
         ">" + escape(content) + "</text>\n";
}

std::string rectangle(size_t x, size_t y, size_t width, size_t height, std::string_view fill,
                      size_t radius) {
  return "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
         attribute("height", height) + attribute("rx", radius) + " fill=\"" + std::string(fill) +
         "\"/>\n";
}

/// A dark triangle in the upper right corner of a cell whose right edge and top are given.
std::string fold(size_t right, size_t top, size_t size) {
  auto number = [](size_t value) { return std::to_string(value); };
  return "<path class=\"fold\" d=\"M" + number(right - size) + " " + number(top) + "h" +
         number(size) + "v" + number(size) + "z\"/>\n";
}

/// `title` in lines of at most `width` characters, broken after a blank where there is one.
std::vector<std::string> wrap(std::string_view title, size_t width) {
  std::vector<std::string> lines;
  while (title.size() > width) {
    size_t end = title.rfind(' ', width);
    end = end == std::string_view::npos || end == 0 ? width : end + 1;
    // Not in the middle of a character.
    while (end > 1 && end < title.size() && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80)
      --end;
    lines.emplace_back(title.substr(0, end));
    title.remove_prefix(end);
  }
  lines.emplace_back(title);
  return lines;
}

/// Where row or column `index` begins, past the first one's beginning.
size_t positionOf(size_t index, size_t cellSize) {
  return index * (cellSize + Gap) + index / GroupSize * GroupGap;
}

/// The size of `count` cells in a line.
size_t extentOf(size_t count, size_t cellSize) {
  return count ? positionOf(count - 1, cellSize) + cellSize : 0;
}

class Renderer {
public:
  explicit Renderer(const SvgPicture &picture) : picture(picture) { measure(); }

  std::string render() {
    drawTitle();
    for (const SvgGrid &grid : picture.grids)
      drawGrid(grid);
    drawLegend();
    size_t height = y + Margin - 8;
    return head(height) + body + "</svg>\n";
  }

private:
  void measure() {
    size_t columns = 0, rowLabel = picture.rowName.size();
    for (const SvgGrid &grid : picture.grids) {
      columns = std::max(columns, grid.columns.size());
      for (const std::string &row : grid.rows)
        rowLabel = std::max(rowLabel, row.size());
      for (const std::string &column : grid.columns)
        cellWidth = std::max(cellWidth, column.size() * AxisCharWidth + 4);
      for (const SvgCell &cell : grid.cells)
        cellWidth = std::max({cellWidth, lengthOf(cell.label) * LabelCharWidth + 12,
                              lengthOf(cell.detail) * DetailCharWidth + 10});
    }
    gridLeft = Margin + rowLabel * AxisCharWidth + 10;
    width = std::max(MinimumWidth, gridLeft + extentOf(columns, cellWidth) + Margin);
  }

  std::string head(size_t height) const {
    std::string size = std::to_string(width), high = std::to_string(height);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"" + high +
           "\" viewBox=\"0 0 " + size + " " + high +
           "\">\n"
           "<title>" +
           escape(picture.title) +
           "</title>\n"
           "<style>\n"
           "text { fill: #1f2430; text-anchor: middle; font-family: 'DejaVu Sans Mono', Menlo, "
           "Consolas, monospace; }\n"
           ".title { font-size: 13px; font-weight: bold; text-anchor: start; }\n"
           ".note { font-size: 12px; fill: #5b6270; text-anchor: start; "
           "font-family: 'DejaVu Sans', Helvetica, Arial, sans-serif; }\n"
           ".label { font-size: 12px; font-weight: bold; }\n"
           ".detail { font-size: 10px; fill: #3c4250; }\n"
           ".axis { font-size: 10px; fill: #7a8190; }\n"
           ".row { font-size: 10px; fill: #7a8190; text-anchor: end; }\n"
           ".fold { fill: #1f2430; fill-opacity: 0.55; }\n"
           "</style>\n"
           "<defs><pattern id=\"hatched\" width=\"6\" height=\"6\" "
           "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
           "<rect width=\"6\" height=\"6\" fill=\"#f1f2f4\"/>"
           "<rect width=\"2\" height=\"6\" fill=\"#d5d8dd\"/></pattern></defs>\n"
           "<rect width=\"" +
           size + "\" height=\"" + high + "\" rx=\"8\" fill=\"#ffffff\"/>\n";
  }

  void drawTitle() {
    for (const std::string &line : wrap(picture.title, (width - 2 * Margin) / TitleCharWidth)) {
      body += text("title", Margin, y + TitleSize, line);
      y += TitleLine;
    }
    for (const std::string &subtitle : picture.subtitles) {
      body += text("note", Margin, y + TitleSize, subtitle);
      y += TitleLine;
    }
    y += 12;
  }

  void drawGrid(const SvgGrid &grid) {
    if (!grid.caption.empty()) {
      body += text("title", Margin, y + TitleSize, grid.caption);
      y += TitleLine + 4;
    }
    body += text("row", gridLeft - 8, y + 12, picture.rowName);
    for (size_t column = 0; column < grid.columns.size(); ++column)
      body += text("axis", gridLeft + positionOf(column, cellWidth) + cellWidth / 2, y + 12,
                   grid.columns[column]);
    if (!picture.columnName.empty())
      body += text("axis", gridLeft + extentOf(grid.columns.size(), cellWidth) / 2, y - 2,
                   picture.columnName);
    y += AxisHeight;
    for (size_t row = 0; row < grid.rows.size(); ++row) {
      size_t top = y + positionOf(row, CellHeight);
      body += text("row", gridLeft - 8, top + CellHeight / 2 + 4, grid.rows[row]);
      for (size_t column = 0; column < grid.columns.size(); ++column)
        drawCell(grid.cells[row * grid.columns.size() + column],
                 gridLeft + positionOf(column, cellWidth), top);
    }
    y += extentOf(grid.rows.size(), CellHeight) + 22;
  }

  void drawCell(const SvgCell &cell, size_t left, size_t top) {
    body += "<g>";
    if (!cell.tooltip.empty())
      body += "<title>" + escape(cell.tooltip) + "</title>";
    body += rectangle(left, top, cellWidth, CellHeight, cell.fill, 3);
    if (cell.folded)
      body += fold(left + cellWidth, top, 8);
    size_t middle = left + cellWidth / 2;
    bool both = !cell.label.empty() && !cell.detail.empty();
    if (!cell.label.empty())
      body += text("label", middle, top + (both ? 14 : 20), cell.label);
    if (!cell.detail.empty())
      body += text("detail", middle, top + (both ? 27 : 20), cell.detail);
    body += "</g>\n";
  }

  void drawLegend() {
    size_t x = Margin;
    for (const SvgLegendEntry &entry : picture.legend) {
      size_t swatches = entry.fills.size() * SwatchWidth;
      size_t toLabel = swatches ? swatches + 8 : 0;
      size_t needed = toLabel + lengthOf(entry.label) * AxisCharWidth + 18;
      if (x > Margin && x + needed > width - Margin) {
        x = Margin;
        y += LegendLine;
      }
      for (size_t i = 0; i < entry.fills.size(); ++i)
        body += rectangle(x + i * SwatchWidth, y, SwatchWidth, SwatchHeight, entry.fills[i], 0);
      if (entry.folded)
        body += fold(x + swatches, y, 8);
      body += text("note", x + toLabel, y + 12, entry.label);
      x += needed;
    }
    if (!picture.legend.empty())
      y += LegendLine;
  }

  const SvgPicture &picture;
  size_t cellWidth = 34, gridLeft = 0, width = 0;
  /// How far down the picture has been drawn.
  size_t y = Margin - 6;
  std::string body;
};

} // namespace

std::string svgColor(unsigned hue, unsigned saturation, unsigned lightness) {
  // The usual formula for HSL, in thousandths.
  int light = static_cast<int>(lightness);
  int chroma = (1000 - std::abs(2 * light - 1000)) * static_cast<int>(saturation) / 100;
  int sector = static_cast<int>(hue % 360 / 60), within = static_cast<int>(hue % 60) * 1000 / 60;
  int rising = chroma * (sector % 2 ? 1000 - within : within) / 1000;
  const std::array<std::array<int, 3>, 6> parts{{{chroma, rising, 0},
                                                 {rising, chroma, 0},
                                                 {0, chroma, rising},
                                                 {0, rising, chroma},
                                                 {rising, 0, chroma},
                                                 {chroma, 0, rising}}};
  std::string color = "#";
  for (int part : parts[static_cast<size_t>(sector)]) {
    int value = (part + light - chroma / 2) * 255 / 1000;
    color += "0123456789abcdef"[value >> 4 & 15];
    color += "0123456789abcdef"[value & 15];
  }
  return color;
}

std::string renderSvg(const SvgPicture &picture) { return Renderer(picture).render(); }

} // namespace tilewright::view
