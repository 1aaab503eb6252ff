//===- ParsedModule.h - A source file, parsed, with its names -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All that is known of a Python source file before a signature and a target are: its syntax tree,
// and the definitions of its names. A parsed module never changes, so that one serves any number
// of compilations, in any number of threads at once; what a compilation computes - the values of
// the names included - is in its Resolver.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_PARSEDMODULE_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_PARSEDMODULE_H

#include "frontend/names/scope/Scope.h"
#include "frontend/syntax/Arena.h"
#include "frontend/syntax/Ast.h"
#include "tilewright/Expected.h"

#include <memory>
#include <optional>
#include <string>

namespace tilewright::frontend {

class ParsedModule {
public:
  /// Parses a file's text; `fileName` is for locations and errors. The error is the first one in
  /// the text.
  static Expected<std::unique_ptr<const ParsedModule>> parse(llvm::StringRef fileName,
                                                             llvm::StringRef text);

  llvm::StringRef fileName() const { return name; }
  llvm::StringRef text() const { return source; }
  const Body &body() const { return tree->body; }
  const Scope &scope() const { return *names; }
  /// The last definition of each module-level name.
  const llvm::StringMap<const Definition *> &definitions() const { return names->definitions(); }
  /// The last definition of the name; null if no module-level name is this one. Whether it or an
  /// earlier one holds may depend on conditions: Resolver::resolve.
  const Definition *find(llvm::StringRef name) const { return names->find(name); }

private:
  ParsedModule(llvm::StringRef fileName, llvm::StringRef text) : name(fileName), source(text) {}

  const std::string name;
  /// The tree points into it.
  const std::string source;
  Arena arena;
  const Module *tree = nullptr;
  std::optional<Scope> names;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_PARSEDMODULE_H
