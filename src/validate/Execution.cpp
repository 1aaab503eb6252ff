//===- Execution.cpp - A kernel, interpreted on an input ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "validate/Execution.h"

#include "compiler/Metadata.h"
#include "interpret/Codec.h"
#include "ir/tt/DescriptorArguments.h"
#include "ir/ttg/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::validate;
using interpret::Datum;
using interpret::GlobalMemory;

/// The address of the buffer of a parameter that is memory.
static uint64_t bufferAddress(const Input &input, size_t number) {
  size_t index = 0;
  for (size_t i = 0; i < number; ++i)
    index += input.parameters[i].isMemory();
  return GlobalMemory::addressOf(index);
}

static uint64_t scalarBits(const Parameter &parameter) {
  if (parameter.kind == Parameter::Kind::Float)
    return interpret::Codec(parameter.type).encode(parameter.number);
  return interpret::lowBits(static_cast<uint64_t>(parameter.integer),
                            interpret::widthOf(parameter.type));
}

std::vector<uint64_t> validate::wordsOf(const Input &input) {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < input.parameters.size(); ++i) {
    const Parameter &parameter = input.parameters[i];
    words.push_back(parameter.isMemory() ? bufferAddress(input, i) : scalarBits(parameter));
    if (parameter.kind == Parameter::Kind::Descriptor) {
      words.insert(words.end(), parameter.shape.begin(), parameter.shape.end());
      words.insert(words.end(), parameter.strides.begin(), parameter.strides.end());
    }
  }
  return words;
}

std::vector<size_t> validate::sizesOf(const Execution &execution, const Input &input) {
  std::vector<size_t> sizes;
  for (const Parameter &parameter : input.parameters)
    if (parameter.isMemory())
      sizes.push_back(execution.memory.buffers[sizes.size()].bytes.size());
  return sizes;
}

/// Adds the buffers of an input.
static void fillMemory(GlobalMemory &memory, const Input &input, ArrayRef<size_t> sizes) {
  size_t index = 0;
  for (size_t i = 0; i < input.parameters.size(); ++i) {
    const Parameter &parameter = input.parameters[i];
    if (!parameter.isMemory())
      continue;
    interpret::Buffer buffer;
    buffer.name = parameter.name;
    buffer.elementBytes = interpret::bytesOf(parameter.type);
    const auto *array =
        parameter.given ? std::get_if<runtime::HostArray>(&*parameter.given) : nullptr;
    const Memory contents(input, i);
    if (array || !sizes.empty())
      buffer.bytes = contents.bytes(array ? array->bytes.size() : sizes[index]);
    else
      buffer.fill = [contents](size_t element) { return contents[element]; };
    memory.add(std::move(buffer));
    ++index;
  }
}

namespace {
/// Gives the arguments of a kernel, at any stage of its compilation, the words of a launch.
class Binder {
public:
  Binder(ModuleOp module, tt::FuncOp kernel, const Input &input, GlobalMemory &memory)
      : module(module), kernel(kernel), input(input), memory(memory), words(wordsOf(input)) {
    (void)compiler::describeTensorMaps(module, metadata);
  }

  /// Nothing where an argument is of no known kind.
  std::optional<std::vector<Datum>> bind() {
    while (data.size() < kernel.getNumArguments())
      if (!bindNext())
        return std::nullopt;
    return data;
  }

private:
  bool bindNext() {
    Type type = kernel.getArgumentTypes()[data.size()];
    auto descriptor = dyn_cast<tt::TensorDescType>(type);
    if (next == words.size())
      return descriptor ? bindMap(descriptor) : bindScratch(type);
    if (descriptor)
      return bindDescriptor(descriptor);
    data.push_back(interpret::makeScalar(type, words[next++]));
    return true;
  }

  /// A descriptor, and its sizes and strides where they are arguments, too.
  bool bindDescriptor(tt::TensorDescType type) {
    const size_t rank = static_cast<size_t>(type.getBlockType().getRank());
    auto argument = tt::getDescriptorArgument(kernel, static_cast<unsigned>(data.size()));
    if (!argument || next + 1 + 2 * rank > words.size())
      return false;
    interpret::Descriptor made;
    made.base = words[next];
    made.element = type.getBlockType().getElementType();
    const auto extents = ArrayRef<uint64_t>(words).slice(next + 1, 2 * rank);
    made.shape.assign(extents.begin(), extents.begin() + rank);
    made.strides.assign(extents.begin() + rank, extents.end());
    data.emplace_back(made);
    for (size_t i = 0; argument->hasExtents && i < 2 * rank; ++i)
      data.push_back(interpret::makeScalar(kernel.getArgumentTypes()[data.size()], extents[i]));
    next += 1 + 2 * rank;
    return true;
  }

  int64_t valueOf(const LaunchValue &value) const {
    int64_t product = value.factor;
    for (unsigned parameter : value.parameters)
      product *= static_cast<int64_t>(words[parameter]);
    return product;
  }

  /// A tensor map that the launch makes. Its dimensions are the fastest first.
  bool bindMap(tt::TensorDescType type) {
    if (maps == metadata.tensorMaps.size())
      return false;
    const TensorMapRecipe &recipe = metadata.tensorMaps[maps++];
    interpret::Descriptor made;
    made.base = words[recipe.address];
    made.element = type.getBlockType().getElementType();
    made.padsWithNan = recipe.fillsNan;
    const int64_t bytes = interpret::bytesOf(made.element);
    for (const LaunchValue &size : llvm::reverse(recipe.sizes))
      made.shape.push_back(valueOf(size));
    for (const LaunchValue &stride : llvm::reverse(recipe.strides))
      made.strides.push_back(valueOf(stride) / bytes);
    made.strides.push_back(1);
    data.emplace_back(made);
    return true;
  }

  /// Memory of the launch for what programs write there for themselves.
  bool bindScratch(Type type) {
    auto bytes = module->getAttrOfType<IntegerAttr>(ttg::globalScratchBytesAttrName);
    if (!isa<tt::PointerType>(type) || !bytes)
      return false;
    interpret::Buffer buffer;
    buffer.name = "the launch's scratch memory";
    buffer.bytes.resize(static_cast<size_t>(bytes.getInt()) * input.grid.x * input.grid.y *
                        input.grid.z);
    buffer.undefined.assign(buffer.bytes.size(), 1);
    data.push_back(interpret::makeScalar(type, memory.add(std::move(buffer))));
    return true;
  }

  ModuleOp module;
  tt::FuncOp kernel;
  const Input &input;
  GlobalMemory &memory;
  std::vector<uint64_t> words;
  KernelMetadata metadata;
  size_t next = 0, maps = 0;
  std::vector<Datum> data;
};
} // namespace

Execution validate::execute(ModuleOp module, const Input &input, ArrayRef<size_t> sizes,
                            interpret::Variant variant, uint64_t maxWork) {
  Execution execution;
  auto functions = module.getOps<tt::FuncOp>();
  auto kernel = llvm::find_if(functions, [](tt::FuncOp function) { return function.isPublic(); });
  auto stop = [&](const char *what) {
    execution.outcome.stop = {interpret::Stop::Kind::Unknown, what, module.getLoc()};
  };
  if (kernel == functions.end()) {
    stop("a module without a tile program");
    return execution;
  }
  fillMemory(execution.memory, input, sizes);
  auto arguments = Binder(module, *kernel, input, execution.memory).bind();
  if (!arguments) {
    stop("an argument that no launch gives");
    return execution;
  }
  const interpret::Launch launch{{input.grid.x, input.grid.y, input.grid.z}, variant, maxWork};
  execution.outcome = interpret::run(module, *arguments, execution.memory, launch);
  return execution;
}

std::string validate::textOf(Location location) {
  std::string text;
  location->walk([&](Location part) {
    auto place = dyn_cast<FileLineColLoc>(part);
    if (!place)
      return WalkResult::advance();
    text = place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
           std::to_string(place.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}
