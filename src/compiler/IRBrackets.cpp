//===- IRBrackets.cpp - Nesting depth of brackets in IR text ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/IRBrackets.h"

#include <algorithm>

using namespace tilewright;
using llvm::StringRef;

size_t compiler::scanBrackets(StringRef text, llvm::function_ref<bool(size_t, unsigned)> stop) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    StringRef rest = text.substr(at);
    if (c == '\n')
      inString = false;
    if (inString) {
      // A backslash hides the byte after it, but no line break.
      at += c == '\\' && !rest.starts_with("\\\n");
      inString = c != '"';
      continue;
    }
    if (rest.starts_with("//")) {
      // Up to the line break, which is looked at next.
      at = std::min(text.find('\n', at), text.size()) - 1;
      continue;
    }
    if (rest.starts_with("->") || rest.starts_with("<=")) {
      ++at;
      continue;
    }
    inString = c == '"';
    if (StringRef("([{<").contains(c))
      ++depth;
    else if (StringRef(")]}>").contains(c) && depth > 0)
      --depth;
    if (stop(at, depth))
      return at;
  }
  return text.size();
}

size_t compiler::findTooDeep(StringRef text, unsigned deepest) {
  size_t at = scanBrackets(text, [&](size_t, unsigned depth) { return depth > deepest; });
  return at == text.size() ? StringRef::npos : at;
}
