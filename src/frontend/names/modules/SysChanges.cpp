//===- SysChanges.cpp - What statements do to what sys has for imports --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/SysChanges.h"

#include "frontend/names/modules/RunningCode.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// `attribute` of the module sys, by whatever name.
static bool isOfSys(const Expr *expr, StringRef attribute) {
  const auto *part = expr->dynAs<AttributeExpr>();
  return part && StringRef(part->attribute) == attribute;
}

void frontend::forEachPart(const Stmt *stmt, const RunningCode &running,
                           llvm::function_ref<void(const Stmt *, bool)> visit) {
  if (const auto *function = stmt->dynAs<FunctionDefStmt>())
    forEachStatement(function->body, [&](const Stmt *one) { visit(one, running.mayRun(one)); });
  else
    visit(stmt, true);
}

/// The calls of methods that change `sys.attribute` in a statement itself.
static void forEachCall(const Stmt *stmt, StringRef attribute,
                        llvm::function_ref<void(const CallExpr *, StringRef)> visit) {
  for (const Expr *whole : expressionsOf(stmt))
    anyExpression(whole, [&](const Expr *expr) {
      if (const Expr *changed = changedBy(expr); changed && isOfSys(changed, attribute)) {
        const auto *call = expr->as<CallExpr>();
        visit(call, call->function->as<AttributeExpr>()->attribute);
      }
      return false;
    });
}

/// Whether a statement names `sys.attribute`, and whether it does more than read it.
static std::pair<bool, bool> namesOfSys(const Stmt *stmt, StringRef attribute) {
  bool isNamed = false, isHandedOut = false;
  for (const Expr *whole : expressionsOf(stmt)) {
    llvm::SmallPtrSet<const Expr *, 4> read;
    anyExpression(whole, [&](const Expr *expr) {
      if (const auto *element = expr->dynAs<SubscriptExpr>())
        read.insert(element->value);
      if (const auto *one = expr->dynAs<AttributeExpr>())
        read.insert(one->value);
      if (const auto *comparison = expr->dynAs<CompareExpr>())
        read.insert(comparison->comparators.begin(), comparison->comparators.end());
      const bool isIt = isOfSys(expr, attribute);
      isNamed |= isIt;
      isHandedOut |= isIt && !read.contains(expr);
      return false;
    });
  }
  return {isNamed, isHandedOut};
}

SysChangeParts frontend::entriesOf(const Stmt *stmt, const RunningCode &running) {
  llvm::SmallVector<SysChangePart> keys;
  bool areAll = true, isLeftOut = false, isHandedOut = false;
  forEachPart(stmt, running, [&](const Stmt *one, bool mayRun) {
    isHandedOut |= mayRun && namesOfSys(one, "modules").second;
    for (const Expr *target : targetsOf(one))
      if (const auto *element = target->dynAs<SubscriptExpr>();
          element && isOfSys(element->value, "modules")) {
        isLeftOut |= !mayRun;
        if (mayRun)
          keys.push_back({one, element->slice});
      }
    forEachCall(one, "modules", [&](const CallExpr *call, StringRef method) {
      isLeftOut |= !mayRun;
      if (!mayRun)
        return;
      const bool isOne = method == "setdefault" || method == "pop" || method == "__setitem__" ||
                         method == "__delitem__";
      const auto *dict = method == "update" && call->arguments.size() == 1
                             ? call->arguments[0]->dynAs<DictExpr>()
                             : nullptr;
      if (isOne && !call->arguments.empty())
        keys.push_back({one, call->arguments[0]});
      else if (dict && call->keywords.empty() && !llvm::is_contained(dict->keys, nullptr))
        for (const Expr *key : dict->keys)
          keys.push_back({one, key});
      else
        areAll = false;
    });
  });
  if (!areAll || (keys.empty() && (!isLeftOut || isHandedOut)))
    return std::nullopt;
  return keys;
}

bool frontend::onlyReadsModules(const Stmt *stmt, const RunningCode &running) {
  bool isNamed = false, isHandedOut = false;
  forEachPart(stmt, running, [&](const Stmt *one, bool mayRun) {
    auto [names, handsOut] = namesOfSys(one, "modules");
    isNamed |= names;
    isHandedOut |= handsOut && mayRun;
  });
  return isNamed && !isHandedOut;
}

SysChangeParts frontend::putBefore(StringRef list, const Stmt *stmt, const RunningCode &running) {
  llvm::SmallVector<SysChangePart> put;
  bool areAll = true, isSeen = false;
  forEachPart(stmt, running, [&](const Stmt *one, bool mayRun) {
    for (const Expr *target : targetsOf(one))
      if (isOfSys(rootOf(target), list)) {
        isSeen = true;
        areAll &= !mayRun;
      }
    forEachCall(one, list, [&](const CallExpr *call, StringRef method) {
      isSeen = true;
      // An entry after the others changes nothing that they find.
      if (!mayRun || method == "append" || method == "extend")
        return;
      // A finder that takes itself away has been put there.
      const auto *removed = list == "meta_path" && method == "remove" && call->arguments.size() == 1
                                ? call->arguments[0]->dynAs<NameExpr>()
                                : nullptr;
      if (removed && removed->id == "self")
        return;
      if (method == "insert" && call->arguments.size() == 2)
        put.push_back({one, call->arguments[1]});
      else
        areAll = false;
    });
  });
  if (!areAll || !isSeen)
    return std::nullopt;
  return put;
}
