//===- OptionNames.cpp - Options as C and Python name them --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "support/OptionNames.h"

#include <algorithm>
#include <cctype>

using namespace tilewright;

static bool isLetter(char c) { return std::islower(static_cast<unsigned char>(c)); }

/// An option begins where a word does; a user's text in quotes is no option.
static std::string nameOptions(const std::string &text) {
  std::string result;
  bool isQuoted = false;
  for (size_t at = 0; at < text.size();) {
    const bool beginsWord = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    isQuoted ^= text[at] == '\'' && (isQuoted || beginsWord);
    if (isQuoted || !beginsWord || text.compare(at, 2, "--") != 0 || at + 2 == text.size() ||
        !isLetter(text[at + 2])) {
      result += text[at++];
      continue;
    }
    for (at += 2; at < text.size() && (isLetter(text[at]) || text[at] == '-'); ++at)
      result += text[at] == '-' ? '_' : text[at];
  }
  return result;
}

Diagnostic tilewright::withOptionNames(Diagnostic diagnostic) {
  diagnostic.message = nameOptions(diagnostic.message);
  diagnostic.remedy = nameOptions(diagnostic.remedy);
  std::ranges::transform(diagnostic.notes, diagnostic.notes.begin(),
                         [](const Diagnostic &note) { return withOptionNames(note); });
  return diagnostic;
}
