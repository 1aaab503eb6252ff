//===- Resolver.cpp - What the names of a source mean -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Resolver.h"

using namespace tilewright;
using namespace tilewright::frontend;

ResolverPart::ResolverPart(Resolver &resolver)
    : resolver(resolver), now(resolver.now), tb(resolver.now.tb) {}

Resolver::Resolver(Execution &now, Evaluator &evaluator, const ParsedModule &file, Imports *imports)
    : now(now), evaluator(evaluator), environments(*this, file, imports), conditions(*this),
      runs(*this), importChanges(*this), namedTexts(*this), changes(*this), classes(*this),
      functions(*this), known(*this), devices(*this), tb(now.tb) {
  now.environment = &environments.source;
}
