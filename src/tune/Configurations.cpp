//===- Configurations.cpp - The configurations of a kernel --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/HostCode.h"
#include "runtime/files/Files.h"
#include "target/Target.h"
#include "tilewright/Tuner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <limits>
#include <memory>

using namespace tilewright;
using namespace tilewright::tune;
using namespace tilewright::frontend;

/// More combinations than this are a mistake.
static constexpr size_t maxConfigurations = 10'000;

std::optional<int> *Configuration::findOption(std::string_view name) {
  if (name == "num_warps")
    return &numWarps;
  if (name == "num_stages")
    return &numStages;
  if (name == "num_ctas")
    return &numCtas;
  return launch.find(name);
}

std::vector<std::pair<std::string, int>> Configuration::options() const {
  std::vector<std::pair<std::string, int>> set;
  for (auto [name, value] :
       {std::pair("num_warps", numWarps), {"num_stages", numStages}, {"num_ctas", numCtas}})
    if (value)
      set.push_back({name, *value});
  for (const auto &[name, member] : LaunchOptions::members())
    if (launch.*member)
      set.push_back({std::string(name), *(launch.*member)});
  return set;
}

std::string Configuration::text() const {
  std::vector<std::string> parts;
  for (const auto &[name, value] : constants)
    parts.push_back(name + "=" + value);
  for (const auto &[name, value] : options())
    parts.push_back(name + "=" + std::to_string(value));
  return parts.empty() ? "as given" : llvm::join(parts, ", ");
}

/// The value of an option: of its numbers those that there can be on some target. Nothing for None.
static Expected<std::optional<int>> readOption(const std::string &name, const Value &value) {
  if (value.isNone())
    return std::optional<int>();
  const int least = name == "num_warps" || name == "num_ctas" || name == "maxnreg";
  const bool isFlag = value.kind == ValueKind::Bool && LaunchOptions().find(name);
  if (isFlag || (value.isIntegral() && value.integer >= least &&
                 value.integer <= std::numeric_limits<int>::max()))
    return std::optional<int>(static_cast<int>(value.integer));
  return makeError(name + " is to be a " +
                   (least ? "positive number" : "number that is not negative") + ", got " +
                   value.repr());
}

/// Whether a signature can have the constant.
static bool isConstantOfSignature(const Value &value) {
  return value.isNumber() || value.isNone() || value.kind == ValueKind::String ||
         (value.kind == ValueKind::Type && !value.isBlockType() && !value.type.isPointer());
}

/// Adds NAME=VALUE to a configuration. Errors: an option that is no number, a constant that a
/// signature cannot have.
static Expected<void> add(Configuration &configuration, const std::string &name,
                          const Value &value) {
  if (std::optional<int> *option = configuration.findOption(name)) {
    auto read = readOption(name, value);
    if (!read)
      return read.error();
    *option = *read;
    return {};
  }
  if (!isConstantOfSignature(value))
    return makeError("the constant '" + name +
                     "' is to be a number, a string, a type or None, not " + value.describe());
  configuration.constants.push_back({name, value.kind == ValueKind::Type
                                               ? "tl." + languageName(value.type.scalar).str()
                                               : value.repr()});
  return {};
}

//===--------------------------------------------------------------------------===//
// Texts of the command line
//===--------------------------------------------------------------------------===//

namespace {

/// A text of Python, parsed as the value of the only assignment of a file. Errors in it count
/// columns from where the user's text begins.
class TextExpression {
public:
  /// `what` names the text in errors, as if it were a file: "<grid>". `before` and `after` stand
  /// around it.
  static Expected<TextExpression> parse(const std::string &text, const std::string &what,
                                        std::string before, const std::string &after) {
    TextExpression made{text, "value = " + std::move(before)};
    auto module = ParsedModule::parse(what, made.before + text + after + "\n");
    if (!module)
      return made.relocated(module.error());
    made.module = std::move(*module);
    const Definition *definition = made.module->find("value");
    if (!definition || !definition->value || definition->earlier ||
        made.module->definitions().size() != 1)
      return makeFileError(what, "'" + text + "' is no expression");
    made.expression = definition->value;
    made.host = std::make_unique<HostCode>(*made.module);
    return made;
  }

  const Expr &get() const { return *expression; }

  /// The value, of which this expression must outlive the parts.
  Expected<Value> evaluate(const Variables &names) {
    auto value = host->evaluateWith(names, *expression);
    return value ? value : relocated(value.error());
  }

private:
  TextExpression(const std::string &text, std::string before)
      : text(text), before(std::move(before)) {}

  Diagnostic relocated(Diagnostic error) const {
    error.where.column = std::max(1, error.where.column - static_cast<int>(before.size()));
    error.sourceLine = text;
    return error;
  }

  std::string text, before;
  std::unique_ptr<const ParsedModule> module;
  const Expr *expression = nullptr;
  std::unique_ptr<HostCode> host;
};

} // namespace

Expected<std::vector<Configuration>> tune::parseConfigurations(const std::string &text) {
  auto parsed = TextExpression::parse(text, "<config>", "dict(", ")");
  if (!parsed)
    return parsed.error();
  auto *call = parsed->get().dynAs<CallExpr>();
  if (!call || !call->arguments.empty())
    return makeFileError("<config>", "'" + text + "' is no list of NAME=VALUE",
                         "write it like \"BLOCK=128, num_warps=4\"");
  auto keywords = parsed->evaluate(Variables());
  if (!keywords)
    return keywords.error();
  std::vector<Configuration> all(1);
  const std::vector<Value> &entries = *keywords->elements;
  for (size_t entry = 0; entry < entries.size(); entry += 2) {
    const std::string name = entries[entry].str();
    const Value &value = entries[entry + 1];
    const std::vector<Value> choices = value.isTuple() ? *value.elements : std::vector{value};
    if (choices.empty() || all.size() * choices.size() > maxConfigurations)
      return makeFileError("<config>",
                           choices.empty()
                               ? "'" + name + "' has no values to choose from"
                               : "'" + text + "' has more than " +
                                     std::to_string(maxConfigurations) + " combinations",
                           "give each name one value or a list, as in \"BLOCK=[64, 128]\"");
    std::vector<Configuration> combined;
    for (const Configuration &configuration : all)
      for (const Value &choice : choices) {
        combined.push_back(configuration);
        if (auto added = add(combined.back(), name, choice); !added) {
          Diagnostic error = added.error();
          error.where.file = "<config>";
          return error;
        }
      }
    all = std::move(combined);
  }
  return all;
}

//===--------------------------------------------------------------------------===//
// @triton.autotune
//===--------------------------------------------------------------------------===//

/// The call of `autotune` among a function's decorators; null if there is none.
static const CallExpr *findAutotune(const FunctionDefStmt &function) {
  for (const Expr *decorator : function.decorators) {
    auto *call = decorator->dynAs<CallExpr>();
    if (!call)
      continue;
    auto *attribute = call->function->dynAs<AttributeExpr>();
    auto *name = call->function->dynAs<NameExpr>();
    if ((attribute && attribute->attribute == "autotune") || (name && name->id == "autotune"))
      return call;
  }
  return nullptr;
}

/// The argument of a call that is given by name or as the `index`th; null if it is left out.
static const Expr *findArgument(const CallExpr &call, size_t index, std::string_view name) {
  for (const Keyword &keyword : call.keywords)
    if (keyword.name == name)
      return keyword.value;
  return index < call.arguments.size() ? call.arguments[index] : nullptr;
}

static Diagnostic errorAt(const ParsedModule &module, const Expr &at, std::string message) {
  Diagnostic error = makeFileError(module.fileName().str(), std::move(message),
                                   "write the configurations as triton.Config({..}, num_warps=..)");
  error.where.line = at.begin.line;
  error.where.column = at.begin.column;
  error.sourceLine = sourceLineOf(module.text(), error.where.line);
  return error;
}

static Expected<Configuration> toConfiguration(const Value &config) {
  Configuration configuration;
  const std::vector<Value> &constants = *config.elements->front().elements;
  const std::vector<Value> &options = *config.elements->back().elements;
  for (size_t i = 0; i < constants.size(); i += 2)
    if (auto added = add(configuration, constants[i].str(), constants[i + 1]); !added)
      return added.error();
  for (size_t i = 0; i < options.size(); i += 2) {
    const std::string name = options[i].str();
    if (name == "pre_hook" && !options[i + 1].isNone())
      return makeError("a pre_hook runs in Python before each launch, and is not run here");
    // What else there is are hints to Triton.
    if (configuration.findOption(name))
      if (auto added = add(configuration, name, options[i + 1]); !added)
        return added.error();
  }
  return configuration;
}

/// The target that a source is tuned for, as its code asks for it.
static CompileFacts factsOf(const CompileOptions &options) {
  CompileFacts facts;
  auto target = target::Target::parse(options.target ? std::string_view(*options.target)
                                                     : OptionDefaults::target);
  if (!target)
    return facts;
  facts.target = (*target)->name;
  facts.threadsPerWarp =
      options.threadsPerWarp.value_or(static_cast<int>((*target)->execution.threadsPerWarp));
  return facts;
}

Expected<Autotune> tune::readAutotune(const Source &source, const CompileOptions &options) {
  if (source.language != SourceLanguage::Python)
    return Autotune();
  auto module = ParsedModule::parse(source.name, source.text);
  if (!module)
    return module.error();
  SourceFiles files(runtime::readFromDisk);
  Imports imports{files, options.importPaths};
  HostCode host(**module, factsOf(options), source.isSelfContained ? nullptr : &imports);
  // That there is none, or several to choose from, is an error of the compilation.
  const FunctionObject *kernel = host.findKernel(options.kernel);
  const CallExpr *call = kernel ? findAutotune(*kernel->definition) : nullptr;
  if (!call)
    return Autotune();

  Autotune autotune;
  auto evaluateArgument = [&](const Expr *argument) -> Expected<Value> {
    return argument ? host.evaluateBefore(*kernel, *argument) : Value::list({});
  };
  const ParsedModule &file = *kernel->home->file;
  const Expr *listed = findArgument(*call, 0, "configs"), *keys = findArgument(*call, 1, "key");
  auto configs = evaluateArgument(listed);
  if (!configs)
    return configs.error();
  if (!configs->isTuple())
    return errorAt(file, *listed,
                   "configs is to be a list of triton.Config, not " + configs->describe());
  for (const Value &each : *configs->elements) {
    if (each.kind != ValueKind::Config)
      return errorAt(file, *listed,
                     "configs is to be a list of triton.Config, and has " + each.describe());
    auto configuration = toConfiguration(each);
    if (!configuration)
      return errorAt(file, *listed, configuration.error().message);
    autotune.configurations.push_back(std::move(*configuration));
  }
  auto key = evaluateArgument(keys);
  if (!key)
    return key.error();
  for (const Value &each : key->isTuple() ? *key->elements : std::vector{*key}) {
    if (each.kind != ValueKind::String)
      return errorAt(file, *keys, "key is to be a list of names");
    autotune.key.push_back(each.str());
  }
  return autotune;
}

//===--------------------------------------------------------------------------===//
// What a configuration stands for
//===--------------------------------------------------------------------------===//

/// The entries of a signature: commas in brackets and in strings separate none.
static std::vector<std::string> splitSignature(llvm::StringRef text) {
  std::vector<std::string> entries(1);
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (llvm::StringRef("[(<{").contains(c))
      ++depth;
    else if (llvm::StringRef("])>}").contains(c))
      --depth;
    else if (c == ',' && depth == 0) {
      entries.emplace_back();
      continue;
    }
    entries.back() += c;
  }
  return entries;
}

Expected<std::vector<CompileOptions>>
tune::specialize(const CompileOptions &base, std::span<const Configuration> configurations,
                 std::vector<Diagnostic> *warnings) {
  const std::vector<std::string> entries = splitSignature(base.signature);
  std::vector<CompileOptions> all;
  for (const Configuration &configuration : configurations) {
    CompileOptions options = base;
    std::vector<std::string> specialized = entries;
    auto replaceEntries = [&](llvm::StringRef name, const std::string &value) {
      bool found = false;
      for (auto [entry, given] : llvm::zip(specialized, entries))
        if (llvm::StringRef(given).trim() == name) {
          entry = value;
          found = true;
        }
      return found;
    };
    for (const auto &[name, value] : configuration.options())
      replaceEntries(name, std::to_string(value));
    for (const auto &[name, value] : configuration.constants) {
      if (replaceEntries(name, value))
        continue;
      const std::optional<std::string> passedOver = describePassedOverOption(name, value);
      if (!passedOver)
        return makeError("the signature has no entry '" + name + "', which the configuration " +
                             configuration.text() + " sets",
                         "write the parameter's name into --signature where its value belongs");
      if (warnings && !passedOver->empty()) {
        Diagnostic warning =
            makeError("the configuration " + configuration.text() + ": " + *passedOver);
        warning.severity = Severity::Warning;
        warnings->push_back(std::move(warning));
      }
    }
    options.signature = llvm::join(specialized, ",");
    if (configuration.numWarps)
      options.numWarps = configuration.numWarps;
    if (configuration.numStages)
      options.numStages = *configuration.numStages;
    if (configuration.numCtas)
      options.numCtas = configuration.numCtas;
    for (const auto &[name, member] : LaunchOptions::members())
      if (configuration.launch.*member)
        options.launch.*member = configuration.launch.*member;
    all.push_back(std::move(options));
  }
  return all;
}

Expected<runtime::Grid> tune::evaluateGrid(const std::string &text,
                                           const Configuration &configuration,
                                           const std::map<std::string, int64_t> &numbers) {
  Variables names;
  for (const auto &[name, value] : numbers)
    names[name] = Value::ofInteger(value);
  std::string texts;
  for (const auto &[name, value] : configuration.constants)
    texts += value + ", ";
  auto constants = TextExpression::parse(texts, "<config>", "(", ")");
  auto values = constants ? constants->evaluate(Variables()) : constants.error();
  if (!values)
    return values.error();
  for (auto [constant, value] : llvm::zip(configuration.constants, *values->elements))
    names[constant.first] = value;
  const auto options = configuration.options();
  for (const auto &[name, value] : options)
    names[name] = Value::ofInteger(value);

  auto parsed = TextExpression::parse(text, "<grid>", "(", ")");
  if (!parsed)
    return parsed.error();
  auto value = parsed->evaluate(names);
  if (!value)
    return value.error();
  const std::vector<Value> sizes = value->isTuple() ? *value->elements : std::vector{*value};
  runtime::Grid grid;
  uint32_t *axes[] = {&grid.x, &grid.y, &grid.z};
  bool fits = !sizes.empty() && sizes.size() <= 3;
  for (size_t axis = 0; fits && axis < sizes.size(); ++axis) {
    const Value &size = sizes[axis];
    fits = size.isIntegral() && size.integer > 0 &&
           size.integer <= std::numeric_limits<int32_t>::max();
    if (fits)
      *axes[axis] = static_cast<uint32_t>(size.integer);
  }
  if (!fits)
    return makeFileError("<grid>",
                         "a grid is one to three positive numbers, and '" + text + "' is " +
                             value->repr() + " for " + configuration.text(),
                         "write it like \"cdiv(n, BLOCK), 4\"");
  return grid;
}
