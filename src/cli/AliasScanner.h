//===- AliasScanner.h - Attribute aliases in IR text ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_ALIASSCANNER_H
#define TILEWRIGHT_CLI_ALIASSCANNER_H

#include "cli/Namespaces.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright::cli {

struct AliasText {
  /// The input with all but the definitions of aliases, `#x = ..` and `!x = ..`, turned into
  /// blanks: everything keeps its line and column.
  std::string text;
  /// The start of each definition and its text, which lies in the input.
  std::vector<std::pair<size_t, llvm::StringRef>> definitions;
};

/// Finds the definitions of aliases. Each begins on a line of its own and ends with the first
/// line break that is in no bracket.
AliasText scanAliases(llvm::StringRef text);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_ALIASSCANNER_H
