//===- Kernel.cpp - The kernel function and its signature ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/codegen/CompileKernel.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

CodeGen::CodeGen(mlir::MLIRContext &context, const ParsedModule &file,
                 std::vector<Diagnostic> &errors, const CompileFacts &facts, Imports *imports)
    : context(context),
      finder(imports ? &imports->files : nullptr, file.fileName(),
             imports ? llvm::ArrayRef<std::string>(imports->paths) : llvm::ArrayRef<std::string>()),
      errors(errors), tb(&context, file.fileName(), file.text(), errors) {
  tb.facts = facts;
  source.file = &file;
  source.module = &finder.source();
  source.scope = &file.scope();
}

mlir::OwningOpRef<mlir::ModuleOp>
frontend::compileKernel(mlir::MLIRContext &context, const ParsedModule &source,
                        StringRef kernelName, StringRef signature,
                        std::vector<KernelArgument> &arguments, std::vector<Diagnostic> &errors,
                        const CompileFacts &facts, Imports *imports) {
  errors.clear();
  // Loads the dialects that its ops need as well.
  context.getOrLoadDialect<tt::TritonDialect>();
  CodeGen codeGen(context, source, errors, facts, imports);
  auto module = codeGen.run(kernelName, signature);
  arguments = codeGen.takeArguments();
  if (imports) {
    imports->inputs = codeGen.inputs();
    imports->variables = codeGen.inputVariables();
  }
  for (Diagnostic &note : codeGen.takeNotes())
    errors.push_back(std::move(note));
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp>
frontend::compileKernel(mlir::MLIRContext &context, StringRef fileName, StringRef sourceText,
                        StringRef kernelName, StringRef signature,
                        std::vector<KernelArgument> &arguments, std::vector<Diagnostic> &errors,
                        const CompileFacts &facts, Imports *imports) {
  auto source = ParsedModule::parse(fileName, sourceText);
  if (!source) {
    errors = {source.error()};
    return {};
  }
  return compileKernel(context, **source, kernelName, signature, arguments, errors, facts, imports);
}

mlir::OwningOpRef<mlir::ModuleOp> CodeGen::run(StringRef kernelName, StringRef signature) {
  const FunctionObject *kernel = chooseKernel(kernelName);
  if (!kernel || !checkDefinition(kernel))
    return {};
  const FunctionDefStmt *definition = kernel->definition;
  if (const Parameter *parameter = definition->parameters.variadic) {
    tb.failAt({parameter->begin, parameter->end},
              "a kernel cannot take a variable number of arguments",
              "name each parameter; functions that kernels call may have `*args`");
    return {};
  }
  if (kernel->hasAssertions)
    tb.facts.assertions = true;
  Within within(*this, *kernel->environment, nullptr);
  mlir::Location location = tb.locationOf(definition->begin);
  module = mlir::ModuleOp::create(tb.builder, location);
  if (!bindSignature(kernel, signature) || tb.failed())
    return {};
  return std::move(module);
}

/// Nothing is written through the pointers of an entry.
static void makeConst(SignatureEntry &entry) {
  entry.type.isConst = entry.type.pointer;
  if (entry.elements)
    llvm::for_each(*entry.elements, makeConst);
}

bool CodeGen::bindSignature(const FunctionObject *kernel, StringRef signature) {
  Diagnostic error;
  std::optional<std::vector<SignatureEntry>> entries = parseSignature(signature, error);
  if (!entries) {
    errors.push_back(error);
    return false;
  }
  const size_t givenEntries = entries->size();
  if (!completeSignature(kernel, signature, *entries))
    return false;
  KernelInputs inputs;
  inputs.frame.function = kernel;
  for (auto [index, parameter] : llvm::enumerate(parametersOf(kernel->definition))) {
    SignatureEntry &entry = (*entries)[index];
    if (parameter->annotation && isAnnotation(parameter->annotation, "const", *environment))
      makeConst(entry);
    if (!addEntry(*parameter, std::string(parameter->name), entry,
                  index < givenEntries ? signature : StringRef(), inputs))
      return false;
    inputs.frame.parameters.push_back({&entry, parameter->name});
  }
  return generateBody(kernel, makeKernelFunction(kernel, inputs), inputs.frame);
}

bool CodeGen::completeSignature(const FunctionObject *kernel, StringRef signature,
                                std::vector<SignatureEntry> &entries) {
  llvm::SmallVector<const Parameter *> parameters = parametersOf(kernel->definition);
  const size_t givenEntries = entries.size();
  while (entries.size() < parameters.size()) {
    const Expr *otherwise = defaultOf(kernel->definition, entries.size());
    Value value = otherwise ? evaluateDefault(kernel, otherwise) : Value();
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
  errors.push_back(signatureError(
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

bool CodeGen::addEntry(const Parameter &parameter, const std::string &name,
                       const SignatureEntry &entry, StringRef signature, KernelInputs &inputs) {
  if (entry.elements) {
    for (auto [index, element] : llvm::enumerate(*entry.elements)) {
      const std::string step = entry.tupleClass.fields.empty()
                                   ? "[" + std::to_string(index) + "]"
                                   : "." + entry.tupleClass.fields[index];
      if (!addEntry(parameter, name + step, element, signature, inputs))
        return false;
    }
    return true;
  }
  if (entry.constant || !entry.function.empty())
    describeConstant(name, entry, signature);
  else if (!entry.block.empty())
    addDescriptor(name, entry, inputs);
  else
    return addArgument(parameter, name, entry, signature, inputs);
  return true;
}

void CodeGen::describeConstant(const std::string &name, const SignatureEntry &entry,
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

bool CodeGen::addArgument(const Parameter &parameter, const std::string &name,
                          const SignatureEntry &entry, StringRef signature, KernelInputs &inputs) {
  if (parameter.annotation && isAnnotation(parameter.annotation, "constexpr", *environment)) {
    errors.push_back(signatureError(signature, entry.offset, entry.length,
                                    "the parameter '" + name +
                                        "' is a tl.constexpr and needs a value, not the type " +
                                        entry.type.str(),
                                    "write its value, such as 128"));
    return false;
  }
  addInput(entry.type, entry.divisibility,
           tb.locationOf(inputs.frame.function->definition->begin, keep(name)), inputs);
  // To who launches it a pointer is a pointer.
  describeArgument(name, DType{entry.type.scalar, entry.type.pointer}.str(), entry.divisibility);
  return true;
}

/// A kernel takes a descriptor as the pointer, the sizes and the strides, the last of which is 1;
/// the body begins with making the descriptor of them. As for the hardware's descriptors, the
/// pointer and the strides are multiples of 16 bytes.
void CodeGen::addDescriptor(const std::string &name, const SignatureEntry &entry,
                            KernelInputs &inputs) {
  constexpr int64_t bytes = 16;
  mlir::Location location = tb.locationOf(inputs.frame.function->definition->begin);
  addInput(entry.type.pointerTo(), bytes, location, inputs);
  for (size_t i = 0; i < entry.block.size(); ++i)
    addInput({ScalarKind::Int32}, 1, location, inputs);
  const int64_t elements = bytes / std::max(1u, entry.type.bits() / 8);
  for (size_t i = 0; i + 1 < entry.block.size(); ++i)
    addInput({ScalarKind::Int64}, elements, location, inputs);
  addInput({ScalarKind::Int64}, 1, location, inputs);
  describeArgument(name, "tensordesc<" + entry.type.str() + describeShape(entry.block) + ">",
                   bytes);
}

void CodeGen::addInput(DType type, int64_t divisibility, mlir::Location location,
                       KernelInputs &inputs) {
  inputs.types.push_back(type.toMLIR(&context));
  inputs.attributes.push_back(divisibilityAttribute(divisibility));
  inputs.locations.push_back(location);
}

void CodeGen::describeArgument(const std::string &name, std::string type, int64_t divisibility) {
  KernelArgument &argument = arguments.emplace_back();
  argument.name = name;
  argument.type = std::move(type);
  argument.divisibility = static_cast<int>(divisibility);
}

tt::FuncOp CodeGen::makeKernelFunction(const FunctionObject *kernel, KernelInputs &inputs) {
  mlir::OpBuilder &builder = tb.builder;
  mlir::Location location = tb.locationOf(kernel->definition->begin);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = tt::FuncOp::create(
      builder, location, kernel->name(), builder.getFunctionType(inputs.types, {}),
      {builder.getNamedAttr("sym_visibility", builder.getStringAttr("public")),
       builder.getNamedAttr("noinline", builder.getBoolAttr(false))},
      inputs.attributes);
  symbols.insert(kernel->name());
  function.getBody().emplaceBlock().addArguments(inputs.types, inputs.locations);
  return function;
}

mlir::DictionaryAttr CodeGen::divisibilityAttribute(int64_t divisibility) {
  mlir::NamedAttrList list;
  if (divisibility > 1)
    list.set("tt.divisibility", tb.builder.getI32IntegerAttr(static_cast<int32_t>(divisibility)));
  return list.getDictionary(&context);
}

//===--------------------------------------------------------------------------===//
// The parameters in the kernel
//===--------------------------------------------------------------------------===//

bool CodeGen::makeParameters(mlir::Block &entry) {
  TritonBuilder::At span(tb,
                         {frame->function->definition->begin, frame->function->definition->begin});
  llvm::ArrayRef<mlir::BlockArgument> arguments = entry.getArguments();
  for (const KernelParameter &parameter : frame->parameters) {
    TritonBuilder::Naming naming(tb, parameter.name);
    Value value = makeParameter(*parameter.entry, arguments);
    if (!value)
      return false;
    frame->locals[parameter.name] = std::move(value);
  }
  return true;
}

Value CodeGen::makeParameter(const SignatureEntry &entry,
                             llvm::ArrayRef<mlir::BlockArgument> &arguments) {
  if (entry.constant)
    return *entry.constant;
  if (!entry.function.empty())
    return functionOfEntry(entry);
  if (!entry.block.empty())
    return makeDescriptorParameter(entry, arguments);
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
    tuple.tupleClass = &tupleClasses.emplace_back(entry.tupleClass);
  return tuple;
}

Value CodeGen::makeDescriptorParameter(const SignatureEntry &entry,
                                       llvm::ArrayRef<mlir::BlockArgument> &arguments) {
  auto take = [&](DType type) {
    Value value = Value::tensor(arguments.front(), type);
    arguments = arguments.drop_front();
    return value;
  };
  const size_t rank = entry.block.size();
  Value base = take(entry.type.pointerTo());
  llvm::SmallVector<Value> shape, strides;
  for (size_t i = 0; i < rank; ++i)
    shape.push_back(take({ScalarKind::Int32}));
  for (size_t i = 0; i < rank; ++i)
    strides.push_back(take({ScalarKind::Int64}));
  strides.back() = tb.constant(Value::ofInteger(1), {ScalarKind::Int64});
  return tb.makeDescriptor(base, entry.block, shape, strides, entry.padsWithNan);
}

Value CodeGen::functionOfEntry(const SignatureEntry &entry) {
  const Definition *definition = resolve(source, entry.function);
  Value function;
  if (definition)
    function = global(source, *definition, entry.function, /*asked=*/true).known;
  if (function.kind == ValueKind::Function || tb.failed())
    return function;
  return tb.fail("the signature names the function '" + entry.function +
                     "', which the source does not have",
                 "define it with @triton.jit");
}
