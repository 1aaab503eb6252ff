//===- TextEdits.cpp - Edits that replace parts of a text ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/TextEdits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <tuple>

using namespace tilewright;
using namespace tilewright::reduce;

std::optional<Program> TextEdits::apply(llvm::ArrayRef<unsigned> chosen) const {
  llvm::SmallVector<const TextEdit *> sorted;
  for (unsigned number : chosen)
    sorted.push_back(&edits[number]);
  // Outer parts before inner ones. An edit of the signature alone has no place.
  llvm::sort(sorted, [](const TextEdit *a, const TextEdit *b) {
    auto place = [](const TextEdit *edit) {
      return edit->part ? std::tuple(1, edit->part->begin, ~edit->part->end, edit)
                        : std::tuple(0, size_t(0), size_t(0), edit);
    };
    return place(a) < place(b);
  });
  Program result{"", program.signature};
  size_t at = 0;
  for (const TextEdit *edit : sorted) {
    if (edit->part) {
      if (edit->part->begin < at)
        continue;
      result.text.append(program.text, at, edit->part->begin - at);
      result.text += edit->part->text;
      at = edit->part->end;
    }
    if (edit->entry)
      result.signature[edit->entry->first] = edit->entry->second;
  }
  result.text.append(program.text, at, std::string::npos);
  llvm::erase_if(result.signature, [](const std::string &entry) { return entry.empty(); });
  return result;
}
