//===- PythonTree.cpp - Where the parts of Python source stand ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/PythonTree.h"

#include "frontend/syntax/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::reduce;
using namespace tilewright::frontend;

std::optional<PythonTree> PythonTree::parse(const std::string &source) {
  PythonTree tree;
  tree.text = std::make_unique<std::string>(source);
  if (!tree.text->ends_with('\n'))
    *tree.text += '\n';
  tree.arena = std::make_unique<Arena>();
  SyntaxError error;
  const Module *module = frontend::parse(*tree.text, *tree.arena, error);
  if (!module)
    return std::nullopt;
  tree.lineBegins = {0};
  for (auto [at, letter] : llvm::enumerate(*tree.text))
    if (letter == '\n')
      tree.lineBegins.push_back(at + 1);
  tree.addBlock(module->body, nullptr, false);
  return tree;
}

//===--------------------------------------------------------------------------===//
// The walk
//===--------------------------------------------------------------------------===//

void PythonTree::addBlock(const Body &body, const Stmt *owner, bool isSecond) {
  if (body.empty() && owner)
    return;
  allBlocks.push_back({&body, owner, isSecond});
  for (const Stmt *stmt : body)
    addStatement(*stmt);
}

void PythonTree::addStatement(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::FunctionDef: {
    const auto &function = *stmt.as<FunctionDefStmt>();
    for (const Expr *value : function.parameters.defaults)
      addValue(value);
    return addBlock(function.body, &stmt, false);
  }
  case StmtKind::ClassDef:
    return addBlock(stmt.as<ClassDefStmt>()->body, &stmt, false);
  case StmtKind::Return:
    return addValue(stmt.as<ReturnStmt>()->value);
  case StmtKind::Assign:
    return addValue(stmt.as<AssignStmt>()->value);
  case StmtKind::AugAssign:
    return addValue(stmt.as<AugAssignStmt>()->value);
  case StmtKind::AnnAssign:
    return addValue(stmt.as<AnnAssignStmt>()->value);
  case StmtKind::Expr:
    return addValue(stmt.as<ExprStmt>()->value);
  case StmtKind::For: {
    const auto &loop = *stmt.as<ForStmt>();
    addValue(loop.iterable);
    addBlock(loop.body, &stmt, false);
    return addBlock(loop.orElse, &stmt, true);
  }
  case StmtKind::While: {
    const auto &loop = *stmt.as<WhileStmt>();
    addValue(loop.test);
    addBlock(loop.body, &stmt, false);
    return addBlock(loop.orElse, &stmt, true);
  }
  case StmtKind::If: {
    const auto &choice = *stmt.as<IfStmt>();
    addValue(choice.test);
    addBlock(choice.body, &stmt, false);
    return addBlock(choice.orElse, &stmt, true);
  }
  case StmtKind::With:
    return addBlock(stmt.as<WithStmt>()->body, &stmt, false);
  case StmtKind::Try:
    return addBlock(stmt.as<TryStmt>()->body, &stmt, false);
  default:
    return;
  }
}

void PythonTree::addValue(const Expr *expr) {
  if (!expr)
    return;
  allValues.push_back(expr);
  for (const Expr *part : partsOf(*expr))
    addValue(part);
}

static void append(std::vector<const Expr *> &parts, const Exprs &exprs) {
  for (const Expr *expr : exprs)
    if (expr)
      parts.push_back(expr);
}

std::vector<const Expr *> PythonTree::partsOf(const Expr &expr) {
  std::vector<const Expr *> parts;
  auto add = [&](const Expr *part) {
    if (part)
      parts.push_back(part);
  };
  switch (expr.kind) {
  case ExprKind::BoolOp:
    append(parts, expr.as<BoolOpExpr>()->values);
    break;
  case ExprKind::NamedExpr:
    add(expr.as<NamedExprExpr>()->value);
    break;
  case ExprKind::BinOp:
    add(expr.as<BinOpExpr>()->left);
    add(expr.as<BinOpExpr>()->right);
    break;
  case ExprKind::UnaryOp:
    add(expr.as<UnaryOpExpr>()->operand);
    break;
  case ExprKind::IfExp:
    add(expr.as<IfExpExpr>()->body);
    add(expr.as<IfExpExpr>()->orElse);
    add(expr.as<IfExpExpr>()->test);
    break;
  case ExprKind::Compare:
    add(expr.as<CompareExpr>()->left);
    append(parts, expr.as<CompareExpr>()->comparators);
    break;
  case ExprKind::Call: {
    const auto &call = *expr.as<CallExpr>();
    append(parts, call.arguments);
    for (const Keyword &keyword : call.keywords)
      add(keyword.value);
    // What a method is called on, where it is more than a name: that may be a module's.
    if (const auto *method = call.function->dynAs<AttributeExpr>();
        method && method->value->kind != ExprKind::Name)
      add(method->value);
    break;
  }
  case ExprKind::Attribute:
    if (expr.as<AttributeExpr>()->value->kind != ExprKind::Name)
      add(expr.as<AttributeExpr>()->value);
    break;
  case ExprKind::Subscript:
    add(expr.as<SubscriptExpr>()->value);
    break;
  case ExprKind::List:
    append(parts, expr.as<ListExpr>()->elements);
    break;
  case ExprKind::Tuple:
    append(parts, expr.as<TupleExpr>()->elements);
    break;
  default:
    break;
  }
  return parts;
}

//===--------------------------------------------------------------------------===//
// Places
//===--------------------------------------------------------------------------===//

size_t PythonTree::offsetOf(Position position) const {
  return lineBegins[position.line - 1] + position.column - 1;
}

TextRange PythonTree::rangeOf(const Expr &expr) const {
  return {offsetOf(expr.begin), offsetOf(expr.end)};
}

std::optional<TextRange> PythonTree::parenthesized(const Expr &expr) const {
  const TextRange range = rangeOf(expr);
  llvm::StringRef before = llvm::StringRef(*text).take_front(range.begin);
  llvm::StringRef after = llvm::StringRef(*text).drop_front(range.end);
  if (!before.consume_back("(") || !after.starts_with(")"))
    return std::nullopt;
  // After a name or a bracket they call something.
  const char last = before.empty() ? ' ' : before.back();
  if (llvm::isAlnum(last) || llvm::StringRef("_)]'\"").contains(last))
    return std::nullopt;
  return TextRange{range.begin - 1, range.end + 1};
}

TextRange PythonTree::rangeOf(const Stmt &stmt) const {
  Position begin = stmt.begin;
  const auto *function = stmt.dynAs<FunctionDefStmt>();
  const auto *classDef = stmt.dynAs<ClassDefStmt>();
  // The sign @ is on the line of the decorator.
  if (function && !function->decorators.empty())
    begin = {function->decorators.front()->begin.line, stmt.begin.column};
  if (classDef && !classDef->decorators.empty())
    begin = {classDef->decorators.front()->begin.line, stmt.begin.column};
  return {offsetOf(begin), offsetOf(stmt.end)};
}

std::string PythonTree::textOf(const Expr &expr) const {
  TextRange range = rangeOf(expr);
  return text->substr(range.begin, range.end - range.begin);
}

bool PythonTree::isAccessed(const Expr &expr) const {
  return llvm::StringRef(*text).drop_front(rangeOf(expr).end).starts_with(".");
}

TextRange PythonTree::wholeLines(TextRange range) const {
  size_t begin = text->rfind('\n', range.begin == 0 ? 0 : range.begin - 1);
  begin = begin == std::string::npos || begin >= range.begin ? 0 : begin + 1;
  size_t end = text->find('\n', range.end);
  return {begin, end == std::string::npos ? text->size() : end + 1};
}

bool PythonTree::hasOwnLines(const Stmt &stmt) const {
  TextRange range = rangeOf(stmt), lines = wholeLines(range);
  llvm::StringRef all(*text);
  llvm::StringRef before = all.slice(lines.begin, range.begin);
  llvm::StringRef after = all.slice(range.end, lines.end).trim();
  return before.trim().empty() && (after.empty() || after.starts_with("#"));
}

std::string PythonTree::indentOf(const Stmt &stmt) const {
  TextRange range = rangeOf(stmt);
  size_t begin = wholeLines(range).begin;
  return text->substr(begin, range.begin - begin);
}

std::string PythonTree::dedented(const Body &body, llvm::StringRef indent) const {
  const std::string own = indentOf(*body.front());
  llvm::StringRef lines =
      llvm::StringRef(*text).slice(linesOf(*body.front()).begin, linesOf(*body.back()).end);
  std::string result;
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    lines = rest;
    if (line.consume_front(own))
      result += indent;
    result += line.str() + '\n';
  }
  return result;
}

bool PythonTree::isElif(const Stmt &stmt) const {
  return llvm::StringRef(*text).drop_front(offsetOf(stmt.begin)).starts_with("elif");
}

std::optional<TextRange> PythonTree::elseOf(const Block &block) const {
  const Stmt &first = *block.body->front();
  if (isElif(first))
    return std::nullopt;
  const size_t begin = wholeLines(rangeOf(first)).begin;
  const size_t word = text->rfind("else", begin);
  if (word == std::string::npos || word < offsetOf(block.owner->begin) || !hasOwnLines(first))
    return std::nullopt;
  return TextRange{wholeLines({word, word}).begin, linesOf(*block.body->back()).end};
}

std::vector<TextRange> PythonTree::emptyLines() const {
  std::vector<TextRange> lines;
  for (size_t i = 0; i + 1 < lineBegins.size(); ++i) {
    TextRange line{lineBegins[i], lineBegins[i + 1]};
    llvm::StringRef content = llvm::StringRef(*text).slice(line.begin, line.end).trim();
    if (content.empty() || content.starts_with("#"))
      lines.push_back(line);
  }
  return lines;
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

const FunctionDefStmt *PythonTree::findKernel(llvm::StringRef name) const {
  const FunctionDefStmt *found = nullptr;
  for (const Stmt *stmt : *allBlocks.front().body) {
    const auto *function = stmt->dynAs<FunctionDefStmt>();
    if (!function ||
        (name.empty() ? function->decorators.empty() : llvm::StringRef(function->name) != name))
      continue;
    if (found && name.empty())
      return nullptr;
    found = function;
  }
  return found;
}

std::vector<TextRange> PythonTree::parameterRanges(const FunctionDefStmt &function) const {
  const Parameters &parameters = function.parameters;
  if (!parameters.positionalOnly.empty() || parameters.variadic || parameters.keywords ||
      !parameters.keywordOnly.empty())
    return {};
  const size_t count = parameters.positional.size();
  const size_t firstDefault = count - parameters.defaults.size();
  std::vector<TextRange> ranges;
  for (size_t i = 0; i < count; ++i) {
    size_t begin = offsetOf(parameters.positional[i].begin);
    size_t end = i >= firstDefault ? offsetOf(parameters.defaults[i - firstDefault]->end)
                                   : offsetOf(parameters.positional[i].end);
    // Up to the next one; the last one's comma may stay.
    if (i + 1 < count)
      end = offsetOf(parameters.positional[i + 1].begin);
    ranges.push_back({begin, end});
  }
  return ranges;
}
