//===- Globals.cpp - Resolution of module-level names -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Later definitions of a name replace earlier ones, as when Python runs the file. The
/// branches of module-level `if` and `try` statements are all looked into.
void CodeGen::collectGlobals(const Body &body) {
  auto define = [&](StringRef name, const Stmt *stmt) -> Global & {
    Global &global = globals[name];
    global = Global();
    global.statement = stmt;
    return global;
  };
  auto addImport = [&](StringRef name, const Stmt *stmt, std::string_view what) {
    llvm::SmallVector<std::string_view, 1> others;
    if (auto before = globals.find(name); before != globals.end()) {
      others = before->second.otherImports;
      if (!before->second.imported.empty())
        others.push_back(before->second.imported);
    }
    Global &global = define(name, stmt);
    global.imported = what;
    global.otherImports = std::move(others);
  };
  auto variable = [&](const Expr *target, const Stmt *stmt, const Expr *value,
                      const Expr *annotation) {
    NameSet names;
    collectTargets(target, names);
    for (StringRef name : names) {
      Global &global = define(name, stmt);
      global.value = target->kind == ExprKind::Name ? value : nullptr;
      global.annotation = annotation;
    }
  };
  for (const Stmt *stmt : body) {
    switch (stmt->kind) {
    case StmtKind::FunctionDef:
      define(stmt->as<FunctionDefStmt>()->name, stmt);
      break;
    case StmtKind::ClassDef:
      define(stmt->as<ClassDefStmt>()->name, stmt);
      break;
    case StmtKind::Import:
      for (const ImportName &one : stmt->as<ImportStmt>()->names) {
        std::string_view name = one.name;
        if (!one.alias.empty())
          addImport(one.alias, stmt, name);
        else
          addImport(name.substr(0, name.find('.')), stmt, name.substr(0, name.find('.')));
      }
      break;
    case StmtKind::ImportFrom: {
      const auto *from = stmt->as<ImportFromStmt>();
      for (const ImportName &one : from->names)
        addImport(one.alias.empty() ? one.name : one.alias, stmt,
                  keep(StringRef(from->module) + ":" + StringRef(one.name)));
      break;
    }
    case StmtKind::Assign:
      for (const Expr *target : stmt->as<AssignStmt>()->targets)
        variable(target, stmt, stmt->as<AssignStmt>()->value, nullptr);
      break;
    case StmtKind::AnnAssign:
      if (const auto *assign = stmt->as<AnnAssignStmt>(); assign->value)
        variable(assign->target, stmt, assign->value, assign->annotation);
      break;
    case StmtKind::AugAssign:
      variable(stmt->as<AugAssignStmt>()->target, stmt, nullptr, nullptr);
      break;
    case StmtKind::If:
      collectGlobals(stmt->as<IfStmt>()->body);
      collectGlobals(stmt->as<IfStmt>()->orElse);
      break;
    case StmtKind::Try:
      collectGlobals(stmt->as<TryStmt>()->body);
      break;
    default:
      break;
    }
  }
}

Value CodeGen::importedValue(std::string_view what) {
  auto [module, name] = StringRef(what).split(':');
  if (name.empty())
    return Value::module(what);
  if (module == "triton" && name == "language")
    return Value::module("triton.language");
  if (module == "triton" || module == "math" || module.starts_with("triton.language"))
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

Value CodeGen::globalValue(StringRef name, Global &global) {
  if (global.state == Global::State::Evaluating)
    return tb.fail("the constant '" + name + "' is defined by itself");
  if (global.state == Global::State::Untouched || (inPython() && !global.known)) {
    global.state = Global::State::Evaluating;
    global.known = computeGlobal(name, global);
    if (tb.failed())
      return {};
    global.state = Global::State::Known;
  }
  // Code that runs while compiling sees all that Python would show it.
  if (global.usable || (inPython() && global.known))
    return global.known;
  if (global.statement->kind == StmtKind::FunctionDef)
    return tb.fail("'" + name + "' is no jitted function, so that a kernel cannot call it",
                   "put @triton.jit before its definition");
  return tb.fail("the global variable '" + name +
                     "' is no constexpr, so that a kernel cannot use it",
                 "write " + name + " = tl.constexpr(..), or make it a parameter");
}

/// The value of a global, and whether a kernel may use it. One that it may not use is computed
/// only where Python's code asks for it.
Value CodeGen::computeGlobal(StringRef name, Global &global) {
  if (global.statement->kind == StmtKind::FunctionDef) {
    const auto *function = global.statement->as<FunctionDefStmt>();
    global.usable = isJitted(function) || isConstexprFunction(function);
    return Value::ofFunction(function);
  }
  if (!global.imported.empty()) {
    global.usable = true;
    Value value = importedValue(global.imported);
    // Where the branches of an `if` import it from different places, as files do that serve
    // several versions of Triton, one that has the name counts.
    std::vector<Diagnostic> complaints;
    for (std::string_view other : llvm::reverse(global.otherImports)) {
      if (value)
        break;
      if (complaints.empty())
        complaints = errors;
      errors.clear();
      value = importedValue(other);
    }
    if (!value && !complaints.empty())
      errors = std::move(complaints);
    return value;
  }
  if (global.statement->kind == StmtKind::ClassDef)
    return tb.fail("the class '" + name + "' cannot be used in a kernel");
  if (!global.value)
    return tb.fail("the global variable '" + name + "' cannot be used in a kernel",
                   "make it a parameter of the kernel, or a constant: " + name +
                       " = tl.constexpr(..)");

  // Module-level code sees no local names, and emits nothing.
  bool asked = inPython();
  Frame *saved = frame;
  frame = nullptr;
  bool isConstexpr = global.annotation && isConstexprAnnotation(global.annotation);
  if (const auto *call = global.value->dynAs<CallExpr>(); call && !isConstexpr) {
    Value callee =
        call->function->kind == ExprKind::Name || call->function->kind == ExprKind::Attribute
            ? evaluate(call->function)
            : Value();
    isConstexpr = callee.kind == ValueKind::Builtin && callee.builtin->name == "constexpr";
  }
  bool simple = global.value->kind == ExprKind::Name || global.value->kind == ExprKind::Attribute;
  Value value = isConstexpr || simple || asked ? evaluate(global.value) : Value();
  frame = saved;
  global.usable = isConstexpr || value.kind == ValueKind::Type ||
                  value.kind == ValueKind::Builtin || value.kind == ValueKind::Module ||
                  (value.kind == ValueKind::Function &&
                   (isJitted(value.function) || isConstexprFunction(value.function)));
  return value;
}

/// In the order of the file.
llvm::SmallVector<StringRef> CodeGen::jittedNames() {
  llvm::SmallVector<const FunctionDefStmt *> functions;
  for (const auto &entry : globals)
    if (entry.second.statement->kind == StmtKind::FunctionDef)
      if (const auto *function = entry.second.statement->as<FunctionDefStmt>(); isJitted(function))
        functions.push_back(function);
  llvm::sort(functions, [](const FunctionDefStmt *a, const FunctionDefStmt *b) {
    return a->begin.line < b->begin.line;
  });
  llvm::SmallVector<StringRef> names;
  for (const FunctionDefStmt *function : functions)
    names.push_back(function->name);
  return names;
}

const Expr *CodeGen::decoratorOf(const FunctionDefStmt *function, StringRef name) {
  for (const Expr *whole : function->decorators) {
    const Expr *decorator = whole;
    if (const auto *call = decorator->dynAs<CallExpr>())
      decorator = call->function;
    // A member of `triton` or `triton.language` under any alias, or imported from it.
    if (const auto *attribute = decorator->dynAs<AttributeExpr>()) {
      const auto *base = attribute->value->dynAs<NameExpr>();
      auto found = base ? globals.find(base->id) : globals.end();
      if (StringRef(attribute->attribute) == name && found != globals.end() &&
          (found->second.imported == "triton" || found->second.imported == "triton.language" ||
           found->second.imported == "triton:language"))
        return whole;
    } else if (const auto *bare = decorator->dynAs<NameExpr>()) {
      auto found = globals.find(bare->id);
      if (found != globals.end() && (found->second.imported == ("triton:" + name).str() ||
                                     found->second.imported == ("triton.language:" + name).str()))
        return whole;
    }
  }
  return nullptr;
}

bool CodeGen::isJitted(const FunctionDefStmt *function) { return decoratorOf(function, "jit"); }

bool CodeGen::isConstexprFunction(const FunctionDefStmt *function) {
  return decoratorOf(function, "constexpr_function");
}

bool CodeGen::hasJitFlag(const FunctionDefStmt *function, StringRef flag) {
  const Expr *decorator = decoratorOf(function, "jit");
  const auto *call = decorator ? decorator->dynAs<CallExpr>() : nullptr;
  if (!call)
    return false;
  for (const Keyword &keyword : call->keywords)
    if (StringRef(keyword.name) == flag)
      if (const auto *value = keyword.value->dynAs<ConstantExpr>())
        return value->constant == ConstantKind::True;
  return false;
}

bool CodeGen::isConstexprAnnotation(const Expr *annotation) {
  if (const auto *constant = annotation->dynAs<ConstantExpr>()) {
    StringRef text(constant->text);
    return constant->constant == ConstantKind::String &&
           (text == "constexpr" || text.ends_with(".constexpr"));
  }
  if (const auto *attribute = annotation->dynAs<AttributeExpr>())
    return attribute->attribute == "constexpr";
  if (const auto *bare = annotation->dynAs<NameExpr>()) {
    auto found = globals.find(bare->id);
    return found != globals.end() && found->second.imported == "triton.language:constexpr";
  }
  return false;
}
