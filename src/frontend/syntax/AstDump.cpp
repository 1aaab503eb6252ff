//===- AstDump.cpp - Syntax trees in the form of Python's ast.dump ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/AstDump.h"

#include "frontend/syntax/AstDumper.h"

using namespace tilewright;
using namespace tilewright::frontend;

void AstDumper::parameter(const Parameter &node) {
  open("arg");
  identifier("arg", node.name);
  optional("annotation", node.annotation);
  close(node);
}

void AstDumper::parameters(const Parameters &node) {
  auto one = [&](const Parameter &value) { parameter(value); };
  open("arguments");
  list("posonlyargs", node.positionalOnly, one);
  list("args", node.positional, one);
  if (node.variadic) {
    key("vararg");
    parameter(*node.variadic);
  }
  list("kwonlyargs", node.keywordOnly, one);
  list("kw_defaults", node.keywordDefaults);
  if (node.keywords) {
    key("kwarg");
    parameter(*node.keywords);
  }
  list("defaults", node.defaults);
  close();
}

void AstDumper::keyword(const Keyword &node) {
  open("keyword");
  optionalIdentifier("arg", node.name);
  field("value", node.value);
  close(node);
}

void AstDumper::importNames(const List<ImportName> &values) {
  list("names", values, [&](const ImportName &value) {
    open("alias");
    identifier("name", value.name);
    optionalIdentifier("asname", value.alias);
    close(value);
  });
}

void AstDumper::pattern(const Pattern &node) {
  auto all = [&](const char *name, const List<Pattern *> &patterns) {
    list(name, patterns, [&](const Pattern *one) { pattern(*one); });
  };
  switch (node.kind) {
  case PatternKind::Value:
    open("MatchValue");
    field("value", node.value);
    break;
  case PatternKind::Singleton:
    open("MatchSingleton");
    constant(*node.value->as<ConstantExpr>());
    break;
  case PatternKind::Sequence:
    open("MatchSequence");
    all("patterns", node.patterns);
    break;
  case PatternKind::Mapping:
    open("MatchMapping");
    list("keys", node.keys);
    all("patterns", node.patterns);
    optionalIdentifier("rest", node.name);
    break;
  case PatternKind::Class:
    open("MatchClass");
    field("cls", node.value);
    all("patterns", node.patterns);
    names("kwd_attrs", node.attributes);
    all("kwd_patterns", node.attributePatterns);
    break;
  case PatternKind::Star:
    open("MatchStar");
    optionalIdentifier("name", node.name);
    break;
  case PatternKind::As:
    open("MatchAs");
    if (!node.patterns.empty()) {
      key("pattern");
      pattern(*node.patterns[0]);
    }
    optionalIdentifier("name", node.name);
    break;
  case PatternKind::Or:
    open("MatchOr");
    all("patterns", node.patterns);
    break;
  }
  close(node);
}

void AstDumper::stmt(const Stmt *node) {
  switch (node->kind) {
  case StmtKind::FunctionDef: {
    const auto *function = node->as<FunctionDefStmt>();
    open(function->isAsync ? "AsyncFunctionDef" : "FunctionDef");
    identifier("name", function->name);
    key("args");
    parameters(function->parameters);
    list("body", function->body);
    list("decorator_list", function->decorators);
    optional("returns", function->returns);
    break;
  }
  case StmtKind::ClassDef: {
    const auto *classDef = node->as<ClassDefStmt>();
    open("ClassDef");
    identifier("name", classDef->name);
    list("bases", classDef->bases);
    keywords(classDef->keywords);
    list("body", classDef->body);
    list("decorator_list", classDef->decorators);
    break;
  }
  case StmtKind::Return:
    open("Return");
    optional("value", node->as<ReturnStmt>()->value);
    break;
  case StmtKind::Delete:
    open("Delete");
    list("targets", node->as<DeleteStmt>()->targets);
    break;
  case StmtKind::Assign:
    open("Assign");
    list("targets", node->as<AssignStmt>()->targets);
    field("value", node->as<AssignStmt>()->value);
    break;
  case StmtKind::AugAssign:
    open("AugAssign");
    field("target", node->as<AugAssignStmt>()->target);
    word("op", nameOf(node->as<AugAssignStmt>()->op));
    field("value", node->as<AugAssignStmt>()->value);
    break;
  case StmtKind::AnnAssign: {
    const auto *assign = node->as<AnnAssignStmt>();
    open("AnnAssign");
    field("target", assign->target);
    field("annotation", assign->annotation);
    optional("value", assign->value);
    number("simple", assign->simple ? 1 : 0);
    break;
  }
  case StmtKind::For: {
    const auto *loop = node->as<ForStmt>();
    open(loop->isAsync ? "AsyncFor" : "For");
    field("target", loop->target);
    field("iter", loop->iterable);
    list("body", loop->body);
    list("orelse", loop->orElse);
    break;
  }
  case StmtKind::While: {
    const auto *loop = node->as<WhileStmt>();
    open("While");
    field("test", loop->test);
    list("body", loop->body);
    list("orelse", loop->orElse);
    break;
  }
  case StmtKind::If: {
    const auto *branch = node->as<IfStmt>();
    open("If");
    field("test", branch->test);
    list("body", branch->body);
    list("orelse", branch->orElse);
    break;
  }
  case StmtKind::With: {
    const auto *with = node->as<WithStmt>();
    open(with->isAsync ? "AsyncWith" : "With");
    list("items", with->items, [&](const WithItem &item) {
      open("withitem");
      field("context_expr", item.context);
      optional("optional_vars", item.target);
      close();
    });
    list("body", with->body);
    break;
  }
  case StmtKind::Raise:
    open("Raise");
    optional("exc", node->as<RaiseStmt>()->exception);
    optional("cause", node->as<RaiseStmt>()->cause);
    break;
  case StmtKind::Try: {
    const auto *attempt = node->as<TryStmt>();
    open(attempt->isStar ? "TryStar" : "Try");
    list("body", attempt->body);
    list("handlers", attempt->handlers, [&](const ExceptHandler &handler) {
      open("ExceptHandler");
      optional("type", handler.type);
      optionalIdentifier("name", handler.name);
      list("body", handler.body);
      close(handler);
    });
    list("orelse", attempt->orElse);
    list("finalbody", attempt->finalBody);
    break;
  }
  case StmtKind::Match:
    open("Match");
    field("subject", node->as<MatchStmt>()->subject);
    list("cases", node->as<MatchStmt>()->cases, [&](const MatchCase &one) {
      open("match_case");
      key("pattern");
      pattern(*one.pattern);
      optional("guard", one.guard);
      list("body", one.body);
      close();
    });
    break;
  case StmtKind::Assert:
    open("Assert");
    field("test", node->as<AssertStmt>()->test);
    optional("msg", node->as<AssertStmt>()->message);
    break;
  case StmtKind::Import:
    open("Import");
    importNames(node->as<ImportStmt>()->names);
    break;
  case StmtKind::ImportFrom:
    open("ImportFrom");
    optionalIdentifier("module", node->as<ImportFromStmt>()->module);
    importNames(node->as<ImportFromStmt>()->names);
    number("level", node->as<ImportFromStmt>()->level);
    break;
  case StmtKind::Global:
    open("Global");
    names("names", node->as<GlobalStmt>()->names);
    break;
  case StmtKind::Nonlocal:
    open("Nonlocal");
    names("names", node->as<NonlocalStmt>()->names);
    break;
  case StmtKind::Expr:
    open("Expr");
    field("value", node->as<frontend::ExprStmt>()->value);
    break;
  case StmtKind::Pass:
    open("Pass");
    break;
  case StmtKind::Break:
    open("Break");
    break;
  case StmtKind::Continue:
    open("Continue");
    break;
  }
  close(*node);
}

std::string frontend::dump(const Module &module, bool positions) {
  AstDumper dumper(positions);
  dumper.open("Module");
  dumper.list("body", module.body);
  dumper.key("type_ignores");
  dumper.out += "[]";
  dumper.close();
  return std::move(dumper.out);
}
