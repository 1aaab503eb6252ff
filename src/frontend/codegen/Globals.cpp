//===- Globals.cpp - Resolution of module-level names -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "ir/tw/Dialect.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The module with cooperative matrices.
static constexpr llvm::StringLiteral matrixModule = "tilewright.language";

Value CodeGen::importedValue(std::string_view what) {
  auto [module, name] = StringRef(what).split(':');
  if (name.empty())
    return Value::module(what);
  if (module == "triton" && name == "language")
    return Value::module("triton.language");
  // What is only for tools that read types does not run.
  if (module == "typing" && name == "TYPE_CHECKING")
    return Value::boolean(false);
  if (module == "triton" || module == "math" || module.starts_with("triton.language") ||
      module == matrixModule)
    return moduleAttribute(std::string_view(module), name);
  return Value::module(keep(module + "." + name));
}

static std::optional<double> mathConstant(StringRef name) {
  return llvm::StringSwitch<std::optional<double>>(name)
      .Case("pi", 0x1.921fb54442d18p1)
      .Case("tau", 0x1.921fb54442d18p2)
      .Case("e", 0x1.5bf0a8b145769p1)
      .Case("inf", std::numeric_limits<double>::infinity())
      .Case("nan", std::numeric_limits<double>::quiet_NaN())
      .Default(std::nullopt);
}

Value CodeGen::moduleAttribute(std::string_view moduleName, StringRef name) {
  StringRef module(moduleName);
  if (module == "triton") {
    if (name == "language")
      return Value::module("triton.language");
    // The version whose language this is.
    if (name == "__version__")
      return Value::ofString("3.6.0");
    if (const Builtin *builtin = findTritonBuiltin(name))
      return Value::ofBuiltin(builtin);
    return Value::module(keep("triton." + name));
  }
  if (module == "math") {
    if (const Builtin *builtin = findMathBuiltin(name))
      return Value::ofBuiltin(builtin);
    if (std::optional<double> number = mathConstant(name))
      return Value::ofFloat(*number);
    return tb.fail("`math." + name + "` cannot be used in a kernel",
                   "use the function of triton.language, or tl.constexpr(math." + name +
                       ") computed before");
  }
  if (module == matrixModule) {
    tb.builder.getContext()->getOrLoadDialect<tw::TilewrightDialect>();
    if (layout::parseMatrixUse(name))
      return tb.makeString(name);
    if (const Builtin *builtin = findMatrixBuiltin(name))
      return Value::ofBuiltin(builtin);
    StringRef close = closestMatrixName(name);
    return tb.fail(module + " has no '" + name + "'",
                   close.empty() ? "" : "did you mean tw." + close.str() + "?");
  }
  if (module == "triton.language.PropagateNan" && (name == "ALL" || name == "NONE"))
    return Value::boolean(name == "ALL");
  if (module == "triton.language" && name == "extra")
    return Value::module("triton.language.extra");
  if (module == "triton.language.extra" || module == "triton.language.extra.cuda") {
    if (name == "libdevice")
      return Value::module("triton.language.extra.libdevice");
    if (name == "cuda" && module == "triton.language.extra")
      return Value::module("triton.language.extra.cuda");
  }
  if (module == "triton.language.extra.libdevice" ||
      module == "triton.language.extra.cuda.libdevice") {
    if (const Builtin *builtin = findDeviceBuiltin(name))
      return Value::ofBuiltin(builtin);
    StringRef close = closestDeviceName(name);
    return tb.fail("libdevice has no '" + name + "'",
                   close.empty() ? "" : "did you mean libdevice." + close.str() + "?");
  }
  if (module == "triton.language.extra.cuda")
    if (const Builtin *builtin = findExtraBuiltin(name))
      return Value::ofBuiltin(builtin);
  // The modules that triton.language gathers its functions from.
  bool isPart = llvm::is_contained({"math", "core", "standard", "random"},
                                   module.substr(module.rfind('.') + 1)) &&
                module.starts_with("triton.language.");
  if (module != "triton.language" && !isPart)
    return tb.fail("`" + module + "." + name + "` cannot be used in a kernel",
                   "a kernel can use triton.language, its own functions and constants");
  if (module == "triton.language" &&
      llvm::is_contained({"math", "core", "standard", "random", "PropagateNan"}, name))
    return Value::module(keep(module + "." + name));
  if (const Builtin *builtin = findLanguageBuiltin(name); builtin && name != "to")
    return Value::ofBuiltin(builtin);
  if (std::optional<ScalarKind> scalar = scalarOfLanguageName(name))
    return Value::ofType({*scalar, false});
  if (isUnsupportedLanguageName(name))
    return tb.fail("tl." + name + " is not supported yet",
                   "docs/frontend.md lists what is supported");
  StringRef close = closestLanguageName(name);
  return tb.fail("triton.language has no '" + name + "'",
                 close.empty() ? "" : "did you mean tl." + close.str() + "?");
}

Value CodeGen::globalValue(const Definition &definition) {
  const StringRef name = definition.name;
  Global &global = globals[&definition];
  // That of a definition reads earlier ones only (definitionsRun), so that this ends.
  if (!global.isComputed || (inPython() && !global.known)) {
    global.known = computeGlobal(definition, global.usable);
    if (tb.failed())
      return {};
    global.isComputed = true;
  }
  // Code that runs while compiling sees all that Python would show it.
  if (global.usable || (inPython() && global.known))
    return global.known;
  if (definition.statement->kind == StmtKind::FunctionDef)
    return tb.fail("'" + name + "' is no jitted function, so that a kernel cannot call it",
                   "put @triton.jit before its definition");
  return tb.fail("the global variable '" + name +
                     "' is no constexpr, so that a kernel cannot use it",
                 "write " + name + " = tl.constexpr(..), or make it a parameter");
}

Value CodeGen::computeGlobal(const Definition &definition, bool &usable) {
  const StringRef name = definition.name;
  if (definition.statement->kind == StmtKind::FunctionDef) {
    const auto *function = definition.statement->as<FunctionDefStmt>();
    usable = source.isJitted(function) || source.isConstexprFunction(function);
    return Value::ofFunction(function);
  }
  if (!definition.imported.empty()) {
    usable = true;
    return importedValue(definition.imported);
  }
  if (definition.statement->kind == StmtKind::ClassDef)
    return tb.fail("the class '" + name + "' cannot be used in a kernel");
  if (!definition.value)
    return tb.fail("the global variable '" + name + "' cannot be used in a kernel",
                   "make it a parameter of the kernel, or a constant: " + name +
                       " = tl.constexpr(..)");

  // Module-level code sees no local names, nor later definitions, and emits nothing.
  bool asked = inPython();
  Frame *saved = frame;
  const unsigned savedRun = definitionsRun;
  frame = nullptr;
  definitionsRun = definition.order;
  bool isConstexpr = definition.annotation && source.isConstexprAnnotation(definition.annotation);
  if (const auto *call = definition.value->dynAs<CallExpr>(); call && !isConstexpr) {
    Value callee =
        call->function->kind == ExprKind::Name || call->function->kind == ExprKind::Attribute
            ? evaluate(call->function)
            : Value();
    isConstexpr = callee.kind == ValueKind::Builtin && callee.builtin->name == "constexpr";
  }
  bool simple =
      definition.value->kind == ExprKind::Name || definition.value->kind == ExprKind::Attribute;
  Value value = isConstexpr || simple || asked ? evaluate(definition.value) : Value();
  frame = saved;
  definitionsRun = savedRun;
  usable = isConstexpr || value.kind == ValueKind::Type || value.kind == ValueKind::Builtin ||
           value.kind == ValueKind::Module ||
           (value.kind == ValueKind::Function &&
            (source.isJitted(value.function) || source.isConstexprFunction(value.function)));
  return value;
}
