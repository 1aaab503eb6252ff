//===- Configurations.cpp - The configurations of a kernel --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CompileKernel.h"
#include "tilewright/Tuner.h"
#include "tune/HostExpression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <limits>

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
static Expected<std::optional<int>> readOption(const std::string &name, const HostValue &value) {
  if (value.as<std::monostate>())
    return std::optional<int>();
  const int64_t least = name == "num_warps" || name == "num_ctas" || name == "maxnreg";
  if (auto *flag = value.as<bool>(); flag && LaunchOptions().find(name))
    return std::optional<int>(*flag);
  if (value.isInteger() && value.integer() >= least &&
      value.integer() <= std::numeric_limits<int>::max())
    return std::optional<int>(value.integer());
  return makeError(name + " is to be a " +
                   (least ? "positive number" : "number that is not negative") + ", got " +
                   value.text());
}

/// Adds NAME=VALUE to a configuration. Errors: an option that is no number, a constant that a
/// signature cannot have.
static Expected<void> add(Configuration &configuration, const std::string &name,
                          const HostValue &value) {
  if (std::optional<int> *option = configuration.findOption(name)) {
    auto read = readOption(name, value);
    if (!read)
      return read.error();
    *option = *read;
    return {};
  }
  if (value.as<HostList>() || value.as<HostDict>() || value.as<HostConfig>())
    return makeError("the constant '" + name + "' is to be a number, a string or None, got a " +
                     std::string(value.typeName()));
  configuration.constants.push_back({name, value.text()});
  return {};
}

Expected<std::vector<Configuration>> tune::parseConfigurations(const std::string &text) {
  auto keywords = evaluateKeywords(text, "<config>");
  if (!keywords)
    return keywords.error();
  std::vector<Configuration> all(1);
  for (const auto &[name, value] : *keywords) {
    HostList choices{value};
    if (auto *list = value.as<HostList>())
      choices = *list;
    if (choices.empty() || all.size() * choices.size() > maxConfigurations)
      return makeFileError("<config>",
                           choices.empty()
                               ? "'" + name + "' has no values to choose from"
                               : "'" + text + "' has more than " +
                                     std::to_string(maxConfigurations) + " combinations",
                           "give each name one value or a list, as in \"BLOCK=[64, 128]\"");
    std::vector<Configuration> combined;
    for (const Configuration &configuration : all)
      for (const HostValue &choice : choices) {
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

static Expected<Configuration> toConfiguration(const HostConfig &config) {
  Configuration configuration;
  for (const auto &[name, value] : config.constants)
    if (auto added = add(configuration, name, value); !added)
      return added.error();
  // What else there is are hints to Triton.
  for (const auto &[name, value] : config.options)
    if (configuration.findOption(name))
      if (auto added = add(configuration, name, value); !added)
        return added.error();
  return configuration;
}

Expected<Autotune> tune::readAutotune(const Source &source, const std::string &kernel) {
  if (source.language != SourceLanguage::Python)
    return Autotune();
  auto module = ParsedModule::parse(source.name, source.text);
  if (!module)
    return module.error();
  const std::vector<const FunctionDefStmt *> candidates =
      kernelsOf(**module, /*rootsOnly=*/kernel.empty());
  auto found = llvm::find_if(candidates, [&](const FunctionDefStmt *function) {
    return kernel.empty() || function->name == kernel;
  });
  // That there is none, or several to choose from, is an error of the compilation.
  if (found == candidates.end() || (kernel.empty() && candidates.size() != 1))
    return Autotune();
  const CallExpr *call = findAutotune(**found);
  if (!call)
    return Autotune();

  const HostNames names;
  auto evaluateArgument = [&](const Expr *argument) -> Expected<HostValue> {
    return argument ? evaluate(*argument, **module, names) : HostValue(HostList());
  };
  const Expr *listed = findArgument(*call, 0, "configs"), *keys = findArgument(*call, 1, "key");
  auto configs = evaluateArgument(listed);
  if (!configs)
    return configs.error();
  Autotune autotune;
  auto *list = configs->as<HostList>();
  if (!list)
    return errorAt(**module, *listed, "configs is to be a list of triton.Config");
  for (const HostValue &each : *list) {
    auto *config = each.as<HostConfig>();
    if (!config)
      return errorAt(**module, *listed,
                     "configs is to be a list of triton.Config, and has a " +
                         std::string(each.typeName()));
    auto configuration = toConfiguration(*config);
    if (!configuration)
      return errorAt(**module, *listed, configuration.error().message);
    autotune.configurations.push_back(std::move(*configuration));
  }
  auto key = evaluateArgument(keys);
  if (!key)
    return key.error();
  for (const HostValue &each : key->as<HostList>() ? *key->as<HostList>() : HostList{*key}) {
    if (!each.as<std::string>())
      return errorAt(**module, *keys, "key is to be a list of names");
    autotune.key.push_back(*each.as<std::string>());
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
  HostNames names;
  for (const auto &[name, value] : numbers)
    names[name] = value;
  for (const auto &[name, value] : configuration.constants) {
    auto constant = evaluateText(value, "<config>", {});
    if (!constant)
      return constant.error();
    names[name] = std::move(*constant);
  }
  for (const auto &[name, value] : configuration.options())
    names[name] = int64_t(value);

  auto value = evaluateText(text, "<grid>", names);
  if (!value)
    return value.error();
  HostList sizes{*value};
  if (auto *list = value->as<HostList>())
    sizes = *list;
  runtime::Grid grid;
  uint32_t *axes[] = {&grid.x, &grid.y, &grid.z};
  bool fits = !sizes.empty() && sizes.size() <= 3;
  for (size_t axis = 0; fits && axis < sizes.size(); ++axis) {
    fits = sizes[axis].isInteger() && sizes[axis].integer() > 0 &&
           sizes[axis].integer() <= std::numeric_limits<int32_t>::max();
    if (fits)
      *axes[axis] = uint32_t(sizes[axis].integer());
  }
  if (!fits)
    return makeFileError("<grid>",
                         "a grid is one to three positive numbers, and '" + text + "' is " +
                             value->text() + " for " + configuration.text(),
                         "write it like \"cdiv(n, BLOCK), 4\"");
  return grid;
}
