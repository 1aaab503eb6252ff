//===- PythonTree.h - Where the parts of Python source stand --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REDUCE_PYTHONTREE_H
#define TILEWRIGHT_REDUCE_PYTHONTREE_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::reduce {

/// Bytes [begin, end) of a text.
struct TextRange {
  size_t begin = 0, end = 0;
};

/// Statements at one level of indentation.
struct Block {
  const frontend::Body *body;
  /// The statement that they are a part of; null for the file's own.
  const frontend::Stmt *owner;
  /// It is the `else` of its owner.
  bool isSecond;
};

/// A parsed source, its text and where its parts stand in it.
class PythonTree {
public:
  /// Nothing where the text is no Python.
  static std::optional<PythonTree> parse(const std::string &text);

  /// All blocks, outer ones first: the file's own, which alone may be empty, is the first.
  llvm::ArrayRef<Block> blocks() const { return allBlocks; }
  /// The expressions whose values are read, those of default values included, outer ones first.
  llvm::ArrayRef<const frontend::Expr *> values() const { return allValues; }
  /// The expressions that may stand in an expression's place: operands, arguments, elements.
  static std::vector<const frontend::Expr *> partsOf(const frontend::Expr &expr);

  size_t offsetOf(frontend::Position position) const;
  TextRange rangeOf(const frontend::Expr &expr) const;
  /// With the parentheses around it that change nothing; nothing where there are none.
  std::optional<TextRange> parenthesized(const frontend::Expr &expr) const;
  /// With a function's decorators.
  TextRange rangeOf(const frontend::Stmt &stmt) const;
  std::string textOf(const frontend::Expr &expr) const;
  /// A dot comes after it.
  bool isAccessed(const frontend::Expr &expr) const;
  /// `range`, widened to whole lines.
  TextRange wholeLines(TextRange range) const;
  TextRange linesOf(const frontend::Stmt &stmt) const { return wholeLines(rangeOf(stmt)); }
  /// No other statement, and no `elif`, stands on the statement's first and last line.
  bool hasOwnLines(const frontend::Stmt &stmt) const;
  /// An `if` that is written `elif`.
  bool isElif(const frontend::Stmt &stmt) const;
  std::string indentOf(const frontend::Stmt &stmt) const;
  /// The lines of `body`, with `indent` in place of its own indentation.
  std::string dedented(const frontend::Body &body, llvm::StringRef indent) const;
  /// The lines from `else` to the end of the block. Nothing for an `elif`.
  std::optional<TextRange> elseOf(const Block &block) const;
  /// Lines outside of statements that hold nothing or a comment.
  std::vector<TextRange> emptyLines() const;

  /// The function of this name; the only one that is decorated where there is no name.
  const frontend::FunctionDefStmt *findKernel(llvm::StringRef name) const;
  /// What goes with each of the function's parameters, its default value and a comma included.
  std::vector<TextRange> parameterRanges(const frontend::FunctionDefStmt &function) const;

private:
  PythonTree() = default;
  void addBlock(const frontend::Body &body, const frontend::Stmt *owner, bool isSecond);
  void addStatement(const frontend::Stmt &stmt);
  void addValue(const frontend::Expr *expr);

  /// The tree points into the text.
  std::unique_ptr<std::string> text;
  std::unique_ptr<frontend::Arena> arena;
  std::vector<size_t> lineBegins;
  std::vector<Block> allBlocks;
  std::vector<const frontend::Expr *> allValues;
};

} // namespace tilewright::reduce

#endif // TILEWRIGHT_REDUCE_PYTHONTREE_H
