//===- ParsedModule.h - A source file, parsed, its names resolved ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All that is known of a Python source file before a signature and a target are: its syntax tree,
// what each module-level name stands for, which functions are kernels. A parsed module never
// changes, so that one serves any number of compilations, in any number of threads at once; what
// a compilation computes - the values of the names included - is in its CodeGen.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_PARSEDMODULE_H
#define TILEWRIGHT_FRONTEND_CODEGEN_PARSEDMODULE_H

#include "frontend/syntax/Arena.h"
#include "frontend/syntax/Ast.h"
#include "tilewright/Expected.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>

namespace tilewright::frontend {

/// The meaning of a module-level name: the last definition of it in the file.
struct Definition {
  llvm::StringRef name;
  const Stmt *statement = nullptr;
  /// The initial value and annotation of a variable.
  const Expr *value = nullptr;
  const Expr *annotation = nullptr;
  /// For an import: what is imported, `a.b` or `a.b:name`.
  std::string_view imported;
  /// The binding by imports that precede it in the file.
  llvm::SmallVector<std::string_view, 1> otherImports;
};

class ParsedModule {
public:
  /// Parses a file's text; `fileName` is for locations and errors. The error is the first one in
  /// the text.
  static Expected<std::unique_ptr<const ParsedModule>> parse(llvm::StringRef fileName,
                                                             llvm::StringRef text);

  llvm::StringRef fileName() const { return name; }
  llvm::StringRef text() const { return source; }

  const llvm::StringMap<Definition> &definitions() const { return names; }
  /// Null if no module-level name is this one.
  const Definition *find(llvm::StringRef name) const;

  /// The functions with `@triton.jit`, in the order of the file.
  llvm::ArrayRef<const FunctionDefStmt *> jittedFunctions() const { return jitted; }
  /// Those of them that no other one calls.
  llvm::ArrayRef<const FunctionDefStmt *> rootFunctions() const { return roots; }

  bool isJitted(const FunctionDefStmt *function) const;
  /// Whether `@triton.constexpr_function` stands before it.
  bool isConstexprFunction(const FunctionDefStmt *function) const;
  /// `@triton.jit(noinline=True)` and its like.
  bool hasJitFlag(const FunctionDefStmt *function, llvm::StringRef flag) const;
  bool isConstexprAnnotation(const Expr *annotation) const;

private:
  ParsedModule(llvm::StringRef fileName, llvm::StringRef text) : name(fileName), source(text) {}

  void collectDefinitions(const Body &body);
  void findKernels();
  /// The decorator `triton.<name>`, under any alias, or a call of it; null if there is none.
  const Expr *decoratorOf(const FunctionDefStmt *function, llvm::StringRef name) const;

  const std::string name;
  /// The tree points into it.
  const std::string source;
  Arena arena;
  llvm::StringMap<Definition> names;
  llvm::SmallVector<const FunctionDefStmt *> jitted;
  llvm::SmallVector<const FunctionDefStmt *> roots;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_PARSEDMODULE_H
