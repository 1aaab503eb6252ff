//===- ScopeImports.cpp - Imports of a body -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Scope.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

llvm::SmallVector<std::pair<StringRef, Import>> frontend::importsOf(const Stmt *stmt) {
  llvm::SmallVector<std::pair<StringRef, Import>> imports;
  if (const auto *plain = stmt->dynAs<ImportStmt>()) {
    for (const ImportName &one : plain->names) {
      StringRef name = one.name, first = name.split('.').first;
      const bool bindsFirst = one.alias.empty() && first != name;
      imports.push_back(
          {one.alias.empty() ? first : StringRef(one.alias),
           {0, one.alias.empty() ? first : name, {}, bindsFirst ? name : "", one.begin, one.end}});
    }
    return imports;
  }
  const auto *from = stmt->as<ImportFromStmt>();
  for (const ImportName &one : from->names)
    imports.push_back({one.alias.empty() ? one.name : one.alias,
                       {from->level, from->module, one.name, {}, one.begin, one.end}});
  return imports;
}

void Scope::collectImports(const Stmt *stmt) {
  for (auto &[name, import] : importsOf(stmt)) {
    Definition &definition = define(name, stmt);
    definition.import = import;
    if (import.module == "builtins" && import.name == "__dict__")
      changeBuiltins(stmt);
    if (import.name == "*")
      star = &definition;
  }
}

/// The module `m` of importlib.import_module("m") and `__import__("m")`.
static std::optional<Import> importCalled(const CallExpr *call) {
  const auto *attribute = call->function->dynAs<AttributeExpr>();
  const StringRef name = attribute ? StringRef(attribute->attribute) : calledName(call);
  static constexpr StringRef importing[] = {"import_module", "__import__", "run_module"};
  if (!llvm::is_contained(importing, name) || call->arguments.empty())
    return std::nullopt;
  std::optional<StringRef> text = constantText(call->arguments[0]);
  if (!text)
    return std::nullopt;
  Import import;
  import.module = text->ltrim('.');
  import.level = static_cast<unsigned>(text->size() - import.module.size());
  import.begin = call->begin;
  import.end = call->end;
  return import;
}

void Scope::collectLoaded(const Stmt *stmt, unsigned order, bool inFunction, bool isInner) {
  if (stmt->kind == StmtKind::Import || stmt->kind == StmtKind::ImportFrom)
    for (auto &[name, import] : importsOf(stmt))
      loaded.push_back({import, order, inFunction});
  for (const Expr *whole : expressionsOf(stmt))
    anyExpression(whole, [&](const Expr *expr) {
      if (const auto *call = expr->dynAs<CallExpr>())
        if (std::optional<Import> import = importCalled(call))
          loaded.push_back({*import, order, inFunction});
      return false;
    });
  if (const auto *function = stmt->dynAs<FunctionDefStmt>())
    for (const Stmt *inner : function->body)
      collectLoaded(inner, order, /*inFunction=*/true, /*isInner=*/true);
  if (const auto *definition = stmt->dynAs<ClassDefStmt>())
    for (const Stmt *inner : definition->body)
      collectLoaded(inner, order, inFunction, /*isInner=*/true);
  // `collect` comes to the others by itself.
  if (isInner)
    for (const Body *body : bodiesOf(stmt))
      for (const Stmt *inner : *body)
        collectLoaded(inner, order, inFunction, isInner);
}
