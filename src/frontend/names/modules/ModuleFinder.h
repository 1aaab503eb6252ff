//===- ModuleFinder.h - From the names of modules to files ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which file an import means, by Python's rules ("The import system" in its language reference): a
// package is a folder with `__init__.py`, or a folder without that holds modules (a namespace
// package, which is taken where there is nothing else); of several places the first that has the
// name counts. Modules are looked for in the folder that holds the source's outermost package, or
// in the source's own folder if it is in none, and then in the import paths. Beyond Python, a
// folder around the source that has the package's name is taken last.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_MODULEFINDER_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_MODULEFINDER_H

#include "frontend/names/modules/SourceFiles.h"
#include "tilewright/InputFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace tilewright::frontend {

/// A module that an import means.
struct FoundModule {
  /// As Python's `__name__`, as far as it is known: `a.b`.
  std::string name;
  /// Null for the source itself, and for a folder without `__init__.py`.
  const SourceFiles::File *file = nullptr;
  bool isSource = false;
  /// Where its submodules are; empty if it is no package.
  std::vector<std::string> folders;
  /// The folder of the file, for relative imports.
  std::string folder;
};

/// That of one compilation: it records what the compilation depends on.
class ModuleFinder {
public:
  /// `sourceName` is the path of the source, which itself is not read. Without `files`, nothing is
  /// found.
  ModuleFinder(SourceFiles *files, llvm::StringRef sourceName,
               llvm::ArrayRef<std::string> importPaths);

  const FoundModule &source() const { return *sourceModule; }
  /// The module `a.b` of an absolute import; null if there is none.
  const FoundModule *find(llvm::StringRef name);
  /// Whether there is a module or package of the first part of that name.
  bool hasTopLevel(llvm::StringRef name) { return find(name.split('.').first); }
  /// The folders of that name without `__init__.py`, in `package` or in the folders of absolute
  /// imports, where the name has been found to lead to modules; null if it has not.
  const FoundModule *findNamespace(llvm::StringRef name, const FoundModule *package = nullptr);
  /// The module of `from ..name import`, with `level` dots, in the file of `from`.
  const FoundModule *findRelative(const FoundModule &from, unsigned level, llvm::StringRef name);
  /// The packages with an `__init__.py` that the module is in, from the inside out.
  std::vector<const FoundModule *> packagesOf(const FoundModule &module);
  /// Python's `__name__` of the module, imported: with the packages with an `__init__.py` that it
  /// is in.
  std::string fullName(const FoundModule &module);
  /// The module `a.b` in a package; null if there is none.
  const FoundModule *findIn(const FoundModule &package, llvm::StringRef name);

  /// The module `a.b` in a folder by its absolute path; null if there is none.
  const FoundModule *findInFolder(const std::string &folder, llvm::StringRef name);

  /// The folders in which absolute imports are looked for, as a user would name them.
  std::vector<std::string> roots();

  /// All files looked for, ordered by their paths.
  std::vector<InputFile> inputs() const;

private:
  const FoundModule *findIn(std::vector<std::string> folders, llvm::StringRef name,
                            llvm::StringRef prefix);
  /// The file of an absolute path, if there is one; records that it was looked for.
  const SourceFiles::File *read(const std::string &path);
  bool isSource(const std::string &path) const { return path == sourcePath; }
  bool exists(const std::string &path) { return isSource(path) || read(path); }
  const FoundModule *make(const std::string &path, std::string name, bool isPackage);
  void findRoots();
  std::string shown(llvm::StringRef path) const;

  SourceFiles *files;
  llvm::ArrayRef<std::string> importPaths;
  std::string currentFolder;
  /// Absolute.
  std::string sourcePath;
  bool showsRelative;
  std::deque<FoundModule> modules;
  FoundModule *sourceModule;
  /// By absolute paths; namespace packages by their names.
  llvm::StringMap<const FoundModule *> known;
  /// The modules that absolute imports have found.
  llvm::StringMap<const FoundModule *> absolute;
  std::vector<std::string> rootFolders;
  std::map<std::string, const SourceFiles::File *> lookedFor;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_MODULEFINDER_H
