//===- Input.cpp - Inputs that a kernel is tried on -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "validate/Input.h"

#include "compiler/Metadata.h"
#include "interpret/Codec.h"
#include "interpret/Tensor.h"
#include "ir/tt/DescriptorArguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::validate;

bool Parameter::isStride() const {
  llvm::StringRef text(name);
  return kind == Kind::Integer && (text.contains_insensitive("stride") || text.starts_with("ld"));
}

//===--------------------------------------------------------------------------===//
// Parameters
//===--------------------------------------------------------------------------===//

static tt::FuncOp kernelOf(ModuleOp module) {
  return *llvm::find_if(module.getOps<tt::FuncOp>(),
                        [](tt::FuncOp function) { return function.isPublic(); });
}

/// The parameter that an argument is, but for what the user gave.
static Parameter parameterOf(const KernelArgument &argument, Type type) {
  Parameter parameter;
  parameter.name = argument.name;
  parameter.type = type;
  parameter.divisibility = std::max(argument.divisibility, 1);
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    parameter.kind = Parameter::Kind::Pointer;
    parameter.type = pointer.getPointeeType();
  } else if (auto descriptor = dyn_cast<tt::TensorDescType>(type)) {
    parameter.kind = Parameter::Kind::Descriptor;
    parameter.type = descriptor.getBlockType().getElementType();
    // The block's sizes, until an input chooses those of the tensor.
    parameter.shape = descriptor.getBlockType().getShape().vec();
  } else if (isa<FloatType>(type)) {
    parameter.kind = Parameter::Kind::Float;
  }
  return parameter;
}

/// That every value the user gave is one of an argument.
static Expected<void> checkNames(const GivenInput &given, const KernelMetadata &metadata) {
  for (const auto &[name, text] : given.arguments)
    if (llvm::none_of(metadata.arguments,
                      [&name = name](const KernelArgument &each) { return each.name == name; }))
      return makeError("--arg " + name + ": the kernel '" + metadata.name +
                           "' has no such argument that a launch gives",
                       "leave it out, or name one of the kernel's arguments");
  return {};
}

/// Gives the value of an integer, where an array that the user gave fixes it.
static void fix(Parameter &parameter, int64_t value) {
  parameter.given = value;
  parameter.integer = value;
}

/// Names the sizes and strides of a descriptor whose tensor, sizes and strides are arguments one
/// after the other, as those of Python kernels are, and takes them from an array of the user's.
static void nameExtents(tt::MakeTensorDescOp descriptor, std::vector<Parameter> &parameters) {
  auto base = dyn_cast<BlockArgument>(descriptor.getBase());
  const size_t rank = descriptor.getShape().size();
  if (!base || !isa<tt::FuncOp>(base.getOwner()->getParentOp()) ||
      base.getArgNumber() + 2 * rank >= parameters.size())
    return;
  const size_t first = base.getArgNumber() + 1;
  for (size_t dim = 0; dim < rank; ++dim) {
    auto size = dyn_cast<BlockArgument>(descriptor.getShape()[dim]);
    if (!size || size.getArgNumber() != first + dim)
      return;
  }
  const Parameter &tensor = parameters[first - 1];
  const auto *array = tensor.given ? std::get_if<runtime::HostArray>(&*tensor.given) : nullptr;
  int64_t stride = 1;
  for (size_t dim = rank; dim-- > 0;) {
    Parameter &size = parameters[first + dim], &step = parameters[first + rank + dim];
    size.name = tensor.name + ".shape" + std::to_string(dim);
    size.least = 1;
    step.name = tensor.name + ".stride" + std::to_string(dim);
    if (!array || array->shape.size() != rank)
      continue;
    fix(size, array->shape[dim]);
    fix(step, stride);
    stride *= array->shape[dim];
  }
}

Expected<std::vector<Parameter>> validate::parametersOf(ModuleOp module, const GivenInput &given) {
  KernelMetadata metadata;
  if (!compiler::describeKernel(module, metadata))
    return makeError("the kernel has an argument that no launch gives");
  if (Expected<void> fine = checkNames(given, metadata); !fine)
    return fine.error();
  tt::FuncOp kernel = kernelOf(module);
  std::vector<Parameter> parameters;
  unsigned index = 0;
  for (const KernelArgument &argument : metadata.arguments) {
    parameters.push_back(parameterOf(argument, kernel.getArgumentTypes()[index]));
    auto descriptor = tt::getDescriptorArgument(kernel, index);
    index += descriptor ? descriptor->argumentCount() : 1;
    auto text = given.arguments.find(argument.name);
    if (text == given.arguments.end())
      continue;
    Expected<runtime::ArgumentValue> value = runtime::parseArgumentValue(argument, text->second);
    if (!value)
      return value.error();
    parameters.back().given = std::move(*value);
  }
  if (parameters.size() == kernel.getNumArguments())
    kernel.walk([&](tt::MakeTensorDescOp made) { nameExtents(made, parameters); });
  return parameters;
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

/// The largest extent of a tile, which sizes are chosen around.
static int64_t tileExtent(ModuleOp module) {
  int64_t extent = 1;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (auto descriptor = dyn_cast<tt::TensorDescType>(type))
        tensor = descriptor.getBlockType();
      if (tensor && (isa<tt::MakeRangeOp>(op) || tensor.getRank() > 1))
        extent = std::max(extent, *llvm::max_element(tensor.getShape()));
    }
  });
  return extent;
}

static int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The value of the `number`th size: sizes of one input differ.
static int64_t sizeFor(const Parameter &parameter, int64_t extent, unsigned number) {
  if (extent <= 1)
    return extent == 0 ? roundUp(parameter.least, parameter.divisibility) : parameter.divisibility;
  return roundUp(extent + 5 * static_cast<int64_t>(number), parameter.divisibility);
}

/// Strides of one tensor have names that differ in their ends; the last one is that of columns.
static bool areOfOneTensor(const Parameter &a, const Parameter &b) {
  return a.isStride() && b.isStride() && a.name.size() > 1 && b.name.size() > 1 &&
         llvm::StringRef(a.name).drop_back() == llvm::StringRef(b.name).drop_back();
}

static void chooseStrides(std::vector<Parameter> &parameters, int64_t row) {
  for (size_t i = parameters.size(); i-- > 0;) {
    Parameter &parameter = parameters[i];
    if (!parameter.isStride() || parameter.given)
      continue;
    const bool hasInner = i + 1 < parameters.size() && areOfOneTensor(parameter, parameters[i + 1]),
               hasOuter = i > 0 && areOfOneTensor(parameter, parameters[i - 1]);
    if (hasInner)
      parameter.integer = parameters[i + 1].integer == 1 ? row : parameters[i + 1].integer * row;
    else
      parameter.integer = hasOuter && parameter.divisibility == 1 ? 1 : row;
    parameter.integer = roundUp(parameter.integer, parameter.divisibility);
  }
}

/// A tensor of some blocks, of which the last ones are not whole.
static void chooseTensor(Parameter &parameter, int64_t extent, int64_t tile) {
  const int64_t rowMultiple = std::max<int64_t>(1, 16 / interpret::bytesOf(parameter.type));
  for (int64_t &size : parameter.shape)
    size = std::max<int64_t>(1, extent * size / std::max<int64_t>(tile, 1));
  parameter.strides.assign(parameter.shape.size(), 1);
  for (size_t dim = parameter.shape.size(); dim-- > 1;)
    parameter.strides[dim - 1] =
        roundUp(parameter.strides[dim] * parameter.shape[dim], rowMultiple);
}

static Input makeInput(const std::vector<Parameter> &parameters, int64_t extent, int64_t tile,
                       Contents contents, runtime::Grid grid) {
  Input input{grid, contents, parameters};
  unsigned sizes = 0;
  int64_t largest = std::max(extent, tile);
  for (Parameter &parameter : input.parameters) {
    if (parameter.given) {
      if (const auto *integer = std::get_if<int64_t>(&*parameter.given)) {
        parameter.integer = *integer;
        parameter.number = static_cast<double>(*integer);
      } else if (const auto *number = std::get_if<double>(&*parameter.given)) {
        parameter.number = *number;
      } else if (parameter.kind == Parameter::Kind::Descriptor) {
        parameter.shape = std::get<runtime::HostArray>(*parameter.given).shape;
        parameter.strides.assign(parameter.shape.size(), 1);
        for (size_t dim = parameter.shape.size(); dim-- > 1;)
          parameter.strides[dim - 1] = parameter.strides[dim] * parameter.shape[dim];
      }
    } else if (parameter.kind == Parameter::Kind::Descriptor) {
      chooseTensor(parameter, extent, tile);
    } else if (parameter.kind == Parameter::Kind::Float) {
      parameter.number = contents == Contents::Small ? 2 : 0.375;
    } else if (parameter.kind == Parameter::Kind::Integer && !parameter.isStride()) {
      const unsigned width = interpret::widthOf(parameter.type);
      parameter.integer = width == 1 ? 1 : sizeFor(parameter, extent, sizes++);
      if (width < 16)
        parameter.integer = std::min<int64_t>(parameter.integer, width == 1 ? 1 : 100);
      largest = std::max(largest, parameter.integer);
    }
  }
  chooseStrides(input.parameters, roundUp(largest + 3, 16));
  return input;
}

/// Two programs along each axis that the kernel asks for, four where it is one axis.
static runtime::Grid gridFor(ModuleOp module) {
  bool isUsed[3] = {};
  module.walk([&](tt::GetProgramIdOp op) { isUsed[static_cast<unsigned>(op.getAxis())] = true; });
  const bool isPlane = isUsed[1] || isUsed[2];
  return {isUsed[0] ? (isPlane ? 2u : 4u) : 1u, isUsed[1] ? 2u : 1u, isUsed[2] ? 2u : 1u};
}

std::vector<Input> validate::proposeInputs(ModuleOp module, std::vector<Parameter> parameters,
                                           const GivenInput &given) {
  const int64_t tile = tileExtent(module);
  const int64_t partial = tile + tile / 2 + 3;
  const struct {
    int64_t extent;
    Contents contents;
  } choices[] = {{partial, Contents::Small},    {partial, Contents::Random},
                 {tile, Contents::Adversarial}, {tile / 2 + 1, Contents::Small},
                 {1, Contents::Small},          {0, Contents::Small},
                 {8, Contents::Random},         {2 * tile, Contents::Random}};
  const runtime::Grid wide = given.grid ? *given.grid : gridFor(module);
  std::vector<Input> inputs;
  for (const auto &choice : choices)
    inputs.push_back(makeInput(parameters, choice.extent, tile, choice.contents, wide));
  // Kernels that take no programs past the end of their data.
  if (!given.grid && wide.x * wide.y * wide.z > 1)
    for (const auto &choice : choices)
      inputs.push_back(makeInput(parameters, choice.extent, tile, choice.contents, {}));
  return inputs;
}

std::vector<Input> validate::simplify(const Input &input) {
  std::vector<Input> simpler;
  auto with = [&](auto change) {
    Input changed = input;
    change(changed);
    simpler.push_back(std::move(changed));
  };
  if (input.grid.x * input.grid.y * input.grid.z > 1)
    with([](Input &changed) { changed.grid = {}; });
  for (uint32_t runtime::Grid::*axis : {&runtime::Grid::x, &runtime::Grid::y, &runtime::Grid::z})
    if (input.grid.*axis > 1)
      with([=](Input &changed) { --(changed.grid.*axis); });
  for (size_t i = 0; i < input.parameters.size(); ++i) {
    const Parameter &parameter = input.parameters[i];
    if (parameter.kind != Parameter::Kind::Integer || parameter.given || parameter.isStride())
      continue;
    for (int64_t smaller : {int64_t(0), parameter.integer / 2, parameter.integer - 1})
      if (smaller >= parameter.least && smaller < parameter.integer &&
          smaller % parameter.divisibility == 0)
        with([=](Input &changed) { changed.parameters[i].integer = smaller; });
  }
  if (input.contents != Contents::Small)
    with([](Input &changed) { changed.contents = Contents::Small; });
  return simpler;
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

/// A number that looks random, of a seed and the index.
static uint64_t hashOf(uint64_t seed, uint64_t index) {
  uint64_t state = seed + index * 0x9E3779B97F4A7C15ULL;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBULL;
  return state ^ (state >> 31);
}

/// A few elements of a hundred are special.
static double adversarialNumber(uint64_t hash, double ordinary, const interpret::Codec &codec) {
  static const double infinity = std::numeric_limits<double>::infinity();
  switch (hash >> 32 & 127) {
  case 0:
    return std::numeric_limits<double>::quiet_NaN();
  case 1:
    return infinity;
  case 2:
    return -infinity;
  case 3:
    return codec.decode(1);
  case 4:
    return -0.0;
  case 5:
    return codec.width() >= 32 ? 1e18 : codec.width() == 16 ? 6e4 : 200;
  case 6:
    return -codec.decode(3);
  default:
    return ordinary;
  }
}

static uint64_t floatBits(Contents contents, uint64_t hash, const interpret::Codec &codec) {
  if (contents == Contents::Small)
    return codec.encode(static_cast<double>(hash % 9) - 4);
  // The sum of four uniform numbers is close to a normal one.
  double sum = -2;
  for (unsigned part = 0; part < 4; ++part)
    sum += static_cast<double>(hash >> (16 * part) & 0xFFFF) / 65536;
  return codec.encode(contents == Contents::Random ? sum : adversarialNumber(hash, sum, codec));
}

static uint64_t integerBits(Contents contents, uint64_t hash, unsigned width) {
  if (width == 1)
    return hash & 1;
  if (contents == Contents::Adversarial)
    switch (hash >> 32 & 15) {
    case 0:
      return interpret::lowBits(~uint64_t(0), width);
    case 1:
      return uint64_t(1) << (width - 1);
    case 2:
      return interpret::lowBits(~uint64_t(0), width - 1);
    default:
      return interpret::lowBits(hash, width);
    }
  return hash % 8;
}

Memory::Memory(const Input &input, size_t number)
    : parameter(input.parameters[number]), contents(input.contents),
      seed(llvm::xxh3_64bits(parameter.name)) {
  if (isa<FloatType>(parameter.type))
    codec = std::make_shared<interpret::Codec>(parameter.type);
}

uint64_t Memory::operator[](size_t index) const {
  if (const auto *array =
          parameter.given ? std::get_if<runtime::HostArray>(&*parameter.given) : nullptr) {
    uint64_t bits = 0;
    const size_t bytes = interpret::bytesOf(parameter.type);
    if ((index + 1) * bytes <= array->bytes.size())
      std::memcpy(&bits, &array->bytes[index * bytes], bytes);
    return bits;
  }
  const uint64_t hash = hashOf(seed, index);
  return codec ? floatBits(contents, hash, *codec)
               : integerBits(contents, hash, interpret::widthOf(parameter.type));
}

std::vector<uint8_t> Memory::bytes(size_t count) const {
  std::vector<uint8_t> bytes(count);
  const size_t elementBytes = interpret::bytesOf(parameter.type);
  for (size_t at = 0; at + elementBytes <= count; at += elementBytes) {
    const uint64_t bits = (*this)[at / elementBytes];
    std::memcpy(&bytes[at], &bits, elementBytes);
  }
  return bytes;
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

static std::string textOf(const Parameter &parameter) {
  switch (parameter.kind) {
  case Parameter::Kind::Integer:
    return parameter.name + " = " + std::to_string(parameter.integer);
  case Parameter::Kind::Float:
    return llvm::formatv("{0} = {1:f3}", parameter.name, parameter.number).str();
  case Parameter::Kind::Descriptor:
    return llvm::formatv("{0} of {1:$[ x ]}", parameter.name,
                         llvm::make_range(parameter.shape.begin(), parameter.shape.end()))
        .str();
  case Parameter::Kind::Pointer:
    return {};
  }
  return {};
}

std::string Input::text() const {
  std::vector<std::string> parts = {
      llvm::formatv("a grid of {0} x {1} x {2}", grid.x, grid.y, grid.z).str()};
  for (const Parameter &parameter : parameters)
    if (std::string part = textOf(parameter); !part.empty())
      parts.push_back(part);
  static constexpr const char *memory[] = {"small integers", "random numbers",
                                           "random numbers with NaN, infinities and extremes"};
  parts.push_back(std::string("memory of ") + memory[static_cast<size_t>(contents)]);
  return llvm::join(parts, ", ");
}
