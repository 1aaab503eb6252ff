//===- AliasScanner.cpp - Attribute aliases in IR text ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/AliasScanner.h"

#include "compiler/IRBrackets.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::cli;
using llvm::StringRef;

/// Whether a line begins with `#name =` or `!name =`.
static bool beginsDefinition(StringRef line) {
  line = line.ltrim();
  if (!line.consume_front("#") && !line.consume_front("!"))
    return false;
  StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
  StringRef rest = line.drop_front(name.size()).ltrim();
  return !name.empty() && rest.starts_with("=") && !rest.starts_with("==");
}

/// The length of the definition at the start of `text`, without its line break.
static size_t definitionLength(StringRef text) {
  return scanBrackets(text, [&](size_t at, unsigned depth) { return text[at] == '\n' && !depth; });
}

AliasText tilewright::cli::scanAliases(StringRef text) {
  AliasText result;
  result.text.reserve(text.size());
  size_t at = 0;
  while (at < text.size()) {
    StringRef rest = text.substr(at);
    if (beginsDefinition(rest.take_until([](char c) { return c == '\n'; }))) {
      StringRef definition = rest.take_front(definitionLength(rest));
      result.definitions.emplace_back(at, definition);
      result.text += definition;
      at += definition.size();
    } else {
      size_t length = std::min(rest.find('\n'), rest.size());
      result.text.append(length, ' ');
      at += length;
    }
    if (at < text.size()) {
      result.text += '\n';
      ++at;
    }
  }
  return result;
}
