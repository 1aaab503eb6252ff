//===- PythonEdits.cpp - Edits of Python source -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/PythonTree.h"
#include "reduce/TextEdits.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::reduce;
using namespace tilewright::frontend;

namespace {

using FindParts = std::function<void(const PythonTree &, std::vector<TextEdit> &)>;

} // namespace

static EditKind kindOf(const char *name, FindParts find) {
  return {name, [find = std::move(find)](const Program &program) -> std::unique_ptr<Edits> {
            std::optional<PythonTree> tree = PythonTree::parse(program.text);
            if (!tree)
              return nullptr;
            std::vector<TextEdit> edits;
            find(*tree, edits);
            if (edits.empty())
              return nullptr;
            return std::make_unique<TextEdits>(program, std::move(edits));
          }};
}

static void add(std::vector<TextEdit> &edits, TextRange range, std::string text) {
  edits.push_back({Replacement{range.begin, range.end, std::move(text)}, std::nullopt});
}

//===--------------------------------------------------------------------------===//
// Statements
//===--------------------------------------------------------------------------===//

namespace {

/// Removes statements. A block that would be left without one gets a `pass`.
class StatementEdits : public Edits {
public:
  StatementEdits(PythonTree tree, Program program)
      : tree(std::move(tree)), program(std::move(program)) {
    for (const auto &[number, block] : llvm::enumerate(this->tree.blocks()))
      for (const Stmt *stmt : *block.body)
        if (stmt->kind != StmtKind::Pass || block.body->size() > 1)
          statements.push_back({unsigned(number), stmt});
  }

  unsigned count() const override { return statements.size(); }

  std::optional<Program> apply(llvm::ArrayRef<unsigned> chosen) const override {
    std::vector<unsigned> removed(tree.blocks().size(), 0);
    for (unsigned number : chosen)
      ++removed[statements[number].block];
    std::vector<TextEdit> edits;
    for (unsigned number : chosen) {
      const auto &[block, stmt] = statements[number];
      const Body &body = *tree.blocks()[block].body;
      const bool isEmptied = block != 0 && removed[block] == body.size();
      const bool needsPass =
          !tree.isElif(*stmt) && ((isEmptied && stmt == *body.begin()) || !tree.hasOwnLines(*stmt));
      if (needsPass)
        add(edits, tree.rangeOf(*stmt), "pass");
      else
        add(edits, tree.linesOf(*stmt), "");
    }
    auto all = llvm::to_vector_of<unsigned>(llvm::seq<size_t>(0, edits.size()));
    return TextEdits(program, std::move(edits)).apply(all);
  }

private:
  struct Statement {
    unsigned block;
    const Stmt *stmt;
  };
  PythonTree tree;
  Program program;
  std::vector<Statement> statements;
};

} // namespace

static EditKind removeStatements() {
  return {"statements", [](const Program &program) -> std::unique_ptr<Edits> {
            std::optional<PythonTree> tree = PythonTree::parse(program.text);
            if (!tree)
              return nullptr;
            return std::make_unique<StatementEdits>(std::move(*tree), program);
          }};
}

/// `if`, `for`, `while`, `with` and `try` become one of their blocks.
static void unwrapBlocks(const PythonTree &tree, std::vector<TextEdit> &edits, bool second) {
  for (const Block &block : tree.blocks()) {
    if (!block.owner || block.owner->kind == StmtKind::FunctionDef ||
        block.owner->kind == StmtKind::ClassDef || block.isSecond != second ||
        tree.isElif(*block.owner) || tree.isElif(*block.body->front()) ||
        !tree.hasOwnLines(*block.owner) || !tree.hasOwnLines(*block.body->front()))
      continue;
    std::string first;
    const std::string indent = tree.indentOf(*block.owner);
    if (const auto *loop = block.owner->dynAs<ForStmt>())
      first = indent + tree.textOf(*loop->target) + " = 0\n";
    add(edits, tree.linesOf(*block.owner), first + tree.dedented(*block.body, indent));
  }
}

/// Removes `else` with its block.
static void removeElse(const PythonTree &tree, std::vector<TextEdit> &edits) {
  for (const Block &block : tree.blocks())
    if (block.owner && block.isSecond)
      if (std::optional<TextRange> range = tree.elseOf(block))
        add(edits, *range, "");
}

//===--------------------------------------------------------------------------===//
// Expressions
//===--------------------------------------------------------------------------===//

static bool isAtom(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Name:
  case ExprKind::Constant:
  case ExprKind::Call:
  case ExprKind::Attribute:
  case ExprKind::Subscript:
  case ExprKind::List:
    return true;
  default:
    return false;
  }
}

/// Expressions become their part of this number: operands, arguments, what is indexed.
static void replaceByPart(const PythonTree &tree, std::vector<TextEdit> &edits, unsigned number) {
  for (const Expr *expr : tree.values()) {
    std::vector<const Expr *> parts = PythonTree::partsOf(*expr);
    if (number >= parts.size())
      continue;
    const Expr &part = *parts[number];
    std::string text = tree.textOf(part);
    add(edits, tree.rangeOf(*expr), isAtom(part) ? text : "(" + text + ")");
  }
}

static void replaceByZero(const PythonTree &tree, std::vector<TextEdit> &edits) {
  for (const Expr *expr : tree.values())
    if (expr->kind != ExprKind::Constant)
      add(edits, tree.rangeOf(*expr), tree.isAccessed(*expr) ? "(0)" : "0");
}

/// Removes arguments of calls, but the first of the positional ones.
static void removeArguments(const PythonTree &tree, std::vector<TextEdit> &edits) {
  for (const Expr *expr : tree.values()) {
    const auto *call = expr->dynAs<CallExpr>();
    if (!call)
      continue;
    size_t before = 0;
    bool hasBefore = false;
    auto remove = [&](size_t end) {
      if (hasBefore)
        add(edits, {before, end}, "");
      before = end;
      hasBefore = true;
    };
    for (const Expr *argument : call->arguments)
      remove(tree.rangeOf(*argument).end);
    for (const Keyword &keyword : call->keywords) {
      if (!hasBefore)
        before = tree.offsetOf(keyword.begin);
      hasBefore = true;
      remove(tree.offsetOf(keyword.end));
    }
  }
}

static void removeParentheses(const PythonTree &tree, std::vector<TextEdit> &edits) {
  for (const Expr *expr : tree.values())
    if (std::optional<TextRange> range = tree.parenthesized(*expr); range && isAtom(*expr))
      add(edits, *range, tree.textOf(*expr));
}

/// Halves integers, those of the signature included.
static std::unique_ptr<Edits> halveNumbers(const Program &program) {
  std::optional<PythonTree> tree = PythonTree::parse(program.text);
  if (!tree)
    return nullptr;
  std::vector<TextEdit> edits;
  for (const Expr *expr : tree->values())
    if (const auto *constant = expr->dynAs<ConstantExpr>();
        constant && constant->constant == ConstantKind::Integer && !constant->wide &&
        constant->integer > 1)
      add(edits, tree->rangeOf(*expr), std::to_string(constant->integer / 2));
  for (auto [number, entry] : llvm::enumerate(program.signature)) {
    unsigned value = 0;
    if (!llvm::StringRef(entry).trim().getAsInteger(10, value) && value > 1)
      edits.push_back({std::nullopt, std::pair(unsigned(number), std::to_string(value / 2))});
  }
  if (edits.empty())
    return nullptr;
  return std::make_unique<TextEdits>(program, std::move(edits));
}

//===--------------------------------------------------------------------------===//
// Functions and the rest
//===--------------------------------------------------------------------------===//

/// Removes parameters of the kernel with their entries in the signature.
static std::unique_ptr<Edits> removeParameters(const Program &program, llvm::StringRef kernel) {
  std::optional<PythonTree> tree = PythonTree::parse(program.text);
  const FunctionDefStmt *function = tree ? tree->findKernel(kernel) : nullptr;
  if (!function || function->parameters.positional.size() != program.signature.size())
    return nullptr;
  std::vector<TextEdit> edits;
  std::vector<TextRange> ranges = tree->parameterRanges(*function);
  for (auto [number, range] : llvm::enumerate(ranges))
    edits.push_back({Replacement{range.begin, range.end, ""}, std::pair(unsigned(number), "")});
  if (edits.empty())
    return nullptr;
  return std::make_unique<TextEdits>(program, std::move(edits));
}

static void removeDecorators(const PythonTree &tree, std::vector<TextEdit> &edits) {
  for (const Block &block : tree.blocks())
    for (const Stmt *stmt : *block.body)
      if (const auto *function = stmt->dynAs<FunctionDefStmt>())
        for (const Expr *decorator : function->decorators)
          add(edits, tree.wholeLines(tree.rangeOf(*decorator)), "");
}

/// Removes lines that hold nothing, or a comment.
static void removeEmptyLines(const PythonTree &tree, std::vector<TextEdit> &edits) {
  for (TextRange line : tree.emptyLines())
    add(edits, line, "");
}

std::vector<EditKind> reduce::pythonEdits(std::string kernel) {
  return {
      removeStatements(),
      kindOf("blocks", [](auto &tree, auto &edits) { unwrapBlocks(tree, edits, false); }),
      kindOf("else blocks", [](auto &tree, auto &edits) { unwrapBlocks(tree, edits, true); }),
      kindOf("else", removeElse),
      kindOf("decorators", removeDecorators),
      {"parameters",
       [kernel](const Program &program) { return removeParameters(program, kernel); }},
      kindOf("arguments", removeArguments),
      kindOf("zeros", replaceByZero),
      kindOf("first parts", [](auto &tree, auto &edits) { replaceByPart(tree, edits, 0); }),
      kindOf("second parts", [](auto &tree, auto &edits) { replaceByPart(tree, edits, 1); }),
      kindOf("third parts", [](auto &tree, auto &edits) { replaceByPart(tree, edits, 2); }),
      kindOf("parentheses", removeParentheses),
      {"numbers", halveNumbers},
      kindOf("empty lines", removeEmptyLines),
  };
}
