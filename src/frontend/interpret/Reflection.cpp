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
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool CodeGen::changesImported(const Environment &home, const AttributeChange &change,
                              llvm::function_ref<bool(const Value &)> isObject) {
  if (llvm::is_contained(importsAsked, change.import))
    return false;
  importsAsked.push_back(change.import);
  bool changes = false;
  tryAt(home, change.order, [&] {
    // From module to module, as long as each imports the name.
    const Environment *from = &home;
    const Import *import = change.import;
    for (unsigned depth = 0; from && import && depth < maxImportDepth; ++depth) {
      const FoundModule *module = findModule(*from, *import);
      changes |= module && isObject(Value::ofModule(module->name, module));
      from = module ? environmentOf(*module) : nullptr;
      const Definition *next = from && from->scope ? from->scope->find(import->name) : nullptr;
      import = next && next->import ? &*next->import : nullptr;
    }
    changes = changes && importedGlobal(home, *change.import, /*asked=*/true).known.isMutable();
  });
  importsAsked.pop_back();
  return changes;
}

std::pair<const Environment *, const AttributeChange *>
CodeGen::findAttributeChange(StringRef name, llvm::function_ref<bool(const Value &)> isObject) {
  readImportedModules();
  auto changes = [&](const Environment &home, const AttributeChange &change) {
    if (change.import)
      return changesImported(home, change, isObject);
    // What a base is may depend on the attribute itself.
    if (llvm::is_contained(basesAsked, change.base))
      return false;
    basesAsked.push_back(change.base);
    Value base;
    tryAt(home, change.order, [&] { base = evaluate(change.base); });
    basesAsked.pop_back();
    return isObject(base);
  };
  auto findIn = [&](const Environment &home) -> const AttributeChange * {
    if (home.enclosing || !home.scope)
      return nullptr;
    auto found = home.scope->attributeChanges().find(name);
    if (found == home.scope->attributeChanges().end())
      return nullptr;
    const auto *change = llvm::find_if(
        found->second, [&](const AttributeChange &one) { return changes(home, one); });
    return change == found->second.end() ? nullptr : change;
  };
  if (const AttributeChange *change = findIn(source))
    return {&source, change};
  // Evaluating a base may read further modules, after these.
  for (size_t i = 0, count = environments.size(); i < count; ++i)
    if (const AttributeChange *change = findIn(environments[i]))
      return {&environments[i], change};
  return {};
}

bool CodeGen::refuseChangedAttribute(StringRef name,
                                     llvm::function_ref<bool(const Value &)> isObject) {
  auto [home, change] = findAttributeChange(name, isObject);
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
    return isDefined || !object.classObject->definition->bases.empty() ? std::nullopt
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
