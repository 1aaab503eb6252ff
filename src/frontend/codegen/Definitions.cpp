//===- Definitions.cpp - Which definition of a module-level name holds --------===//
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
// or for the environment - there is an error, unless it does not matter: there is one definition
// only, or all that are possible mean the same.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

const Definition *CodeGen::resolve(const Definition *last) {
  // The usual case: defined once, unconditionally, before.
  if (!last || (!last->earlier && last->guards.empty()))
    return last && last->order < definitionsRun ? last : nullptr;
  llvm::SmallVector<const Definition *> possible;
  bool certain = false;
  for (const Definition *one = last; one && !certain; one = one->earlier) {
    if (one->order >= definitionsRun)
      continue;
    std::optional<bool> runs = holds(*one);
    if (!runs || *runs)
      possible.push_back(one);
    certain = runs.value_or(false);
  }
  if (possible.size() <= 1)
    return possible.empty() ? nullptr : possible.front();
  // Imports of one function from the places where versions of Triton have it.
  const Definition *chosen = nullptr;
  Value meaning;
  for (const Definition *one : possible) {
    Value value;
    if (one->imported.empty()) {
      chosen = nullptr;
      break;
    }
    if (!tryAt(one->order, [&] { value = importedValue(one->imported); }))
      continue;
    if (chosen && !value.sameAs(meaning)) {
      chosen = nullptr;
      break;
    }
    if (!chosen) {
      chosen = one;
      meaning = value;
    }
  }
  if (!chosen)
    refuseChoice(*possible.front());
  return chosen;
}

std::optional<bool> CodeGen::holds(const Definition &definition) {
  bool known = true;
  for (const Guard &guard : definition.guards) {
    std::optional<bool> one = lets(guard, definition);
    if (one && !*one)
      return false;
    known &= one.has_value();
  }
  return known ? std::optional(true) : std::nullopt;
}

/// Whether an `except` catches what a failing import raises.
static std::optional<bool> catchesImportErrors(const TryStmt &attempt) {
  if (attempt.handlers.size() != 1)
    return std::nullopt;
  const Expr *type = attempt.handlers[0].type;
  const auto *name = type ? type->dynAs<NameExpr>() : nullptr;
  if (!type || (name && (name->id == "ImportError" || name->id == "Exception")))
    return true;
  return std::nullopt;
}

std::optional<bool> CodeGen::lets(const Guard &guard, const Definition &definition) {
  switch (guard.kind) {
  case Guard::Kind::IfTrue:
  case Guard::Kind::IfFalse: {
    std::optional<bool> truth = isTrue(*guard.statement->as<IfStmt>(), guard.order);
    if (truth && guard.kind == Guard::Kind::IfFalse)
      truth = !*truth;
    return truth;
  }
  case Guard::Kind::TryBody:
  case Guard::Kind::TryHandler:
  case Guard::Kind::TryElse: {
    const auto &attempt = *guard.statement->as<TryStmt>();
    std::optional<bool> success = succeeds(attempt, guard.order);
    if (!success)
      return std::nullopt;
    if (*success)
      return guard.kind != Guard::Kind::TryHandler;
    if (guard.kind == Guard::Kind::TryElse)
      return false;
    if (guard.kind == Guard::Kind::TryHandler)
      return catchesImportErrors(attempt);
    // The body ends where an import fails: before this one, or with it.
    return definition.imported.empty() ? std::nullopt : std::optional(false);
  }
  case Guard::Kind::NotFollowed:
    return std::nullopt;
  }
  llvm_unreachable("all kinds of guards are listed");
}

std::optional<bool> CodeGen::isTrue(const IfStmt &condition, unsigned order) {
  auto [entry, isNew] = conditions.try_emplace(&condition);
  if (!isNew)
    return entry->second;
  std::optional<bool> truth;
  tryAt(order, [&] { truth = constantTruth(condition.test); });
  return conditions[&condition] = truth;
}

std::optional<bool> CodeGen::succeeds(const TryStmt &attempt, unsigned order) {
  for (const Stmt *stmt : attempt.body) {
    switch (stmt->kind) {
    case StmtKind::FunctionDef:
    case StmtKind::Pass:
      break;
    case StmtKind::Import:
      for (const ImportName &one : stmt->as<ImportStmt>()->names)
        if (StringRef name = one.name; name != "triton" && name != "math" &&
                                       name != "triton.language" && name != "tilewright.language" &&
                                       name != "triton.language.extra.libdevice")
          return std::nullopt;
      break;
    case StmtKind::ImportFrom: {
      const auto *from = stmt->as<ImportFromStmt>();
      StringRef module = from->module;
      if (from->level ||
          (module != "triton" && module != "math" && module != "triton.language" &&
           module != "tilewright.language" && !module.starts_with("triton.language.")))
        return std::nullopt;
      for (const ImportName &one : from->names) {
        if (module == "triton.language" && isUnsupportedLanguageName(one.name))
          continue; // Triton has it.
        if (!tryAt(definitionsRun,
                   [&] { importedValue(keep(module + ":" + StringRef(one.name))); }))
          return false;
      }
      break;
    }
    case StmtKind::Assign:
      // What can be evaluated raises no exception; of what cannot, nothing is known.
      if (!tryAt(order, [&] { evaluate(stmt->as<AssignStmt>()->value); }))
        return std::nullopt;
      break;
    default:
      return std::nullopt;
    }
  }
  return true;
}

bool CodeGen::tryAt(unsigned order, llvm::function_ref<void()> body) {
  std::vector<Diagnostic> reported;
  std::swap(errors, reported);
  Frame *savedFrame = frame;
  const unsigned savedRun = definitionsRun;
  frame = nullptr;
  definitionsRun = order;
  body();
  frame = savedFrame;
  definitionsRun = savedRun;
  std::swap(errors, reported);
  return reported.empty();
}

void CodeGen::refuseChoice(const Definition &definition) {
  const StringRef name = definition.name;
  SourceSpan use = tb.here();
  // The first condition that is not known, or that of the definitions before.
  const Stmt *decisive = definition.statement;
  for (const Guard &guard : definition.guards)
    if (!lets(guard, definition)) {
      decisive = guard.statement;
      break;
    }
  const auto *condition = decisive->dynAs<IfStmt>();
  SourceSpan where =
      condition ? spanOf(condition->test) : SourceSpan{decisive->begin, decisive->begin};
  StringRef what = condition                         ? "this condition"
                   : decisive->kind == StmtKind::Try ? "whether this `try` succeeds"
                   : decisive->kind == StmtKind::For || decisive->kind == StmtKind::While
                       ? "this loop"
                   : decisive->kind == StmtKind::Global ? "whether this function has been called"
                                                        : "this statement";
  tb.failAt(where,
            "which definition of '" + name + "' holds depends on " + what +
                ", which the compiler cannot evaluate",
            "define '" + name +
                "' once, choose by a condition of constants, or make it a parameter of the kernel");
  if (!use.begin.line)
    return;
  Diagnostic note;
  note.severity = Severity::Note;
  note.where = {errors.back().where.file, static_cast<int>(use.begin.line),
                static_cast<int>(use.begin.column), 1};
  note.message = "'" + name.str() + "' is used here";
  errors.back().notes.push_back(std::move(note));
}
