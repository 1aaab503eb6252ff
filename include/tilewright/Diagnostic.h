//===- Diagnostic.h - Errors and notes with source locations --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every failure of the compiler reaches its user as a list of diagnostics: where
// (file, line, column), what is wrong, and what to do about it. They render as
//
//   kernel.py:12:15: error: tl.arange needs a length that is a power of two, got 100
//       offs = tl.arange(0, 100)
//                 ^~~~~~~~~~~~~~
//     use 128 and mask the elements past 100
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIAGNOSTIC_H
#define TILEWRIGHT_DIAGNOSTIC_H

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A place in a source text. Lines and columns count from 1; 0 is "not known". A column
/// counts the bytes of the UTF-8 text, as does `length`, the part that the caret underlines.
struct SourceRange {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 1;
};

/// A remark says how a part of a kernel that is right was compiled, where another way may be
/// quicker.
enum class Severity { Error, Warning, Note, Remark };

struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange where;
  /// The cause, in one sentence without a full stop.
  std::string message;
  /// The remedy; empty if there is none.
  std::string remedy;
  /// The line of the source that `where` points into; empty where it is not at hand.
  std::string sourceLine;
  /// Further places that explain the first, such as the calls that led to it.
  std::vector<Diagnostic> notes;
};

/// The text shown to the user, with a line break at its end. A caret is drawn when
/// both the source line and the column are known. It lines up with the text above it: tabs
/// are kept, and a character of several bytes takes one place.
std::string render(const Diagnostic &diagnostic);

/// Line `line` (from 1) of `text` without its line break; empty if there is none.
std::string_view sourceLineOf(std::string_view text, int line);

} // namespace tilewright

#endif // TILEWRIGHT_DIAGNOSTIC_H
