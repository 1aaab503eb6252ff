//===- KernelFiles.cpp - Files of a compiled kernel ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/files/KernelFiles.h"

#include "runtime/launch/LaunchArguments.h"
#include "runtime/launch/TensorMaps.h"
#include "target/VendorTable.h"
#include "tilewright/HostArray.h"
#include "tilewright/Kernel.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <limits>

using namespace tilewright;
using Json = nlohmann::ordered_json;

/// The files of a vendor's kernels; null for a target of none.
static const target::CodeFiles *codeFilesOf(std::string_view targetName) {
  const target::VendorTable *vendor = target::VendorTable::ofTargetName(targetName);
  return vendor ? &vendor->files : nullptr;
}

std::string_view tilewright::nativeCodeSuffix(std::string_view targetName) {
  const target::CodeFiles *files = codeFilesOf(targetName);
  return files ? files->code : std::string_view();
}

std::string_view tilewright::assemblySuffix(std::string_view targetName) {
  const target::CodeFiles *files = codeFilesOf(targetName);
  return files ? files->assembly : std::string_view();
}

static target::LaunchFormat launchFormatOf(std::string_view targetName) {
  const target::CodeFiles *files = codeFilesOf(targetName);
  return files ? files->launch : target::LaunchFormat::Plain;
}

int KernelMetadata::dynamicSharedBytes() const {
  return launchFormatOf(target) == target::LaunchFormat::Plain ? sharedBytes : 0;
}

std::string_view KernelArgument::elementType() const {
  const std::string_view text = type;
  if (!isDescriptor())
    return text.substr(isPointer() ? 1 : 0);
  const size_t begin = text.find('<') + 1;
  return text.substr(begin, text.find('[') - begin);
}

size_t KernelArgument::rank() const {
  return isDescriptor() ? 1 + std::count(type.begin(), type.end(), ',') : 0;
}

static constexpr size_t tensorMapBytes = sizeof(runtime::TensorMapBytes);

static Json describe(const LaunchValue &value) {
  if (value.parameters.empty())
    return value.factor;
  Json json;
  if (value.factor != 1)
    json["factor"] = value.factor;
  json["parameters"] = value.parameters;
  return json;
}

static Json describe(const TensorMapRecipe &recipe, size_t index) {
  Json sizes = Json::array(), strides = Json::array();
  for (const LaunchValue &size : recipe.sizes)
    sizes.push_back(describe(size));
  for (const LaunchValue &stride : recipe.strides)
    strides.push_back(describe(stride));
  return {{"index", index},
          {"bytes", tensorMapBytes},
          {"element", recipe.element},
          {"address", recipe.address},
          {"sizes", std::move(sizes)},
          {"strides", std::move(strides)},
          {"box", recipe.box},
          {"swizzle_bytes", recipe.swizzleBytes},
          {"fill", recipe.fillsNan ? "nan" : "zero"}};
}

static Json describeLaunch(const KernelMetadata &metadata) {
  Json launch;
  if (std::string_view suffix = nativeCodeSuffix(metadata.target); !suffix.empty())
    launch["code"] = metadata.name + std::string(suffix);
  launch["symbol"] = metadata.name;
  launch["block"] = {metadata.threadsPerBlock(), 1, 1};
  if (metadata.numCtas > 1)
    launch["cluster"] = {metadata.numCtas, 1, 1};
  if (metadata.isCooperative)
    launch["cooperative"] = true;
  if (metadata.isProgrammatic)
    launch["programmatic"] = true;
  launch["dynamic_shared_bytes"] = metadata.dynamicSharedBytes();
  size_t index = runtime::parametersOf(metadata).size();
  for (const TensorMapRecipe &recipe : metadata.tensorMaps)
    launch["tensor_maps"].push_back(describe(recipe, index++));
  if (metadata.globalScratchBytes)
    launch["global_scratch_bytes"] = metadata.globalScratchBytes;
  switch (launchFormatOf(metadata.target)) {
  case target::LaunchFormat::Plain:
    break;
  case target::LaunchFormat::Hsa:
    launch["kernel_descriptor"] = metadata.name + ".kd";
    launch["wavefront_size"] = metadata.threadsPerWarp;
    launch["kernarg_bytes"] = metadata.kernargBytes;
    break;
  case target::LaunchFormat::OpenCl:
    launch["sub_group_size"] = metadata.threadsPerWarp;
    if (!metadata.buildOptions.empty())
      launch["build_options"] = metadata.buildOptions;
    break;
  }
  return launch;
}

/// Bytes of a parameter as launches pass it; nothing for a type that they cannot pass.
static std::optional<size_t> bytesOf(const runtime::KernelParameter &parameter) {
  if (parameter.isPointer())
    return sizeof(uint64_t);
  if (auto type = runtime::elementTypeNamed(parameter.type))
    return runtime::sizeOf(*type);
  return std::nullopt;
}

std::string tilewright::toJson(const KernelMetadata &metadata) {
  Json arguments = Json::array();
  const std::vector<runtime::KernelParameter> parameters = runtime::parametersOf(metadata);
  size_t index = 0;
  for (const KernelArgument &argument : metadata.arguments) {
    Json entry = {{"name", argument.name}, {"type", argument.type}};
    if (argument.divisibility != 1)
      entry["divisibility"] = argument.divisibility;
    if (argument.value)
      entry["value"] = *argument.value;
    else
      entry["index"] = index;
    for (; index < parameters.size() && parameters[index].argument == &argument; ++index)
      if (auto bytes = bytesOf(parameters[index]); bytes && argument.isDescriptor())
        entry["bytes"].push_back(*bytes);
      else if (bytes)
        entry["bytes"] = *bytes;
    arguments.push_back(std::move(entry));
  }
  Json json = {{"name", metadata.name},
               {"target", metadata.target},
               {"num_warps", metadata.numWarps},
               {"threads_per_warp", metadata.threadsPerWarp},
               {"shared_bytes", metadata.sharedBytes}};
  if (metadata.numCtas > 1)
    json["num_ctas"] = metadata.numCtas;
  if (!metadata.loopStages.empty())
    json["loop_stages"] = metadata.loopStages;
  json["arguments"] = std::move(arguments);
  json["launch"] = describeLaunch(metadata);
  // Names come from source files of any encoding; what is no UTF-8 must not throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

namespace {
/// Takes typed members out of a JSON object and remembers the first thing wrong.
class Reader {
public:
  Reader(const std::string &file) : file(file) {}

  std::optional<Diagnostic> error;

  void fail(const std::string &message) {
    if (!error)
      error = makeFileError(file, message, "the file is written by 'tilewright compile'");
  }

  /// The member's text. `where` is put before the key in messages.
  std::string text(const Json &object, const std::string &where, const char *key) {
    auto found = object.find(key);
    if (found != object.end() && found->is_string())
      return found->get<std::string>();
    fail("'" + where + key + "' must be a text");
    return {};
  }

  bool flag(const Json &object, const std::string &where, const char *key) {
    auto found = object.find(key);
    if (found != object.end() && found->is_boolean())
      return found->get<bool>();
    fail("'" + where + key + "' must be true or false");
    return false;
  }

  int number(const Json &object, const std::string &where, const char *key, int least) {
    auto found = object.find(key);
    if (found != object.end() && found->is_number_integer()) {
      bool large = found->is_number_unsigned() &&
                   found->get<uint64_t>() > uint64_t(std::numeric_limits<int>::max());
      if (!large && found->get<int64_t>() >= least)
        return static_cast<int>(found->get<int64_t>());
    }
    fail("'" + where + key + "' must be a whole number, at least " + std::to_string(least));
    return least;
  }

  /// The members of a list, which is empty after an error.
  std::vector<Json> list(const Json &object, const std::string &where, const char *key) {
    auto found = object.find(key);
    if (found != object.end() && found->is_array())
      return *found;
    fail("'" + where + key + "' must be a list");
    return {};
  }

  /// A list of whole numbers that are not negative.
  std::vector<int> numbers(const Json &object, const std::string &where, const char *key) {
    std::vector<int> result;
    for (const Json &member : list(object, where, key))
      result.push_back(number({{key, member}}, where, key, 0));
    return result;
  }

private:
  const std::string &file;
};
} // namespace

/// Whether arguments of the type can be passed.
static bool isKernelType(const KernelArgument &argument) {
  // A pointer to a pointer, say, is passed as any other.
  if (argument.isPointer())
    return argument.type.size() > 1;
  return runtime::elementTypeNamed(argument.elementType()) &&
         (!argument.isDescriptor() ||
          ((argument.type.ends_with("]>") || argument.type.ends_with("]>:16")) &&
           argument.rank() > 0));
}

static LaunchValue readValue(Reader &reader, const Json &json, const std::string &where) {
  LaunchValue value;
  if (json.is_number_integer()) {
    value.factor = json.get<int64_t>();
    return value;
  }
  if (!json.is_object()) {
    reader.fail("'" + where + "' must be a number or an object");
    return value;
  }
  if (json.contains("factor"))
    value.factor = reader.number(json, where + ".", "factor", 1);
  for (int parameter : reader.numbers(json, where + ".", "parameters"))
    value.parameters.push_back(static_cast<unsigned>(parameter));
  return value;
}

static TensorMapRecipe readTensorMap(Reader &reader, const Json &json, const std::string &where) {
  TensorMapRecipe recipe;
  if (!json.is_object()) {
    reader.fail("'" + where + "' must be an object");
    return recipe;
  }
  recipe.element = reader.text(json, where + ".", "element");
  recipe.address = static_cast<unsigned>(reader.number(json, where + ".", "address", 0));
  for (const Json &size : reader.list(json, where + ".", "sizes"))
    recipe.sizes.push_back(readValue(reader, size, where + ".sizes"));
  for (const Json &stride : reader.list(json, where + ".", "strides"))
    recipe.strides.push_back(readValue(reader, stride, where + ".strides"));
  recipe.box = reader.numbers(json, where + ".", "box");
  recipe.swizzleBytes = reader.number(json, where + ".", "swizzle_bytes", 0);
  const std::string fill = reader.text(json, where + ".", "fill");
  if (!reader.error && fill != "nan" && fill != "zero")
    reader.fail("'" + where + ".fill' must be zero or nan");
  recipe.fillsNan = fill == "nan";
  return recipe;
}

Expected<KernelMetadata> tilewright::metadataFromJson(std::string_view text,
                                                      const std::string &file) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  Reader reader(file);
  if (json.is_discarded())
    reader.fail("the file is not valid JSON");
  else if (!json.is_object())
    reader.fail("the file must hold a JSON object");
  if (reader.error)
    return *reader.error;

  KernelMetadata metadata;
  metadata.name = reader.text(json, "", "name");
  metadata.target = reader.text(json, "", "target");
  metadata.numWarps = reader.number(json, "", "num_warps", 1);
  metadata.threadsPerWarp = reader.number(json, "", "threads_per_warp", 1);
  if (json.contains("num_ctas")) {
    metadata.numCtas = reader.number(json, "", "num_ctas", 1);
    if (metadata.numCtas > KernelMetadata::maxNumCtas ||
        !std::has_single_bit(static_cast<unsigned>(metadata.numCtas)))
      reader.fail("'num_ctas' must be a power of two up to " +
                  std::to_string(KernelMetadata::maxNumCtas));
  }
  metadata.sharedBytes = reader.number(json, "", "shared_bytes", 0);
  if (auto stages = json.find("loop_stages"); stages != json.end()) {
    if (!stages->is_array())
      reader.fail("'loop_stages' must be a list");
    else
      for (const Json &number : *stages)
        metadata.loopStages.push_back(
            reader.number({{"stages", number}}, "loop_stages.", "stages", 1));
  }
  if (auto launch = json.find("launch"); launch != json.end()) {
    if (!launch->is_object())
      reader.fail("'launch' must be an object");
    if (launch->contains("kernarg_bytes"))
      metadata.kernargBytes = reader.number(*launch, "launch.", "kernarg_bytes", 0);
    if (launch->contains("global_scratch_bytes"))
      metadata.globalScratchBytes = reader.number(*launch, "launch.", "global_scratch_bytes", 0);
    if (launch->contains("build_options"))
      metadata.buildOptions = reader.text(*launch, "launch.", "build_options");
    if (launch->contains("cooperative"))
      metadata.isCooperative = reader.flag(*launch, "launch.", "cooperative");
    if (launch->contains("programmatic"))
      metadata.isProgrammatic = reader.flag(*launch, "launch.", "programmatic");
    if (launch->contains("tensor_maps"))
      for (const Json &map : reader.list(*launch, "launch.", "tensor_maps"))
        metadata.tensorMaps.push_back(readTensorMap(
            reader, map, "launch.tensor_maps[" + std::to_string(metadata.tensorMaps.size()) + "]"));
  }
  auto arguments = json.find("arguments");
  if (arguments == json.end() || !arguments->is_array()) {
    reader.fail("'arguments' must be a list");
    return *reader.error;
  }
  for (const Json &entry : *arguments) {
    std::string where = "arguments[" + std::to_string(metadata.arguments.size()) + "]";
    if (!entry.is_object()) {
      reader.fail("'" + where + "' must be an object");
      break;
    }
    where += '.';
    KernelArgument argument;
    argument.name = reader.text(entry, where, "name");
    argument.type = reader.text(entry, where, "type");
    if (entry.contains("divisibility"))
      argument.divisibility = reader.number(entry, where, "divisibility", 1);
    if (entry.contains("value"))
      argument.value = reader.text(entry, where, "value");
    if (!reader.error && argument.isPassed() && !isKernelType(argument))
      reader.fail("'" + where + "type' is " + argument.type + ", which no argument has");
    metadata.arguments.push_back(std::move(argument));
  }
  if (reader.error)
    return *reader.error;
  const size_t parameterCount = runtime::parametersOf(metadata).size();
  for (const TensorMapRecipe &recipe : metadata.tensorMaps)
    if (!runtime::isTensorMap(recipe, parameterCount))
      reader.fail("'launch.tensor_maps' does not fit the arguments");
  if (reader.error)
    return *reader.error;
  return metadata;
}

Expected<CompiledKernel> tilewright::readCompiledKernel(const std::string &directory,
                                                        const std::string &name) {
  std::string base = directory + "/" + name;
  Expected<std::string> description = runtime::readFile(base + ".json");
  if (!description)
    return description.error();
  Expected<KernelMetadata> metadata = metadataFromJson(*description, base + ".json");
  if (!metadata)
    return metadata.error();

  CompiledKernel kernel{std::move(*metadata), {}, {}};
  auto readIfThere = [](const std::string &file, std::string &into) -> Expected<void> {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
      return {};
    Expected<std::string> contents = runtime::readFile(file);
    if (!contents)
      return contents.error();
    into = std::move(*contents);
    return {};
  };
  if (Expected<void> done = readIfThere(base + ".llir", kernel.llir); !done)
    return done.error();
  std::string_view suffix = nativeCodeSuffix(kernel.metadata.target);
  if (!suffix.empty())
    if (Expected<void> done = readIfThere(base + std::string(suffix), kernel.nativeCode); !done)
      return done.error();
  if (kernel.llir.empty() && kernel.nativeCode.empty())
    return makeFileError(base + ".json", "there is no code beside the description",
                         "expected " + name + ".llir" +
                             (suffix.empty() ? "" : " or " + name + std::string(suffix)) +
                             " in the same folder");
  return kernel;
}

std::vector<runtime::FileContents> runtime::filesOf(const std::string &directory,
                                                    const CompiledKernel &kernel) {
  std::string base = directory + "/" + kernel.metadata.name;
  std::vector<FileContents> files;
  if (!kernel.llir.empty())
    files.push_back({base + ".llir", kernel.llir});
  std::string_view suffix = nativeCodeSuffix(kernel.metadata.target);
  if (!kernel.nativeCode.empty() && !suffix.empty())
    files.push_back({base + std::string(suffix), kernel.nativeCode});
  files.push_back({base + ".json", toJson(kernel.metadata)});
  return files;
}

Expected<void> tilewright::writeCompiledKernel(const std::string &directory,
                                               const CompiledKernel &kernel) {
  return runtime::writeFiles(runtime::filesOf(directory, kernel));
}
