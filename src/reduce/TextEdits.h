//===- TextEdits.h - Edits that replace parts of a text -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REDUCE_TEXTEDITS_H
#define TILEWRIGHT_REDUCE_TEXTEDITS_H

#include "reduce/Edits.h"

namespace tilewright::reduce {

/// `text` instead of the bytes [begin, end) of a program's text.
struct Replacement {
  size_t begin = 0, end = 0;
  std::string text;
};

/// One edit: a part of the text, an entry of the signature, or both.
struct TextEdit {
  std::optional<Replacement> part;
  /// The entry of the signature that changes; it goes where its new text is empty.
  std::optional<std::pair<unsigned, std::string>> entry;
};

/// Edits of a text. Of parts that overlap the first, longest one is replaced.
class TextEdits : public Edits {
public:
  TextEdits(Program program, std::vector<TextEdit> edits)
      : program(std::move(program)), edits(std::move(edits)) {}

  unsigned count() const override { return edits.size(); }
  std::optional<Program> apply(llvm::ArrayRef<unsigned> chosen) const override;

private:
  Program program;
  std::vector<TextEdit> edits;
};

} // namespace tilewright::reduce

#endif // TILEWRIGHT_REDUCE_TEXTEDITS_H
