//===- AttributeStatements.cpp - Statements that set attributes, by name ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/AttributeStatements.h"

#include "frontend/names/Resolver.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

void AttributeStatements::add(const Environment &home) {
  if (home.enclosing)
    return;
  for (size_t part = 0; part < mentioned.size(); ++part)
    mentioned[part] = mentioned[part] || home.file->text().contains(partsOfFunctions[part]);
  if (!home.scope)
    return;
  const size_t module = unseen.seen() - 1;
  for (const auto &entry : home.scope->attributeChanges()) {
    byName[entry.getKey()].push_back({&home, module, entry.second});
    if (llvm::any_of(entry.second, [](const AttributeChange &one) {
          return !one.mayChange && (!one.import || one.of == AttributeChange::Of::Imported);
        }))
      set.insert(entry.getKey());
  }
}

void AttributeStatements::update() {
  while (const Environment *home = unseen.next(resolver.environments))
    add(*home);
}

llvm::ArrayRef<AttributeStatements::OfModule>
AttributeStatements::named(StringRef attribute) const {
  auto found = byName.find(attribute);
  return found == byName.end() ? llvm::ArrayRef<OfModule>() : llvm::ArrayRef(found->second);
}
