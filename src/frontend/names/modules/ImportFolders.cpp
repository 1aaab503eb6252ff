//===- ImportFolders.cpp - Folders that statements hand to imports ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/ImportFolders.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// Expressions inside of each other, and names that lead to each other.
static constexpr unsigned maxDepth = 8;

std::optional<std::string> frontend::folderOf(const Environment &home, const Expr *expr,
                                              unsigned depth) {
  if (depth > maxDepth)
    return std::nullopt;
  auto inner = [&](const Expr *one) { return folderOf(home, one, depth + 1); };
  auto parent = [](std::optional<std::string> of) {
    return of ? std::optional(path::parent_path(*of).str()) : std::nullopt;
  };
  if (const auto *name = expr->dynAs<NameExpr>()) {
    const Definition *definition = home.scope->find(name->id);
    if (name->id == "__file__" && !definition)
      return home.module->folder + "/" + path::filename(home.file->fileName()).str();
    return definition && !definition->earlier && definition->value && !definition->element
               ? inner(definition->value)
               : std::nullopt;
  }
  if (std::optional<StringRef> text = constantText(expr))
    return text->starts_with("/") ? std::optional(text->str()) : std::nullopt;
  if (const auto *joined = expr->dynAs<BinOpExpr>(); joined && joined->op == BinaryOperator::Div) {
    std::optional<std::string> folder = inner(joined->left);
    std::optional<StringRef> part = constantText(joined->right);
    return folder && part && *part != ".." ? std::optional(*folder + "/" + part->str())
                                           : std::nullopt;
  }
  if (const auto *attribute = expr->dynAs<AttributeExpr>())
    return attribute->attribute == "parent" ? parent(inner(attribute->value)) : std::nullopt;
  const auto *call = expr->dynAs<CallExpr>();
  if (!call || !call->keywords.empty())
    return std::nullopt;
  const auto *method = call->function->dynAs<AttributeExpr>();
  const StringRef function = method ? StringRef(method->attribute) : calledName(call);
  if (method && (function == "resolve" || function == "absolute") && call->arguments.empty())
    return inner(method->value);
  if (call->arguments.empty())
    return std::nullopt;
  if (function == "dirname")
    return parent(inner(call->arguments[0]));
  static constexpr StringRef same[] = {"abspath", "realpath", "normpath", "str", "Path", "fspath"};
  if (llvm::is_contained(same, function) && call->arguments.size() == 1)
    return inner(call->arguments[0]);
  if (function != "join")
    return std::nullopt;
  std::optional<std::string> folder = inner(call->arguments[0]);
  for (size_t i = 1; folder && i < call->arguments.size(); ++i) {
    std::optional<StringRef> part = constantText(call->arguments[i]);
    if (!part || part->starts_with("/"))
      return std::nullopt;
    llvm::SmallString<128> whole(*folder);
    path::append(whole, *part);
    path::remove_dots(whole, /*remove_dot_dot=*/true);
    folder = whole.str().str();
  }
  return folder;
}
