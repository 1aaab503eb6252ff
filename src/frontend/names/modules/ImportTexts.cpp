//===- ImportTexts.cpp - Names that statements hand to imports ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/ImportTexts.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Texts of one expression that are told apart, and names that lead to each other.
static constexpr size_t maxTexts = 256;
static constexpr unsigned maxDepth = 8;
/// When a function runs, all definitions of its module may have.
static constexpr unsigned anyOrder = std::numeric_limits<unsigned>::max();

/// Any text.
static ImportTexts::Texts anyText() { return {{"", /*isOpen=*/true}}; }

/// The name of the module that `types.ModuleType(name)` makes, of whose only definition the
/// expression is `.__name__`; null if it is none.
static const Expr *nameOfMade(const Environment &home, const Expr *expr) {
  const auto *attribute = expr->dynAs<AttributeExpr>();
  const auto *base = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
  if (!base || attribute->attribute != "__name__")
    return nullptr;
  const Definition *found = nullptr;
  bool isOne = true;
  for (const Definition *one = home.scope->find(base->id); one; one = one->earlier) {
    // `globals().update(..)`, which may give any name a value, is not written to rename a module.
    const bool bindsAny = !one->value && !one->import &&
                          (one->statement->kind == StmtKind::Expr ||
                           (one->statement->kind == StmtKind::FunctionDef &&
                            one->statement->as<FunctionDefStmt>()->name != base->id));
    if (one->mayChange || bindsAny)
      continue;
    isOne &= !found;
    found = one;
  }
  const auto *call =
      found && isOne && found->value && !found->element ? found->value->dynAs<CallExpr>() : nullptr;
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  const StringRef made = method ? StringRef(method->attribute) : call ? calledName(call) : "";
  return made == "ModuleType" && !call->arguments.empty() ? call->arguments[0] : nullptr;
}

ImportTexts::Texts ImportTexts::textsOf(const Environment &home, unsigned order, const Expr *expr,
                                        unsigned depth) {
  const Texts unknown = anyText();
  if (depth > maxDepth)
    return unknown;
  // Other objects have attributes of that name, which programs set.
  const auto *own = expr->dynAs<NameExpr>();
  if (own && own->id == "__name__" && !home.scope->find("__name__"))
    return {{resolver.environments.finder.fullName(*home.module)}};
  Value value;
  if (resolver.changes.tryUnchanged(home, order, [&] { value = resolver.evaluate(expr); }) &&
      value.kind == ValueKind::String)
    return {{std::string(value.text)}};
  auto joined = [&](const Texts &left, const Texts &right) {
    if (left.size() * right.size() > maxTexts)
      return unknown;
    Texts all;
    for (const Text &begin : left) {
      if (begin.isOpen)
        all.push_back(begin);
      else
        for (const Text &end : right)
          all.push_back({begin.begin + end.begin, end.isOpen});
    }
    return all;
  };
  if (const auto *name = expr->dynAs<NameExpr>())
    return textsOfName(home, order, name->id, depth + 1);
  if (std::optional<Texts> texts = specificationNamed(home.file->body(), expr))
    return *texts;
  if (const Expr *made = nameOfMade(home, expr))
    return textsOf(home, order, made, depth + 1);
  if (const auto *sum = expr->dynAs<BinOpExpr>(); sum && sum->op == BinaryOperator::Add)
    return joined(textsOf(home, order, sum->left, depth + 1),
                  textsOf(home, order, sum->right, depth + 1));
  if (const auto *text = expr->dynAs<JoinedStrExpr>()) {
    Texts all{{""}};
    for (const Expr *part : text->values) {
      const auto *field = part->dynAs<FormattedValueExpr>();
      if (const auto *constant = part->dynAs<ConstantExpr>())
        all = joined(all, {{std::string(constant->text)}});
      else if (field && !field->format && field->conversion == 0)
        all = joined(all, textsOf(home, order, field->value, depth + 1));
      else
        all = joined(all, unknown);
    }
    return all;
  }
  return unknown;
}

/// The name of the module that importlib's specification is of, which a call makes; null if it is
/// no such call.
static const Expr *specified(const Expr *value) {
  const auto *call = value ? value->dynAs<CallExpr>() : nullptr;
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  const StringRef function = method ? StringRef(method->attribute) : call ? calledName(call) : "";
  static constexpr StringRef makers[] = {"spec_from_file_location", "spec_from_loader",
                                         "ModuleSpec", "find_spec"};
  return llvm::is_contained(makers, function) && !call->arguments.empty() ? call->arguments[0]
                                                                          : nullptr;
}

/// The values that assignments anywhere in a body give the name; nothing if others bind it as well.
static std::optional<llvm::SmallVector<const Expr *>> valuesIn(const Body &body, StringRef name) {
  llvm::SmallVector<const Expr *> values;
  bool areAll = true;
  forEachStatement(body, [&](const Stmt *stmt) {
    NameSet bound;
    for (const Expr *target : targetsOf(stmt))
      collectTargets(target, bound);
    if (const auto *inner = stmt->dynAs<FunctionDefStmt>())
      collectParameters(inner->parameters, bound);
    if (!bound.contains(name) || stmt->kind == StmtKind::Delete)
      return;
    const auto *assign = stmt->dynAs<AssignStmt>();
    const bool isPlain =
        assign && assign->targets.size() == 1 && assign->targets[0]->kind == ExprKind::Name;
    areAll &= isPlain;
    if (isPlain)
      values.push_back(assign->value);
  });
  return areAll && !values.empty() ? std::optional(values) : std::nullopt;
}

/// The definition that a statement of the body sees at any rate, which `order` definitions precede:
/// one before it without a condition, or in the one loop that both stand in. Null if there is none.
static const Definition *lastBefore(const Scope &scope, StringRef name, unsigned order) {
  for (const Definition *one = scope.find(name); one; one = one->earlier) {
    if (one->mayChange || one->order >= order)
      continue;
    const bool isInLoop = one->guards.size() == 1 &&
                          one->guards[0].kind == Guard::Kind::NotFollowed &&
                          one->guards[0].statement->kind == StmtKind::For;
    const bool sees = one->guards.empty() || (isInLoop && order <= scope.endOfLoop(one->order));
    return sees && one->value && !one->element && !one->changedAt ? one : nullptr;
  }
  return nullptr;
}

ImportTexts::Texts ImportTexts::textsOfName(const Environment &home, unsigned order, StringRef name,
                                            unsigned depth) {
  const Texts unknown = anyText();
  const Definition *last = home.scope->find(name);
  if (!last)
    return unknown;
  if (const Definition *seen = lastBefore(*home.scope, name, order); seen && order != anyOrder)
    return textsOf(home, seen->order, seen->value, depth);
  Texts all;
  for (const Definition *one = last; one; one = one->earlier) {
    // Texts do not change, and what a list has become is no text.
    if (one->mayChange)
      continue;
    Texts some = unknown;
    if (one->value && !one->element && !one->changedAt) {
      some = textsOf(home, one->order, one->value, depth);
    } else if (const auto *loop = one->statement->dynAs<ForStmt>()) {
      // `for name in names`, `for name, other in names.items()`
      Value elements;
      resolver.changes.tryUnchanged(
          home, one->order, [&] { elements = resolver.evaluate(loop->iterable).iterated(); });
      std::optional<size_t> position;
      if (const auto *tuple = loop->target->dynAs<TupleExpr>())
        for (size_t i = 0; i < tuple->elements.size(); ++i)
          if (const auto *part = tuple->elements[i]->dynAs<NameExpr>();
              part && StringRef(part->id) == name)
            position = i;
      if (elements.isTuple() && elements.elements->size() <= maxTexts) {
        some.clear();
        for (const Value &element : *elements.elements) {
          const bool isPart = position && element.isTuple() && *position < element.elements->size();
          const Value &text = isPart ? (*element.elements)[*position] : element;
          if (text.kind == ValueKind::String)
            some.push_back({std::string(text.text)});
          else
            some.push_back(unknown.front());
        }
      }
    }
    llvm::append_range(all, some);
    if (all.size() > maxTexts)
      return unknown;
  }
  return all;
}

//===--------------------------------------------------------------------------===//
// In functions
//===--------------------------------------------------------------------------===//

/// The tests that hold, or do not, where a statement of the body runs, the outermost first: those
/// of the `if`s around it, and of those before it whose bodies end the function. Returns whether
/// the statement is in the body.
static bool collectTests(const Body &body, const Stmt *stmt, ImportTexts::Tests &tests) {
  const size_t before = tests.size();
  for (const Stmt *one : body) {
    if (one == stmt)
      return true;
    if (const auto *choice = one->dynAs<IfStmt>()) {
      for (bool holds : {true, false}) {
        tests.push_back({choice->test, holds});
        if (collectTests(holds ? choice->body : choice->orElse, stmt, tests))
          return true;
        tests.pop_back();
      }
      const bool ends = !choice->body.empty() && choice->orElse.empty() &&
                        (choice->body[choice->body.size() - 1]->kind == StmtKind::Return ||
                         choice->body[choice->body.size() - 1]->kind == StmtKind::Raise);
      if (ends)
        tests.push_back({choice->test, false});
      continue;
    }
    for (const Body *inner : bodiesOf(one))
      if (collectTests(*inner, stmt, tests))
        return true;
    if (const auto *function = one->dynAs<FunctionDefStmt>();
        function && collectTests(function->body, stmt, tests))
      return true;
    if (const auto *definition = one->dynAs<ClassDefStmt>();
        definition && collectTests(definition->body, stmt, tests))
      return true;
  }
  tests.resize(before);
  return false;
}

std::optional<ImportTexts::Texts> ImportTexts::textsWhere(const Environment &home,
                                                          const FunctionDefStmt *function,
                                                          const Test &test, StringRef name) {
  auto isIt = [&](const Expr *expr) {
    const auto *one = expr->dynAs<NameExpr>();
    return one && StringRef(one->id) == name;
  };
  if (const auto *negation = test.expr->dynAs<UnaryOpExpr>();
      negation && negation->op == UnaryOperator::Not)
    return textsWhere(home, function, {negation->operand, !test.holds}, name);
  if (const auto *several = test.expr->dynAs<BoolOpExpr>()) {
    // One of several that hold is enough; of alternatives each must tell.
    const bool isOneEnough = (several->op == BoolOperator::And) == test.holds;
    Texts all;
    for (const Expr *part : several->values) {
      std::optional<Texts> some = textsWhere(home, function, {part, test.holds}, name);
      if (some && isOneEnough)
        return some;
      if (!some && !isOneEnough)
        return std::nullopt;
      if (some)
        llvm::append_range(all, *some);
    }
    return isOneEnough ? std::nullopt : std::optional(all);
  }
  auto isKnown = [](const Texts &texts) {
    return llvm::none_of(texts, [](const Text &one) { return one.isOpen && one.begin.empty(); });
  };
  if (const auto *comparison = test.expr->dynAs<CompareExpr>();
      comparison && comparison->comparators.size() == 1) {
    const CompareOperator op = comparison->ops[0];
    const Expr *left = comparison->left, *right = comparison->comparators[0];
    if (op == (test.holds ? CompareOperator::Eq : CompareOperator::NotEq) &&
        (isIt(left) || isIt(right))) {
      Texts texts = textsIn(home, function, isIt(left) ? right : left);
      return isKnown(texts) ? std::optional(texts) : std::nullopt;
    }
    if (op == (test.holds ? CompareOperator::In : CompareOperator::NotIn) && isIt(left)) {
      Value elements;
      resolver.changes.tryUnchanged(home, anyOrder,
                                    [&] { elements = resolver.evaluate(right).iterated(); });
      if (!elements.isTuple())
        return std::nullopt;
      Texts texts;
      for (const Value &element : *elements.elements) {
        if (element.kind != ValueKind::String)
          return std::nullopt;
        texts.push_back({std::string(element.text)});
      }
      return texts;
    }
    return std::nullopt;
  }
  const auto *call = test.expr->dynAs<CallExpr>();
  const auto *method = call && test.holds ? call->function->dynAs<AttributeExpr>() : nullptr;
  if (!method || method->attribute != "startswith" || !isIt(method->value) ||
      call->arguments.size() != 1)
    return std::nullopt;
  Texts texts = textsIn(home, function, call->arguments[0]);
  if (!isKnown(texts))
    return std::nullopt;
  for (Text &one : texts)
    one.isOpen = true;
  return texts;
}

ImportTexts::Texts ImportTexts::textsAt(const Environment &home, const FunctionDefStmt *function,
                                        const Stmt *stmt, const Expr *expr) {
  if (const auto *name = expr->dynAs<NameExpr>()) {
    Tests tests;
    collectTests(function->body, stmt, tests);
    for (const Test &test : tests)
      if (std::optional<Texts> texts = textsWhere(home, function, test, name->id))
        return *texts;
  }
  return textsIn(home, function, expr);
}

ImportTexts::Texts ImportTexts::textsIn(const Environment &home, const FunctionDefStmt *function,
                                        const Expr *expr, unsigned depth) {
  NameSet own, mentioned;
  collectOwn(function, own);
  collectInner(function->body, own);
  collectNames(expr, mentioned);
  const auto *name = expr->dynAs<NameExpr>();
  if (llvm::none_of(mentioned, [&](StringRef one) { return own.contains(one); }))
    return name && home.scope->find(name->id) ? textsOfName(home, anyOrder, name->id, 0)
                                              : textsOf(home, anyOrder, expr);
  if (std::optional<Texts> texts = specificationNamed(function->body, expr))
    return *texts;
  NameSet parameters;
  collectParameters(function->parameters, parameters);
  if (!name || parameters.contains(name->id))
    return anyText();
  auto values = depth < maxDepth ? valuesIn(function->body, name->id) : std::nullopt;
  if (!values)
    return anyText();
  Texts all;
  for (const Expr *value : *values)
    llvm::append_range(all, textsIn(home, function, value, depth + 1));
  return all;
}

std::optional<ImportTexts::Texts> ImportTexts::specificationNamed(const Body &body,
                                                                  const Expr *expr) {
  // spec = spec_from_file_location("module", ..), then spec.name
  const auto *attribute = expr->dynAs<AttributeExpr>();
  const auto *name = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
  if (!name || attribute->attribute != "name")
    return std::nullopt;
  auto values = valuesIn(body, name->id);
  if (!values)
    return std::nullopt;
  Texts all;
  for (const Expr *value : *values) {
    const Expr *module = specified(value);
    std::optional<StringRef> text = module ? constantText(module) : std::nullopt;
    if (!text)
      return std::nullopt;
    all.push_back({text->str()});
  }
  return all;
}

ImportTexts::Texts ImportTexts::answersOf(const Environment &home, const ClassDefStmt *finder) {
  const FunctionDefStmt *find = nullptr;
  for (const Stmt *stmt : finder->body)
    if (const auto *method = stmt->dynAs<FunctionDefStmt>();
        method && (method->name == "find_spec" || method->name == "find_module"))
      find = find ? nullptr : method;
  // One that it inherits, and one of a class method, are not looked at.
  if (!find || find->parameters.positional.size() < 2)
    return anyText();
  const StringRef name = find->parameters.positional[1].name;
  Texts all;
  auto visit = [&](auto &&self, const Body &body) -> void {
    for (const Stmt *stmt : body) {
      const auto *result = stmt->dynAs<ReturnStmt>();
      const auto *constant =
          result && result->value ? result->value->dynAs<ConstantExpr>() : nullptr;
      if (result && result->value && !(constant && constant->constant == ConstantKind::None)) {
        Tests tests;
        collectTests(find->body, stmt, tests);
        std::optional<Texts> some;
        for (const Test &test : tests)
          if (!some)
            some = textsWhere(home, find, test, name);
        llvm::append_range(all, some.value_or(anyText()));
      }
      for (const Body *inner : bodiesOf(stmt))
        self(self, *inner);
    }
  };
  visit(visit, find->body);
  return all;
}
