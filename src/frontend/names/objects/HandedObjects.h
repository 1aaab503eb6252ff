//===- HandedObjects.h - Modules and classes that others may change -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the modules of a program hand to where it may change (HandedNames.h), over all modules that
// are read. A program may have thousands of modules and of names that are asked for: each module is
// looked through once, when it has been read.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_HANDEDOBJECTS_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_HANDEDOBJECTS_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environments.h"
#include "frontend/names/modules/ImportTexts.h"
#include "frontend/names/scope/HandedNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <utility>
#include <vector>

namespace tilewright::frontend {

/// An object whose attribute is asked for.
struct AskedObject {
  /// Whether a value is the object.
  llvm::function_ref<bool(const Value &)> is;
  /// The module that it is, or the class; null for what is not made by files that are read.
  const FoundModule *module = nullptr;
  const ClassObject *ofClass = nullptr;
};

class HandedObjects : public ResolverPart {
public:
  explicit HandedObjects(Resolver &resolver) : ResolverPart(resolver), texts(resolver) {}

  /// Whether the object is a class or a module that some statement hands on.
  bool isHanded(const AskedObject &object);
  /// Whether the object is a module that some statement asks for by its name, and hands on.
  bool isAsked(const AskedObject &object);
  /// Whether a list, dict or set that the object has by that name may be changed in a module where
  /// it has another name: that module's names, or null.
  const Environment *sharedIn(llvm::StringRef name, const AskedObject &object);

private:
  /// Looks through the modules that have been read since.
  void update();
  void add(const Environment &home);
  void addModules(const Environment &home);
  /// The modules that names of modules lead to which are read, and whether these are all: others
  /// may be read later.
  struct Modules {
    llvm::SmallVector<const FoundModule *, 2> found;
    bool areAll = true;
  };
  /// Those that an expression leads to by names that imports give: `q.c`. Its first name is what
  /// the given imports make it; the module's if there are none. Nothing if no import gives that.
  std::optional<Modules> modulesNamed(const Environment &home, const Expr *path,
                                      llvm::ArrayRef<Import> imports);
  /// Adds those that a name of the module may be.
  void addMembers(const FoundModule &module, llvm::StringRef name, unsigned depth,
                  Modules &members);
  void addImported(const Environment &home, const Definition *last, unsigned depth,
                   Modules &members);
  void addImported(const Environment &home, const Import &import, unsigned depth, Modules &members);
  /// Adds those that a part is, as far as they are known; returns whether these are all.
  bool addPart(const Environment &home, const HandedNames::Part &part);
  /// The module that an import has named, unless it is another name of a package; null if none is.
  const FoundModule *imported(const Environment &home, const Import &import);

  /// Those of all modules together (HandedNames).
  llvm::DenseSet<llvm::StringRef> names, lists, ownLists;
  /// Parts of objects that are not seen (HandedNames::attributes).
  llvm::DenseSet<llvm::StringRef> attributes;
  /// The modules that statements hand on by a name or by a path of names.
  llvm::SetVector<const FoundModule *> modules;
  /// Those parts of which not all modules are read.
  std::vector<std::pair<const Environment *, HandedNames::Part>> parts;
  struct Asked {
    const Environment *home;
    HandedNames::Asked module;
    ImportTexts::Texts texts;
  };
  std::vector<Asked> asked;
  ImportTexts texts;
  /// The first two modules that change a list by another name: one of them is not the list's own.
  llvm::SmallVector<const Environment *, 2> changing;
  UnseenEnvironments unseen;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_HANDEDOBJECTS_H
