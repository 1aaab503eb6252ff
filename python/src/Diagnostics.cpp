//===- Diagnostics.cpp - Diagnostics as Python gets them ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "support/OptionNames.h"

#include <nanobind/stl/string.h>

using namespace tilewright;
namespace nb = nanobind;

void tilewright::python::relocate(Diagnostic &diagnostic, const std::string &name,
                                  const Pieces &pieces) {
  SourceRange &where = diagnostic.where;
  for (const auto &[first, count, file, line] : pieces)
    if (where.file == name && where.line >= first && where.line < first + count) {
      where.file = file;
      where.line += line - first;
      break;
    }
  for (Diagnostic &note : diagnostic.notes)
    relocate(note, name, pieces);
}

nb::dict tilewright::python::toDict(const Diagnostic &original) {
  const Diagnostic diagnostic = withOptionNames(original);
  static constexpr const char *severities[] = {"error", "warning", "note", "remark"};
  nb::dict dict;
  dict["severity"] = severities[static_cast<int>(diagnostic.severity)];
  dict["file"] = diagnostic.where.file;
  dict["line"] = diagnostic.where.line;
  dict["column"] = diagnostic.where.column;
  dict["message"] = diagnostic.message;
  dict["remedy"] = diagnostic.remedy;
  dict["source_line"] = diagnostic.sourceLine;
  dict["text"] = render(diagnostic);
  return dict;
}
