//===- Environments.cpp - Modules, classes and functions as places of names ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/execution/Environments.h"

#include "frontend/names/Resolver.h"

using namespace tilewright;
using namespace tilewright::frontend;

Environments::Environments(Resolver &resolver, const ParsedModule &file, Imports *imports)
    : ResolverPart(resolver), finder(imports ? &imports->files : nullptr, file.fileName(),
                                     imports ? llvm::ArrayRef<std::string>(imports->paths)
                                             : llvm::ArrayRef<std::string>()) {
  source.file = &file;
  source.module = &finder.source();
  source.scope = &file.scope();
}

Environment &Environments::make(const Environment &enclosing,
                                std::shared_ptr<Variables> variables) {
  Environment &made = environments.emplace_back();
  made.file = enclosing.file;
  made.module = enclosing.module;
  made.variables = std::move(variables);
  made.enclosing = &enclosing;
  return made;
}

const FoundModule *Environments::findModule(const Environment &environment, const Import &import) {
  if (import.level)
    return finder.findRelative(*environment.module, import.level, import.module);
  return finder.find(import.module);
}

const Environment *Environments::of(const FoundModule &module) {
  if (module.isSource)
    return &source;
  if (!module.file)
    return nullptr;
  const Environment *&entry = ofModules[&module];
  if (entry)
    return entry;
  const SourceFiles::Parsed &parsed = module.file->parse();
  if (!parsed) {
    if (!tb.failed())
      now.errors.push_back(parsed.error());
    return nullptr;
  }
  Environment &made = environments.emplace_back();
  made.file = parsed->get();
  made.module = &module;
  made.scope = &made.file->scope();
  return entry = &made;
}

const Environment *Environments::of(const ClassDefStmt *definition, const Environment &home,
                                    unsigned order) {
  const Environment *&entry = inner[definition];
  if (entry)
    return entry;
  Environment &made = environments.emplace_back();
  made.file = home.file;
  made.module = home.module;
  made.scope = &scopes.emplace_back(definition->body, Scope::Of::Class);
  made.enclosing = &home;
  made.isClass = true;
  made.name = definition->name;
  made.order = order;
  return entry = &made;
}

const Environment *Environments::inside(const FunctionDefStmt *function, const Environment &home) {
  const Environment *&entry = inner[function];
  if (entry)
    return entry;
  Environment &made = environments.emplace_back();
  made.file = home.file;
  made.module = home.module;
  made.scope = &scopes.emplace_back(*function);
  made.name = function->name;
  // Functions do not see the names of the class that they stand in.
  made.enclosing = home.isClass ? home.enclosing : &home;
  return entry = &made;
}

const Environment *UnseenEnvironments::next(const Environments &environments) {
  if (isEmpty(environments))
    return nullptr;
  const size_t place = count++;
  return place == 0 ? &environments.source : &environments.all()[place - 1];
}

bool UnseenEnvironments::isEmpty(const Environments &environments) const {
  return count > environments.all().size();
}
