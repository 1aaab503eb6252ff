//===- NamedTexts.cpp - Names that stand as texts in modules ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/NamedTexts.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Whether a text is a call that a program writes: "tl.debug_barrier()".
static bool isCall(StringRef text) {
  return text.consume_back("()") && !text.empty() &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

/// Adds the words of a text without blanks that is no call.
static void addParts(StringRef text, llvm::StringSet<> &parts) {
  if (text.find_first_of(" \t\n") != StringRef::npos || isCall(text))
    return;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (llvm::isAlnum(text[i]) || text[i] == '_'))
      continue;
    if (i > begin)
      parts.insert(text.slice(begin, i));
    begin = i + 1;
  }
}

const llvm::StringSet<> &NamedTexts::partsOf(const ParsedModule &file) {
  std::unique_ptr<llvm::StringSet<>> &entry = parts[&file];
  if (entry)
    return *entry;
  entry = std::make_unique<llvm::StringSet<>>();
  anyExpression(file.body(), [&](const Expr *expr) {
    if (std::optional<StringRef> text = constantText(expr))
      addParts(*text, *entry);
    if (const auto *call = expr->dynAs<CallExpr>())
      for (const Keyword &keyword : call->keywords)
        if (!keyword.name.empty())
          entry->insert(keyword.name);
    return false;
  });
  return *entry;
}

bool NamedTexts::mayName(const Environment &home, const FunctionDefStmt *function,
                         llvm::ArrayRef<StringRef> names) {
  auto has = [&](const ParsedModule *file) {
    const llvm::StringSet<> &all = partsOf(*file);
    return llvm::all_of(names, [&](StringRef name) { return all.contains(name); });
  };
  if (home.file && has(home.file))
    return true;
  // Python itself calls what has such a name.
  if (!function || StringRef(function->name).starts_with("__"))
    return false;
  Mentions &found = mentions[function->name];
  while (const Environment *one = found.unseen.next(resolver.environments))
    if (one->file && !one->enclosing && one->file->text().contains(function->name))
      found.files.push_back(one->file);
  return llvm::any_of(found.files, has);
}
