//===- KernelParameters.cpp - The parameters of a kernel ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelParameters.h"

#include "frontend/codegen/LayoutText.h"
#include "frontend/interpret/Parameters.h"
#include "frontend/value/Layouts.h"
#include "ir/tt/DescriptorArguments.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Nothing is written through the pointers of an entry.
static void makeConst(SignatureEntry &entry) {
  entry.type.isConst = entry.type.pointer;
  if (entry.elements)
    llvm::for_each(*entry.elements, makeConst);
}

bool KernelParameters::read(const FunctionObject *function, StringRef signature) {
  kernel = function;
  Diagnostic error;
  std::optional<std::vector<SignatureEntry>> parsed = parseSignature(signature, error);
  if (!parsed) {
    now.errors.push_back(error);
    return false;
  }
  entries = std::move(*parsed);
  const size_t givenEntries = entries.size();
  if (!completeSignature(signature))
    return false;
  if (!checkLayouts(entries, signature))
    return false;
  for (auto [index, parameter] : llvm::enumerate(parametersOf(kernel->definition))) {
    SignatureEntry &entry = entries[index];
    if (parameter->annotation &&
        resolver.functions.isAnnotation(parameter->annotation, "const", *now.environment))
      makeConst(entry);
    if (!addEntry(*parameter, std::string(parameter->name), entry,
                  index < givenEntries ? signature : StringRef()))
      return false;
  }
  return true;
}

/// Whether the layouts of entries are layouts, and are for a kernel of Gluon; descriptors of such a
/// kernel have one.
bool KernelParameters::checkLayouts(llvm::ArrayRef<SignatureEntry> list, StringRef signature) {
  for (const SignatureEntry &entry : list) {
    if (entry.elements && !checkLayouts(*entry.elements, signature))
      return false;
    const bool isDescriptor = !entry.block.empty();
    auto fail = [&](std::string message, std::string remedy) {
      now.errors.push_back(signatureError(signature, entry.offset, entry.length, std::move(message),
                                          std::move(remedy)));
      return false;
    };
    if (entry.layout.empty()) {
      if (isDescriptor && kernel->isGluon)
        return fail("a tensor descriptor of a kernel of Gluon needs the layout of its blocks in "
                    "shared memory",
                    "write tensordesc<fp16[64, 32], NVMMASharedLayout(64, 16)>");
      continue;
    }
    if (!kernel->isGluon)
      return fail(isDescriptor ? "'" + entry.layout.str() +
                                     "' is a layout of this tensor descriptor, which the compiler "
                                     "chooses"
                               : "a layout is for kernels of Gluon, and '" + kernel->name().str() +
                                     "' is none",
                  "leave it out");
    const size_t known = now.errors.size();
    const Value layout = layoutOfText(tb, entry.layout);
    if (!layout) {
      std::string message = now.errors.size() > known ? now.errors.back().message : "no layout";
      now.errors.resize(known);
      return fail("this is no layout: " + message, "such as BlockedLayout([1], [32], [4], [0])");
    }
    if (isDescriptor && !isHardwareLayout(layout.layout))
      return fail("the blocks of a tensor descriptor have an NVMMASharedLayout, not " +
                      layout.repr(),
                  "NVMMASharedLayout(swizzle_byte_width, element_bitwidth)");
  }
  return true;
}

bool KernelParameters::completeSignature(StringRef signature) {
  llvm::SmallVector<const Parameter *> parameters = parametersOf(kernel->definition);
  const size_t givenEntries = entries.size();
  while (entries.size() < parameters.size()) {
    const Expr *otherwise = defaultOf(kernel->definition, entries.size());
    Value value = otherwise ? interpreter.evaluateDefault(kernel, otherwise) : Value();
    if (tb.failed())
      return false;
    if (!value.isConstant())
      break;
    SignatureEntry &entry = entries.emplace_back();
    entry.constant = std::move(value);
  }
  if (entries.size() == parameters.size())
    return true;
  const bool few = entries.size() < parameters.size();
  const uint32_t offset =
      few ? static_cast<uint32_t>(signature.size()) : entries[parameters.size()].offset;
  now.errors.push_back(signatureError(
      signature, offset, few ? 1 : entries[parameters.size()].length,
      "the signature has " + std::to_string(givenEntries) + " entries, but " +
          kernel->name().str() + " has " + std::to_string(parameters.size()) + " parameters",
      few ? "add the entry of '" + std::string(parameters[entries.size()]->name) +
                "'; the parameters are " + namesOf(parameters)
          : "the parameters are " + namesOf(parameters)));
  return false;
}

//===--------------------------------------------------------------------------===//
// The arguments of the kernel's function
//===--------------------------------------------------------------------------===//

bool KernelParameters::addEntry(const Parameter &parameter, const std::string &name,
                                const SignatureEntry &entry, StringRef signature) {
  if (entry.elements) {
    for (auto [index, element] : llvm::enumerate(*entry.elements)) {
      const std::string step = entry.tupleClass.fields.empty()
                                   ? "[" + std::to_string(index) + "]"
                                   : "." + entry.tupleClass.fields[index];
      if (!addEntry(parameter, name + step, element, signature))
        return false;
    }
    return true;
  }
  if (entry.constant || !entry.function.empty() || (!entry.layout.empty() && entry.block.empty()))
    describeConstant(name, entry, signature);
  else if (!entry.block.empty())
    addDescriptor(name, entry);
  else
    return addArgument(parameter, name, entry, signature);
  return true;
}

void KernelParameters::describeConstant(const std::string &name, const SignatureEntry &entry,
                                        StringRef signature) {
  KernelArgument &argument = arguments.emplace_back();
  argument.name = name;
  argument.type = "constexpr";
  // `i32:1` is the constant 1 as well.
  const bool isInteger = entry.constant && entry.constant->kind == ValueKind::Integer;
  argument.value = isInteger || signature.empty()
                       ? entry.constant->repr()
                       : signature.substr(entry.offset, entry.length).str();
}

bool KernelParameters::addArgument(const Parameter &parameter, const std::string &name,
                                   const SignatureEntry &entry, StringRef signature) {
  if (parameter.annotation &&
      resolver.functions.isAnnotation(parameter.annotation, "constexpr", *now.environment)) {
    now.errors.push_back(signatureError(signature, entry.offset, entry.length,
                                        "the parameter '" + name +
                                            "' is a tl.constexpr and needs a value, not the type " +
                                            entry.type.str(),
                                        "write its value, such as 128"));
    return false;
  }
  addInput(entry.type, entry.divisibility,
           tb.locationOf(kernel->definition->begin, now.keep(name)));
  // To who launches it a pointer is a pointer.
  describeArgument(name, DType{entry.type.scalar, entry.type.pointer}.str(), entry.divisibility);
  return true;
}

/// A kernel takes a descriptor as the pointer, the sizes and the strides, the last of which is 1;
/// the body begins with making the descriptor of them. As for the hardware's descriptors, the
/// pointer and the strides are multiples of 16 bytes; the last size is where the signature says so.
void KernelParameters::addDescriptor(const std::string &name, const SignatureEntry &entry) {
  constexpr int64_t bytes = 16;
  mlir::Location location = tb.locationOf(kernel->definition->begin);
  if (!entry.layout.empty()) {
    addHardwareDescriptor(name, entry);
    return;
  }
  addInput(entry.type.pointerTo(), bytes, location);
  const int64_t elements = bytes / std::max(1u, entry.type.bits() / 8);
  const bool wholeRows = entry.divisibility > 1;
  for (size_t i = 0; i < entry.block.size(); ++i)
    addInput({ScalarKind::Int32}, wholeRows && i + 1 == entry.block.size() ? elements : 1,
             location);
  for (size_t i = 0; i + 1 < entry.block.size(); ++i)
    addInput({ScalarKind::Int64}, elements, location);
  addInput({ScalarKind::Int64}, 1, location);
  describeArgument(name,
                   "tensordesc<" + entry.type.str() + describeShape(entry.block) +
                       (wholeRows ? ">:16" : ">"),
                   bytes);
}

/// A descriptor of Gluon's, as Triton has it: the sizes (i32) and strides (i64) come after it, and
/// have its name. Passes replace it by the address.
void KernelParameters::addHardwareDescriptor(const std::string &name, const SignatureEntry &entry) {
  mlir::Location location = tb.locationOf(kernel->definition->begin, now.keep(name));
  const Value layout = layoutOfText(tb, entry.layout);
  types.push_back(descriptorType(tb.builder.getContext(), entry.type, entry.block, layout.layout));
  mlir::NamedAttrList list;
  if (entry.padsWithNan)
    list.set(tt::padsNanAttrName, tb.builder.getUnitAttr());
  attributes.push_back(list.getDictionary(tb.builder.getContext()));
  locations.push_back(location);
  for (ScalarKind kind : {ScalarKind::Int32, ScalarKind::Int64})
    for (size_t i = 0; i < entry.block.size(); ++i)
      addInput({kind}, 1, location);
  describeArgument(name, "tensordesc<" + entry.type.str() + describeShape(entry.block) + ">",
                   /*divisibility=*/16);
}

void KernelParameters::addInput(DType type, int64_t divisibility, mlir::Location location) {
  types.push_back(type.toMLIR(tb.builder.getContext()));
  attributes.push_back(divisibilityAttribute(divisibility));
  locations.push_back(location);
}

void KernelParameters::describeArgument(const std::string &name, std::string type,
                                        int64_t divisibility) {
  KernelArgument &argument = arguments.emplace_back();
  argument.name = name;
  argument.type = std::move(type);
  argument.divisibility = static_cast<int>(divisibility);
}

mlir::DictionaryAttr KernelParameters::divisibilityAttribute(int64_t divisibility) {
  mlir::NamedAttrList list;
  if (divisibility > 1)
    list.set("tt.divisibility", tb.builder.getI32IntegerAttr(static_cast<int32_t>(divisibility)));
  return list.getDictionary(tb.builder.getContext());
}

//===--------------------------------------------------------------------------===//
// The parameters in the kernel
//===--------------------------------------------------------------------------===//

bool KernelParameters::define(mlir::Block &entry, Variables &locals) {
  const Position begin = kernel->definition->begin;
  TritonBuilder::At span(tb, {begin, begin});
  llvm::ArrayRef<mlir::BlockArgument> arguments = entry.getArguments();
  for (auto [parameter, entry] : llvm::zip(parametersOf(kernel->definition), entries)) {
    TritonBuilder::Naming naming(tb, parameter->name);
    Value value = makeParameter(entry, arguments);
    if (!value)
      return false;
    locals[parameter->name] = std::move(value);
  }
  return true;
}

Value KernelParameters::makeParameter(const SignatureEntry &entry,
                                      llvm::ArrayRef<mlir::BlockArgument> &arguments) {
  if (entry.constant)
    return *entry.constant;
  if (!entry.function.empty())
    return functionOfEntry(entry);
  if (!entry.block.empty())
    return makeDescriptorParameter(entry, arguments);
  if (!entry.layout.empty())
    return layoutOfText(tb, entry.layout);
  if (!entry.elements) {
    Value value = Value::tensor(arguments.front(), entry.type);
    arguments = arguments.drop_front();
    return value;
  }
  std::vector<Value> elements;
  for (const SignatureEntry &element : *entry.elements)
    if (!elements.emplace_back(makeParameter(element, arguments)))
      return {};
  Value tuple = tb.makeTuple(std::move(elements));
  if (!entry.tupleClass.fields.empty())
    tuple.tupleClass = resolver.classes.add(entry.tupleClass);
  return tuple;
}

Value KernelParameters::makeDescriptorParameter(const SignatureEntry &entry,
                                                llvm::ArrayRef<mlir::BlockArgument> &arguments) {
  auto take = [&](DType type) {
    Value value = Value::tensor(arguments.front(), type);
    arguments = arguments.drop_front();
    return value;
  };
  const size_t rank = entry.block.size();
  if (!entry.layout.empty()) {
    const Value descriptor = take(entry.type);
    std::vector<Value> extents[2];
    for (size_t i = 0; i < 2 * rank; ++i)
      extents[i / rank].push_back(take({i < rank ? ScalarKind::Int32 : ScalarKind::Int64}));
    return Value::descriptor(descriptor.ssa, entry.type, tupleOfIntegers(entry.block),
                             Value::tuple(std::move(extents[0])),
                             Value::tuple(std::move(extents[1])));
  }
  Value base = take(entry.type.pointerTo());
  llvm::SmallVector<Value> shape, strides;
  for (size_t i = 0; i < rank; ++i)
    shape.push_back(take({ScalarKind::Int32}));
  for (size_t i = 0; i < rank; ++i)
    strides.push_back(take({ScalarKind::Int64}));
  strides.back() = tb.constant(Value::ofInteger(1), {ScalarKind::Int64});
  return tb.makeDescriptor(base, entry.block, shape, strides, entry.padsWithNan);
}

Value KernelParameters::functionOfEntry(const SignatureEntry &entry) {
  const Definition *definition = resolver.resolve(resolver.environments.source, entry.function);
  Value function;
  if (definition)
    function =
        resolver.global(resolver.environments.source, *definition, entry.function, /*asked=*/true)
            .known;
  // An aggregate of Gluon's may be one, too.
  if (function.kind == ValueKind::Function ||
      (function.kind == ValueKind::Class && function.tupleClass) || tb.failed())
    return function;
  return tb.fail("the signature names the function '" + entry.function +
                     "', which the source does not have",
                 "define it with @triton.jit");
}
