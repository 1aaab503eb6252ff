//===- Definitions.cpp - Which of a name's definitions holds ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Resolver.h"

#include "frontend/names/modules/KnownModules.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

const Definition *Resolver::resolve(const Environment &environment, StringRef name) {
  // Names of modules and classes are attributes of theirs.
  const bool isObject = environment.isClass || !environment.enclosing;
  if (isObject && environment.scope &&
      (environment.scope->find(name) || environment.scope->lastStar()) &&
      changes.refuse(
          name,
          {[&](const Value &object) {
             if (object.kind == ValueKind::Class)
               return object.classObject && object.classObject->environment == &environment;
             return object.kind == ValueKind::Module && object.module &&
                    object.module == environment.module && !environment.enclosing;
           },
           environment.enclosing ? nullptr : environment.module, classes.find(environment)},
          [&] { return changes.mayHaveList(environment, name); }))
    return nullptr;
  const unsigned run = now.orderIn(environment);
  const Definition *next = environment.scope->find(name);
  const Definition *star = environment.scope->lastStar();
  // The usual case: defined once, unconditionally, before.
  if (!star && (!next || (!next->earlier && next->guards.empty())))
    return next && next->order < run ? unlessReplaced(environment, name, next) : nullptr;
  const unsigned end = environment.scope->endOfLoop(run);
  llvm::SmallVector<const Definition *> possible;
  bool certain = false;
  while ((next || star) && !certain && !tb.failed()) {
    const bool isStar = star && (!next || star->order > next->order);
    const Definition *&list = isStar ? star : next;
    const Definition *one = std::exchange(list, list->earlier);
    if (one->order >= end || (one->mayChange && !isMutableBefore(environment, *one)))
      continue;
    std::optional<bool> runs = conditions.holds(environment, *one);
    // It is of an iteration before, if there is one.
    const bool isOfIterationBefore = one->order >= run;
    if (isOfIterationBefore && runs.value_or(false))
      runs = std::nullopt;
    if (isStar && (!runs || *runs)) {
      std::optional<bool> defines = starDefines(environment, *one, name);
      if (!defines || !*defines)
        runs = defines;
    }
    if (!runs || *runs)
      possible.push_back(one);
    certain = runs.value_or(false);
  }
  // The first iteration has no iteration before.
  if (tb.failed() || possible.empty() || (possible.size() == 1 && possible.front()->order >= run))
    return nullptr;
  if (possible.size() == 1 && (certain || !mayMeanOther(environment, name)))
    return unlessReplaced(environment, name, possible.front());
  const Definition *chosen =
      possible.size() == 1 ? nullptr : chooseAmong(environment, name, possible);
  if (!chosen)
    refuseChoice(environment, name, *possible.front());
  return chosen ? unlessReplaced(environment, name, chosen) : nullptr;
}

/// Whether it is not a constant, nor one of the functions and classes of Python's: those are not
/// what programs change that write to the names of a module by their text.
static bool isOfKernels(const Value &value) {
  return value.kind == ValueKind::Module || value.kind == ValueKind::Host ||
         value.kind == ValueKind::Builtin || value.kind == ValueKind::Type ||
         (value.kind == ValueKind::Function && value.function->kind != FunctionKind::Plain);
}

const Definition *Resolver::unlessReplaced(const Environment &environment, StringRef name,
                                           const Definition *definition) {
  // Variables have a definition of their own for each such statement.
  if (definition->value || environment.isClass)
    return definition;
  const unsigned run = now.orderIn(environment);
  for (const Scope::AnyChange &change : environment.scope->anyChanges()) {
    if (change.order >= run || (!change.isLater && change.order <= definition->order) ||
        change.statement == definition->statement)
      continue;
    Value value;
    const bool isKnown = now.tryAt(environment, definition->order, [&] {
      value = global(environment, *definition, name, /*asked=*/true).known;
    });
    if (!isKnown || isOfKernels(value))
      return definition;
    Within within(now, environment, change.order);
    tb.failAt({change.statement->begin, change.statement->begin},
              "this statement may give '" + name +
                  "' another value, which the compiler cannot "
                  "evaluate",
              "write to globals() by a constant key, or define '" + name + "' after it");
    return nullptr;
  }
  return definition;
}

bool Resolver::isMutableBefore(const Environment &environment, const Definition &definition) {
  if (auto known = found.mutableBefore.find(&definition); known != found.mutableBefore.end())
    return known->second;
  // From the first on, since one asks for those before it. Changes by functions stand after the
  // others, with the order of the function.
  llvm::SmallVector<const Definition *> changes;
  for (const Definition *one = &definition; one; one = one->earlier)
    if (one->mayChange && !found.mutableBefore.contains(one) &&
        (one == &definition || one->order < definition.order))
      changes.push_back(one);
  const StringRef name = definition.name;
  // A value that cannot be evaluated may be a list.
  auto isMutable = [&](const Definition &before) {
    Value value;
    const bool isKnown = now.tryAt(environment, before.order, [&] {
      value = global(environment, before, name, /*asked=*/true).known;
    });
    return !isKnown || value.isMutable();
  };
  auto isMutableAt = [&](const Definition &change) {
    const bool isInLoop = environment.scope->endOfLoop(change.order) != change.order;
    if (change.statement->kind != StmtKind::FunctionDef && !isInLoop) {
      const Definition *before = nullptr;
      return !now.tryAt(environment, change.order, [&] { before = resolve(environment, name); }) ||
             (before && isMutable(*before));
    }
    // Wherever it is called, in whichever iteration, and whatever the name has then.
    for (const Definition *any = environment.scope->find(name); any; any = any->earlier)
      if (!any->mayChange && isMutable(*any))
        return true;
    return false;
  };
  for (const Definition *one : llvm::reverse(changes)) {
    // For who asks while it is found out.
    found.mutableBefore[one] = true;
    found.mutableBefore[one] = isMutableAt(*one);
  }
  return found.mutableBefore.lookup(&definition);
}

bool Resolver::mayMeanOther(const Environment &environment, StringRef name) {
  return environment.isClass || isBuiltinName(name) || name.starts_with("__") ||
         environment.scope->find("__getattr__");
}

Global Resolver::commonValue(StringRef name, llvm::ArrayRef<Defined> all) {
  Global common;
  for (const Defined &one : all) {
    Global here;
    const bool isKnown = now.tryAt(*one.environment, one.definition->order, [&] {
      here = global(*one.environment, *one.definition, name, /*asked=*/true);
    });
    // Equal lists are not one list.
    if (!isKnown || !here.known || here.known.isMutable())
      return {};
    if (!common.known)
      common = here;
    else if (!common.known.sameAs(here.known) || common.usable != here.usable)
      return {};
  }
  return common;
}

Global Resolver::commonValue(const Environment &environment, StringRef name,
                             llvm::ArrayRef<const Definition *> possible) {
  if (llvm::is_contained(comparing, name))
    return {};
  llvm::SmallVector<Defined> all;
  for (const Definition *one : possible) {
    const bool isRead =
        one->name == "*" && (one->import->level || !isKnownModule(one->import->module));
    if (!isRead) {
      all.push_back({&environment, one});
      continue;
    }
    // Modules that have all names of each other: whichever of their definitions it is.
    const FoundModule *module = environments.findModule(environment, *one->import);
    const Environment *there = nullptr;
    if (!module || !now.tryHere([&] { there = environments.of(*module); }) || !there ||
        !addDefinitions(*there, name, all))
      return {};
  }
  comparing.push_back(name);
  Global common = commonValue(name, all);
  comparing.pop_back();
  return common;
}

/// An import of a module of Triton, or of a name of one.
static bool isOfTriton(const Definition &definition) {
  return definition.import && !definition.import->level &&
         isTritonModule(definition.import->module) && definition.import->name != "*";
}

const Definition *Resolver::onlyLibdevice(const Environment &environment,
                                          llvm::ArrayRef<const Definition *> possible) {
  const Definition *library = nullptr;
  for (const Definition *one : possible) {
    Value value;
    const bool isKnown = now.tryAt(environment, one->order, [&] {
      value = global(environment, *one, one->name, /*asked=*/true).known;
    });
    if (!isKnown || value.kind == ValueKind::Host)
      continue;
    const bool isLibdevice = value.kind == ValueKind::Module && !value.module &&
                             StringRef(value.text).starts_with("triton.language.extra.") &&
                             StringRef(value.text).ends_with("libdevice");
    if (!isLibdevice || library)
      return nullptr;
    library = one;
  }
  if (!library || !assumed.insert(library).second)
    return library;
  Within within(now, environment, library->order);
  tb.warnAt(spanOf(library->statement),
            "which definition of '" + library->name +
                "' holds is not known while compiling: it is taken to be libdevice, which this one "
                "says, and whose functions are the same on all targets",
            "define '" + library->name + "' once");
  return library;
}

const Definition *Resolver::chooseAmong(const Environment &environment, StringRef name,
                                        llvm::ArrayRef<const Definition *> possible) {
  // Where kernels are compiled, there is Triton: `triton` and `tl` are not what stands in for it,
  // nor do modules that are not found replace them.
  llvm::SmallVector<const Definition *> ofTriton;
  llvm::copy_if(possible, std::back_inserter(ofTriton),
                [](const Definition *one) { return isOfTriton(*one); });
  if (const Definition *library = onlyLibdevice(environment, possible))
    return library;
  if (commonValue(environment, name, possible).known)
    return possible.front();
  // A function that no kernel can call stands in for one that it can.
  if (ofTriton.empty()) {
    const Definition *kernel = nullptr;
    for (const Definition *one : possible) {
      const auto *function = one->statement->dynAs<FunctionDefStmt>();
      if (!function || StringRef(function->name) != one->name)
        return nullptr;
      if (functions.of(function, environment, one->order)->kind == FunctionKind::Plain)
        continue;
      if (kernel)
        return nullptr;
      kernel = one;
    }
    return kernel;
  }
  const bool areModules = llvm::all_of(ofTriton, [](const Definition *one) {
    return one->import->name.empty() || one->import->name == "language";
  });
  if (ofTriton.size() != possible.size() && !areModules)
    return nullptr;
  // Imports of one function from the places where versions of Triton have it.
  const Definition *chosen = nullptr;
  for (const Definition *one : ofTriton) {
    if (!now.tryAt(environment, one->order,
                   [&] { importedGlobal(environment, *one->import, /*asked=*/true); }))
      continue;
    if (chosen && chosen->import->name != one->import->name)
      return nullptr;
    chosen = one;
  }
  return chosen;
}

void Resolver::refuseChoice(const Environment &environment, StringRef name,
                            const Definition &definition) {
  // The first condition that is not known, or that of the definitions before.
  const Stmt *decisive = definition.statement;
  for (const Guard &guard : definition.guards)
    if (!conditions.lets(environment, guard, definition)) {
      decisive = guard.statement;
      break;
    }
  const auto *condition = decisive->dynAs<IfStmt>();
  SourceSpan where =
      condition ? spanOf(condition->test) : SourceSpan{decisive->begin, decisive->begin};
  // A function may define other names than its own.
  const auto *function = definition.statement->dynAs<FunctionDefStmt>();
  StringRef what =
      function && StringRef(function->name) != name ? "whether this function has been called"
      : condition                                   ? "this condition"
      : decisive->kind == StmtKind::Try             ? "whether this `try` succeeds"
      : decisive->kind == StmtKind::Match           ? "what this `match` finds"
      : decisive->kind == StmtKind::For || decisive->kind == StmtKind::While ? "this loop"
      : decisive->kind == StmtKind::ImportFrom
          ? "what is imported here, from a module that is not found"
          : "this statement";
  // Why it is not known.
  std::vector<Diagnostic> reasons;
  if (condition) {
    Within within(now, environment, definition.order);
    reasons = now.errorsOf([&] { constantTruth(condition->test); });
  }
  Within within(now, environment, definition.order);
  tb.failAt(
      where,
      "which definition of '" + name + "' holds depends on " + what +
          (decisive->kind == StmtKind::ImportFrom ? "" : ", which the compiler cannot evaluate"),
      decisive->kind == StmtKind::ImportFrom
          ? "give the folder that holds the module with --path DIR"
          : "define '" + name +
                "' once, choose by a condition of constants, or make it a parameter of the "
                "kernel");
  if (reasons.empty())
    return;
  Diagnostic reason = std::move(reasons.front());
  reason.severity = Severity::Note;
  reason.message = "it cannot, as " + reason.message;
  reason.remedy.clear();
  reason.sourceLine.clear();
  // Where it was called from, before the names that led to the condition.
  std::vector<Diagnostic> calls = std::move(reason.notes);
  now.errors.back().notes.push_back(std::move(reason));
  llvm::append_range(now.errors.back().notes, calls);
}
