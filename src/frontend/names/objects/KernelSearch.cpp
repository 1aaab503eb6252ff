//===- KernelSearch.cpp - Which function is the kernel ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/KernelSearch.h"

#include "frontend/names/Resolver.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static llvm::SmallVector<StringRef> namesOf(llvm::ArrayRef<const FunctionObject *> functions) {
  return llvm::map_to_vector(functions,
                             [](const FunctionObject *function) { return function->name(); });
}

KernelSearch::Kernels KernelSearch::ofModule() {
  Kernels kernels;
  for (const auto &entry : resolver.environments.source.scope->definitions())
    for (const Definition *one = entry.second; one; one = one->earlier) {
      const auto *function = one->statement->dynAs<FunctionDefStmt>();
      if (function && StringRef(function->name) == entry.getKey() && !function->decorators.empty())
        if (const FunctionObject *object =
                resolver.functions.of(function, resolver.environments.source, one->order);
            object->kind == FunctionKind::Jitted) {
          kernels.push_back(object);
          break;
        }
      // `k = triton.jit(f)`, `k = autotune(..)(k)`, `k = f`
      Value value;
      if (one->value && !one->annotation &&
          (one->value->kind == ExprKind::Call || one->value->kind == ExprKind::Name) &&
          now.tryHere([&] {
            value = resolver.global(resolver.environments.source, *one, one->name, /*asked=*/false)
                        .known;
          }) &&
          value.kind == ValueKind::Function && value.function->kind == FunctionKind::Jitted) {
        kernels.push_back(value.function);
        break;
      }
      if (one->guards.empty())
        break;
    }
  llvm::sort(kernels, [](const FunctionObject *a, const FunctionObject *b) {
    return std::pair(a->definition->begin.line, a->key) <
           std::pair(b->definition->begin.line, b->key);
  });
  kernels.erase(llvm::unique(kernels), kernels.end());
  return kernels;
}

void KernelSearch::collect(const Body &body, const Environment &environment, StringRef name,
                           Kernels &kernels) {
  for (const auto &entry : environment.scope->definitions())
    for (const Definition *one = entry.second; one; one = one->earlier)
      if (const auto *function = one->statement->dynAs<FunctionDefStmt>();
          function && StringRef(function->name) == entry.getKey() &&
          !function->decorators.empty() && (name.empty() || name == entry.getKey()))
        if (const FunctionObject *object = resolver.functions.of(function, environment, one->order);
            object->kind == FunctionKind::Jitted)
          kernels.push_back(object);
  collectInner(body, environment, name, kernels);
}

void KernelSearch::collectInner(const Body &body, const Environment &environment, StringRef name,
                                Kernels &kernels) {
  for (const Stmt *stmt : body) {
    switch (stmt->kind) {
    case StmtKind::FunctionDef: {
      const auto *function = stmt->as<FunctionDefStmt>();
      collect(function->body, *resolver.environments.inside(function, environment), name, kernels);
      break;
    }
    case StmtKind::ClassDef: {
      const auto *classDef = stmt->as<ClassDefStmt>();
      const Definition *definition = environment.scope->find(classDef->name);
      collect(classDef->body,
              *resolver.environments.of(classDef, environment,
                                        definition ? definition->order
                                                   : std::numeric_limits<unsigned>::max()),
              name, kernels);
      break;
    }
    case StmtKind::If:
      collectInner(stmt->as<IfStmt>()->body, environment, name, kernels);
      collectInner(stmt->as<IfStmt>()->orElse, environment, name, kernels);
      break;
    case StmtKind::Try:
      collectInner(stmt->as<TryStmt>()->body, environment, name, kernels);
      for (const ExceptHandler &handler : stmt->as<TryStmt>()->handlers)
        collectInner(handler.body, environment, name, kernels);
      break;
    default:
      break;
    }
  }
}

KernelSearch::Kernels KernelSearch::rootsOf(llvm::ArrayRef<const FunctionObject *> kernels) {
  NameSet called;
  for (const FunctionObject *function : kernels) {
    NameSet here;
    collectCalled(function->definition->body, here);
    here.remove(function->name());
    called.insert(here.begin(), here.end());
  }
  Kernels roots;
  for (const FunctionObject *function : kernels)
    if (!called.contains(function->name()))
      roots.push_back(function);
  return roots;
}

std::string KernelSearch::pathOf(const FunctionObject &function) {
  std::string path = function.name().str();
  for (const Environment *at = function.home; at->enclosing; at = at->enclosing)
    path.insert(0, at->name.str() + ".");
  return path;
}

const FunctionObject *KernelSearch::named(StringRef name) {
  const Definition *last = resolver.environments.source.scope->find(name);
  const Definition *definition =
      last ? resolver.resolve(resolver.environments.source, name) : nullptr;
  if (!last || tb.failed())
    return nullptr;
  Value value;
  if (definition)
    value = resolver.global(resolver.environments.source, *definition, name, /*asked=*/true).known;
  if (value.kind == ValueKind::Function && value.function->kind == FunctionKind::Jitted)
    return value.function;
  return nullptr;
}

bool KernelSearch::refuseDecorators(StringRef name) {
  const Environment &source = resolver.environments.source;
  for (const auto &entry : source.scope->definitions())
    for (const Definition *one = entry.second; one; one = one->earlier) {
      const auto *function = one->statement->dynAs<FunctionDefStmt>();
      if (!function || StringRef(function->name) != one->name ||
          (!name.empty() && name != one->name))
        continue;
      for (const Expr *decorator : function->decorators) {
        Within within(now, source, one->order);
        resolver.evaluate(decorator);
        if (tb.failed())
          return true;
      }
    }
  return false;
}

const FunctionObject *KernelSearch::choose(StringRef name) {
  auto fail = [&](const llvm::Twine &message, const llvm::Twine &remedy) {
    tb.failAt({}, message, remedy);
    return nullptr;
  };
  if (!name.empty()) {
    // `C.k` and `f.k` are told from each other by the path.
    const StringRef last = name.substr(name.rfind('.') + 1);
    const FunctionObject *kernel = last == name ? named(name) : nullptr;
    if (kernel || tb.failed())
      return kernel;
    Kernels inner;
    collectInner(resolver.environments.source.file->body(), resolver.environments.source, last,
                 inner);
    if (last != name)
      llvm::erase_if(inner, [&](const FunctionObject *one) {
        return !pathOf(*one).ends_with("." + name.str()) && pathOf(*one) != name;
      });
    if (inner.size() == 1)
      return inner.front();
    if (!inner.empty())
      return fail(
          "the file has several kernels named '" + name + "'",
          "say which: " +
              llvm::join(llvm::map_range(inner, [&](const auto *one) { return pathOf(*one); }),
                         ", "));
  }
  // A kernel of the module, if that has a name for it once it has run: its own, or another one.
  auto chooseOfModule = [&](const FunctionObject *function) -> const FunctionObject * {
    const FunctionObject *kernel = named(function->name());
    if (kernel || tb.failed())
      return kernel;
    for (const auto &entry : resolver.environments.source.scope->definitions())
      if (now.tryHere([&] { kernel = named(entry.getKey()); }) && kernel == function)
        return kernel;
    const Position at = function->definition->nameAt;
    tb.failAt({at, at}, "'" + function->name() + "' is no kernel once the module has run",
              "the conditions that it stands under leave it out, or something else takes its name");
    return nullptr;
  };
  Kernels kernels = ofModule();
  if (!name.empty()) {
    for (const FunctionObject *function : kernels)
      if (function->name() == name)
        return chooseOfModule(function);
  }
  if (kernels.empty())
    collectInner(resolver.environments.source.file->body(), resolver.environments.source, "",
                 kernels);
  if (kernels.empty()) {
    if (refuseDecorators(name))
      return nullptr;
    return fail("the file has no kernel", "a kernel is a function with @triton.jit before it");
  }
  if (!name.empty()) {
    llvm::SmallVector<StringRef> names = ::namesOf(kernels);
    StringRef close = closestOf(name, names);
    return fail("the file has no kernel named '" + name + "'; it has " + llvm::join(names, ", "),
                close.empty() ? "" : "did you mean " + close.str() + "?");
  }
  Kernels roots = rootsOf(kernels);
  if (roots.size() != 1)
    return fail("the file has several kernels: " +
                    llvm::join(::namesOf(roots.empty() ? kernels : roots), ", "),
                "say which one to compile");
  if (resolver.environments.source.scope->find(roots.front()->name()) &&
      !roots.front()->home->enclosing)
    return chooseOfModule(roots.front());
  return roots.front();
}
