//===- ParsedModule.cpp - A source file, parsed, its names resolved -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/ParsedModule.h"

#include "frontend/codegen/Names.h"
#include "frontend/syntax/Parser.h"
#include "llvm/ADT/Statistic.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

#define DEBUG_TYPE "frontend"

ALWAYS_ENABLED_STATISTIC(numParsedModules, "Python source files parsed");

Expected<std::unique_ptr<const ParsedModule>> ParsedModule::parse(StringRef fileName,
                                                                  StringRef text) {
  std::unique_ptr<ParsedModule> module(new ParsedModule(fileName, text));
  ++numParsedModules;
  SyntaxError error;
  const Module *tree = frontend::parse(module->source, module->arena, error);
  if (!tree)
    return toDiagnostic(error, module->name, module->source);
  module->collectDefinitions(tree->body);
  module->findKernels();
  return std::unique_ptr<const ParsedModule>(std::move(module));
}

const Definition *ParsedModule::find(StringRef name) const { return names.lookup(name); }

//===--------------------------------------------------------------------------===//
// Definitions
//===--------------------------------------------------------------------------===//

Definition &ParsedModule::define(StringRef name, const Stmt *stmt) {
  auto &entry = *names.try_emplace(name).first;
  Definition &definition = all.emplace_back();
  definition.name = entry.getKey();
  definition.statement = stmt;
  definition.guards.assign(guards.begin(), guards.end());
  definition.order = all.size() - 1;
  definition.earlier = entry.second;
  entry.second = &definition;
  return definition;
}

void ParsedModule::defineTargets(const Expr *target, const Stmt *stmt, const Expr *value,
                                 const Expr *annotation) {
  NameSet targets;
  collectTargets(target, targets);
  for (StringRef name : targets) {
    Definition &definition = define(name, stmt);
    definition.value = target->kind == ExprKind::Name ? value : nullptr;
    definition.annotation = annotation;
  }
}

void ParsedModule::collectGuarded(Guard::Kind kind, const Stmt *stmt, unsigned order,
                                  const Body &body) {
  guards.push_back({kind, stmt, order});
  collectDefinitions(body);
  guards.pop_back();
}

void ParsedModule::collectGlobals(const Body &body, const Stmt *function) {
  for (const Stmt *stmt : body) {
    if (const auto *global = stmt->dynAs<GlobalStmt>()) {
      guards.push_back({Guard::Kind::NotFollowed, stmt, static_cast<unsigned>(all.size())});
      for (std::string_view name : global->names)
        define(name, function);
      guards.pop_back();
    } else if (const auto *branch = stmt->dynAs<IfStmt>()) {
      collectGlobals(branch->body, function);
      collectGlobals(branch->orElse, function);
    }
  }
}

/// All definitions of the file, in its order, with what they stand under.
void ParsedModule::collectDefinitions(const Body &body) {
  using enum Guard::Kind;
  for (const Stmt *stmt : body) {
    const auto order = static_cast<unsigned>(all.size());
    switch (stmt->kind) {
    case StmtKind::FunctionDef: {
      const auto *function = stmt->as<FunctionDefStmt>();
      define(function->name, stmt);
      collectGlobals(function->body, stmt);
      break;
    }
    case StmtKind::ClassDef:
      define(stmt->as<ClassDefStmt>()->name, stmt);
      break;
    case StmtKind::Import:
      for (const ImportName &one : stmt->as<ImportStmt>()->names) {
        std::string_view name = one.name, first = name.substr(0, name.find('.'));
        if (one.alias.empty())
          define(first, stmt).imported = first;
        else
          define(one.alias, stmt).imported = name;
      }
      break;
    case StmtKind::ImportFrom: {
      const auto *from = stmt->as<ImportFromStmt>();
      for (const ImportName &one : from->names)
        define(one.alias.empty() ? one.name : one.alias, stmt).imported =
            arena.copy((StringRef(from->module) + ":" + StringRef(one.name)).str());
      break;
    }
    case StmtKind::Assign:
      for (const Expr *target : stmt->as<AssignStmt>()->targets)
        defineTargets(target, stmt, stmt->as<AssignStmt>()->value, nullptr);
      break;
    case StmtKind::AnnAssign:
      if (const auto *assign = stmt->as<AnnAssignStmt>(); assign->value)
        defineTargets(assign->target, stmt, assign->value, assign->annotation);
      break;
    case StmtKind::AugAssign:
      defineTargets(stmt->as<AugAssignStmt>()->target, stmt, nullptr, nullptr);
      break;
    case StmtKind::Delete:
      for (const Expr *target : stmt->as<DeleteStmt>()->targets)
        defineTargets(target, stmt, nullptr, nullptr);
      break;
    case StmtKind::If:
      collectGuarded(IfTrue, stmt, order, stmt->as<IfStmt>()->body);
      collectGuarded(IfFalse, stmt, order, stmt->as<IfStmt>()->orElse);
      break;
    case StmtKind::Try: {
      const auto *attempt = stmt->as<TryStmt>();
      collectGuarded(TryBody, stmt, order, attempt->body);
      for (const ExceptHandler &handler : attempt->handlers)
        collectGuarded(TryHandler, stmt, order, handler.body);
      collectGuarded(TryElse, stmt, order, attempt->orElse);
      collectDefinitions(attempt->finalBody);
      break;
    }
    case StmtKind::For:
      guards.push_back({NotFollowed, stmt, order});
      defineTargets(stmt->as<ForStmt>()->target, stmt, nullptr, nullptr);
      guards.pop_back();
      collectGuarded(NotFollowed, stmt, order, stmt->as<ForStmt>()->body);
      collectGuarded(NotFollowed, stmt, order, stmt->as<ForStmt>()->orElse);
      break;
    case StmtKind::While:
      collectGuarded(NotFollowed, stmt, order, stmt->as<WhileStmt>()->body);
      collectGuarded(NotFollowed, stmt, order, stmt->as<WhileStmt>()->orElse);
      break;
    case StmtKind::With:
      collectGuarded(NotFollowed, stmt, order, stmt->as<WithStmt>()->body);
      break;
    default:
      break;
    }
  }
}

/// Of a name's definitions that a condition may choose, the last that is a jitted function.
static const FunctionDefStmt *jittedOf(const ParsedModule &module, const Definition *last) {
  for (const Definition *one = last; one; one = one->earlier) {
    if (const auto *function = one->statement->dynAs<FunctionDefStmt>();
        function && module.isJitted(function))
      return function;
    if (one->guards.empty())
      break;
  }
  return nullptr;
}

void ParsedModule::findKernels() {
  for (const auto &entry : names)
    if (const FunctionDefStmt *function = jittedOf(*this, entry.second))
      jitted.push_back(function);
  llvm::sort(jitted, [](const FunctionDefStmt *a, const FunctionDefStmt *b) {
    return a->begin.line < b->begin.line;
  });
  NameSet called;
  for (const FunctionDefStmt *function : jitted) {
    NameSet here;
    collectCalled(function->body, here);
    here.remove(function->name);
    called.insert(here.begin(), here.end());
  }
  for (const FunctionDefStmt *function : jitted)
    if (!called.contains(function->name))
      roots.push_back(function);
}

//===--------------------------------------------------------------------------===//
// Decorators and annotations
//===--------------------------------------------------------------------------===//

const Expr *ParsedModule::decoratorOf(const FunctionDefStmt *function, StringRef name) const {
  for (const Expr *whole : function->decorators) {
    const Expr *decorator = whole;
    if (const auto *call = decorator->dynAs<CallExpr>())
      decorator = call->function;
    // A member of `triton` or `triton.language` under any alias, or imported from it.
    if (const auto *attribute = decorator->dynAs<AttributeExpr>()) {
      const auto *base = attribute->value->dynAs<NameExpr>();
      const Definition *found = base ? find(base->id) : nullptr;
      if (StringRef(attribute->attribute) == name && found &&
          (found->imported == "triton" || found->imported == "triton.language" ||
           found->imported == "triton:language"))
        return whole;
    } else if (const auto *bare = decorator->dynAs<NameExpr>()) {
      const Definition *found = find(bare->id);
      if (found && (found->imported == ("triton:" + name).str() ||
                    found->imported == ("triton.language:" + name).str()))
        return whole;
    }
  }
  return nullptr;
}

bool ParsedModule::isJitted(const FunctionDefStmt *function) const {
  return decoratorOf(function, "jit");
}

bool ParsedModule::isConstexprFunction(const FunctionDefStmt *function) const {
  return decoratorOf(function, "constexpr_function");
}

bool ParsedModule::hasJitFlag(const FunctionDefStmt *function, StringRef flag) const {
  const Expr *decorator = decoratorOf(function, "jit");
  const auto *call = decorator ? decorator->dynAs<CallExpr>() : nullptr;
  if (!call)
    return false;
  for (const Keyword &keyword : call->keywords)
    if (StringRef(keyword.name) == flag)
      if (const auto *value = keyword.value->dynAs<ConstantExpr>())
        return value->constant == ConstantKind::True;
  return false;
}

bool ParsedModule::isConstexprAnnotation(const Expr *annotation) const {
  if (const auto *constant = annotation->dynAs<ConstantExpr>()) {
    StringRef text(constant->text);
    return constant->constant == ConstantKind::String &&
           (text == "constexpr" || text.ends_with(".constexpr"));
  }
  if (const auto *attribute = annotation->dynAs<AttributeExpr>())
    return attribute->attribute == "constexpr";
  if (const auto *bare = annotation->dynAs<NameExpr>()) {
    const Definition *found = find(bare->id);
    return found && found->imported == "triton.language:constexpr";
  }
  return false;
}
