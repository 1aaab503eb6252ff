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

const Definition *ParsedModule::find(StringRef name) const {
  auto found = names.find(name);
  return found == names.end() ? nullptr : &found->second;
}

//===--------------------------------------------------------------------------===//
// Definitions
//===--------------------------------------------------------------------------===//

/// Later definitions of a name replace earlier ones, as when Python runs the file. The
/// branches of module-level `if` and `try` statements are all looked into.
void ParsedModule::collectDefinitions(const Body &body) {
  auto define = [&](StringRef name, const Stmt *stmt) -> Definition & {
    auto &entry = *names.try_emplace(name).first;
    Definition &definition = entry.second;
    definition = Definition();
    definition.name = entry.getKey();
    definition.statement = stmt;
    return definition;
  };
  auto addImport = [&](StringRef name, const Stmt *stmt, std::string_view what) {
    llvm::SmallVector<std::string_view, 1> others;
    if (const Definition *before = find(name)) {
      others = before->otherImports;
      if (!before->imported.empty())
        others.push_back(before->imported);
    }
    Definition &definition = define(name, stmt);
    definition.imported = what;
    definition.otherImports = std::move(others);
  };
  auto variable = [&](const Expr *target, const Stmt *stmt, const Expr *value,
                      const Expr *annotation) {
    NameSet targets;
    collectTargets(target, targets);
    for (StringRef name : targets) {
      Definition &definition = define(name, stmt);
      definition.value = target->kind == ExprKind::Name ? value : nullptr;
      definition.annotation = annotation;
    }
  };
  for (const Stmt *stmt : body) {
    switch (stmt->kind) {
    case StmtKind::FunctionDef:
      define(stmt->as<FunctionDefStmt>()->name, stmt);
      break;
    case StmtKind::ClassDef:
      define(stmt->as<ClassDefStmt>()->name, stmt);
      break;
    case StmtKind::Import:
      for (const ImportName &one : stmt->as<ImportStmt>()->names) {
        std::string_view name = one.name;
        if (!one.alias.empty())
          addImport(one.alias, stmt, name);
        else
          addImport(name.substr(0, name.find('.')), stmt, name.substr(0, name.find('.')));
      }
      break;
    case StmtKind::ImportFrom: {
      const auto *from = stmt->as<ImportFromStmt>();
      for (const ImportName &one : from->names)
        addImport(one.alias.empty() ? one.name : one.alias, stmt,
                  arena.copy((StringRef(from->module) + ":" + StringRef(one.name)).str()));
      break;
    }
    case StmtKind::Assign:
      for (const Expr *target : stmt->as<AssignStmt>()->targets)
        variable(target, stmt, stmt->as<AssignStmt>()->value, nullptr);
      break;
    case StmtKind::AnnAssign:
      if (const auto *assign = stmt->as<AnnAssignStmt>(); assign->value)
        variable(assign->target, stmt, assign->value, assign->annotation);
      break;
    case StmtKind::AugAssign:
      variable(stmt->as<AugAssignStmt>()->target, stmt, nullptr, nullptr);
      break;
    case StmtKind::If:
      collectDefinitions(stmt->as<IfStmt>()->body);
      collectDefinitions(stmt->as<IfStmt>()->orElse);
      break;
    case StmtKind::Try:
      collectDefinitions(stmt->as<TryStmt>()->body);
      break;
    default:
      break;
    }
  }
}

void ParsedModule::findKernels() {
  for (const auto &entry : names)
    if (const Stmt *statement = entry.second.statement; statement->kind == StmtKind::FunctionDef)
      if (const auto *function = statement->as<FunctionDefStmt>(); isJitted(function))
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
