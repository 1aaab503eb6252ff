//===- Reflection.cpp - What objects have, asked by name ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// isinstance, getattr and hasattr. That something is absent decides what a module defines, so it is
// said only where it is certain: of a package that is not found, nothing is.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/names/KnownModules.h"
#include "frontend/names/Walk.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

void CodeGen::swapUnchanged() {
  std::swap(globals, unchanged.globals);
  std::swap(mutableBefore, unchanged.mutableBefore);
  std::swap(conditions, unchanged.conditions);
  std::swap(moduleRuns, unchanged.moduleRuns);
}

bool CodeGen::tryUnchanged(const Environment &environment, unsigned order,
                           llvm::function_ref<void()> body) {
  const bool outer = std::exchange(assumesUnchanged, true);
  const bool outerAsked = std::exchange(asksForChanged, false);
  if (!outer)
    swapUnchanged();
  const bool isGood = tryAt(environment, order, body) && !asksForChanged;
  if (!outer)
    swapUnchanged();
  assumesUnchanged = outer;
  asksForChanged |= outer && outerAsked;
  return isGood;
}

bool CodeGen::changesImported(const Environment &home, const AttributeChange &change,
                              llvm::function_ref<bool(const Value &)> isObject) {
  bool isOf = false, isMutable = false;
  const bool isKnown = tryUnchanged(home, change.order, [&] {
    // From module to module, as long as each imports the name.
    const Environment *from = &home;
    const Import *import = change.import;
    for (unsigned depth = 0; from && import && depth < maxImportDepth; ++depth) {
      const FoundModule *module = findModule(*from, *import);
      isOf |= module && isObject(Value::ofModule(module->name, module));
      from = module ? environmentOf(*module) : nullptr;
      const Definition *next = from && from->scope ? from->scope->find(import->name) : nullptr;
      import = next && next->import ? &*next->import : nullptr;
    }
    isMutable = isOf && importedGlobal(home, *change.import, /*asked=*/true).known.isMutable();
  });
  return isOf && (isMutable || (!isKnown && asksForChanged));
}

/// Whether an expression asks for a module by its name.
static bool asksForModule(const Expr *expr) {
  return anyExpression(expr, [](const Expr *one) {
    const auto *attribute = one->dynAs<AttributeExpr>();
    const auto *name = one->dynAs<NameExpr>();
    return (attribute &&
            (attribute->attribute == "modules" || attribute->attribute == "import_module")) ||
           (name && name->id == "__import__");
  });
}

bool CodeGen::mayBeOurs(const Environment &home, const Expr *expr,
                        llvm::SmallPtrSetImpl<const Definition *> &seen) {
  if (asksForModule(expr))
    return true;
  auto isOurs = [&](const Definition &definition) {
    if (!seen.insert(&definition).second)
      return false;
    if (definition.import)
      return !modulesOf(home, *definition.import).empty();
    if (definition.value)
      return mayBeOurs(home, definition.value, seen);
    // What a loop or a `with` gives may be anything.
    return definition.statement->kind != StmtKind::FunctionDef;
  };
  return home.scope && anyExpression(expr, [&](const Expr *one) {
           const auto *name = one->dynAs<NameExpr>();
           const Definition *definition = name ? home.scope->find(name->id) : nullptr;
           for (; definition; definition = definition->earlier)
             if (isOurs(*definition))
               return true;
           return false;
         });
}

const CodeGen::ChangedObject &CodeGen::objectOf(const Environment &home,
                                                const AttributeChange &change) {
  auto [entry, isNew] = changedObjects.try_emplace(&change);
  // References into the map stay while it grows.
  ChangedObject &object = entry->second;
  if (!isNew)
    return object;
  Value base;
  const bool isKnown = tryUnchanged(home, change.order, [&] { base = evaluate(change.base); });
  if (isKnown) {
    object.value = base;
    return object;
  }
  llvm::SmallPtrSet<const Definition *, 8> seen;
  object.mayBeAny = mayBeOurs(home, change.base, seen);
  return object;
}

bool CodeGen::changesAttribute(const Environment &home, const AttributeChange &change,
                               StringRef attribute,
                               llvm::function_ref<bool(const Value &)> isObject) {
  if (change.import)
    return changesImported(home, change, isObject);
  if (change.ofClass)
    return llvm::any_of(classes, [&](const ClassObject &one) {
      return isObject(Value::ofClass(one.definition->name, &one)) &&
             derivesFrom(one, change.ofClass, 0);
    });
  const ChangedObject &object = objectOf(home, change);
  return object.value ? isObject(object.value) : object.mayBeAny && attribute != anyName;
}

bool CodeGen::derivesFrom(const ClassObject &object, const ClassDefStmt *base, unsigned depth) {
  if (object.definition == base)
    return true;
  return depth < maxImportDepth &&
         llvm::any_of(
             object.definition->bases,
             [&](const Expr *expr) {
               Value one;
               tryUnchanged(*object.environment->enclosing, object.environment->order,
                            [&] { one = evaluate(expr); });
               return one.classObject && derivesFrom(*one.classObject, base, depth + 1);
             });
}

std::pair<const Environment *, const AttributeChange *>
CodeGen::findAttributeChange(StringRef name, llvm::function_ref<bool(const Value &)> isObject,
                             llvm::function_ref<bool()> isMutable) {
  readModulesThatSet(name);
  if (assumesUnchanged) {
    asksForChanged |= isSetSomewhere(name);
    return {};
  }
  auto findIn = [&](const Environment &home) -> const AttributeChange * {
    if (home.enclosing || !home.scope)
      return nullptr;
    for (StringRef one : {name, StringRef(anyName)}) {
      auto found = home.scope->attributeChanges().find(one);
      if (found == home.scope->attributeChanges().end())
        continue;
      const auto *change = llvm::find_if(found->second, [&](const AttributeChange &change) {
        return changesAttribute(home, change, one, isObject) && (!change.mayChange || isMutable());
      });
      if (change != found->second.end())
        return change;
    }
    return nullptr;
  };
  if (const AttributeChange *change = findIn(source))
    return {&source, change};
  // Evaluating a base may read further modules, after these.
  for (size_t i = 0, count = environments.size(); i < count; ++i)
    if (const AttributeChange *change = findIn(environments[i]))
      return {&environments[i], change};
  return {};
}

bool CodeGen::isSetSomewhere(StringRef attribute) const {
  auto sets = [&](const Environment &home) {
    if (home.enclosing || !home.scope)
      return false;
    auto found = home.scope->attributeChanges().find(attribute);
    return found != home.scope->attributeChanges().end() &&
           llvm::any_of(found->second,
                        [](const AttributeChange &one) { return !one.mayChange && !one.import; });
  };
  return sets(source) || llvm::any_of(environments, sets);
}

bool CodeGen::mayHaveList(const Environment &environment, StringRef name) {
  if (!environment.scope)
    return false;
  auto [entry, isNew] = haveLists.try_emplace({environment.scope, name}, false);
  if (!isNew)
    return entry->second;
  bool isAny = false;
  for (const Definition *one = environment.scope->find(name); one && !isAny; one = one->earlier) {
    Value value;
    if (!one->mayChange)
      isAny |= !tryUnchanged(environment, one->order, [&] {
        value = global(environment, *one, name, /*asked=*/true).known;
      }) && asksForChanged;
    isAny |= value.isMutable();
  }
  return haveLists[{environment.scope, name}] = isAny;
}

bool CodeGen::refuseChangedAttribute(StringRef name,
                                     llvm::function_ref<bool(const Value &)> isObject,
                                     llvm::function_ref<bool()> isMutable) {
  auto [home, change] = findAttributeChange(name, isObject, isMutable);
  if (!change)
    return false;
  Within within(*this, *home, change->order);
  tb.failAt({change->statement->begin, change->statement->begin},
            "whether '" + name +
                "' has the value of its definition or that of this statement "
                "depends on what has run, which the compiler cannot evaluate",
            "define '" + name + "' once, where it belongs");
  return true;
}

/// A name that Python's math module has in all versions from 3.9 on; nothing if that depends on the
/// version.
static std::optional<bool> hasMathName(StringRef name) {
  static constexpr StringRef all[] = {
      "acos",    "acosh",     "asin",  "asinh",     "atan",      "atan2",   "atanh",    "ceil",
      "comb",    "copysign",  "cos",   "cosh",      "degrees",   "dist",    "e",        "erf",
      "erfc",    "exp",       "expm1", "fabs",      "factorial", "floor",   "fmod",     "frexp",
      "fsum",    "gamma",     "gcd",   "hypot",     "inf",       "isclose", "isfinite", "isinf",
      "isnan",   "isqrt",     "lcm",   "ldexp",     "lgamma",    "log",     "log10",    "log1p",
      "log2",    "modf",      "nan",   "nextafter", "perm",      "pi",      "pow",      "prod",
      "radians", "remainder", "sin",   "sinh",      "sqrt",      "tan",     "tanh",     "tau",
      "trunc",   "ulp"};
  static constexpr StringRef newer[] = {"cbrt", "exp2", "fma", "sumprod"};
  if (llvm::is_contained(all, name))
    return true;
  return llvm::is_contained(newer, name) ? std::nullopt : std::optional(false);
}

/// The names that `triton` itself has.
static bool hasTritonName(StringRef name) {
  static constexpr StringRef all[] = {"AsyncCompileMode",
                                      "CompilationError",
                                      "Config",
                                      "FutureKernel",
                                      "InterpreterError",
                                      "JITFunction",
                                      "KernelInterface",
                                      "MockTensor",
                                      "OutOfResources",
                                      "TensorWrapper",
                                      "TritonError",
                                      "__version__",
                                      "autotune",
                                      "backends",
                                      "cdiv",
                                      "compile",
                                      "compiler",
                                      "constexpr_function",
                                      "errors",
                                      "heuristics",
                                      "jit",
                                      "knobs",
                                      "language",
                                      "must_use_result",
                                      "next_power_of_2",
                                      "reinterpret",
                                      "runtime",
                                      "set_allocator",
                                      "testing",
                                      "tools"};
  return llvm::is_contained(all, name);
}

std::optional<bool> CodeGen::moduleHas(StringRef module, StringRef name) {
  if (module == "math")
    return hasMathName(name);
  if (module == "triton")
    return hasTritonName(name);
  if (const std::string path = (module + "." + name).str();
      isJit(path) || isConstexprFunction(path))
    return true;
  if (!isTritonModule(module) && module != "tilewright.matrix")
    return std::nullopt;
  if (module == "triton.language" && isUnsupportedLanguageName(name))
    return true; // Triton has it.
  return tryHere([&] { moduleAttribute(keep(module), name); });
}

std::optional<bool> CodeGen::hasAttribute(const Value &object, StringRef name) {
  switch (object.kind) {
  case ValueKind::Module:
    // A module in a package is an attribute of it from its first import on.
    if (object.module && isSubmodule(*object.module, name))
      return std::nullopt;
    return object.module ? hasMember(*object.module, name) : moduleHas(object.text, name);
  case ValueKind::Host:
    if (Value known = deviceAttribute(object.text, name))
      return true;
    if (isAbsentDevice(object.text, name))
      return false;
    return moduleHas(object.text, name);
  case ValueKind::Class: {
    if (!object.classObject)
      return tryHere([&] { attributeOf(object, keep(name)); });
    if (tryHere([&] { classMember(*object.classObject, name); }))
      return true;
    const bool isDefined = object.classObject->environment->scope->find(name);
    const bool isChanged =
        findAttributeChange(name, [&](const Value &base) {
          return base.kind == ValueKind::Class && base.classObject == object.classObject;
        }).second;
    // Attributes that every class has, and those that __slots__ makes.
    const bool isSpecial =
        name.starts_with("__") || object.classObject->environment->scope->find("__slots__");
    return isDefined || isChanged || isSpecial || !object.classObject->definition->bases.empty()
               ? std::nullopt
               : std::optional(false);
  }
  default:
    return tryHere([&] { attributeOf(object, keep(name)); });
  }
}

/// Whether a value is of a class: a type of Python, or a class of triton.language. As Triton
/// looks through constexprs, nothing is an instance of tl.constexpr.
static std::optional<bool> isInstance(const Value &value, StringRef className) {
  bool isType = value.kind == ValueKind::Type;
  return llvm::StringSwitch<std::optional<bool>>(className)
      .Case("int", value.isIntegral())
      .Case("bool", value.kind == ValueKind::Bool)
      .Case("float", value.kind == ValueKind::Float)
      .Case("str", value.kind == ValueKind::String)
      .Case("tuple", value.isTuple() && !value.isList)
      .Case("list", value.isTuple() && value.isList)
      .Case("dict", value.isDict())
      .Cases({"set", "frozenset"}, value.isSet() ? std::nullopt : std::optional(false))
      .Case("constexpr", false)
      .Case("constexpr_type",
            value.kind == ValueKind::Method && value.builtin->name == "constexpr_type")
      .Case("tensor", value.isTensor())
      .Cases({"tensor_descriptor", "tensor_descriptor_base"}, value.isDescriptor())
      .Case("dtype", isType)
      .Case("block_type", value.isBlockType())
      .Case("pointer_type", isType && !value.isBlockType() && value.type.isPointer())
      .Default(std::nullopt);
}

Value CodeGen::reflect(Arguments &arguments) {
  StringRef function = arguments.builtin.name;
  const Value &value = arguments[0];
  if (function != "isinstance" && function != "getattr" && function != "hasattr")
    return callFunctional(arguments);
  if (function == "isinstance") {
    llvm::ArrayRef<Value> classes(arguments[1]);
    if (arguments[1].isTuple())
      classes = *arguments[1].elements;
    bool any = false;
    for (const Value &one : classes) {
      const bool isClass = one.kind == ValueKind::Builtin;
      std::optional<bool> is = isClass ? isInstance(value, one.builtin->name) : std::nullopt;
      if (one.kind == ValueKind::Class && one.tupleClass)
        is = value.isTuple() && value.tupleClass == one.tupleClass;
      if (!is)
        return arguments.fail(1, "must be a class, such as int, tl.tensor or tl.dtype, not " +
                                     one.describe());
      any |= *is;
    }
    return Value::boolean(any);
  }
  std::optional<std::string> name = arguments.string(1);
  if (!name)
    return {};
  if (function == "getattr" && !arguments.given(2))
    return attributeOf(value, keep(*name));
  std::optional<bool> has = hasAttribute(value, *name);
  if (!has)
    return tb.fail("whether " + value.describe() + " has '" + *name +
                       "' is not known while compiling",
                   "choose by a constant, or make it a parameter of the kernel");
  if (function == "hasattr")
    return Value::boolean(*has);
  return *has ? attributeOf(value, keep(*name)) : arguments[2];
}
