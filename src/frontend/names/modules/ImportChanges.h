//===- ImportChanges.h - Statements that change what imports find ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     sys.modules["a.b"] = c        sys.path.insert(0, folder)        sys.meta_path.insert(0,
//     finder)
//
// An import gives what `sys.modules` has of its name, else what the finders of `sys.meta_path`
// find, for the first part of a name in the folders of `sys.path`. A statement that changes one of
// these concerns the imports that it may change, and only them: an entry of `sys.modules` those of
// its name and of modules in it; a folder those of a name that the folder has. Source: The import
// system, docs.python.org/3/reference/import.html, 5.3 to 5.5.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTCHANGES_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTCHANGES_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environments.h"
#include "frontend/names/modules/ImportTexts.h"
#include "frontend/names/modules/RunningCode.h"
#include "frontend/names/scope/Definition.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::frontend {

class ImportChanges : public ResolverPart {
public:
  explicit ImportChanges(Resolver &resolver)
      : ResolverPart(resolver), texts(resolver), running(resolver) {}

  /// Whether a statement of the program may make the import that stands at the current place give
  /// another module than its file, or than the known one: an error then. `found` is null for a
  /// known module; `import` may be an attribute of a package, which an import of it has set.
  bool refuse(const Environment &environment, const Import &import, const FoundModule *found);
  /// Likewise, without an error.
  bool mayChange(const Environment &environment, const Import &import, const FoundModule *found);

private:
  using Text = ImportTexts::Text;
  using Texts = ImportTexts::Texts;
  struct Change {
    const Environment *home;
    const AttributeChange *statement;
    enum class Kind { Entry, Folder, Any } kind;
    /// The names of the entries that it sets.
    Texts names;
    /// The folders that it puts before others; nothing if one is not known.
    std::optional<std::vector<std::string>> folders;
    /// The package whose modules it finds elsewhere; empty for all imports.
    std::string package;
  };

  const Change *find(const Environment &environment, const Import &import,
                     const FoundModule *found);
  /// Looks through the modules that have been read since.
  void collect();
  void collect(const Environment &home);
  void collectEntries(const Environment &home, const AttributeChange &change);
  void collectFolders(const Environment &home, const AttributeChange &change);
  void collectFinders(const Environment &home, const AttributeChange &change);
  /// Whether the statement does not run while modules do.
  bool isLeftOut(const AttributeChange &change) const;
  /// The texts that an expression of a statement of the change may have.
  Texts textsOf(const Environment &home, const AttributeChange &change, const Stmt *statement,
                const Expr *expr);
  bool concerns(const Change &change, const Environment &environment, llvm::StringRef name,
                const FoundModule *found);
  /// Whether the import has found its module before the statement runs.
  bool isBefore(const Change &change, const Environment &environment) const;

  ImportTexts texts;
  RunningCode running;
  std::deque<Change> changes;
  UnseenEnvironments unseen;
  bool isCollecting = false;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTCHANGES_H
