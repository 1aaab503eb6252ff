//===- NamedTexts.h - Names that stand as texts in modules ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     def put(module, name, value):              put("p.util", "N", 3)
//         setattr(sys.modules[module], name, value)
//
// A name that a statement computes, of a module or an attribute, stands as a text somewhere: in the
// statement's module, or where a function gets it from.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_NAMEDTEXTS_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_NAMEDTEXTS_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environments.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

namespace tilewright::frontend {

class NamedTexts : public ResolverPart {
public:
  explicit NamedTexts(Resolver &resolver) : ResolverPart(resolver) {}

  /// Whether a statement of the module, or of the function in it, may compute the names: constant
  /// texts of the module have them, or those of one module that mentions the function. Texts with
  /// blanks and calls are none; the keywords of calls are.
  bool mayName(const Environment &home, const FunctionDefStmt *function,
               llvm::ArrayRef<llvm::StringRef> names);

private:
  const llvm::StringSet<> &partsOf(const ParsedModule &file);
  /// The modules whose text mentions the name of a function.
  struct Mentions {
    llvm::SmallVector<const ParsedModule *, 2> files;
    UnseenEnvironments unseen;
  };

  /// The parts of texts by module: `a` and `b` of "a.b".
  llvm::DenseMap<const ParsedModule *, std::unique_ptr<llvm::StringSet<>>> parts;
  llvm::StringMap<Mentions> mentions;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_NAMEDTEXTS_H
