//===- KnownModules.cpp - Modules that are known without being read -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/KnownModules.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "ir/tt/Dialect.h"
#include "ir/tw/Dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The module with cooperative matrices.
static constexpr llvm::StringLiteral matrixModule = "tilewright.matrix";

bool frontend::isBuiltinName(StringRef name) {
  static constexpr StringRef all[] = {
      "abs",        "aiter",        "all",        "anext",      "any",           "ascii",
      "bin",        "bool",         "breakpoint", "bytearray",  "bytes",         "callable",
      "chr",        "classmethod",  "compile",    "complex",    "copyright",     "credits",
      "delattr",    "dict",         "dir",        "divmod",     "enumerate",     "eval",
      "exec",       "exit",         "filter",     "float",      "format",        "frozenset",
      "getattr",    "globals",      "hasattr",    "hash",       "help",          "hex",
      "id",         "input",        "int",        "isinstance", "issubclass",    "iter",
      "len",        "license",      "list",       "locals",     "map",           "max",
      "memoryview", "min",          "next",       "object",     "oct",           "open",
      "ord",        "pow",          "print",      "property",   "quit",          "range",
      "repr",       "reversed",     "round",      "set",        "setattr",       "slice",
      "sorted",     "staticmethod", "str",        "sum",        "super",         "tuple",
      "type",       "vars",         "zip",        "Ellipsis",   "NotImplemented"};
  return llvm::is_contained(all, name) || name.ends_with("Error") || name.ends_with("Exception") ||
         name.ends_with("Warning");
}

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

/// The modules that triton.language.extra has for each vendor.
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
  return llvm::is_contained(known, name) || isVendorsModule(name) || isGluonModule(name) ||
         (name.consume_back(".libdevice") && isVendorsModule(name));
}

bool frontend::isJit(StringRef name) {
  name = name.split(' ').first;
  // Gluon's own functions are made by `builtin`, and programs may make some, too.
  return name.starts_with("triton.") &&
         (name.ends_with(".jit") || name == "triton.experimental.gluon.language._core.builtin");
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

StringRef KnownModules::meant(StringRef name) {
  StringRef rest = name;
  if (rest.consume_front("tilewright.language") && (rest.empty() || rest.front() == '.'))
    return now.keep("triton.language" + rest);
  rest = name;
  if (rest.consume_front("tilewright.gluon") && (rest.empty() || rest.front() == '.'))
    return now.keep("triton.experimental.gluon" + rest);
  return name;
}

Value KnownModules::attribute(std::string_view moduleName, StringRef name) {
  StringRef module(moduleName);
  if (module == "tilewright") {
    if (name == "matrix")
      return Value::ofModule(now.keep(matrixModule));
    if (name == "gluon")
      return Value::ofModule("triton.experimental.gluon");
    module = "triton";
  }
  if (std::optional<Value> known = gluonAttribute(module, name))
    return *known;
  if (module == "triton") {
    if (name == "language")
      return Value::ofModule("triton.language");
    if (name == "experimental")
      return Value::ofModule("triton.experimental");
    // The version whose language this is.
    if (name == "__version__")
      return Value::ofString("3.6.0");
    if (const Builtin *builtin = findTritonBuiltin(name))
      return Value::ofBuiltin(builtin);
    return Value::host(now.keep("triton." + name));
  }
  if (module.starts_with(moduleSpecification) && name == "loader")
    return Value::ofModule("importlib.Loader");
  if (module == "importlib.Loader" && name == "exec_module")
    return Value::host("importlib.Loader.exec_module");
  // Code that is only for tools that read types does not run.
  if (module == "typing" && name == "TYPE_CHECKING")
    return Value::boolean(false);
  // That of the compiler, as its environment is.
  if (module == "sys" && name == "platform") {
#if defined(__linux__)
    return Value::ofString("linux");
#elif defined(_WIN32)
    return Value::ofString("win32");
#endif
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
    return Value::ofModule("triton.language.extra");
  // The functions of libdevice are the same on all targets.
  if (module == "triton.language.extra" || isVendorsModule(module)) {
    if (name == "libdevice")
      return Value::ofModule("triton.language.extra.libdevice");
    if (module == "triton.language.extra" && llvm::is_contained(vendorsNames, name))
      return Value::ofModule(now.keep(module + "." + name));
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
      return Value::host(now.keep(module + "." + name));
    return tb.fail("`" + module + "." + name + "` cannot be used in a kernel",
                   "a kernel can use triton.language, its own functions and constants");
  }
  if (module == "triton.language" &&
      llvm::is_contained({"math", "core", "standard", "random", "target_info", "PropagateNan"},
                         name))
    return Value::ofModule(now.keep(module + "." + name));
  if (name == "pi32_t")
    return Value::ofType(DType{ScalarKind::Int32}.pointerTo());
  if (name == "CONSTEXPR_0" && module == "triton.language.core")
    return Value::ofInteger(0);
  if (name == "PropagateNan" && module == "triton.language.core")
    return Value::ofModule("triton.language.PropagateNan");
  if (name == "TRITON_MAX_TENSOR_NUMEL")
    return Value::ofInteger(tt::maxTensorElements);
  if (name == "jit" || name == "constexpr_function")
    return Value::host(now.keep(module + "." + name));
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
                 isDevices       ? (name == "libdevice" ? "" : "libdevice has it: ") +
                                       std::string("from triton.language.extra import libdevice")
                 : close.empty() ? ""
                                 : "did you mean tl." + close.str() + "?");
}

Value KnownModules::hostAttribute(StringRef object, StringRef name) {
  if (Value known = resolver.devices.attribute(object, name); known || tb.failed())
    return known;
  if (isKnownModule(object))
    return Value::host(now.keep(object + "." + name));
  const StringRef package = object.split('.').first;
  const bool isNumeric = package == "torch" || package == "numpy";
  return tb.fail("`" + object + "." + name + "` cannot be used in a kernel",
                 isNumeric && findLanguageBuiltin(name)
                     ? "write tl." + name
                     : "a kernel can use triton.language, its own functions and constants; of the "
                       "module '" +
                           package + "' no file is found, where --path DIR names further folders");
}

Value KnownModules::environmentVariable(StringRef name) {
  // One variable changes, or any of them may.
  for (const std::string &changed : {changedVariable(name), std::string("environ")})
    if (resolver.changes.refuse(changed, {[](const Value &base) {
                                  return (base.kind == ValueKind::Module && base.text == "os") ||
                                         (base.kind == ValueKind::Host &&
                                          base.text == "os.environ");
                                }}))
      return {};
  const std::optional<std::string> &value = tb.variableOfEnvironment(name);
  return value ? tb.makeString(*value) : Value::none();
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

std::optional<bool> KnownModules::has(StringRef module, StringRef name) {
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
  return now.tryHere([&] { attribute(now.keep(module), name); });
}
