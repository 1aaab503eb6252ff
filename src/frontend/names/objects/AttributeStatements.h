//===- AttributeStatements.h - Statements that set attributes, by name -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_ATTRIBUTESTATEMENTS_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_ATTRIBUTESTATEMENTS_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environments.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <array>

namespace tilewright::frontend {

/// An index of the statements of all modules that are read. Each module is looked through once.
class AttributeStatements : public ResolverPart {
public:
  explicit AttributeStatements(Resolver &resolver) : ResolverPart(resolver) {}

  /// Those of a module that set an attribute of that name.
  struct OfModule {
    const Environment *home;
    /// Modules are counted in the order in which they were read, the source first.
    size_t module;
    llvm::ArrayRef<AttributeChange> changes;
  };
  using OfName = llvm::SmallVector<OfModule, 1>;

  /// Looks through the modules that have been read since. References that `named` gave are no
  /// longer valid then.
  void update();
  /// In the order of the modules.
  llvm::ArrayRef<OfModule> named(llvm::StringRef attribute) const;
  /// Whether a statement gives the attribute another value, and not only changes the one it has.
  bool isSet(llvm::StringRef attribute) const { return set.contains(attribute); }
  /// The attributes by which a function has its code and its default values.
  static constexpr std::array<llvm::StringLiteral, 3> partsOfFunctions = {
      "__code__", "__defaults__", "__kwdefaults__"};
  /// Whether the text of a module mentions that part of functions.
  bool mentionsPart(size_t part) const { return mentioned[part]; }

private:
  void add(const Environment &home);

  llvm::StringMap<OfName> byName;
  llvm::StringSet<> set;
  std::array<bool, partsOfFunctions.size()> mentioned = {};
  UnseenEnvironments unseen;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_ATTRIBUTESTATEMENTS_H
