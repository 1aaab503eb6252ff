//===- Diagnostic.cpp - Rendering of diagnostics ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Diagnostic.h"

#include <algorithm>

using namespace tilewright;

static std::string_view nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::Remark:
    return "remark";
  }
  return "error";
}

/// What goes under `text` on the line below it, to keep step with it: one `fill` for each
/// character (bytes that continue one in UTF-8 take no place), tabs as they are.
static std::string under(std::string_view text, char fill) {
  std::string out;
  for (char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
      out += c == '\t' ? '\t' : fill;
  return out;
}

std::string tilewright::render(const Diagnostic &diagnostic) {
  const SourceRange &where = diagnostic.where;
  std::string out;
  if (!where.file.empty()) {
    out += where.file;
    if (where.line > 0) {
      out += ':' + std::to_string(where.line);
      if (where.column > 0)
        out += ':' + std::to_string(where.column);
    }
    out += ": ";
  }
  out += nameOf(diagnostic.severity);
  out += ": ";
  out += diagnostic.message;
  out += '\n';

  std::string_view line = diagnostic.sourceLine;
  if (!line.empty()) {
    out += "    ";
    out += line;
    out += '\n';
    if (where.column > 0 && static_cast<size_t>(where.column) <= line.size() + 1) {
      size_t caret = where.column - 1;
      out += "    " + under(line.substr(0, caret), ' ');
      // The underline stays on the line: a range over several lines is cut at its end.
      std::string underline = under(line.substr(caret, std::max(where.length, 1)), '~');
      out += '^' + (underline.empty() ? underline : underline.substr(1)) + '\n';
    }
  }
  if (!diagnostic.remedy.empty())
    out += "  " + diagnostic.remedy + '\n';
  for (const Diagnostic &note : diagnostic.notes)
    out += render(note);
  return out;
}

std::string_view tilewright::sourceLineOf(std::string_view text, int line) {
  size_t begin = 0;
  for (int current = 1; current < line; ++current) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos)
      return {};
    begin = end + 1;
  }
  if (line < 1 || begin > text.size())
    return {};
  std::string_view found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r')
    found.remove_suffix(1);
  return found;
}
