//===- KnownModules.cpp - Modules that are known without being read -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/KnownModules.h"

#include "frontend/codegen/CodeGen.h"
#include "frontend/names/ScopeChanges.h"
#include "ir/tw/Dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The module with cooperative matrices.
static constexpr llvm::StringLiteral matrixModule = "tilewright.matrix";

static constexpr llvm::StringLiteral specification = "importlib.spec of ";

bool frontend::isKnownModule(StringRef name) {
  static constexpr StringRef known[] = {
      "triton",    "tilewright", "math",        "typing",  "typing_extensions", "os",
      "sys",       "functools",  "dataclasses", "enum",    "collections",       "itertools",
      "packaging", "warnings",   "logging",     "inspect", "operator",          "contextlib",
      "abc",       "re",         "importlib",   "json",    "pathlib",           "time",
      "random",    "copy",       "platform",    "types",   "__future__"};
  return llvm::is_contained(known, name.split('.').first);
}

bool frontend::isStandardModule(StringRef name) {
  static constexpr StringRef known[] = {
      "argparse",   "array",      "ast",         "asyncio",
      "base64",     "bisect",     "builtins",    "codecs",
      "concurrent", "csv",        "ctypes",      "datetime",
      "decimal",    "difflib",    "dis",         "email",
      "errno",      "fcntl",      "fractions",   "gc",
      "getpass",    "glob",       "gzip",        "hashlib",
      "heapq",      "html",       "http",        "io",
      "keyword",    "linecache",  "locale",      "multiprocessing",
      "numbers",    "pickle",     "pkgutil",     "pprint",
      "queue",      "select",     "shlex",       "shutil",
      "signal",     "site",       "socket",      "sqlite3",
      "ssl",        "stat",       "statistics",  "string",
      "struct",     "subprocess", "sysconfig",   "tempfile",
      "textwrap",   "threading",  "timeit",      "token",
      "tokenize",   "traceback",  "tracemalloc", "unittest",
      "urllib",     "uuid",       "weakref",     "xml",
      "zipfile",    "zlib"};
  return llvm::is_contained(known, name.split('.').first);
}

/// What triton.language.extra has for each vendor.
static constexpr StringRef vendorsNames[] = {"cuda", "hip", "intel"};

static bool isVendorsModule(StringRef name) {
  return name.consume_front("triton.language.extra.") && llvm::is_contained(vendorsNames, name);
}

bool frontend::isTritonModule(StringRef name) {
  static constexpr StringRef known[] = {"triton",
                                        "triton.language",
                                        "triton.language.core",
                                        "triton.language.math",
                                        "triton.language.standard",
                                        "triton.language.random",
                                        "triton.language.target_info",
                                        "triton.language.extra",
                                        "triton.language.extra.libdevice"};
  return llvm::is_contained(known, name) || isVendorsModule(name) ||
         (name.consume_back(".libdevice") && isVendorsModule(name));
}

bool frontend::isJit(StringRef name) {
  name = name.split(' ').first;
  return name.starts_with("triton.") && name.ends_with(".jit");
}

bool frontend::isConfig(StringRef name) {
  return name.starts_with("triton.") && name.ends_with(".Config");
}

bool frontend::isConstexprFunction(StringRef name) {
  return name.starts_with("triton.") && name.ends_with(".constexpr_function");
}

//===--------------------------------------------------------------------------===//
// Their names
//===--------------------------------------------------------------------------===//

static std::optional<double> mathConstant(StringRef name) {
  return llvm::StringSwitch<std::optional<double>>(name)
      .Case("pi", 0x1.921fb54442d18p1)
      .Case("tau", 0x1.921fb54442d18p2)
      .Case("e", 0x1.5bf0a8b145769p1)
      .Case("inf", std::numeric_limits<double>::infinity())
      .Case("nan", std::numeric_limits<double>::quiet_NaN())
      .Default(std::nullopt);
}

StringRef CodeGen::moduleMeant(StringRef name) {
  StringRef rest = name;
  if (rest.consume_front("tilewright.language") && (rest.empty() || rest.front() == '.'))
    return keep("triton.language" + rest);
  return name;
}

Value CodeGen::moduleAttribute(std::string_view moduleName, StringRef name) {
  StringRef module(moduleName);
  if (module == "tilewright") {
    if (name == "matrix")
      return Value::ofModule(keep(matrixModule));
    module = "triton";
  }
  if (module == "triton") {
    if (name == "language")
      return Value::ofModule("triton.language");
    // The version whose language this is.
    if (name == "__version__")
      return Value::ofString("3.6.0");
    if (const Builtin *builtin = findTritonBuiltin(name))
      return Value::ofBuiltin(builtin);
    return Value::host(keep("triton." + name));
  }
  if (module.starts_with(specification) && name == "loader")
    return Value::ofModule("importlib.Loader");
  if (module == "importlib.Loader" && name == "exec_module")
    return Value::host("importlib.Loader.exec_module");
  // What is only for tools that read types does not run.
  if (module == "typing" && name == "TYPE_CHECKING")
    return Value::boolean(false);
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
    return Value::ofModule("triton.language.extra");
  // The functions of libdevice are the same on all targets.
  if (module == "triton.language.extra" || isVendorsModule(module)) {
    if (name == "libdevice")
      return Value::ofModule("triton.language.extra.libdevice");
    if (module == "triton.language.extra" && llvm::is_contained(vendorsNames, name))
      return Value::ofModule(keep(module + "." + name));
  }
  if (module.starts_with("triton.language.extra.") && module.ends_with("libdevice")) {
    if (const Builtin *builtin = findDeviceBuiltin(name))
      return Value::ofBuiltin(builtin);
    StringRef close = closestDeviceName(name);
    return tb.fail("libdevice has no '" + name + "'",
                   close.empty() ? "" : "did you mean libdevice." + close.str() + "?");
  }
  if (isVendorsModule(module))
    if (const Builtin *builtin = findExtraBuiltin(name))
      return Value::ofBuiltin(builtin);
  if (module == "triton.language.target_info")
    if (const Builtin *builtin = findTargetBuiltin(name))
      return Value::ofBuiltin(builtin);
  // The modules that triton.language gathers its functions from.
  bool isPart = llvm::is_contained({"math", "core", "standard", "random"},
                                   module.substr(module.rfind('.') + 1)) &&
                module.starts_with("triton.language.");
  if (!isPart && module != "triton.language") {
    // Python's own, and what else Triton has, for the code around kernels.
    if (isKnownModule(module) && !module.starts_with("triton.language"))
      return Value::host(keep(module + "." + name));
    return tb.fail("`" + module + "." + name + "` cannot be used in a kernel",
                   "a kernel can use triton.language, its own functions and constants");
  }
  if (module == "triton.language" &&
      llvm::is_contained({"math", "core", "standard", "random", "target_info", "PropagateNan"},
                         name))
    return Value::ofModule(keep(module + "." + name));
  if (name == "pi32_t")
    return Value::ofType(DType{ScalarKind::Int32}.pointerTo());
  if (name == "CONSTEXPR_0" && module == "triton.language.core")
    return Value::ofInteger(0);
  if (name == "PropagateNan" && module == "triton.language.core")
    return Value::ofModule("triton.language.PropagateNan");
  if (name == "TRITON_MAX_TENSOR_NUMEL")
    return Value::ofInteger(tt::maxTensorElements);
  if (name == "jit" || name == "constexpr_function")
    return Value::host(keep(module + "." + name));
  if (const Builtin *builtin = findLanguageBuiltin(name); builtin && name != "to")
    return Value::ofBuiltin(builtin);
  if (std::optional<ScalarKind> scalar = scalarOfLanguageName(name))
    return Value::ofType({*scalar, false});
  if (isUnsupportedLanguageName(name))
    return tb.fail("tl." + name + " is not supported yet",
                   "docs/frontend.md lists what is supported");
  StringRef close = closestLanguageName(name);
  const bool isDevices = name == "libdevice" || findDeviceBuiltin(name);
  return tb.fail("triton.language has no '" + name + "'",
                 isDevices ? (name == "libdevice" ? "" : "libdevice has it: ") +
                                 std::string("from triton.language.extra import libdevice")
                 : close.empty() ? ""
                                 : "did you mean tl." + close.str() + "?");
}

Value CodeGen::hostAttribute(StringRef object, StringRef name) {
  if (Value known = deviceAttribute(object, name); known || tb.failed())
    return known;
  if (isKnownModule(object))
    return Value::host(keep(object + "." + name));
  const StringRef package = object.split('.').first;
  const bool isNumeric = package == "torch" || package == "numpy";
  return tb.fail("`" + object + "." + name + "` cannot be used in a kernel",
                 isNumeric && findLanguageBuiltin(name)
                     ? "write tl." + name
                     : "a kernel can use triton.language, its own functions and constants; of the "
                       "module '" +
                           package + "' no file is found, where --path DIR names further folders");
}

//===--------------------------------------------------------------------------===//
// Calls of them
//===--------------------------------------------------------------------------===//

Value CodeGen::environmentVariable(StringRef name) {
  // One variable changes, or any of them may.
  for (const std::string &changed : {changedVariable(name), std::string("environ")})
    if (refuseChangedAttribute(changed, [](const Value &base) {
          return (base.kind == ValueKind::Module && base.text == "os") ||
                 (base.kind == ValueKind::Host && base.text == "os.environ");
        }))
      return {};
  const std::optional<std::string> &value = tb.variableOfEnvironment(name);
  return value ? tb.makeString(*value) : Value::none();
}

std::vector<InputVariable> CodeGen::inputVariables() const {
  std::vector<InputVariable> variables;
  for (const auto &[name, value] : tb.variablesRead())
    variables.push_back({name, value});
  return variables;
}

/// The numbers of a version such as "3.6.0", without zeros at the end, so that tuples of them
/// compare as versions do. Nothing of a version with letters.
static std::optional<std::vector<Value>> numbersOf(StringRef version) {
  llvm::SmallVector<StringRef> parts;
  version.split('+').first.split(parts, '.');
  std::vector<Value> numbers;
  for (StringRef part : parts) {
    int64_t number;
    if (part.getAsInteger(10, number) || number < 0)
      return std::nullopt;
    numbers.push_back(Value::ofInteger(number));
  }
  while (!numbers.empty() && numbers.back().integer == 0)
    numbers.pop_back();
  return numbers;
}

static std::optional<CompareOperator> comparisonNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<CompareOperator>>(name)
      .Case("eq", CompareOperator::Eq)
      .Case("ne", CompareOperator::NotEq)
      .Case("lt", CompareOperator::Lt)
      .Case("le", CompareOperator::LtE)
      .Case("gt", CompareOperator::Gt)
      .Case("ge", CompareOperator::GtE)
      .Default(std::nullopt);
}

StringRef CodeGen::flagsOf(StringRef jit, const CallExpr &call) {
  std::string flags = jit.str();
  for (const Keyword &keyword : call.keywords)
    if (const auto *value = keyword.value->dynAs<ConstantExpr>();
        value && value->constant == ConstantKind::True &&
        (keyword.name == "noinline" || keyword.name == "debug"))
      flags += " " + std::string(keyword.name);
  return keep(flags);
}

Value CodeGen::callKnown(const CallExpr *call, StringRef callee) {
  if (isConfig(callee))
    return makeConfig(call);
  // Decorators: their arguments say how the kernel is launched, and need not be evaluated.
  if (isJit(callee) && call->arguments.empty())
    return Value::host(flagsOf(callee, *call));
  if (callee == "triton.autotune" || callee == "triton.heuristics" ||
      callee.starts_with("triton.runtime.autotuner."))
    return Value::host("triton.autotune()");
  if (isJit(callee) && call->arguments.size() == 1) {
    Value function = evaluate(call->arguments[0]);
    if (function.kind == ValueKind::Function)
      return Value::ofFunction(decorated(function.function, flagsOf(callee, *call)));
  }
  llvm::SmallVector<GivenArgument> given;
  if (!evaluateArguments(call, given))
    return {};
  TritonBuilder::At span(tb, spanOf(call));
  if (Value known = deviceCall(callee, given); known || tb.failed())
    return known;
  if (callee == "collections.namedtuple")
    if (Value made = makeTupleClass(given); made || tb.failed())
      return made;
  const Value *first = given.empty() || !given[0].keyword.empty() ? nullptr : &given[0].value;
  if (callee == "functools.partial" && first && first->kind == ValueKind::Host &&
      isJit(first->text))
    return *first;
  if (callee == "importlib.import_module" && first && first->kind == ValueKind::String &&
      isTritonModule(first->text))
    return Value::ofModule(first->text);
  // A specification of a module: not None, and leads to the module.
  if (callee == "importlib.util.find_spec" && first && first->kind == ValueKind::String &&
      isTritonModule(first->text))
    return Value::ofModule(keep(specification + first->text));
  if (callee == "importlib.util.module_from_spec" && first && first->kind == ValueKind::Module &&
      StringRef(first->text).starts_with(specification))
    return Value::ofModule(first->text.substr(specification.size()));
  if (callee == "importlib.Loader.exec_module")
    return Value::none();
  if (callee == "functools.reduce" && given.size() >= 2 && given.size() <= 3) {
    Value elements = elementsIn(given[1].value, given[1].span);
    Value total = given.size() == 3 ? given[2].value : Value();
    if (!elements)
      return {};
    for (const Value &element : *elements.elements) {
      const GivenArgument operands[] = {{{}, total, given[1].span}, {{}, element, given[1].span}};
      if (total && first->kind != ValueKind::Function)
        return tb.fail(first->describe() + " cannot be called while compiling");
      if (!(total = total ? callValue(*first, operands) : element))
        return {};
    }
    return total ? total : tb.fail("functools.reduce needs at least one element");
  }
  if (callee.starts_with("operator.") && given.size() == 2)
    if (auto op = comparisonNamed(callee.drop_front(StringRef("operator.").size())))
      return tb.compare(*op, given[0].value, given[1].value);
  if (first && first->kind == ValueKind::Function && given.size() == 1 &&
      callee == "triton.autotune()")
    return *first;
  if (isConstexprFunction(callee) && first && given.size() == 1) {
    // What is Triton's own runs while compiling already.
    if (first->kind == ValueKind::Builtin && (first->builtin->flags & ConstantOnly))
      return *first;
    if (first->kind == ValueKind::Function)
      return Value::ofFunction(decorated(first->function, callee));
  }
  if ((callee == "os.environ.get" || callee == "os.getenv") && first &&
      first->kind == ValueKind::String && given.size() <= 2) {
    Value value = environmentVariable(first->text);
    return value.isNone() && given.size() == 2 ? given[1].value : value;
  }
  if (callee.starts_with("packaging.version.") && first && first->kind == ValueKind::String &&
      given.size() == 1)
    if (std::optional<std::vector<Value>> numbers = numbersOf(first->text))
      return tb.makeTuple(std::move(*numbers));
  return tb.failAt(spanOf(call->function), "`" + callee + "` cannot be called while compiling",
                   "make what it computes a constant, or a parameter of the kernel");
}
