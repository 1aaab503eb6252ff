//===- Globals.cpp - Values of module-level names -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Resolver.h"

#include "frontend/names/objects/KernelSearch.h"
#include "frontend/value/Sequences.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Global Resolver::global(const Environment &environment, const Definition &definition,
                        StringRef name, bool asked) {
  if (definition.name == "*") {
    Within within(now, environment, definition.order);
    Import import = *definition.import;
    import.name = name;
    TritonBuilder::At span(tb, {import.begin, import.end});
    // `import *` does not ask a module's __getattr__.
    const bool isRead = (import.level || !isKnownModule(import.module)) &&
                        environments.findModule(environment, import) != nullptr;
    if (isRead && !starDefines(environment, definition, name).value_or(false)) {
      if (Global common = commonValue(environment, name, &definition); common.known)
        return common;
      tb.fail("whether this import defines '" + name + "' is not known while compiling",
              "import '" + name + "' by its name");
      return {};
    }
    return importedGlobal(environment, import, asked);
  }
  Global &result = found.globals[&definition];
  if (result.isComputed && (!asked || result.usable || result.known))
    return result;
  Within within(now, environment, definition.order);
  TritonBuilder::At span(tb, definition.import
                                 ? SourceSpan{definition.import->begin, definition.import->end}
                                 : spanOf(definition.statement));
  // A definition reads earlier ones only, of its own module and, where modules import each other,
  // of those that are under way (orderIn), but in a loop, where it may come to read itself.
  if (llvm::is_contained(found.underWay, &definition)) {
    tb.fail("'" + name +
                "' is computed from what an iteration before has made of it, which the compiler "
                "cannot evaluate",
            "define '" + name + "' outside of loops");
    return {};
  }
  found.underWay.push_back(&definition);
  Global computed;
  computed.known = computeGlobal(environment, definition, asked, computed.usable);
  found.underWay.pop_back();
  if (tb.failed()) {
    tb.noteError(tb.here(), (definition.import ? "'" + name + "' is imported here"
                                               : "'" + name + "' is defined here"));
    return {};
  }
  computed.isComputed = true;
  return result = computed;
}

Value Resolver::globalValue(const Environment &environment, const Definition &definition,
                            StringRef name) {
  // Code that runs while compiling sees all that Python would show it.
  Global found = global(environment, definition, name, now.inPython());
  if (tb.failed()) {
    tb.noteError(tb.here(), "'" + name + "' is used here");
    return {};
  }
  if (found.usable || (now.inPython() && found.known))
    return found.known;
  if (found.known.kind == ValueKind::Function)
    return tb.fail("'" + name + "' is no jitted function, so that a kernel cannot call it",
                   "put @triton.jit before its definition");
  if (definition.statement->kind == StmtKind::ClassDef)
    return tb.fail("the class '" + name + "' cannot be used in a kernel");
  return tb.fail("Cannot access global variable " + name +
                     " from within a kernel: it is no constexpr",
                 "write " + name + " = tl.constexpr(..), or make it a parameter");
}

/// Whether a kernel may use a value whatever it is the value of.
static bool isUsable(const Value &value) {
  return value.kind == ValueKind::Type || value.kind == ValueKind::Builtin ||
         value.kind == ValueKind::Module || value.kind == ValueKind::Host ||
         (value.kind == ValueKind::Class && value.tupleClass) ||
         (value.kind == ValueKind::Function && value.function->kind != FunctionKind::Plain);
}

Value Resolver::computeGlobal(const Environment &environment, const Definition &definition,
                              bool asked, bool &usable) {
  if (definition.import) {
    Global imported = importedGlobal(environment, *definition.import, asked);
    usable = imported.usable;
    return imported.known;
  }
  Value value;
  // A function may also define other names, by `global`.
  if (const auto *function = definition.statement->dynAs<FunctionDefStmt>();
      function && StringRef(function->name) == definition.name) {
    value = Value::ofFunction(functions.of(function, environment, definition.order));
  } else if (const auto *classDef = definition.statement->dynAs<ClassDefStmt>()) {
    const ClassObject &object = classes.of(classDef, environment, definition.order);
    const TupleClass *tupleClass = classes.tupleClassOf(object);
    usable = tupleClass;
    return tupleClass ? Value::ofTupleClass(tupleClass, &object)
                      : Value::ofClass(definition.name, &object);
  } else {
    return computeVariable(environment, definition, asked, usable);
  }
  usable = isUsable(value);
  return value;
}

bool Resolver::isConstexprCall(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  Value callee;
  return call &&
         (call->function->kind == ExprKind::Name || call->function->kind == ExprKind::Attribute) &&
         now.tryHere([&] { callee = evaluate(call->function); }) &&
         callee.kind == ValueKind::Builtin && callee.builtin->name == "constexpr";
}

const Expr *Resolver::chosenConstexpr(const IfExpExpr &choice) {
  const bool body = isConstexprCall(choice.body), orElse = isConstexprCall(choice.orElse);
  if (!body && !orElse)
    return nullptr;
  std::optional<bool> truth;
  now.tryHere([&] { truth = constantTruth(choice.test); });
  const bool takesBody = truth.value_or(body);
  if (!(takesBody ? body : orElse) || (!truth && body && orElse))
    return nullptr;
  return takesBody ? choice.body : choice.orElse;
}

Value Resolver::computeVariable(const Environment &environment, const Definition &definition,
                                bool asked, bool &usable) {
  const StringRef name = definition.name;
  if (definition.changedAt)
    return asked ? changedElement(environment, definition) : Value();
  if (definition.mayChange)
    return tb.fail("'" + name +
                       "' may be changed here, so that its value is not known while "
                       "compiling",
                   "make a tuple of it: " + name + " = tuple(..)");
  const StmtKind kind = definition.statement->kind;
  if (!definition.value && (kind == StmtKind::Expr || kind == StmtKind::Assign ||
                            kind == StmtKind::AugAssign || kind == StmtKind::Delete))
    return tb.fail("what '" + name + "' is after this statement is not known while compiling",
                   "define '" + name + "' by one assignment");
  if (!definition.value)
    return tb.fail("the global variable '" + name + "' cannot be used in a kernel",
                   "make it a parameter of the kernel, or a constant: " + name +
                       " = tl.constexpr(..)");
  if (!definition.element && !checkNamed(definition.value))
    return {};
  bool isConstexpr = definition.annotation &&
                     functions.isAnnotation(definition.annotation, "constexpr", environment);
  const auto *call = definition.value->dynAs<CallExpr>();
  const bool isPath =
      definition.value->kind == ExprKind::Name || definition.value->kind == ExprKind::Attribute;
  if (call && !isConstexpr && !definition.element) {
    if (std::optional<Value> wrapped = followWrapping(call, name)) {
      usable = *wrapped && isUsable(*wrapped);
      return *wrapped;
    }
    if (tb.failed())
      return {};
    Value callee;
    if (call->function->kind == ExprKind::Name || call->function->kind == ExprKind::Attribute)
      callee = evaluate(call->function);
    isConstexpr = callee.kind == ValueKind::Builtin && callee.builtin->name == "constexpr";
  }
  if (const auto *choice = definition.value->dynAs<IfExpExpr>();
      choice && !asked && !isConstexpr && !definition.element)
    if (const Expr *chosen = chosenConstexpr(*choice)) {
      usable = true;
      return evaluate(chosen);
    }
  // A choice between functions, or between types.
  const bool isChoice = call || definition.value->kind == ExprKind::IfExp;
  if (!isConstexpr && !isPath && !isChoice && !asked)
    return {};
  Value value;
  if (isChoice && !asked && !isConstexpr) {
    if (!now.tryHere([&] { value = evaluate(definition.value); }) || !isUsable(value))
      return {};
  } else if (definition.statement->kind == StmtKind::AugAssign) {
    const auto *change = definition.statement->as<AugAssignStmt>();
    Value before = evaluate(change->target);
    value = before ? tb.binary(change->op, before, evaluate(change->value)) : Value();
  } else if (isPath) {
    Global meant = globalOfPath(definition.value);
    value = meant.known;
    isConstexpr |= meant.usable;
  } else {
    value = evaluate(definition.value);
  }
  if (value && definition.element) {
    value = value.iterated();
    if (!value.isTuple() || value.elements->size() != definition.names)
      return tb.fail(value.describe() + " cannot be assigned to these names");
    value = (*value.elements)[*definition.element];
  }
  usable = isConstexpr || isUsable(value);
  return value;
}

Value Resolver::changedElement(const Environment &environment, const Definition &definition) {
  const Definition *before = resolve(environment, definition.name);
  Value value =
      before ? global(environment, *before, definition.name, /*asked=*/true).known : Value();
  Value key = value ? evaluate(definition.changedAt->slice) : Value();
  Value element = key ? evaluate(definition.value) : Value();
  if (!element)
    return tb.failed() ? Value() : tb.fail("'" + definition.name + "' is not defined before");
  std::vector<Value> elements;
  if (value.isDict() || value.isList)
    elements = *value.elements;
  if (value.isDict()) {
    elements.insert(elements.end(), {key, element});
    return tb.makeDict(elements);
  }
  auto positions = value.isList && !key.isSlice()
                       ? positionsOf(tb, value, static_cast<Integer>(elements.size()), key,
                                     spanOf(definition.changedAt->slice))
                       : std::nullopt;
  if (!positions)
    return tb.failed() ? Value()
                       : tb.fail("what this makes of " + value.describe() +
                                 " is not known while compiling");
  elements[positions->front()] = element;
  return Value::list(std::move(elements));
}

Global Resolver::globalOfPath(const Expr *path) {
  TritonBuilder::At span(tb, spanOf(path));
  if (const auto *name = path->dynAs<NameExpr>()) {
    for (const Environment *at = now.environment; at; at = at->enclosing)
      // Code in a class does not see the names of a class around it.
      if (const Definition *definition = at->scope && (!at->isClass || at == now.environment)
                                             ? resolve(*at, name->id)
                                             : nullptr)
        return global(*at, *definition, name->id, /*asked=*/true);
  } else {
    const auto *attribute = path->as<AttributeExpr>();
    Value object = evaluate(attribute->value);
    if (object.kind == ValueKind::Module && object.module)
      return member(*object.module, attribute->attribute, /*asked=*/true);
    if (object.classObject)
      return classes.member(*object.classObject, attribute->attribute);
  }
  Global result;
  if (!tb.failed())
    result.known = evaluate(path);
  result.usable = isUsable(result.known);
  return result;
}

std::optional<Value> Resolver::followWrapping(const CallExpr *call, StringRef name) {
  if (call->arguments.size() != 1 || !call->keywords.empty())
    return std::nullopt;
  Value argument;
  if (!now.tryHere([&] { argument = evaluate(call->arguments[0]); }) ||
      argument.kind != ValueKind::Function)
    return std::nullopt;
  Value callee;
  const bool known = now.tryHere([&] { callee = evaluate(call->function); });
  if (known && callee.kind == ValueKind::Host && StringRef(callee.text).starts_with("triton."))
    return std::nullopt;
  const bool isKernel = argument.function->kind == FunctionKind::Jitted;
  if (known && callee.kind == ValueKind::Function) {
    // A call that makes a kernel around the function is run.
    Value result;
    if (now.tryHere([&] { result = evaluate(call); }) && result.kind == ValueKind::Function &&
        (result.function->kind != FunctionKind::Plain || !isKernel))
      return result;
    KernelSearch::Kernels inner;
    const FunctionObject &maker = *callee.function;
    KernelSearch(*this).collect(maker.definition->body,
                                *environments.inside(maker.definition, *maker.home), "", inner);
    if (!inner.empty())
      return std::nullopt;
  }
  if (known && functions.makesKernels(callee))
    return Value::ofFunction(functions.decorated(argument.function, "triton.jit"));
  // A wrapper that only launches the kernel, as decorators are.
  if (isKernel && (callee.kind == ValueKind::Class || callee.kind == ValueKind::Function ||
                   (!callee && argument.function->name() == name)))
    return argument;
  return std::nullopt;
}

bool Resolver::checkNamed(const Expr *value) {
  const auto *call = value->dynAs<CallExpr>();
  const auto *callee = call ? call->function->dynAs<NameExpr>() : nullptr;
  Value meant;
  static constexpr StringRef iterators[] = {"zip", "enumerate", "reversed",
                                            "map", "filter",    "iter"};
  if (callee && llvm::is_contained(iterators, StringRef(callee->id)))
    meant = evaluate(callee);
  if (value->kind != ExprKind::GeneratorExp && meant.kind != ValueKind::Builtin)
    return true;
  return tb.rejectAt(spanOf(value),
                     "an iterator, which can be run through once, cannot be given a name",
                     "make a tuple of it: tuple(..)");
}

std::optional<bool> Resolver::constantTruth(const Expr *test) {
  Value condition = evaluate(test);
  if (!condition)
    return std::nullopt;
  if (condition.isConstant())
    return tb.truth(condition);
  // To Python a value that the kernel computes is an object, as Triton hands it to functions of
  // Gluon that run while compiling.
  if (condition.isSingle() && tb.isGluon && now.inPython()) {
    tb.warnAt(spanOf(test), condition.describe() + " is an object here, which is true",
              "declare it `: gl.constexpr` if the condition is about its value");
    return true;
  }
  tb.failAt(spanOf(test), "this condition must be a constant, not " + condition.describe());
  return std::nullopt;
}
