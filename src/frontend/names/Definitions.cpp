//===- Definitions.cpp - Which definition of a name holds ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A module is read, not run. Where it defines a name once, that is what the name means. Where it
// defines a name again, or under a condition,
//
//     if triton.__version__ >= "3":            try:
//         PRECISION = tl.constexpr("tf32")         from triton.language import gather
//     else:                                    except ImportError:
//         PRECISION = tl.constexpr("ieee")         gather = None
//
// the conditions are evaluated, from the last definition to the first, with the names as they were
// at that place of the file. Of those that cannot be evaluated - they ask for an installed package,
// or for a device - there is an error, unless it does not matter: there is one definition only, or
// all that are possible mean the same. `from m import *` defines what m has.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/names/KnownModules.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

unsigned CodeGen::orderIn(const Environment &environment) const {
  for (const Progress *at = progress; at; at = at->outer)
    if (at->environment == &environment)
      return at->order;
  return std::numeric_limits<unsigned>::max();
}

const Definition *CodeGen::resolve(const Environment &environment, StringRef name) {
  // Names of modules and classes are attributes of theirs.
  const bool isObject = environment.isClass || !environment.enclosing;
  if (isObject && environment.scope && environment.scope->find(name) &&
      refuseChangedAttribute(
          name,
          [&](const Value &object) {
            if (object.kind == ValueKind::Class)
              return object.classObject && object.classObject->environment == &environment;
            return object.kind == ValueKind::Module && object.module &&
                   object.module == environment.module && !environment.enclosing;
          },
          [&] { return mayHaveList(environment, name); }))
    return nullptr;
  const unsigned run = orderIn(environment);
  const Definition *next = environment.scope->find(name);
  const Definition *star = environment.scope->lastStar();
  // The usual case: defined once, unconditionally, before.
  if (!star && (!next || (!next->earlier && next->guards.empty())))
    return next && next->order < run ? next : nullptr;
  llvm::SmallVector<const Definition *> possible;
  bool certain = false;
  while ((next || star) && !certain && !tb.failed()) {
    const bool isStar = star && (!next || star->order > next->order);
    const Definition *&list = isStar ? star : next;
    const Definition *one = std::exchange(list, list->earlier);
    if (one->order >= run || (one->mayChange && !isMutableBefore(environment, *one)))
      continue;
    std::optional<bool> runs = holds(environment, *one);
    if (isStar && (!runs || *runs)) {
      std::optional<bool> defines = starDefines(environment, *one, name);
      if (!defines || !*defines)
        runs = defines;
    }
    if (!runs || *runs)
      possible.push_back(one);
    certain = runs.value_or(false);
  }
  if (tb.failed())
    return nullptr;
  if (possible.size() <= 1)
    return possible.empty() ? nullptr : possible.front();
  const Definition *chosen = chooseAmong(environment, possible);
  if (!chosen)
    refuseChoice(environment, name, *possible.front());
  return chosen;
}

bool CodeGen::isMutableBefore(const Environment &environment, const Definition &definition) {
  if (auto known = mutableBefore.find(&definition); known != mutableBefore.end())
    return known->second;
  // From the first on, since one asks for those before it. Changes by functions stand after the
  // others, with the order of the function.
  llvm::SmallVector<const Definition *> changes;
  for (const Definition *one = &definition; one; one = one->earlier)
    if (one->mayChange && !mutableBefore.contains(one) &&
        (one == &definition || one->order < definition.order))
      changes.push_back(one);
  const StringRef name = definition.name;
  auto isMutable = [&](const Definition &before) {
    Value value;
    tryAt(environment, before.order,
          [&] { value = global(environment, before, name, /*asked=*/true).known; });
    return value.isMutable();
  };
  for (const Definition *one : llvm::reverse(changes)) {
    // For who asks while it is found out.
    mutableBefore[one] = true;
    if (one->statement->kind == StmtKind::FunctionDef) {
      // Wherever it is called, and whatever the name has then.
      bool isAny = false;
      for (const Definition *any = environment.scope->find(name); any; any = any->earlier)
        isAny |= !any->mayChange && isMutable(*any);
      mutableBefore[one] = isAny;
      continue;
    }
    const Definition *before = nullptr;
    tryAt(environment, one->order, [&] { before = resolve(environment, name); });
    mutableBefore[one] = before && isMutable(*before);
  }
  return mutableBefore.lookup(&definition);
}

/// An import of a module of Triton, or of a name of one.
static bool isOfTriton(const Definition &definition) {
  return definition.import && !definition.import->level &&
         isTritonModule(definition.import->module) && definition.import->name != "*";
}

const Definition *CodeGen::onlyLibdevice(const Environment &environment,
                                         llvm::ArrayRef<const Definition *> possible) {
  const Definition *library = nullptr;
  for (const Definition *one : possible) {
    Value value;
    const bool isKnown = tryAt(environment, one->order, [&] {
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
  Within within(*this, environment, library->order);
  tb.warnAt(spanOf(library->statement),
            "which definition of '" + library->name +
                "' holds is not known while compiling: it is taken to be libdevice, which this one "
                "says, and whose functions are the same on all targets",
            "define '" + library->name + "' once");
  return library;
}

const Definition *CodeGen::chooseAmong(const Environment &environment,
                                       llvm::ArrayRef<const Definition *> possible) {
  // Where kernels are compiled, there is Triton: `triton` and `tl` are not what stands in for it,
  // nor do modules that are not found replace them.
  llvm::SmallVector<const Definition *> ofTriton;
  llvm::copy_if(possible, std::back_inserter(ofTriton),
                [](const Definition *one) { return isOfTriton(*one); });
  if (const Definition *library = onlyLibdevice(environment, possible))
    return library;
  // A function that no kernel can call stands in for one that it can.
  if (ofTriton.empty()) {
    const Definition *kernel = nullptr;
    for (const Definition *one : possible) {
      const auto *function = one->statement->dynAs<FunctionDefStmt>();
      if (!function || StringRef(function->name) != one->name)
        return nullptr;
      if (functionOf(function, environment, one->order)->kind == FunctionKind::Plain)
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
    if (!tryAt(environment, one->order,
               [&] { importedGlobal(environment, *one->import, /*asked=*/true); }))
      continue;
    if (chosen && chosen->import->name != one->import->name)
      return nullptr;
    chosen = one;
  }
  return chosen;
}

std::optional<bool> CodeGen::holds(const Environment &environment, const Definition &definition) {
  bool known = true;
  for (const Guard &guard : definition.guards) {
    std::optional<bool> one = lets(environment, guard, definition);
    if (one && !*one)
      return false;
    known &= one.has_value();
  }
  return known ? std::optional(true) : std::nullopt;
}

std::optional<bool> CodeGen::catches(const TryStmt &attempt, const Stmt &failing) {
  if (attempt.handlers.size() != 1)
    return std::nullopt;
  const Expr *type = attempt.handlers[0].type;
  if (!type)
    return true;
  const bool isImport = failing.kind != StmtKind::Assign;
  auto matches = [&](const Expr *one) {
    const auto *name = one->dynAs<NameExpr>();
    return name && (name->id == "Exception" || name->id == "BaseException" ||
                    name->id == (isImport ? "ImportError" : "AttributeError"));
  };
  if (matches(type))
    return true;
  if (const auto *tuple = type->dynAs<TupleExpr>(); tuple && llvm::any_of(tuple->elements, matches))
    return true;
  return std::nullopt;
}

std::optional<bool> CodeGen::lets(const Environment &environment, const Guard &guard,
                                  const Definition &definition) {
  switch (guard.kind) {
  case Guard::Kind::IfTrue:
  case Guard::Kind::IfFalse: {
    std::optional<bool> truth = isTrue(environment, *guard.statement->as<IfStmt>(), guard.order);
    if (truth && guard.kind == Guard::Kind::IfFalse)
      truth = !*truth;
    return truth;
  }
  case Guard::Kind::TryBody:
  case Guard::Kind::TryHandler:
  case Guard::Kind::TryElse: {
    const auto &attempt = *guard.statement->as<TryStmt>();
    std::optional<bool> success = succeeds(environment, attempt, guard.order);
    if (!success)
      return std::nullopt;
    if (*success)
      return guard.kind != Guard::Kind::TryHandler;
    if (guard.kind == Guard::Kind::TryElse)
      return false;
    const Stmt &failing = *failingStatements.lookup(&attempt);
    if (guard.kind == Guard::Kind::TryHandler)
      return catches(attempt, failing);
    // The body ends before the definition, with it, or after it.
    const Position begin = definition.statement->begin;
    return begin.line < failing.begin.line ||
           (begin.line == failing.begin.line && begin.column < failing.begin.column);
  }
  case Guard::Kind::NotFollowed:
    return std::nullopt;
  }
  llvm_unreachable("all kinds of guards are listed");
}

std::optional<bool> CodeGen::isTrue(const Environment &environment, const IfStmt &condition,
                                    unsigned order) {
  auto [entry, isNew] = conditions.try_emplace(&condition);
  if (!isNew)
    return entry->second;
  std::optional<bool> truth;
  tryAt(environment, order, [&] { truth = constantTruth(condition.test); });
  return conditions[&condition] = truth;
}

std::optional<bool> CodeGen::succeeds(const Environment &environment, const TryStmt &attempt,
                                      unsigned order) {
  auto [entry, isNew] = conditions.try_emplace(&attempt);
  if (!isNew)
    return entry->second;
  std::optional<bool> success = runAttempt(environment, attempt, order);
  return conditions[&attempt] = success;
}

/// Whether an expression names something in a module, which is there or is not.
static bool isPath(const Expr *expr) {
  while (const auto *attribute = expr->dynAs<AttributeExpr>())
    expr = attribute->value;
  return expr->kind == ExprKind::Name;
}

std::optional<bool> CodeGen::runAttempt(const Environment &environment, const TryStmt &attempt,
                                        unsigned order) {
  for (const Stmt *stmt : attempt.body) {
    failingStatements[&attempt] = stmt;
    switch (stmt->kind) {
    case StmtKind::FunctionDef:
    case StmtKind::ClassDef:
    case StmtKind::Pass:
      break;
    case StmtKind::Import:
      for (const ImportName &one : stmt->as<ImportStmt>()->names)
        if (std::optional<bool> can = canImport(environment, {0, one.name, {}, {}, {}, {}});
            !can || !*can)
          return can;
      break;
    case StmtKind::ImportFrom: {
      const auto *from = stmt->as<ImportFromStmt>();
      for (const ImportName &one : from->names)
        if (std::optional<bool> can =
                canImport(environment, {from->level, from->module, one.name, {}, {}, {}});
            !can || !*can)
          return can;
      break;
    }
    case StmtKind::Assign: {
      // What can be evaluated raises no exception. Of what cannot, nothing is known, but that
      // triton.language and its modules have a name or not.
      const Expr *value = stmt->as<AssignStmt>()->value;
      Value result;
      if (tryAt(environment, order, [&] { result = evaluate(value); }))
        break;
      const auto *attribute = value->dynAs<AttributeExpr>();
      Value module;
      if (attribute && isPath(value) &&
          tryAt(environment, order, [&] { module = evaluate(attribute->value); }) &&
          module.kind == ValueKind::Module && StringRef(module.text).starts_with("triton.language"))
        return false;
      return std::nullopt;
    }
    case StmtKind::Expr:
      if (stmt->as<frontend::ExprStmt>()->value->kind != ExprKind::Constant)
        return std::nullopt;
      break;
    default:
      return std::nullopt;
    }
  }
  return true;
}

std::optional<bool> CodeGen::canImport(const Environment &environment, const Import &import) {
  const StringRef module = import.level ? import.module : moduleMeant(import.module);
  if (!import.level && isKnownModule(module)) {
    if (import.name.empty() || import.name == "*")
      return isTritonModule(module) || !module.starts_with("triton.") ? std::optional(true)
                                                                      : std::nullopt;
    if (!module.starts_with("triton") && module != "math" && module != "tilewright.matrix")
      return true;
    return moduleHas(module, import.name);
  }
  const FoundModule *found = findModule(environment, import);
  for (const FoundModule *one : modulesOf(environment, import))
    if (std::optional<bool> runs = runsThrough(*one); !runs || !*runs)
      return runs;
  if (found && !import.name.empty() && import.name != "*")
    return hasMember(*found, import.name);
  if (found)
    return true;
  // A module of a package that is there; of a package that is not, it may be elsewhere.
  if (import.level || finder.hasTopLevel(module))
    return false;
  return std::nullopt;
}

std::vector<Diagnostic> CodeGen::errorsOf(llvm::function_ref<void()> body) {
  std::vector<Diagnostic> reported;
  std::swap(errors, reported);
  body();
  std::swap(errors, reported);
  return reported;
}

bool CodeGen::tryHere(llvm::function_ref<void()> body) { return errorsOf(body).empty(); }

bool CodeGen::tryAt(const Environment &environment, unsigned order,
                    llvm::function_ref<void()> body) {
  Within within(*this, environment, order);
  return tryHere(body);
}

void CodeGen::refuseChoice(const Environment &environment, StringRef name,
                           const Definition &definition) {
  // The first condition that is not known, or that of the definitions before.
  const Stmt *decisive = definition.statement;
  for (const Guard &guard : definition.guards)
    if (!lets(environment, guard, definition)) {
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
    Within within(*this, environment, definition.order);
    reasons = errorsOf([&] { constantTruth(condition->test); });
  }
  Within within(*this, environment, definition.order);
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
  errors.back().notes.push_back(std::move(reason));
  llvm::append_range(errors.back().notes, calls);
}
