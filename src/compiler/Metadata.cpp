//===- Metadata.cpp - Kernel descriptions from IR -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/Metadata.h"

#include "ir/tt/DescriptorArguments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

/// Triton's spelling of a scalar type; empty for one that kernels cannot be given.
static std::string spellScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return (integer.isUnsignedInteger() ? "u" : "i") + std::to_string(integer.getWidth());
  if (isa<Float8E4M3FNType>(type))
    return "fp8e4nv";
  if (isa<Float8E5M2Type>(type))
    return "fp8e5";
  if (type.isBF16())
    return "bf16";
  if (isa<FloatType>(type))
    return "fp" + std::to_string(type.getIntOrFloatBitWidth());
  return {};
}

/// The same of arguments; empty for one that kernels cannot be given.
static std::string spell(Type type) {
  std::string text;
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    text = spellScalar(pointer.getPointeeType());
    return text.empty() ? text : "*" + text;
  }
  auto descriptor = dyn_cast<tt::TensorDescType>(type);
  if (!descriptor)
    return spellScalar(type);
  RankedTensorType block = descriptor.getBlockType();
  text = spellScalar(block.getElementType());
  if (text.empty())
    return text;
  llvm::raw_string_ostream stream(text = "tensordesc<" + text);
  stream << '[';
  llvm::interleaveComma(block.getShape(), stream);
  stream << "]>";
  return text;
}

static std::string nameOf(BlockArgument argument) {
  if (auto name = dyn_cast<NameLoc>(argument.getLoc()))
    return name.getName().str();
  return "arg" + std::to_string(argument.getArgNumber());
}

bool compiler::describeKernel(ModuleOp module, KernelMetadata &metadata) {
  tt::FuncOp kernel = *llvm::find_if(module.getOps<tt::FuncOp>(),
                                     [](tt::FuncOp function) { return function.isPublic(); });
  metadata.name = kernel.getName().str();
  for (unsigned index = 0; index < tt::getSourceArgumentCount(kernel);) {
    BlockArgument value = kernel.getArgument(index);
    KernelArgument argument;
    argument.name = nameOf(value);
    argument.type = spell(value.getType());
    if (argument.type.empty()) {
      kernel.emitError() << "argument '" << argument.name << "' of type " << value.getType()
                         << " cannot be passed to a kernel; kernels take numbers, pointers and "
                            "tensor descriptors";
      return false;
    }
    if (auto divisibility = kernel.getArgAttrOfType<IntegerAttr>(index, "tt.divisibility"))
      argument.divisibility = divisibility.getInt();
    if (auto descriptor = tt::getDescriptorArgument(kernel, index)) {
      argument.divisibility = tt::descriptorAlignment;
      index += descriptor->argumentCount();
    } else {
      ++index;
    }
    metadata.arguments.push_back(std::move(argument));
  }
  return true;
}

/// A value of tt::tensorMapsAttrName; nothing where it is none.
static std::optional<LaunchValue> launchValueOf(Attribute attr) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attr);
  if (!numbers || numbers.empty())
    return std::nullopt;
  LaunchValue value{numbers[0], {}};
  for (int64_t parameter : numbers.asArrayRef().drop_front())
    value.parameters.push_back(static_cast<unsigned>(parameter));
  return value;
}

static bool readValues(Attribute attr, std::vector<LaunchValue> &values) {
  auto list = dyn_cast_if_present<ArrayAttr>(attr);
  if (!list)
    return false;
  for (Attribute each : list) {
    std::optional<LaunchValue> value = launchValueOf(each);
    if (!value)
      return false;
    values.push_back(std::move(*value));
  }
  return true;
}

/// One of tt::tensorMapsAttrName; nothing where it is none.
static std::optional<TensorMapRecipe> recipeOf(Attribute attr) {
  auto map = dyn_cast<DictionaryAttr>(attr);
  if (!map)
    return std::nullopt;
  TensorMapRecipe recipe;
  auto element = map.getAs<StringAttr>("element");
  auto address = map.getAs<IntegerAttr>("address"),
       swizzle = map.getAs<IntegerAttr>("swizzle_bytes");
  auto box = map.getAs<DenseI64ArrayAttr>("box");
  auto fillsNan = map.getAs<BoolAttr>("fills_nan");
  if (!element || !address || !swizzle || !box || !fillsNan ||
      !readValues(map.get("sizes"), recipe.sizes) ||
      !readValues(map.get("strides"), recipe.strides))
    return std::nullopt;
  recipe.element = element.str();
  recipe.address = static_cast<unsigned>(address.getInt());
  for (int64_t size : box.asArrayRef())
    recipe.box.push_back(static_cast<int>(size));
  recipe.swizzleBytes = static_cast<int>(swizzle.getInt());
  recipe.fillsNan = fillsNan.getValue();
  return recipe;
}

bool compiler::describeTensorMaps(ModuleOp module, KernelMetadata &metadata) {
  Attribute attr = module->getAttr(tt::tensorMapsAttrName);
  if (!attr)
    return true;
  auto maps = dyn_cast<ArrayAttr>(attr);
  for (Attribute map : maps ? maps.getValue() : ArrayRef<Attribute>()) {
    std::optional<TensorMapRecipe> recipe = recipeOf(map);
    if (!recipe)
      maps = nullptr;
    if (!maps)
      break;
    metadata.tensorMaps.push_back(std::move(*recipe));
  }
  if (!maps)
    module.emitError() << tt::tensorMapsAttrName
                       << " does not say how tensor maps are made; leave it out, with the kernel's "
                          "last arguments";
  return maps != nullptr;
}
