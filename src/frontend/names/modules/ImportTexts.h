//===- ImportTexts.h - Names that statements hand to imports -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTTEXTS_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTTEXTS_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environment.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::frontend {

class ImportTexts : public ResolverPart {
public:
  explicit ImportTexts(Resolver &resolver) : ResolverPart(resolver) {}

  /// A text, or with `isOpen` all texts that begin with it.
  struct Text {
    std::string begin;
    bool isOpen = false;
  };
  using Texts = std::vector<Text>;
  /// A condition of a statement, and whether it holds where the statement runs.
  struct Test {
    const Expr *expr;
    bool holds;
  };
  using Tests = llvm::SmallVector<Test>;

  /// The texts that an expression of a module may have.
  Texts textsOf(const Environment &home, unsigned order, const Expr *expr, unsigned depth = 0);
  /// Those that an expression of a statement in a function may have there.
  Texts textsAt(const Environment &home, const FunctionDefStmt *function, const Stmt *stmt,
                const Expr *expr);
  /// The names of the modules that a finder of this class may find.
  Texts answersOf(const Environment &home, const ClassDefStmt *finder);

private:
  Texts textsOfName(const Environment &home, unsigned order, llvm::StringRef name, unsigned depth);
  /// The names of the modules of importlib's specifications whose `.name` it is, as assignments of
  /// the body make them; nothing if it is none.
  std::optional<Texts> specificationNamed(const Body &body, const Expr *expr);
  /// Those of an expression anywhere in a function.
  Texts textsIn(const Environment &home, const FunctionDefStmt *function, const Expr *expr,
                unsigned depth = 0);
  /// The texts that a name may have where a test comes out so; nothing if that does not tell.
  std::optional<Texts> textsWhere(const Environment &home, const FunctionDefStmt *function,
                                  const Test &test, llvm::StringRef name);
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTTEXTS_H
